import { atom } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { Io } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { filterDelay, searchHitLimit } from '~/lib/constants'
import { pause } from '~/lib/retry'
import { formatTx } from '~/lib/text'
import { findInResult, patternOf } from '~/sql/find-in-result'
import { paramText } from '~/sql/params'
import type { ResultTable } from '~/sql/result'
import { isSentShown, type OutputHit, placeWords, shownHitAtom, visibleOutputAtom } from './output'
import type { OutputEntry } from './output-entry'

/** The hits of a search; `isWhole` is false when there are more. */
export type OutputHits = {
  readonly text: string
  readonly hits: readonly OutputHit[]
  readonly isWhole: boolean
}

/** Milliseconds of searching between two pauses for the page. */
const slice = 12

const noHits: OutputHits = { text: '', hits: [], isWhole: true }

const textAtom = atom('')
const stepAtom = atom<number | null>(null)

/** The text that is searched in the output; empty while nothing is. */
export const searchTextAtom = atom(
  (get) => get(textAtom),
  (_get, set, text: string) => {
    set(textAtom, text)
    set(stepAtom, null)
    set(shownHitAtom, null)
  },
)

const foundAtom = unwrap(
  atom(async (get, { signal }): Promise<OutputHits> => {
    const text = get(textAtom).trim()
    const entries = get(visibleOutputAtom).filter((item) => item.kind === 'entry')
    const zone = get(timezoneAtom)
    if (text === '') return noHits
    // Another letter restarts the search, and so does each new result.
    await pause(filterDelay / 2, signal)
    const pattern = patternOf(text)
    const hits: OutputHit[] = []
    let until = performance.now() + slice
    for (const entry of entries) {
      for (const found of hitsIn(entry, pattern, zone)) {
        hits.push(...found)
        if (hits.length > searchHitLimit)
          return { text, hits: hits.slice(0, searchHitLimit), isWhole: false }
        if (performance.now() < until) continue
        await pause(0, signal)
        until = performance.now() + slice
      }
    }
    return { text, hits, isWhole: true }
  }),
  (before) => before ?? noHits,
)

/** What the last search found, in the order of the output. */
export const outputHitsAtom = atom((get) => get(foundAtom))

/** Whether a search is still running for the present text. */
export const isSearchingAtom = atom((get) => get(foundAtom).text !== get(textAtom).trim())

/** Place of the hit that is shown among all, from 0; null before the first step. */
export const hitIndexAtom = atom((get) => {
  const step = get(stepAtom)
  const count = get(foundAtom).hits.length
  return step === null || count === 0 ? null : Math.min(step, count - 1)
})

/** Goes to the next or the previous hit, round at the ends. */
export function stepHit({ get, set }: Io, by: 1 | -1) {
  const { hits } = get(foundAtom)
  if (hits.length === 0) return
  const index = get(hitIndexAtom) ?? (by > 0 ? -1 : 0)
  const next = (index + by + hits.length) % hits.length
  set(stepAtom, next)
  set(shownHitAtom, hits[next] ?? null)
}

function* hitsIn(entry: OutputEntry, pattern: RegExp, zone: string): Generator<OutputHit[]> {
  const { number, source, failure, result } = entry
  const of = (kind: 'statement' | 'answer' | 'details', texts: readonly (string | null)[]) =>
    texts.some((text) => text !== null && pattern.test(text)) ? [{ entry: number, kind }] : []
  yield of('statement', [source])
  const isInFinding = hasPattern(entry.finding?.rows ?? null, pattern, zone)
  yield isInFinding ? [{ entry: number, kind: 'answer' }] : of('answer', saidOf(entry))
  yield of('details', [failure?.details ?? null])
  if (!result) return
  for (const found of findInResult(result, pattern, zone)) {
    yield found.map((hit) => ({ entry: number, ...hit }))
  }
}

/** Whether rows match a pattern. Without slices, because “check now” only finds a few rows. */
function hasPattern(rows: ResultTable | null, pattern: RegExp, zone: string): boolean {
  return rows !== null && [...findInResult(rows, pattern, zone)].some((hits) => hits.length > 0)
}

/** The texts about a statement: its outcome, notes, failure and transaction. */
function saidOf(entry: OutputEntry): (string | null)[] {
  const { message, notes, failure, warning, finding, tx, database, number, source, sent, given } =
    entry
  return [
    ...[message, warning, finding?.text ?? null, failure?.text ?? null, failure?.hint ?? null],
    failure && placeWords(failure),
    isSentShown(entry) && sent !== source ? sent : null,
    ...[...notes, database, `result ${number}`],
    ...given.map(({ name, value }) => `@${name} ${paramText(value)}`),
    ...(tx === null ? [] : [`tx ${tx}`, `tx ${formatTx(tx)}`]),
  ]
}
