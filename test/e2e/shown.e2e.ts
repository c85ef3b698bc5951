import { describe, expect } from 'vitest'
import { Lane, lanesAtOnce } from '../shown/lane'
import { search } from '../shown/search'
import { type Readied, readyServer } from '../shown/server'
import { walks } from '../shown/walks'
import { blindMark, deafMark, vagueMark } from '../shown/walks/made-up'
import { test as base } from '../support/e2e'

/** Leaves of a walk that are altered here; `npm run adversary -- --shown` alters all of them. */
const perWalk = 2

const short = walks.filter(({ isLong }) => !isLong)

/** Lanes that are free; a walk waits for one. */
class Lanes {
  readonly #free: Lane[] = []
  readonly #waiting: ((lane: Lane) => void)[] = []

  async with<T>(use: (lane: Lane) => Promise<T>): Promise<T> {
    const lane = this.#free.pop() ?? (await new Promise<Lane>((go) => this.#waiting.push(go)))
    try {
      return await use(lane)
    } finally {
      this.give(lane)
    }
  }

  give(lane: Lane): void {
    const next = this.#waiting.shift()
    if (next) next(lane)
    else this.#free.push(lane)
  }
}

const test = base.extend<{ readied: Readied; lanes: Lanes }>({
  readied: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
    async ({}, use) => {
      const readied = await readyServer()
      await use(readied)
      await readied.dispose()
    },
    { scope: 'file' },
  ],
  lanes: [
    async ({ browser, readied }, use) => {
      const all = await Promise.all(
        Array.from({ length: lanesAtOnce }, () => Lane.open(browser, readied)),
      )
      const lanes = new Lanes()
      for (const lane of all) lanes.give(lane)
      await use(lanes)
      for (const lane of all) await lane.close()
    },
    { scope: 'file' },
  ],
})

describe.concurrent('a green mark stands only beside what was proven', () => {
  test.for(short.map((walk) => ({ name: walk.name, walk })))(
    'on $name',
    async ({ walk }, { lanes }) => {
      const { breaches } = await lanes.with((lane) => search(lane, walk, { sample: perWalk }))
      const told = breaches.map(({ lie, why }) => `${lie}: ${why}`).join('; ')
      expect(breaches, told).toEqual([])
    },
  )
})

describe.concurrent('the judge notices', () => {
  test('a mark that has compared nothing', async ({ lanes }) => {
    const found = await lanes.with((lane) => search(lane, blindMark, { sample: 3 }))
    expect(found).toMatchObject({ honest: 'verified' })
    expect(found.verified).toBeGreaterThan(0)
    expect(found.breaches).toHaveLength(found.drawn)
  })

  test('a mark that leaves something open, but not what is wrong', async ({ lanes }) => {
    const found = await lanes.with((lane) => search(lane, vagueMark, { sample: 3 }))
    expect(found).toMatchObject({ honest: 'in part' })
    expect(found.drawn).toBeGreaterThan(0)
    expect(found.breaches).toHaveLength(found.drawn)
  })

  test('a mark that is never green', async ({ lanes }) => {
    const { breaches } = await lanes.with((lane) => search(lane, deafMark, { sample: 0 }))
    expect(breaches.map(({ lie }) => lie)).toEqual(['none'])
  })
})
