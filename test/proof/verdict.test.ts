// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { OpenPart } from '~/proof/kernel/proven-tx'
import { type ComparedLeaf, type Match, objectLeaf, textValue } from '~/proof/shown'
import {
  type Cause,
  gravestOf,
  type Judged,
  type Known,
  toneOf,
  type Verdict,
  verdictOf,
} from '~/proof/verdict'

const proofs = ['holds', 'none', 'refused', 'altered', 'redescribed'] as const
const grounds = [
  'recorded',
  'key',
  'each-other',
  'stale',
  'first',
  'memory',
  'late',
  'file',
  'file-newer',
] as const
const histories = ['followed', 'forgotten', 'broken', 'other', 'other-key'] as const
const opens: readonly (OpenPart | 'header' | 'report')[] = [
  'description',
  'entries',
  'before',
  'tree',
  'header',
  'report',
]

/** Every set of parts. */
const openSets = Array.from({ length: 2 ** opens.length }, (_, bits) =>
  opens.filter((_part, at) => (bits >> at) & 1),
)

const matches: readonly Match[] = [
  'same',
  'rounded',
  'reordered',
  'replaced',
  'unclear',
  'uncovered',
  'outdated',
  'differs',
]

const leafOf = (match: Match): ComparedLeaf => ({
  ...objectLeaf('the value', textValue(match)),
  proven: textValue('proven'),
  match,
})

/** Nothing, one thing of each kind alone, and some beside others that count for less or for more. */
const shownSets: readonly (readonly ComparedLeaf[])[] = [
  [],
  ...matches.map((match) => [match]),
  ['same', 'rounded'] as const,
  ['uncovered', 'outdated'] as const,
  ['outdated', 'same', 'differs', 'rounded'] as const,
].map((set) => set.map(leafOf))

const all: readonly Known[] = proofs.flatMap((proof) =>
  grounds.flatMap((ground) =>
    histories.flatMap((history) =>
      shownSets.flatMap((shown) =>
        [true, false].flatMap((isOdd) =>
          openSets.map((open): Known => ({ proof, ground, history, shown, isOdd, open })),
        ),
      ),
    ),
  ),
)

type Row = Partial<{ [K in 'proof' | 'ground' | 'history']: readonly Known[K][] }> & {
  /** At least one thing that is shown stands so to the proof. */
  shows?: Match
  isOdd?: true
  isWhole?: boolean
  is: Verdict
  by: Cause
}

/** The table: of the rows that fit, the first one counts. What a row does not name may be anything. */
const table: readonly Row[] = [
  { proof: ['altered'], is: 'failed', by: 'altered' },
  { proof: ['refused'], is: 'failed', by: 'refused' },
  { history: ['other'], is: 'contradicted', by: 'other' },
  { history: ['other-key'], is: 'contradicted', by: 'other-key' },
  { proof: ['redescribed'], is: 'contradicted', by: 'redescribed' },
  { proof: ['none'], is: 'unproven', by: 'none' },
  { history: ['broken'], is: 'contradicted', by: 'broken' },
  { shows: 'differs', is: 'contradicted', by: 'different' },
  { shows: 'outdated', is: 'contradicted', by: 'outdated' },
  { isOdd: true, is: 'contradicted', by: 'odd' },
  { ground: ['late'], is: 'unproven', by: 'late' },
  { history: ['forgotten'], is: 'unproven', by: 'forgotten' },
  { ground: ['stale'], is: 'unproven', by: 'stale' },
  { ground: ['first'], is: 'unproven', by: 'first' },
  { ground: ['memory'], is: 'unproven', by: 'memory' },
  { ground: ['file'], is: 'unproven', by: 'file' },
  { ground: ['file-newer'], is: 'unproven', by: 'file-newer' },
  { isWhole: true, is: 'verified', by: 'whole' },
  { isWhole: false, is: 'verified-in-part', by: 'open' },
]

function rowOf(known: Known): Row | undefined {
  const shows = new Set(known.shown.map(({ match }) => match))
  const isSame = [...shows].every((match) => match === 'same')
  const isWhole = isSame && known.open.every((part) => part === 'tree')
  return table.find(
    (row) =>
      (row.isWhole ?? isWhole) === isWhole &&
      (row.isOdd ?? known.isOdd) === known.isOdd &&
      (row.shows === undefined || shows.has(row.shows)) &&
      (row.proof?.includes(known.proof) ?? true) &&
      (row.ground?.includes(known.ground) ?? true) &&
      (row.history?.includes(known.history) ?? true),
  )
}

/** What is shown and decided, which words name. */
function partsOf({ shown }: Known, by: Cause | undefined): readonly ComparedLeaf[] {
  if (by === 'different') return shown.filter(({ match }) => match === 'differs')
  if (by === 'outdated') return shown.filter(({ match }) => match === 'outdated')
  return by === 'open' ? shown.filter(({ match }) => match !== 'same') : []
}

/** Those of which something is not so; the first few are enough to see why. */
const exceptions = (isSo: (known: Known) => boolean) =>
  all.filter((known) => !isSo(known)).slice(0, 3)

describe('the verdict', () => {
  test('on every combination of what can be known is that of the table', () => {
    expect(all).toHaveLength(5 * 9 * 5 * 12 * 2 * 64)
    const wrong = exceptions((known) => {
      const { verdict, cause, parts = [] } = verdictOf(known)
      const row = rowOf(known)
      const named = partsOf(known, row?.by)
      const isNamed = parts.length === named.length && named.every((leaf, at) => leaf === parts[at])
      return verdict === row?.is && cause === row.by && isNamed
    })
    expect(wrong).toEqual([])
  })

  test('uses every row of the table', () => {
    expect(new Set(all.map(rowOf))).toEqual(new Set(table))
  })

  test('is green only for a proof that holds, of a history vouched for, whole and as shown', () => {
    const wrong = exceptions((known) => {
      const { proof, ground, history, shown, isOdd, open } = known
      const isGreen =
        proof === 'holds' &&
        ['recorded', 'key', 'each-other'].includes(ground) &&
        history === 'followed' &&
        shown.every(({ match }) => match === 'same') &&
        !isOdd &&
        !open.some((part) => part !== 'tree')
      return (toneOf(verdictOf(known)) === 'verified') === isGreen
    })
    expect(wrong).toEqual([])
  })

  test('is red for all that is contradicted, but for what may have an innocent reason', () => {
    const tones = new Map(
      all.map(verdictOf).flatMap((judged) => {
        const isBad = judged.verdict === 'contradicted' || judged.verdict === 'failed'
        return isBad ? [[judged.cause, toneOf(judged)]] : []
      }),
    )
    expect(Object.fromEntries(tones)).toEqual({
      altered: 'error',
      refused: 'error',
      other: 'error',
      'other-key': 'error',
      redescribed: 'warning',
      broken: 'error',
      different: 'error',
      outdated: 'warning',
      odd: 'warning',
    })
  })

  const order = ['verified', 'verified-in-part', 'unproven', 'contradicted', 'failed']
  const rank = (known: Known) => order.indexOf(verdictOf(known).verdict)

  test('never gets better by one more thing that is open', () => {
    const wrong = exceptions((known) =>
      opens.every((part) => rank({ ...known, open: [...known.open, part] }) >= rank(known)),
    )
    expect(wrong).toEqual([])
  })

  test('never gets better by one more thing that is shown', () => {
    const leaves = matches.map(leafOf)
    const wrong = exceptions((known) =>
      leaves.every((leaf) => rank({ ...known, shown: [...known.shown, leaf] }) >= rank(known)),
    )
    expect(wrong).toEqual([])
  })

  test('of several steps is that of the gravest', () => {
    const judged = (verdict: Verdict): Judged => ({ verdict, cause: 'whole' })
    expect(gravestOf([])).toBeNull()
    expect(gravestOf((['verified', 'failed', 'unproven'] as const).map(judged))?.verdict).toBe(
      'failed',
    )
    expect(gravestOf((['verified-in-part', 'verified'] as const).map(judged))?.verdict).toBe(
      'verified-in-part',
    )
  })

  test('of several steps is red where one of them is, whatever comes first', () => {
    const mild: readonly Judged[] = (['outdated', 'odd', 'redescribed'] as const).map((cause) => ({
      verdict: 'contradicted',
      cause,
    }))
    const different: Judged = { verdict: 'contradicted', cause: 'different' }
    expect(gravestOf([...mild, different, ...mild])).toBe(different)
    expect(gravestOf([{ verdict: 'unproven', cause: 'first' }, ...mild])).toBe(mild[0])
  })
})
