// @vitest-environment node
import { expect, test } from 'vitest'
import { txAtTime } from '~/core/history/tx-at-time'

/** A history whose transactions were committed at these seconds, and what was asked of it. */
function historyOf(times: readonly number[]) {
  const asked: string[] = []
  const read = async (from: bigint, count: number) => {
    asked.push(`${from} ${count}`)
    return times.slice(Number(from) - 1, Number(from) - 1 + count).map((ts, at) => ({
      id: String(Number(from) + at),
      ts: String(ts),
      prevAlh: '',
      nentries: 0,
      eH: '',
      blTxId: '0',
      blRoot: '',
      version: 1,
      metadata: { truncatedTxID: '0', extra: '' },
    }))
  }
  const at = (time: number) => txAtTime(read, String(times.length), BigInt(time))
  return { at, asked }
}

const steady = (length: number) => Array.from({ length }, (_, index) => 100 + 10 * index)

test.each([
  [100, '1'],
  [109, '1'],
  [110, '2'],
  [139, '4'],
  [140, '5'],
  [9_999, '5'],
])('%d seconds is the last transaction by then, %s', async (time, tx) => {
  expect(await historyOf(steady(5)).at(time)).toMatchObject({ kind: 'found', tx, isAbout: false })
})

test('before the first transaction there is none', async () => {
  expect(await historyOf(steady(5)).at(99)).toEqual({ kind: 'before-first', first: '100' })
})

test('several of one second count to the last of them', async () => {
  expect(await historyOf([100, 100, 100, 101]).at(100)).toMatchObject({ tx: '3' })
})

test.each([1, 2, 5, 77, 99_999, 100_000, 100_001, 654_321, 999_999])(
  'in a million transactions tx %d is found in few requests',
  async (id) => {
    const { at, asked } = historyOf(steady(1_000_000))
    expect(await at(100 + 10 * (id - 1) + 3)).toMatchObject({ tx: String(id), isAbout: false })
    expect(asked.length).toBeLessThanOrEqual(17)
  },
)

test('a clock that stepped back where it was looked is told', async () => {
  const times = [100, 110, 105, 120, 130]
  expect(await historyOf(times).at(119)).toMatchObject({ tx: '3', isAbout: true })
})
