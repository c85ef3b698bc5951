import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { databaseIdAtom, openIdAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { base64Of } from '~/lib/bytes'
import { parsedJson } from '~/lib/parsed-json'
import { momentsStorageKey } from '~/lib/storage-keys'
import { counted, formatTx } from '~/lib/text'
import type { TrustedState } from '~/proof/kernel/context'
import { factsAlone } from '~/proof/shown'
import {
  type Comparison,
  importState,
  provenTx,
  whyNotVerified,
  whyUnproven,
} from '~/trust/compared-state'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import {
  isOf,
  longestName,
  moment,
  momentsAtom,
  mostMoments,
  type NamedMoment,
  readAgain,
  readMoments,
} from './moments'

/** Changes what is stored, from what is stored now. Rejects when it could not be stored. */
async function change({ get, set }: Io, to: (now: NamedMoment[]) => NamedMoment[]) {
  const isKept = await get(storageAtom).change(momentsStorageKey, (value) => {
    const { moments, unread } = readMoments(value)
    return { moments: [...to(moments), ...unread] }
  })
  if (!isKept) throw new Error('storage refused the named moments')
  await readAgain({ get, set })
}

const isSame = (one: NamedMoment, other: NamedMoment) =>
  one.server === other.server &&
  one.origin === other.origin &&
  one.database === other.database &&
  one.name === other.name

/** For a moment that could not be stored. */
export const notKept = 'This browser could not store it. Nothing was changed.'

/** Why a name cannot be given in a database; undefined when it can. */
export const nameProblemAtom = atom((get) => {
  const known = get(momentsAtom) ?? []
  return (name: string, id: DatabaseId, present?: NamedMoment): string | undefined => {
    const plain = name.trim()
    if (plain === '') return 'A moment needs a name.'
    if (plain.length > longestName) return `At most ${longestName} characters.`
    const others = known.filter((one) => isOf(one, id) && one !== present)
    if (others.some((one) => one.name === plain)) return 'Another moment has this name.'
    if (!present && known.length >= mostMoments) {
      return `At most ${mostMoments} moments are kept. Delete one first.`
    }
    return undefined
  }
})

/**
 * Names a transaction of the open database. First the server must prove that it belongs to the
 * history that this browser trusts. Resolves with why it was not named, or null.
 */
export async function nameMoment(io: Io, name: string, txId: string): Promise<string | null> {
  const id = io.get(openIdAtom)
  const problem = io.get(nameProblemAtom)(name, id)
  if (problem !== undefined) return problem
  const proven = await provenHash(io, id, txId)
  if ('why' in proven) return proven.why
  const state = io.get(stateAtom).data
  const { txHash } = proven
  const isState = state?.txId === txId && state.txHash === txHash
  const signature = isState ? state.signature : undefined
  const { origin, server, database } = id
  const named = { name: name.trim(), origin, server, database, txId, txHash, at: Date.now() }
  await change(io, (now) => [
    { ...named, isImported: false, ...(signature && { signature }) },
    ...now,
  ])
  return null
}

/** Asks the server to prove that a moment is still part of the history that is trusted. */
export function checkMoment(io: Io, { database, txId, txHash }: NamedMoment): Promise<Comparison> {
  return checkState(io, io.get(databaseIdAtom)(database), { txId, txHash })
}

export function renameMoment(io: Io, of: NamedMoment, name: string) {
  return change(io, (now) =>
    now.map((one) => (isSame(one, of) ? { ...one, name: name.trim() } : one)),
  )
}

/** Deletes a moment; what it resolves with brings it back to its place. */
export async function deleteMoment(io: Io, of: NamedMoment) {
  let at = 0
  await change(io, (now) => {
    at = Math.max(
      0,
      now.findIndex((one) => isSame(one, of)),
    )
    return now.filter((one) => !isSame(one, of))
  })
  return () => change(io, (now) => withUnique([of], now, at))
}

/** Adds moments under names that are free. */
function withUnique(more: readonly NamedMoment[], now: NamedMoment[], at = 0): NamedMoment[] {
  const all = [...now]
  for (const one of [...more].reverse()) all.splice(at, 0, { ...one, name: freeName(one, all) })
  return all
}

function freeName(of: NamedMoment, all: readonly NamedMoment[]): string {
  const isTaken = (name: string) => all.some((one) => isSame(one, { ...of, name }))
  let name = of.name
  for (let number = 2; isTaken(name); number += 1) {
    const end = ` (${number})`
    name = of.name.slice(0, longestName - end.length) + end
  }
  return name
}

const product = 'webconsole named moments'

/** The moments as text for a file. */
export function momentsFile(moments: readonly NamedMoment[]): string {
  const named = moments.map(({ isImported: _here, ...one }) => one)
  return `${JSON.stringify({ product, schema: 1, moments: named }, null, 2)}\n`
}

const file = v.object({
  product: v.picklist([product]),
  schema: v.number(),
  moments: v.array(v.unknown()),
})

/** What a file holds: moments, or a sentence about why there are none. */
export function readMomentsFile(content: string): { moments: NamedMoment[] } | { problem: string } {
  const found = v.safeParse(file, parsedJson(content))
  if (!found.success) return refuse('This is not a file of named moments of this console.')
  const { schema, moments } = found.output
  if (schema !== 1) return refuse('A newer version of this console wrote this file.')
  if (moments.length === 0) return refuse('This file holds no moments.')
  if (moments.length > mostMoments) return refuse(`At most ${mostMoments} moments are kept.`)
  const read: NamedMoment[] = []
  for (const [index, one] of moments.entries()) {
    const entry = v.safeParse(moment, one)
    if (!entry.success) {
      const [issue] = entry.issues
      const part = issue.path?.map(({ key }) => String(key)).join('.') ?? 'its form'
      return refuse(`Moment ${index + 1} cannot be read: ${part} is not as expected.`)
    }
    read.push({ ...entry.output, isImported: true })
  }
  return { moments: read }
}

const refuse = (why: string) => ({ problem: `${why} Nothing was taken over.` })

/**
 * Takes over the moments of a file. Those that are known already stay as they are. Resolves with
 * what was done, in words.
 */
export async function importMoments(io: Io, moments: readonly NamedMoment[]): Promise<string> {
  let [added, left] = [0, 0]
  await change(io, (now) => {
    const isKnown = (one: NamedMoment) =>
      now.some((other) => other.txHash === one.txHash && isSame(other, one))
    const fresh = moments.filter((one) => !isKnown(one))
    const taken = fresh.slice(0, Math.max(0, mostMoments - now.length))
    ;[added, left] = [taken.length, fresh.length - taken.length]
    return withUnique(taken, now)
  })
  const known = moments.length - added - left
  return [
    `${counted(added, 'moment')} taken over. Check them before you rely on them.`,
    ...(known > 0 ? [`${counted(known, 'was', 'were')} here already.`] : []),
    ...(left > 0 ? [`${counted(left, 'did', 'did')} not fit.`] : []),
  ].join(' ')
}

/**
 * The hash of a transaction of the trusted history, in base64, or why there is none. It is that of
 * the trusted state, or of a transaction that the server has just proven to be part of it.
 */
export async function provenHash(
  io: Io,
  id: DatabaseId,
  txId: string,
): Promise<{ txHash: string } | { why: string }> {
  const points = io.get(trustedStatesAtom)
  const trust = await verifyState(io, id.database)
  const known = (await points.read(id))?.point
  const keeping = await points.keeping()
  if (keeping !== 'kept') return { why: whyUnproven[keeping] }
  if (!known) return { why: 'This browser keeps no trusted state of this database yet.' }
  if (trust.kind === 'broken') return { why: 'The history of this database is broken.' }
  if (known.txId === txId) return { txHash: known.txHash }
  if (BigInt(txId) > BigInt(known.txId)) {
    const newest = `tx ${formatTx(known.txId)}`
    return { why: `Transaction ${formatTx(txId)} is newer than the trusted state, ${newest}.` }
  }
  try {
    const verification = await provenTx(io, id.database, txId, factsAlone)
    const { outcome } = verification
    if (outcome.kind === 'refused') return { why: 'The proof of this transaction was refused.' }
    if (outcome.kind === 'unproven') return { why: outcome.why }
    const { facts } = outcome.verified
    if (!facts) return { why: 'The answer contains no proof.' }
    const why = whyNotVerified(verification)
    if (why === null) return { txHash: base64Of(facts.alh) }
    return { why: why || 'The proof does not hold in full.' }
  } catch (error) {
    return { why: sentence(error) }
  }
}

/**
 * Whether a state of before is still part of the history that this browser trusts. Unlike
 * `importState` it never makes it the trusted state.
 */
export async function checkState(io: Io, id: DatabaseId, point: TrustedState): Promise<Comparison> {
  if ((await io.get(trustedStatesAtom).read(id)) !== null) return importState(io, id, point)
  return { kind: 'unknown', why: 'This browser keeps no trusted state of this database.' }
}
