// @vitest-environment node
import { expect, test, vi } from 'vitest'
import { inSlices } from '~/lib/work-in-slices'

/** Steps that take so many milliseconds each, by a clock of their own. */
function* steps(count: number, each: number) {
  for (let step = 0; step < count; step++) {
    vi.mocked(performance.now).mockReturnValue(performance.now() + each)
    yield step % 2 === 0 ? step : null
  }
}

async function turnsOfOthers(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  void work.then(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  return turns
}

test('long work lets others have their turn in between, and gives what it found', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const work = inSlices(steps(100, 10))
  expect(await turnsOfOthers(work)).toBeGreaterThan(20)
  expect(await work).toEqual(Array.from({ length: 50 }, (_, index) => index * 2))
  vi.restoreAllMocks()
})

test('short work is done at once', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  expect(await turnsOfOthers(inSlices(steps(100, 0)))).toBeLessThan(3)
  vi.restoreAllMocks()
})
