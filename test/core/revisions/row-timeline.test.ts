// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type AskRow, type Change, type ReadRow, Timeline } from '~/core/revisions/row-timeline'
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

/** A timeline whose questions are counted. */
function counting(versions: readonly number[], last: number) {
  const timeline = timelineOf(versions, last)
  let asked = 0
  const ask: AskRow = (periods) => {
    asked += 1
    return answers(versions)(periods)
  }
  const find = async (revision: number) => {
    const before = asked
    const change = await timeline.find(revision, ask)
    return { tx: signed(change), asked: asked - before }
  }
  return { timeline, find }
}

describe('the number of questions', () => {
  const last = 1_000_000
  const most = 2 * Math.log2(last)

  test('is small for any revision of a row with few, wherever they are', async () => {
    const random = new Random(3)
    const versions = Array.from({ length: 40 }, () => 1 + Math.floor(random.next() * last))
    versions.sort((one, two) => one - two)
    for (let revision = 1; revision <= versions.length; revision += 1) {
      const found = await counting(versions, last).find(revision)
      expect(found.tx).toBe(versions[revision - 1])
      expect(found.asked).toBeLessThanOrEqual(most)
    }
  })

  test('is small from both ends of a long history, and no new one is asked twice', async () => {
    const versions = Array.from({ length: 10_000 }, (_, at) => 7 + at * 97)
    const { find } = counting(versions, last)
    let asked = 0
    for (let place = 0; place < 20; place += 1) {
      for (const revision of [versions.length - place, 1 + place]) {
        const found = await find(revision)
        expect(found.tx).toBe(versions[revision - 1])
        expect(found.asked).toBeLessThanOrEqual(most)
        asked += found.asked
      }
    }
    expect(asked / 40).toBeLessThan(most / 2)
    expect((await find(versions.length)).asked).toBe(0)
  })
})

describe('the work of the server, which goes through all newer revisions for each period', () => {
  const versions = Array.from({ length: 10_000 }, (_, at) => 3 + at * 4)

  /** Revisions that the server goes through until some of them are found. */
  async function walked(revisions: readonly number[]): Promise<number> {
    let steps = 0
    const ask: AskRow = (periods) => {
      for (const period of periods.values()) {
        const until = Number(/\d+$/.exec(period)?.[0])
        steps += versions.filter((tx) => tx > until).length
      }
      return answers(versions)(periods)
    }
    const timeline = timelineOf(versions, 40_000)
    for (const revision of revisions) {
      expect(signed(await timeline.find(revision, ask))).toBe(versions[revision - 1])
    }
    return steps
  }

  test('is little for the newest of many', async () => {
    const newest = Array.from({ length: 10 }, (_, at) => versions.length - at)
    expect(await walked(newest)).toBeLessThan(4 * versions.length)
  })

  test('is some periods a revision for the oldest of many', async () => {
    const oldest = Array.from({ length: 10 }, (_, at) => 10 - at)
    expect(await walked(oldest)).toBeLessThan(130 * versions.length)
  })
})

describe('a history that was written often', () => {
  const read = (versions: readonly number[]) => {
    const asked: [bigint, bigint][] = []
    const reading: ReadRow = async (from, to) => {
      asked.push([from, to])
      const inside = versions.filter((tx) => Math.abs(tx) >= from && Math.abs(tx) <= to)
      return inside.map((tx) => ({ tx: BigInt(Math.abs(tx)), isDeletion: tx < 0 }))
    }
    const transactions = () => asked.reduce((sum, [from, to]) => sum + Number(to - from) + 1, 0)
    return { reading, transactions }
  }

  /** Counts questions and requests for transactions together. */
  async function costOf(revision: number, versions: readonly number[], last: number) {
    const { reading, transactions } = read(versions)
    const timeline = timelineOf(versions, last)
    let questions = 0
    const ask: AskRow = (periods) => {
      questions += 1
      return answers(versions)(periods)
    }
    const change = await timeline.find(revision, ask, reading)
    return { tx: signed(change), requests: questions + Math.ceil(transactions() / 2_500) }
  }

  test('has any revision in few requests, by looking at each transaction from the nearer end', async () => {
    const versions = Array.from({ length: 10_000 }, (_, at) => 3 + at * 4)
    for (const revision of [1, 100, 2_500, 5_000, 5_001, 9_000, 10_000]) {
      const { tx, requests } = await costOf(revision, versions, 40_000)
      expect(tx).toBe(versions[revision - 1])
      expect(requests).toBeLessThanOrEqual(2 * Math.log2(40_000))
    }
  })

  test('is read only where that takes fewer requests than questions', async () => {
    const rare = Array.from({ length: 100 }, (_, at) => 1 + at * 100_000)
    const timeline = timelineOf(rare, 10_000_000)
    expect(timeline.isRead(50)).toBe(false)
    const often = Array.from({ length: 10_000 }, (_, at) => 1 + at * 100)
    expect(timelineOf(often, 1_000_000).isRead(5_000)).toBe(true)
    expect(timelineOf(often, 1_000_000).requestsTo(5_000)).toBe(201)
  })

  test('is exact where questions cannot be: a row that was there for one transaction', async () => {
    const versions = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 1 : -1) * (10 + at))
    expect(await costOf(200, versions, 90_000)).toMatchObject({ tx: -209 })
    expect(await costOf(201, versions, 90_000)).toMatchObject({ tx: 210 })
  })

  test('whatever was written, is found by both together', async () => {
    const random = new Random(11)
    for (let round = 0; round < 40; round += 1) {
      const last = 1_000 + Math.floor(random.next() * 30_000)
      let isThere = false
      const versions = Array.from({ length: last }, (_, at) => at + 1).flatMap((tx) => {
        if (!random.chance(0.05)) return []
        isThere = !isThere || random.chance(0.7)
        return [isThere ? tx : -tx]
      })
      const timeline = timelineOf(versions, last)
      const { reading } = read(versions)
      for (let at = 0; at < 8; at += 1) {
        const revision = 1 + Math.floor(random.next() * versions.length)
        const found = await timeline.find(revision, answers(versions), reading)
        expect(signed(found)).toBe(versions[revision - 1])
      }
      const { count, known } = timeline
      const later = new Timeline({ count, last: BigInt(last), isThere, known })
      expect(signed(later.at(count) ?? null)).toBe(signed(timeline.at(count) ?? null))
    }
  })

  test('is asked for where its transactions cannot be read', async () => {
    const versions = Array.from({ length: 200 }, (_, at) => 3 + at * 4)
    const found = await timelineOf(versions, 800).find(100, answers(versions), async () => null)
    expect(signed(found)).toBe(versions[99])
  })
})

describe('what was found', () => {
  test('is taken up later, and only what is new is asked', async () => {
    const old = [10, 20, -30, 4_000]
    const { timeline, find } = counting(old, 5_000)
    for (let revision = 1; revision <= old.length; revision += 1) await find(revision)
    const grown = [...old, 9_000, -9_500]
    const later = new Timeline({
      count: grown.length,
      last: 10_000n,
      isThere: false,
      known: timeline.known,
    })
    expect(old.map((_, at) => signed(later.at(at + 1)))).toEqual(old)
    const periods: string[] = []
    const ask: AskRow = (asked) => {
      periods.push(...asked.values())
      return answers(grown)(asked)
    }
    expect(signed(await later.find(5, ask))).toBe(9_000)
    expect(signed(await later.find(6, ask))).toBe(-9_500)
    expect(periods.every((period) => Number(/\d+$/.exec(period)?.[0]) > 5_000)).toBe(true)
  })

  test('of an unchanged row needs no question at all', async () => {
    const { timeline, find } = counting([5, 6], 10)
    await find(1)
    const later = new Timeline({ count: 2, last: 99n, isThere: true, known: timeline.known })
    expect([signed(later.at(1)), signed(later.at(2))]).toEqual([5, 6])
  })

  test('is bounded, and what became one again is found once more', async () => {
    const versions = Array.from({ length: 4_000 }, (_, at) => 1 + at * 2)
    const { timeline, find } = counting(versions, 8_000)
    await find(2_000)
    await find(2_001)
    const known = timeline.known
    expect(known.stretches.length).toBeLessThanOrEqual(1_500)
    const later = new Timeline({ count: 4_000, last: 8_000n, isThere: true, known })
    expect(signed(later.at(4_000))).toBe(signed(timeline.at(4_000)))
    expect(signed(await later.find(1_500, answers(versions)))).toBe(versions[1_499])
  })
})
