import type { AuditNews } from '~/proof/audit-messages'
import type { Exceptions } from '~/proof/exceptions'
import type { TrustRecord } from '../trust-record'

type Ended = Extract<AuditNews, { kind: 'ended' }>

/** A collection whose number differs from the pinned one; no proof covers either. */
export type Renumbered = {
  name: string
  pinned: number
  found: number
  /** The operator knew of it. */
  isAccepted?: true
}

const [unclear, gone] = ['collection-unclear', 'collection-gone'] as const

/**
 * Documents that no name returned count as those of deleted collections only once each listed name
 * has returned documents of another number. The order in an audit is arbitrary, so this is decided
 * at its end.
 */
export function settleExceptions(
  { counts, list }: Exceptions,
  { collections, listed }: Pick<Ended, 'collections' | 'listed'>,
): Exceptions {
  const names = new Set<unknown>(collections.map(([, name]) => name))
  const found = counts[unclear] ?? 0
  if (found === 0 || listed.some((name) => !names.has(name))) return { counts, list }
  const missed = new Map(
    collections.flatMap(([number, count]) => (typeof count === 'number' ? [[number, count]] : [])),
  )
  const moved = Math.min(
    found,
    [...missed.values()].reduce((sum, count) => sum + count, 0),
  )
  const { [unclear]: _, ...others } = counts
  const rest = found > moved ? { [unclear]: found - moved } : {}
  const all = moved > 0 ? { [gone]: (counts[gone] ?? 0) + moved } : {}
  return {
    counts: { ...others, ...rest, ...all },
    list: list.map((one) =>
      one.reason === unclear && missed.has(collectionOf(one.key)) ? { ...one, reason: gone } : one,
    ),
  }
}

/** From the key of a document as hex digits: 3 `R.` u32(1) u32(collection) and more. */
const collectionOf = (key: string) => Number.parseInt(key.slice(14, 22), 16)

/** The collections of proven documents, by name. */
export function numbersOf(collections: Ended['collections']): [name: string, number: number][] {
  return collections.flatMap(([number, name]) => (typeof name === 'string' ? [[name, number]] : []))
}

/**
 * Collections whose pinned number differs from the one that this audit, or an earlier one, found.
 */
export function findRenumbered(
  collections: Ended['collections'],
  { collections: pinned }: Pick<TrustRecord, 'collections'>,
  before: readonly Renumbered[] = [],
): Renumbered[] {
  const found = numbersOf(collections)
  const seen = new Set(found.map(([name]) => name))
  const unseen = before.filter(({ name }) => !seen.has(name))
  const all = [...found, ...unseen.map((one) => [one.name, one.found] as const)]
  return all.flatMap(([name, number]) => {
    const known = pinned.get(name) ?? number
    return known === number ? [] : [{ name, pinned: known, found: number }]
  })
}

/** Whether an operator should look into the numbers of collections. */
export function isRenumbered(collections: readonly Renumbered[] = []): boolean {
  return collections.some(({ isAccepted }) => !isAccepted)
}
