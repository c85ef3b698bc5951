import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { listOf } from '~/lib/text'
import { compareShown, type Leaf } from '~/proof/shown'
import { gravestOf, type Judged, unchecked, verdictOf } from '~/proof/verdict'
import {
  type Compared,
  historyStandingAtom,
  type KnownOfObject,
  labelOf,
} from '~/trust/object-verdict'
import { writtenLeaves } from '~/trust/questions'

/** What this browser found about a row in a result. */
export type RowMark = CheckedRow | { verdict: null; cause: 'unasked'; why: string }

/** The verdict at the time of the check, with everything needed to judge it again. */
export type CheckedRow = Judged & {
  known: KnownOfObject
  of: Compared
  /** The transaction that it is proven in; null where nothing is proven. */
  tx: string | null
  /** When that was, in seconds since 1970. */
  ts: string | null
  /** What the verdict leaves open, which columns are not as shown, or why nothing is proven. */
  gap?: string
  columns?: readonly string[]
  /** The code of a refusal. */
  reason?: string
  why?: string
}

/** The result of a run in words, and its rows. */
type Summary = { text: string; rows: readonly number[] }

/** What this browser verified of the rows of one result. */
export type ResultProofs = {
  marks: ReadonlyMap<number, RowMark>
  /** Checked and remaining rows; null when no run is in progress. */
  run: { done: number; total: number } | null
  /** Why no row of it can be verified. */
  refusal: string | null
  /** What came of the last run over several rows. */
  summary: Summary | null
}

const none: ResultProofs = { marks: new Map(), run: null, refusal: null, summary: null }

const proofsAtom = atom<ReadonlyMap<number, ResultProofs>>(new Map<number, ResultProofs>())

/** What was verified of a result, by its number. A statement that is run again has a new number. */
export const rowProofsAtom = atom((get) => (number: number) => get(proofsAtom).get(number) ?? none)

/** The verdict on a row by what is known of its history now; null when it could not be asked for. */
export const rowVerdictAtom = atom((get) => {
  const standingOf = get(historyStandingAtom)
  return (mark: RowMark): Judged | null =>
    mark.verdict && verdictOf({ ...mark.known, history: standingOf(mark.of) })
})

/**
 * A mark of a row beside which more is drawn than its cells.
 * @param beside what is drawn of the transaction that wrote it, and of its revisions
 */
export function withBeside(mark: RowMark, beside: readonly Leaf[], readAt: string): RowMark {
  if (mark.verdict === null || mark.tx === null || beside.length === 0) return mark
  const proven = { leaves: writtenLeaves(mark.tx, mark.ts), whole: [] } as const
  const compared = compareShown({ leaves: beside, whole: [], readAt }, proven)
  const unequal = compared.filter(({ match }) => match !== 'same')
  if (unequal.length === 0) return mark
  const [open, other] = [true, false].map((isOpen) =>
    unequal.filter(({ match }) => (match === 'uncovered') === isOpen).map(labelOf),
  )
  const gaps = [...(mark.gap === undefined ? [] : [mark.gap]), ...(open ?? [])]
  const columns = [...(mark.columns ?? []), ...(other ?? [])]
  return {
    ...mark,
    known: { ...mark.known, shown: [...mark.known.shown, ...unequal] },
    ...(gaps.length > 0 ? { gap: listOf(gaps) } : {}),
    ...(columns.length > 0 ? { columns } : {}),
  }
}

/** What more than its cells is drawn beside a row, in its mark. */
export type Besides = (mark: RowMark, row: number) => RowMark
const nothingBeside: Besides = (mark) => mark

/**
 * The verdict on the rows of the last run by what is now known of the history: the worst of all. A
 * row that was not checked is unproven.
 */
export const summaryVerdictAtom = atom((get) => (of: RowSet, besides = nothingBeside) => {
  const { database, number } = of
  const { marks, summary } = get(rowProofsAtom)(number)
  const judged = (summary?.rows ?? []).map((row): Judged => {
    const mark = marks.get(row)
    return (mark && get(rowVerdictAtom)(besides(mark, row))) ?? unchecked
  })
  const history = get(historyStandingAtom)({ database, server: '', basis: null })
  const isBroken = history === 'broken'
  const isForgotten = !isBroken && judged.some(({ cause }) => cause === 'forgotten')
  const all = isBroken ? [...judged, verdictOf({ ...held, history })] : judged
  const isBesideOpen = (summary?.rows ?? []).some((row) => {
    const mark = marks.get(row)
    return mark !== undefined && besides(mark, row) !== mark
  })
  return { judged: gravestOf(all) ?? unchecked, isBroken, isForgotten, isBesideOpen }
})

/** All that rows say of a history by themselves. */
const held = { proof: 'holds', ground: 'recorded', shown: [], isOdd: false, open: [] } as const

/** Most row sets of which it is kept what was verified; the ones longest without news go. */
const mostSets = 100

/** Changes what is known of a row set. */
export function changeRowProofs(
  { get, set }: Io,
  number: number,
  { marks, ...to }: Partial<ResultProofs>,
) {
  const others = [...get(proofsAtom)].filter(([of]) => of !== number)
  const before = get(rowProofsAtom)(number)
  const all = marks ? new Map([...before.marks, ...marks]) : before.marks
  const kept = others.slice(1 - mostSets)
  set(proofsAtom, new Map(kept).set(number, { ...before, ...to, marks: all }))
}

export const controllersAtom = atom<ReadonlyMap<number, AbortController>>(new Map())

/** Stops a run and keeps its findings. */
export function stopRows({ get }: Io, number: number) {
  return get(controllersAtom).get(number)?.abort()
}
