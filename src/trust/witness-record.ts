import {
  isSameContact,
  isSameId,
  type Sighting,
  type TrustRecord,
  type WitnessFinding,
} from './trust-record'

/** What is kept of one witness and database. With one each minute, that is a week. */
export const mostSeen = 10_000

/** One text for each witness and database. */
export function sightingKey({ witness, id }: Pick<Sighting, 'witness' | 'id'>): string {
  return JSON.stringify([witness, id.origin, id.server, id.database])
}

/**
 * A sighting with what was proven since. What was proven of a record that was forgotten says
 * nothing about the one that is there now.
 */
export function withSeen(known: Sighting | null, next: Sighting): Sighting {
  if (!known || !isSameContact(known, next)) return cut(next)
  const seen = new Map([...known.seen, ...next.seen].map((one) => [one.txId, one]))
  const rising = [...seen.values()].sort((a, b) => (BigInt(a.txId) < BigInt(b.txId) ? -1 : 1))
  return cut({ ...next, seen: rising, found: worse(known.found, next.found) })
}

/**
 * The finding that is kept: one about the history before one about the witness, and of those the
 * first that does not lie there. Incidents name the others.
 */
function worse(known: WitnessFinding | null, next: WitnessFinding | null): WitnessFinding | null {
  if (!known || !next) return next ?? known
  if (known.kind !== 'differs') return next
  return next.kind === 'differs' && BigInt(next.txId) < BigInt(known.txId) ? next : known
}

const cut = (of: Sighting): Sighting => ({ ...of, seen: of.seen.slice(-mostSeen) })

/** Those of a record, none of an earlier one of the same database. */
export function sightingsOf(
  { id, firstContact }: Pick<TrustRecord, 'id' | 'firstContact'>,
  all: readonly Sighting[],
): readonly Sighting[] {
  return all.filter((one) => isSameId(one.id, id) && isSameContact({ firstContact }, one))
}

/** The name of a witness, from its key. */
export const nameOfWitness = (key: string) => key.slice(0, key.indexOf('+'))

/** Its name with the digits that tell it from another of the same name. */
export const fullNameOf = (key: string) => key.split('+').slice(0, 2).join('+')
