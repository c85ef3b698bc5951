import { atom } from 'jotai'
import { type Feature, knownAs, lacking, readVersion } from '~/immudb/server-versions'
import { healthAtom } from './session-start'

/** The version of the server as it reported it at the last login; null when it names none. */
export const serverVersionAtom = atom((get) => readVersion(get(healthAtom)?.version ?? ''))

/** Gives why the server is too old for something, as a sentence; undefined when it is not. */
export const lackingAtom = atom((get) => {
  const version = get(serverVersionAtom)
  return (feature: Feature): string | undefined => lacking(version, feature)
})

/** How far the console knows this server. */
export const knownAsAtom = atom((get) => knownAs(get(serverVersionAtom)))

/** Whether it was said since the login that the server is older than tested. */
export const isOldSaidAtom = atom(false)
