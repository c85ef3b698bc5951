import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import { healthAtom } from '~/core/session/session-start'
import { incidentOf, newIncident } from './findings'
import { labelOf, olderThanSent, verdictWhenChecked } from './object-verdict'
import { knownOf, setTrust, type Trust, trustsAtom, withPersistence } from './trust'
import {
  type Break,
  type Incident,
  isProven,
  isSameContact,
  type KnownServer,
  type TrustRecord,
} from './trust-record'
import { outdateRecords, trustedStatesAtom } from './trusted-states'
import type { Proof } from './verification'

/** Notes an incident. Never rejects, because the finding is shown even if it cannot be noted. */
export async function noteIncident(io: Io, id: DatabaseId, incident: Incident): Promise<void> {
  await io
    .get(trustedStatesAtom)
    .noteIncident(id, incident)
    .catch(() => {})
  outdateRecords(io)
}

/**
 * What was recorded of a database while its server gave no id, as immudb up to 1.4 gives none. A
 * server with one may be the same after an upgrade, which its next state proves or does not. Null
 * when nothing was, or when an operator has revoked the server.
 */
export async function unnamedRecord(io: Io, id: DatabaseId): Promise<TrustRecord | null> {
  const points = io.get(trustedStatesAtom)
  const { origin, server } = id
  const known = await points.servers(origin)
  if (server === '' || !known.some((one) => one.server === '')) return null
  const decided = (await points.log()).findLast(
    ({ id: of, what }) => of.origin === origin && of.server === server && /^server-/.test(what),
  )
  if (decided?.what === 'server-revoked') return null
  const record = await points.read({ ...id, server: '' })
  return record && !record.break ? record : null
}

/**
 * See `strangerOf`; notes another server when it is first reported. One that may be upgraded is not
 * reported before its state was asked for.
 */
export async function noteStranger(io: Io, id: DatabaseId, isAsked = false): Promise<Halt | null> {
  const halt = await strangerOf(io, id)
  if (halt && !isAsked && (await unnamedRecord(io, id))) return null
  if (halt && io.get(trustsAtom).get(id.database) !== halt) {
    await noteIncident(io, id, incidentOf(halt.broken))
  }
  return halt
}

/**
 * Notes shown or sent content that differs from the proof of the same transaction. The caller
 * decides whether the difference may have an innocent reason.
 */
export async function noteContradictions(io: Io, proofs: readonly Proof[]): Promise<void> {
  for (const proof of proofs) {
    const judged = verdictWhenChecked(proof)
    if (judged.cause !== 'different') continue
    const { database, server, what } = proof.verification
    const id = { ...io.get(databaseIdAtom)(database), server }
    const found = newIncident('contradicted', what)
    const old = olderThanSent(judged)
    const names = (judged.parts ?? [])
      // Clocks may differ about what has expired.
      .filter(({ name, value }) => value.is !== 'passed' && !(old && name === 'what was sent'))
      .map(labelOf)
    if (names.length > 0) {
      const part = [...new Set(names)].join(', ')
      await noteIncident(io, id, { ...found, reason: 'not-as-shown', part })
    }
    if (old) await noteIncident(io, id, { ...found, reason: 'not-new' })
  }
}

/** Shows at once that a proof has held, instead of with the next state. */
export async function tellProven(io: Io, record: TrustRecord): Promise<void> {
  const { database } = record.id
  const keeping = await io.get(trustedStatesAtom).keeping()
  const known = knownOf(io, database)
  if (known?.kind !== 'first' || !isSameContact(known.record, record)) return
  const kind: 'consistent' | 'first' = isProven(record) ? 'consistent' : 'first'
  const trust = { ...known, kind, record }
  setTrust(io, database, withPersistence(trust, keeping))
}

/** A history that is known to be broken. */
export type Halt = Extract<Trust, { kind: 'broken' }>

/** A finding stays until the operator has decided about it. */
export function haltOf(io: Io, record: TrustRecord | null, database: string): Halt | null {
  if (record?.break) return { kind: 'broken', record, broken: record.break }
  const known = knownOf(io, database)
  if (known?.kind !== 'broken' || known.broken.kind === 'other-server') return null
  // If it was stored, the operator has removed it; otherwise only this page remembers it.
  if (known.record?.break) return null
  const isForgotten = known.record && !(record && isSameContact(known.record, record))
  return isForgotten ? null : { kind: 'broken', record, broken: known.broken }
}

/** Whether the server at an address is not one of the accepted ones. */
export async function strangerOf(io: Io, id: DatabaseId): Promise<Halt | null> {
  const points = io.get(trustedStatesAtom)
  const known = (await points.servers(id.origin)).map(({ server }) => server)
  const last = known.at(-1)
  if (last === undefined || known.includes(id.server)) return null
  const now = io.get(trustsAtom).get(id.database)
  const isSame = now?.kind === 'broken' && now.broken.received === id.server
  if (isSame && now.broken.kind === 'other-server') return now
  const record = await points.read({ ...id, server: last })
  const broken: Break = {
    kind: 'other-server',
    reason: 'other-server',
    step: 'answer',
    part: 'Grpc-Metadata-Immudb-Uuid',
    expected: last,
    received: id.server,
    at: Date.now(),
    what: 'the identity of the server',
    verification: null,
    acknowledgedAt: null,
  }
  return { kind: 'broken', record, broken }
}

/** Shows a recorded break before this page follows the history. */
export async function recallBreak(io: Io, database: string): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  const kind = io.get(trustsAtom).get(database)?.kind
  // A server that answered without an id has none.
  const isSettled = id.server !== '' || io.get(healthAtom) !== null
  if (!isSettled || kind === 'first' || kind === 'consistent') return
  const recorded = await io.get(trustedStatesAtom).read(id)
  const halt = (await strangerOf(io, id)) ?? haltOf(io, recorded, database)
  if (halt && io.get(trustsAtom).get(database)?.kind !== 'broken') {
    setTrust(io, database, halt)
  }
}

/** One accepted server answers in the place of another. */
export type ServerSwap = { origin: string; before: string; now: KnownServer; at: number }

const shownAtom = atom<ServerSwap | null>(null)

/** The last swap, until an operator has seen it. */
export const serverSwapAtom = atom((get) => get(shownAtom))

export function dismissSwap({ set }: Io) {
  return set(shownAtom, null)
}

/**
 * The server that answered last in this page, by address; another tab may have noted a swap first.
 */
const answeredAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>())

/** Notes the server at an address without showing a swap, for instance after it was accepted. */
export function noteAnswered(
  io: Io,
  { origin, server }: Pick<DatabaseId, 'origin' | 'server'>,
): void {
  io.set(answeredAtom, new Map(io.get(answeredAtom)).set(origin, server))
}

/** Notes and shows each change between accepted servers. Never rejects. */
export async function noteSwap(io: Io, id: DatabaseId): Promise<void> {
  const { origin, server } = id
  const points = io.get(trustedStatesAtom)
  const own = io.get(answeredAtom).get(origin)
  noteAnswered(io, id)
  const noted = await points.noteAnswering(origin, server).catch(() => null)
  const known = await points.servers(origin).catch(() => [])
  const before = own ?? noted
  const now = known.find((one) => one.server === server)
  const isSwap = before !== null && before !== server && now !== undefined
  if (!isSwap || !known.some((one) => one.server === before)) return
  const swap = newIncident('server-swapped', 'the identity of the server')
  await noteIncident(io, { ...id, database: '' }, { ...swap, expected: before, received: server })
  io.set(shownAtom, { origin, before, now, at: swap.at })
}
