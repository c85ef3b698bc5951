import type { DatabaseId } from '~/core/session/database-id'
import { compareStates, type WrittenState, writeStateText } from '~/immudb/state-text'
import { hexOf } from '~/lib/bytes'
import type { Claim, EvidenceFile, Unchecked } from '~/proof/check-evidence'
import type { TrustedState } from '~/proof/kernel/context'
import { isUncompared, recordedStates, type Sighting, type TrustRecord } from './trust-record'
import { sightingsOf } from './witness-record'

/** How a file compares with what this browser recorded about that database. */
export type OwnState =
  | { kind: 'none' }
  /** The record here, beside the state in the file. */
  | (TrustedState & {
      kind: 'same' | 'different' | 'apart'
      theirs: TrustedState
      /** It was imported, and no answer of the server was compared with it yet. */
      isUncompared?: true
    })

/**
 * How the signing key of a file compares with the key pinned here for its server: `none`: none is
 * pinned. `missing`: the file has none. `unread`: the pinned one cannot be read.
 */
export type OwnKey = 'same' | 'different' | 'missing' | 'none' | 'unread'

/** Whether what a reader gave to compare a file with answers what the file leaves open. */
export function isAnswered(code: Unchecked, own: OwnState, key: OwnKey): boolean {
  return (code === 'point' && own.kind === 'same') || (code === 'key' && key === 'same')
}

/**
 * Compares all hashes in a file with all records of that database. One transaction with another
 * hash contradicts the file.
 */
export function ownState(
  evidence: Subject,
  claims: readonly Claim[],
  records: readonly TrustRecord[],
): OwnState {
  const own = recordsOf(evidence, records)
  const points = own.flatMap(recordedStates).filter(({ txId }) => txId !== '0')
  const [newest] = points
  const vouching = claims.filter(({ vouches }) => vouches)
  const [first] = vouching
  if (!first || !newest) return { kind: 'none' }
  const found = claims.map((theirs) => ({ theirs, ...compareStates(theirs, points) }))
  for (const one of found) {
    const { theirs } = one
    if (one.kind === 'different') {
      return { kind: 'different', txId: one.txId, txHash: one.ours, theirs: pointOf(theirs) }
    }
  }
  const same = found.find(({ kind, theirs }) => kind === 'same' && vouching.includes(theirs))
  if (same) {
    const theirs = pointOf(same.theirs)
    const isImported = own
      .filter((record) => compareStates(same.theirs, recordedStates(record)).kind === 'same')
      .every(isUncompared)
    return { kind: 'same', ...theirs, theirs, ...(isImported && { isUncompared: true }) }
  }
  return { kind: 'apart', txId: newest.txId, txHash: newest.txHash, theirs: pointOf(first) }
}

const pointOf = ({ txId, txHash }: Claim): TrustedState => ({ txId, txHash })

/** The database that a file is of. */
export type Subject = { context: { db: string }; server: EvidenceFile['server'] }

/** The records of the database that a file is of. */
export function recordsOf({ context, server }: Subject, records: readonly TrustRecord[]) {
  return records.filter(({ id }) => id.database === context.db && isOf(server, id))
}

/** By the server's id, as for trusted states, or by its address when it has none. */
function isOf({ uuid, origin }: EvidenceFile['server'], id: DatabaseId): boolean {
  return uuid ? id.server === uuid : id.server === '' && id.origin === origin
}

/** The trusted state of a record, to be shared as text, with what witnesses have seen of it. */
export function writtenOf(record: TrustRecord, sightings: readonly Sighting[] = []): WrittenState {
  const { id, point, history } = record
  const at = history.at(-1)?.at
  const witnesses = sightingsOf(record, sightings).flatMap(writtenSighting)
  return {
    ...id,
    ...point,
    at: at === undefined ? '' : new Date(at).toISOString(),
    ...(witnesses.length > 0 && { witnesses }),
  }
}

/** The trusted states of records. That of an empty database says nothing, and no reader takes it. */
export function writeRecords(
  records: readonly TrustRecord[],
  sightings: readonly Sighting[] = [],
): string {
  const filled = records.filter(({ point }) => point.txId !== '0')
  return writeStateText(filled.map((record) => writtenOf(record, sightings)))
}

/** The key of a witness, and the newest of its checkpoints that lies in the history. */
function writtenSighting({ witness, seen }: Sighting): string[] {
  const last = seen.at(-1)
  return last ? [`${witness} transaction ${last.txId} hash ${hexOf(last.txHash)}`] : []
}
