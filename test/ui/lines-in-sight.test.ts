// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { linesInSight, type Slid, slid, tallestBox } from '~/ui/lines-in-sight'

const [height, seen] = [36, 600]

/** A box of a browser that is scrolled by hand; it ends where its content does. */
class Box {
  #now: Slid = { top: 0, shift: 0 }
  readonly #total: number

  constructor(count: number) {
    this.#total = count * height
  }

  /** To a place of the bar, from 0 to 1. */
  bar(share: number): void {
    this.#scroll(share * this.#end())
  }

  wheel(by: number): void {
    this.#scroll(this.#now.top + by)
  }

  #end() {
    return Math.max(0, Math.min(this.#total, tallestBox) - seen)
  }

  #scroll(to: number): void {
    const top = Math.min(this.#end(), Math.max(0, to))
    this.#now = slid(this.#now, top, { total: this.#total, seen })
  }

  /** The place of the top edge among all lines, in pixels. */
  place = () => this.#now.top + this.#now.shift
  /** Whether what is drawn lies in the box that browsers can draw. */
  isDrawable = () => {
    const { top, shift } = this.#now
    const sight = { top: this.place(), height: seen, shift }
    return linesInSight(sight, this.#total / height, height).every(
      ({ start }) => start > -height * 20 && start < tallestBox + height * 20 && top >= 0,
    )
  }
}

describe.each([10, 83_000, 84_000, 640_001, 1_190_001, 2_000_000, 50_000_000])(
  '%i lines',
  (count) => {
    const last = Math.max(0, count * height - seen)

    test('begin and end where the bar does', () => {
      const box = new Box(count)
      box.bar(1)
      expect(box.place()).toBe(last)
      expect(box.isDrawable()).toBe(true)
      box.bar(0)
      expect(box.place()).toBe(0)
    })

    test('are all passed by the bar, in order', () => {
      const box = new Box(count)
      let before = -1
      for (let share = 0; share <= 1; share += 1 / 256) {
        box.bar(share)
        expect(box.place()).toBeGreaterThanOrEqual(before)
        expect(box.isDrawable()).toBe(true)
        before = box.place()
      }
    })

    test.each([0.02, 0.5, 0.97])('follow the wheel step by step from %d of the bar', (share) => {
      const box = new Box(count)
      box.bar(share)
      for (const by of [100, -100, 53, -1]) {
        for (let step = 0; step < 600; step += 1) {
          const before = box.place()
          box.wheel(by)
          const wanted = Math.min(last, Math.max(0, before + by))
          expect(Math.abs(box.place() - wanted)).toBeLessThan(1)
        }
        expect(box.isDrawable()).toBe(true)
      }
    })

    test('reach the first and the last by the wheel', () => {
      const box = new Box(count)
      box.bar(1)
      box.wheel(-550)
      box.wheel(10_000)
      expect(box.place()).toBe(last)
      box.bar(0)
      box.wheel(550)
      box.wheel(-550)
      expect(box.place()).toBe(0)
    })
  },
)

test('few lines are drawn as they ever were', () => {
  expect(linesInSight({ top: 3_600, height: 72, shift: 0 }, 1_000, 36).at(0)).toEqual({
    index: 92,
    start: 3_312,
  })
})
