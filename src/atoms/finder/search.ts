import { matcher, matchRanks } from '~/lib/name-match'
import { pageAt } from '~/lib/paths'
import type { Here, Kind, Thing } from './thing'

/** Something found, with its place among the results. */
export type Result = Thing & {
  /** What no two results have in common. */
  readonly id: string
  readonly kind: Kind
  readonly rank: number
}

/** Things that are known or were found; `kind` is that of those that name none. */
export type Brought = { readonly kind: Kind; readonly things: readonly Thing[] }

export type Results = {
  readonly shown: readonly Result[]
  /** How many more there are. */
  readonly more: number
}

/** Results that are shown; no one reads more. */
const mostShown = 50
/** Those of them that only have the words somewhere in a long text. */
const mostInTexts = 5

/** What is known of each kind, without a request. */
export function knownThings(kinds: readonly Kind[], here: Here): readonly Brought[] {
  return kinds.map((kind) => ({ kind, things: kind.known?.(here) ?? [] }))
}

/**
 * What answers a search, the exact ones first, then what begins with it, then what has its words;
 * among equals in the order of the kinds, and what is in the open database first.
 * @param brought what others answered; nothing of it is known to be there otherwise
 */
export function resultsOf(
  kinds: readonly Kind[],
  here: Here,
  text: string,
  known: readonly Brought[],
  brought: readonly Brought[],
): Results {
  const match = matcher(text)
  const byId = new Map<string, Result>()
  const add = (kind: Kind, thing: Thing, rank: number) => {
    const id = idOf(kind, thing)
    const before = byId.get(id)
    if (!before || before.rank > rank) byId.set(id, { ...thing, id, kind, rank })
  }
  if (text.trim() !== '') {
    for (const kind of kinds) {
      for (const thing of kind.read?.(here, text) ?? []) add(kind, thing, matchRanks.exact)
    }
    for (const { kind, things } of brought) {
      for (const thing of things) {
        const rank = thing.isNamed ? matchRanks.exact : match(thing)
        // Bytes that are typed as base64 begin a key without beginning its text.
        const least = thing.key === undefined ? null : matchRanks.inside
        const worth = rank ?? least
        if (worth !== null) add(thing.kind ?? kind, thing, worth)
      }
    }
  }
  for (const { kind, things } of known) {
    if (text.trim() === '' && !kind.isOffered) continue
    for (const thing of things) {
      const rank = text.trim() === '' ? matchRanks.inside : match(thing)
      if (rank !== null) add(kind, thing, rank)
    }
  }
  const isOpen = pageOpener(here)
  const order = new Map(kinds.map((kind, at) => [kind, at]))
  const placeOf = ({ kind }: Result) => order.get(kind) ?? 0
  const isFar = ({ database, server }: Result) => Number(!!(server ?? database))
  const all = [...byId.values()].filter(isOpen).sort(
    (a, b) =>
      a.rank - b.rank ||
      isFar(a) - isFar(b) ||
      placeOf(a) - placeOf(b) ||
      // Of names with the same beginning the shortest is the nearest; else as its kind lists them.
      (a.rank === matchRanks.beginning ? a.name.length - b.name.length : 0),
  )
  const near = all.filter(({ rank }) => rank < matchRanks.text)
  const far = all.slice(near.length, near.length + mostInTexts)
  const found = [...near, ...far]
  return { shown: found.slice(0, mostShown), more: Math.max(0, found.length - mostShown) }
}

/** Tells what leads to a page that this user is offered. */
function pageOpener({ pages }: Here): (of: Thing) => boolean {
  return ({ to }) => {
    if (!('path' in to)) return true
    const page = pageAt(to.path.split(/[?#]/, 1)[0] ?? '')
    return page !== undefined && pages.has(page.name)
  }
}

function idOf({ label }: Kind, { server, database, of, key, name, to }: Thing): string {
  const path = 'path' in to ? to.path : ''
  return JSON.stringify([label, server, database, of, key ?? name, path])
}
