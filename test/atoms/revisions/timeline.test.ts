import { describe, expect, test } from 'vitest'
import { type AskRow, type Change, Timeline } from '~/atoms/revisions/timeline'
import { Random } from '../../soak/random'

/** Answers for a row whose versions were written in these transactions; negative ones deleted it. */
const answers =
  (versions: readonly number[]): AskRow =>
  async (periods) => {
    const isThere = (period: string) => {
      const [, since = '1', until] = /^(?:SINCE TX (\d+) )?UNTIL TX (\d+)$/.exec(period) ?? []
      const inside = versions.filter(
        (tx) => Math.abs(tx) >= Number(since) && Math.abs(tx) <= Number(until),
      )
      return (inside.at(-1) ?? -1) > 0
    }
    return new Set([...periods].flatMap(([number, period]) => (isThere(period) ? [number] : [])))
  }

function timelineOf(versions: readonly number[], last: number) {
  const isThere = (versions.at(-1) ?? -1) > 0
  return new Timeline({ count: versions.length, last: BigInt(last), isThere })
}

/** Negative for a deletion. */
function signed(change: Change | null | undefined): number | null {
  return change ? Number(change.tx) * (change.isDeletion ? -1 : 1) : null
}

async function found(versions: readonly number[], last: number) {
  const timeline = timelineOf(versions, last)
  const all = versions.map((_, at) => timeline.find(at + 1, answers(versions)))
  return (await Promise.all(all)).map((change) => signed(change))
}

describe('the search for the transactions of a row', () => {
  test.each([
    [[1], 1],
    [[5, 6, 7], 1_000_000],
    [[1, 999_999, 1_000_000], 1_000_000],
    [[3, -4, 5, -6], 9],
    [[10, 20, -900_000], 1_000_000],
    [[100_000, -300_000, 500_000, -700_000, 900_000], 1_000_000],
  ])('finds %j of %d', async (versions, last) => {
    expect(await found(versions, last)).toEqual(versions)
  })

  test('does not guess where a row was there too briefly to be met', async () => {
    expect(await found([1_501, -1_502, 3_003], 5_000)).toEqual([null, null, 3_003])
    const hidden = [100_000, -300_000, 500_001, -500_002, 800_000]
    expect(await found(hidden, 1_000_000)).toEqual([null, null, null, null, 800_000])
  })

  test('is right or silent, whatever was written', async () => {
    const random = new Random(7)
    for (let round = 0; round < 60; round += 1) {
      const last = 1 + Math.floor(random.next() * 5_000)
      let isThere = false
      const versions = Array.from({ length: last }, (_, at) => at + 1).flatMap((tx) => {
        if (!random.chance(8 / last)) return []
        isThere = !isThere || random.chance(0.5)
        return [isThere ? tx : -tx]
      })
      for (const [at, tx] of (await found(versions, last)).entries()) {
        if (tx !== null) expect([versions, tx]).toEqual([versions, versions[at]])
        else expect(Math.min(...versions)).toBeLessThan(0)
      }
    }
  })
})
