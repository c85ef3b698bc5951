import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sumOfAudit } from '~/trust/stored-audit'

/**
 * What a browser kept of a console from before, after work on every kind of record. That of 7e4ff0f
 * is what Chromium had of the built console; how that of c12799e was recorded is said in its file.
 */
export type OldProfile = {
  /** How it was recorded, where that is said in the file. */
  readonly recorded?: string
  /** Where the console was reached. */
  readonly origin: string
  readonly localStorage: Readonly<Record<string, string>>
  readonly sessionStorage: Readonly<Record<string, string>>
  readonly cookie: string
  readonly databases: readonly OldDatabase[]
}

type OldDatabase = {
  readonly name: string
  readonly version: number
  /** Keys with their values; what JSON does not have is spelled as {@link revive} reads it. */
  readonly stores: Readonly<Record<string, readonly (readonly [string, unknown])[]>>
}

const fixtures = join(dirname(fileURLToPath(import.meta.url)), '../fixtures')

/** The folder of the server that the profile knows, packed, with the key that signs its states. */
export const oldServerFolder = `${fixtures}/profile-7e4ff0f.tar.gz`

/** The profiles that are recorded, by the commits of their consoles. */
export type OldConsole = '7e4ff0f' | 'c12799e'

export function oldProfile(of: OldConsole = '7e4ff0f'): OldProfile {
  return JSON.parse(readFileSync(`${fixtures}/profile-${of}.json`, 'utf8'))
}

/** The same profile of a console at another address. */
export function oldProfileAt(origin: string): OldProfile {
  const profile = oldProfile()
  const moved: OldProfile = JSON.parse(JSON.stringify(profile).replaceAll(profile.origin, origin))
  // A report names the address, too, and the sum of an audit is over all of it.
  for (const [, value] of storeOf(moved, 'webconsole-trust', 'audits')) {
    Object.assign(Object(value), { sum: sumOfAudit(Object(revive(value))) })
  }
  return moved
}

export function storeOf(profile: OldProfile, database: string, store: string) {
  return profile.databases.find(({ name }) => name === database)?.stores[store] ?? []
}

/** A recorded value as it lay in the browser. */
export function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive)
  if (typeof value !== 'object' || value === null) return value
  if ('$undefined' in value) return undefined
  if ('$map' in value) return new Map(revive(value.$map) as [unknown, unknown][])
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)]))
}
