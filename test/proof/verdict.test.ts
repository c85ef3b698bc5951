// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { OpenPart } from '~/proof/proven-tx'
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
  'stale',
  'first',
  'memory',
  'late',
  'file',
  'file-newer',
] as const
const histories = ['followed', 'forgotten', 'broken', 'other', 'other-key'] as const
const contents = ['same', 'different', 'odd'] as const
const parts: readonly (OpenPart | 'content')[] = ['description', 'entries', 'tree', 'content']

/** Every set of parts. */
const opens = Array.from({ length: 2 ** parts.length }, (_, bits) =>
  parts.filter((_part, at) => (bits >> at) & 1),
)

const all: readonly Known[] = proofs.flatMap((proof) =>
  grounds.flatMap((ground) =>
    histories.flatMap((history) =>
      contents.flatMap((content) =>
        opens.map((open): Known => ({ proof, ground, history, content, open })),
      ),
    ),
  ),
)

type Row = Partial<{ [K in keyof Omit<Known, 'open'>]: readonly Known[K][] }> & {
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
  { content: ['different'], is: 'contradicted', by: 'different' },
  { content: ['odd'], is: 'contradicted', by: 'odd' },
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
  const isWhole = known.open.every((part) => part === 'tree')
  return table.find(
    (row) =>
      (row.isWhole ?? isWhole) === isWhole &&
      (row.proof?.includes(known.proof) ?? true) &&
      (row.ground?.includes(known.ground) ?? true) &&
      (row.history?.includes(known.history) ?? true) &&
      (row.content?.includes(known.content) ?? true),
  )
}

describe('the verdict', () => {
  test('on every combination of what can be known is that of the table', () => {
    expect(all).toHaveLength(5 * 8 * 5 * 3 * 16)
    for (const known of all) {
      const row = rowOf(known)
      expect(verdictOf(known), JSON.stringify(known)).toEqual({ verdict: row?.is, cause: row?.by })
    }
  })

  test('uses every row of the table', () => {
    expect(new Set(all.map(rowOf))).toEqual(new Set(table))
  })

  test('is green only for a proof that holds, of a history kept here, whole and as shown', () => {
    for (const known of all) {
      const { proof, ground, history, content, open } = known
      const isGreen =
        proof === 'holds' &&
        (ground === 'recorded' || ground === 'key') &&
        history === 'followed' &&
        content === 'same' &&
        !open.some((part) => part !== 'tree')
      expect(toneOf(verdictOf(known)) === 'verified', JSON.stringify(known)).toBe(isGreen)
    }
  })

  test('never gets better by one more thing that is open', () => {
    const order = ['verified', 'verified-in-part', 'unproven', 'contradicted', 'failed']
    const rank = (known: Known) => order.indexOf(verdictOf(known).verdict)
    for (const known of all) {
      for (const part of parts) {
        const more = { ...known, open: [...known.open, part] }
        expect(rank(more)).toBeGreaterThanOrEqual(rank(known))
      }
    }
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
})
