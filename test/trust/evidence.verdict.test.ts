// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { OpenPart } from '~/proof/kernel/proven-tx'
import { ProofError } from '~/proof/kernel/steps'
import { evidenceVerdict } from '~/trust/evidence'
import type { OwnKey, OwnState } from '~/trust/recorded-state'
import type { Persistence } from '~/trust/store'

const point = { txId: '5', txHash: 'AA==' }
const owns: readonly OwnState[] = [
  { kind: 'none' },
  ...(['same', 'different', 'apart'] as const).map((kind) => ({ kind, ...point, theirs: point })),
]
const keys: readonly OwnKey[] = ['none', 'same', 'different', 'unread']

type Known = {
  firstUse?: boolean
  signed?: boolean
  open?: readonly OpenPart[]
  isNewer?: boolean
  isOfTable?: boolean
  isDescribed?: boolean
  keeping?: Persistence
  isOfAudit?: boolean
  isHeaderOnly?: boolean
  isBroken?: boolean
}

function verdict(own: OwnState, key: OwnKey, known: Known = {}) {
  const { firstUse = false, signed = false, open = [], isNewer = false, isOfTable = false } = known
  const found = { next: point, firstUse, signed, lags: false, steps: [] }
  const verified = { ...found, verdict: 'ok', facts: null, open } as const
  const unchecked = [
    ...(isNewer ? (['newer'] as const) : []),
    ...(known.isOfAudit ? (['audit'] as const) : []),
    ...(known.isHeaderOnly ? (['entries'] as const) : []),
  ]
  const described = isOfTable ? ({ kind: 'collection', name: 'c', number: 1 } as const) : null
  const rechecked = {
    agrees: true,
    outcome: { kind: 'ok', verified },
    unchecked,
    described,
  } as const
  const { isDescribed = false, keeping = 'kept' } = known
  return evidenceVerdict(rechecked, {
    point: own,
    key,
    keeping,
    isDescribed,
    isBroken: known.isBroken ?? false,
  })
}

const flags = [true, false]
const all = owns.flatMap((own) =>
  keys.flatMap((key) =>
    flags.flatMap((firstUse) =>
      flags.flatMap((signed) =>
        flags.flatMap((isNewer) =>
          ([[], ['tree'], ['entries', 'tree']] as const).map(
            (open) => [own, key, { firstUse, signed, isNewer, open }] as const,
          ),
        ),
      ),
    ),
  ),
)

describe('a file of evidence', () => {
  test('is green only when this browser vouches for it and nothing is left open', () => {
    for (const [own, key, known] of all) {
      const isOwn = own.kind === 'same' && key !== 'unread'
      const isVouchedFor = isOwn || (known.signed && key === 'same')
      const isWhole = known.open.every((part) => part === 'tree')
      const contradicts = own.kind === 'different' || key === 'different'
      const isGreen = isVouchedFor && isWhole && !contradicts
      expect(
        verdict(own, key, known).verdict === 'verified',
        JSON.stringify([own, key, known]),
      ).toBe(isGreen)
    }
  })

  test('of a table is green only when this browser derived the description itself', () => {
    const own = { kind: 'same', ...point, theirs: point } as const
    // Whatever the file itself claims to know.
    for (const open of [[], ['description']] as const) {
      const known = { open, isOfTable: true }
      expect(verdict(own, 'none', known).verdict).toBe('verified-in-part')
      expect(verdict(own, 'none', { ...known, isDescribed: true }).verdict).toBe('verified')
    }
  })

  test('is no more than consistent where only this page remembers what it was told', () => {
    const own = { kind: 'same', ...point, theirs: point } as const
    for (const keeping of ['late', 'memory'] as const) {
      expect(verdict(own, 'same', { signed: true, keeping })).toEqual({
        verdict: 'unproven',
        cause: 'file',
      })
    }
  })

  test('of an audit is verified in part at most: anyone can write its report', () => {
    const own = { kind: 'same', ...point, theirs: point } as const
    expect(verdict(own, 'same', { isOfAudit: true }).verdict).toBe('verified-in-part')
  })

  test('of a transaction without its entries is verified in part: nothing of them was read', () => {
    const own = { kind: 'same', ...point, theirs: point } as const
    expect(verdict(own, 'same', { isHeaderOnly: true }).verdict).toBe('verified-in-part')
  })

  test('is contradicted while this browser calls the history broken', () => {
    const own = { kind: 'same', ...point, theirs: point } as const
    const broken = { verdict: 'contradicted', cause: 'broken' }
    expect(verdict(own, 'same', { isBroken: true })).toEqual(broken)
    expect(verdict({ kind: 'apart', ...point, theirs: point }, 'none', { isBroken: true })).toEqual(
      broken,
    )
  })

  test('is contradicted by another hash or another key, whatever else is known', () => {
    for (const [own, key, known] of all) {
      if (own.kind === 'different') expect(verdict(own, key, known).cause).toBe('other')
      else if (key === 'different') expect(verdict(own, key, known).cause).toBe('other-key')
    }
  })

  test('is no more than consistent when nothing here vouches for it', () => {
    expect(verdict({ kind: 'none' }, 'none').cause).toBe('file')
    expect(verdict({ kind: 'none' }, 'same').cause).toBe('file')
    expect(verdict({ kind: 'none' }, 'none', { signed: true }).cause).toBe('file')
    expect(verdict({ kind: 'none' }, 'none', { firstUse: true }).cause).toBe('first')
    expect(
      verdict({ kind: 'apart', ...point, theirs: point }, 'none', { isNewer: true }).cause,
    ).toBe('file-newer')
  })

  test('that was changed, is refused or holds no proof is so whatever is known', () => {
    const refusal = new ProofError('dual-proof', 'link', 'x')
    for (const own of owns) {
      for (const key of keys) {
        const of = (agrees: boolean, outcome: Parameters<typeof evidenceVerdict>[0]['outcome']) =>
          evidenceVerdict(
            { agrees, outcome, unchecked: [], described: null },
            { point: own, key, keeping: 'kept', isDescribed: true, isBroken: false },
          )
        expect(of(false, { kind: 'refused', refusal }).cause).toBe('altered')
        expect(of(true, { kind: 'refused', refusal }).cause).toBe('refused')
        const altered = new ProofError('schema-changed', 'content', 'x')
        const contradictsAltered = own.kind === 'different' || key === 'different'
        expect(of(true, { kind: 'refused', refusal: altered }).cause === 'redescribed').toBe(
          !contradictsAltered,
        )
        const nothing = of(true, { kind: 'unproven', why: '' })
        const contradicts = own.kind === 'different' || key === 'different'
        expect(nothing.cause === 'none').toBe(!contradicts)
      }
    }
  })
})
