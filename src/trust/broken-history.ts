import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import { healthAtom } from '~/core/session/session-start'
import { knownOf, setTrust, type Trust, trustsAtom, withPersistence } from './trust'
import { type Break, isProven, isSameContact, type TrustRecord } from './trust-record'
import { trustedStatesAtom } from './trusted-states'

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
