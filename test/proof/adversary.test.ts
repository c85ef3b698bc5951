// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { verify } from '~/proof/verify'
import { engineWithout, type Removed } from './adversary/mutant'
import { runSeries, type Series } from './adversary/series'

/** The first series that broke the law, with the seed that repeats it. */
async function firstBreach(engine: typeof verify, seeds: number): Promise<string> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { breach } = await runSeries(engine, seed)
    if (breach) return `seed ${seed}: ${breach}`
  }
  return ''
}

test('a server that lies in series never gets contradicting answers verified', async () => {
  const all: Series[] = []
  for (let seed = 1; seed <= 250; seed += 1) all.push(await runSeries(verify, seed))
  expect(all.flatMap(({ breach }, at) => (breach ? [`seed ${at + 1}: ${breach}`] : []))).toEqual([])
  const sum = (name: 'verified' | 'refused' | 'unproven') =>
    all.reduce((total, series) => total + series[name], 0)
  // A server that is refused everything, or nothing, attacks nothing.
  expect(sum('verified')).toBeGreaterThan(2_000)
  expect(sum('refused')).toBeGreaterThan(2_000)
  expect(sum('unproven')).toBeGreaterThan(10)
}, 120_000)

describe('it is noticed at once when the engine no longer', () => {
  const checks: readonly (readonly [string, Removed])[] = [
    [
      'says unproven of what is newer than the trusted state and not tied to it',
      { file: 'verify.ts', text: 'if (!isTied)', by: 'if (false)' },
    ],
    ['refuses two entries of one key', { file: 'transaction.ts', text: '  checkKeys(entries)\n' }],
    [
      'says that the other entries are open when they are left out',
      { file: 'proven-tx.ts', text: "[...outcome.open, 'entries']", by: '[...outcome.open]' },
    ],
    [
      'says that the description of a table is open when it is new',
      { file: 'proven-tx.ts', text: "[...open, 'description']", by: '[...open]' },
    ],
    [
      'compares the trees of both transactions',
      { file: 'dual-proof.ts', text: '  checkConsistency(fields, pair)\n' },
    ],
    [
      'compares with the trusted hash',
      {
        file: 'anchor.ts',
        text: "  ladder.match('link', inputs, [found, trusted.txHash], historyChanged, 'trusted')\n",
      },
    ],
  ]
  test.each(checks)('%s', { timeout: 120_000 }, async (_, removed) => {
    expect(await firstBreach(await engineWithout(removed), 1_500)).toContain('seed')
  })
})
