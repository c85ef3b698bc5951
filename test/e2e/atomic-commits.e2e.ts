import { expect } from 'vitest'
import { CommitSeries } from '../support/commit-series'
import { test } from '../support/e2e'

/** Tables to play on; more for a long run: `SERIES=300 npm run e2e -- test/e2e/atomic-commits.e2e.ts`. */
const tables = Number(process.env.SERIES ?? 18)

test(
  'whatever someone else writes, all staged edits are committed or none',
  async ({ server }) => {
    const series = await CommitSeries.begin(server.url)
    for (let seed = 0; seed < tables; seed += 1) expect(await series.play(seed, 12)).toBe('')
    // The law could not be broken if nothing met.
    for (const moment of ['before', 'between', 'during']) {
      for (const outcome of ['refused', 'committed'])
        expect(series.tally).toHaveProperty([`${moment}: ${outcome} (theirs was stored)`])
    }
  },
  60_000 + tables * 10_000,
)
