/** Random numbers that come again with the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number of a range, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** One of the values, each as often as its weight says. */
  pick<T>(weighted: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * weighted.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of weighted) {
      left -= weight
      if (left < 0) return value
    }
    throw new Error('nothing to pick from')
  }
}
