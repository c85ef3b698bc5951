import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { historyStandingAtom } from './object-verdict'
import { late } from './store'
import { isSameContact, type Sighting, type TrustRecord, type WitnessFinding } from './trust-record'
import { outdateRecords, trustedStatesAtom, trustRecordsAtom } from './trusted-states'
import type { Verification } from './verification'
import { txOf } from './verify-object'
import { sightingKey, sightingsOf, withSeen } from './witness-record'

/** Lines of the log about witnesses are of no database. */
const nowhere = { origin: '', server: '', database: '' }

/** Pins a witness by its key. Rejects while storage has not answered. */
export async function pinWitness(io: Io, key: string): Promise<void> {
  const points = io.get(trustedStatesAtom)
  if ((await points.keeping()) === 'late') throw new Error(late.why)
  await points.change((store) =>
    store.change('witnesses', key, (known) => known ?? { key, at: Date.now() }),
  )
  await points.note(nowhere, 'witness-pinned', key, null)
  outdateRecords(io)
}

/** Unpins a witness; what was proven of its checkpoints is removed. A line of the log stays. */
export async function unpinWitness(io: Io, key: string): Promise<void> {
  const points = io.get(trustedStatesAtom)
  if ((await points.keeping()) === 'late') throw new Error(late.why)
  await points.change((store) => store.change('witnesses', key, () => null))
  await dropSightings(io, ({ witness }) => witness === key)
  await points.note(nowhere, 'witness-removed', key, null)
  outdateRecords(io)
}

/** Removes what was proven of checkpoints, such as those of a forgotten trusted state. */
export function dropSightings({ get }: Io, isOf: (one: Sighting) => boolean): Promise<void> {
  return get(trustedStatesAtom).change(async (store) => {
    const all = await store.all('sightings')
    await Promise.all(all.flatMap(([key, one]) => (isOf(one) ? store.drop('sightings', key) : [])))
  })
}

/** Keeps what was proven of checkpoints, unless their witness is no longer pinned. */
export async function noteSighting(io: Io, sighting: Sighting): Promise<void> {
  await io.get(trustedStatesAtom).change(async (store) => {
    if (!(await store.read('witnesses', sighting.witness))) return
    await store.change('sightings', sightingKey(sighting), (known) => withSeen(known, sighting))
  })
  outdateRecords(io)
}

/** What a witness has seen of the history around a transaction. */
export type SeenBy = {
  /** The key of the witness. */
  witness: string
  /** Its first checkpoint at or after the transaction that lies in the history; null for none. */
  at: string | null
  /** Its newest checkpoint that does; null for none. */
  upTo: string | null
  found: WitnessFinding | null
}

function seenBy({ witness, seen, found }: Sighting, tx: string): SeenBy {
  const covering = seen.find(({ txId }) => BigInt(txId) >= BigInt(tx))
  return { witness, at: covering?.txId ?? null, upTo: seen.at(-1)?.txId ?? null, found }
}

/** What witnesses have seen of a history up to its trusted state; empty until records are read. */
export const seenOfRecordAtom = atom((get) => {
  const sightings = get(trustRecordsAtom)?.sightings ?? []
  return (record: TrustRecord): readonly SeenBy[] =>
    sightingsOf(record, sightings).map((one) => seenBy(one, record.point.txId))
})

/**
 * What witnesses have seen of the transaction of a proof. Nothing where the proof does not hold, or
 * was compared with another history than the one that the checkpoints lie in.
 */
export const seenOfProofAtom = atom((get) => {
  const sightings = get(trustRecordsAtom)?.sightings ?? []
  const standingOf = get(historyStandingAtom)
  return (verification: Verification): readonly SeenBy[] => {
    const { outcome, basis, database, server } = verification
    const isProven = outcome.kind === 'ok' && outcome.verified.verdict === 'ok'
    const tx = isProven ? txOf(outcome.verified.facts) : null
    const contact = basis && basis !== 'example' ? basis.contact : null
    if (!tx || !contact || standingOf(verification) !== 'followed') return []
    return sightings
      .filter(({ id }) => id.database === database && id.server === server)
      .filter((one) => isSameContact({ firstContact: contact }, one))
      .map((one) => seenBy(one, tx))
  }
})
