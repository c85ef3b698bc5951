// @vitest-environment node
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Attacked, attackedWithout, type Removed } from './adversary/mutant'
import { runSeries, type Series } from './adversary/series'

/** A series that broke the law, with the seed that repeats it; `known` is tried first. */
async function firstBreach(attacked: Attacked, seeds: number, known: number): Promise<string> {
  for (let seed = 0; seed <= seeds; seed += 1) {
    const { breach } = await runSeries(attacked, seed || known)
    if (breach) return `seed ${seed || known}: ${breach}`
  }
  return ''
}

/** Series that found a breach, of the verdict or of the law, when they were run for the first time. */
const foundBreaches = [114340878, 115832844, 121864141]

let attacked: Attacked
beforeAll(async () => {
  attacked = await attackedWithout()
})

test('a server that lies in series never gets contradicting answers verified', async () => {
  const all: Series[] = []
  const breaches: string[] = []
  const seeds = Array.from({ length: 150 }, (_, at) => at + 1)
  for (const seed of [...seeds, ...foundBreaches]) {
    const series = await runSeries(attacked, seed)
    if (series.breach) breaches.push(`seed ${seed}: ${series.breach}`)
    all.push(series)
  }
  expect(breaches).toEqual([])
  const sum = (name: 'verified' | 'refused' | 'unproven') =>
    all.reduce((total, series) => total + series[name], 0)
  // A server that is refused everything, or nothing, attacks nothing.
  expect(sum('verified')).toBeGreaterThan(1_000)
  expect(sum('refused')).toBeGreaterThan(1_000)
  expect(sum('unproven')).toBeGreaterThan(10)
}, 120_000)

test('a series is the same however fast the machine is', async () => {
  const all = async () => {
    const series: Series[] = []
    for (let seed = 380; seed < 400; seed += 1) series.push(await runSeries(attacked, seed))
    return series
  }
  const usual = await all()
  vi.spyOn(performance, 'now').mockReturnValue(0)
  expect(await all()).toEqual(usual)
})

describe('it is noticed at once when the console no longer', () => {
  // With the seed that last found it, so that it need not be searched for.
  const checks: readonly (readonly [string, Removed, number])[] = [
    [
      'says unproven of what is newer than the trusted state and not tied to it',
      { file: 'proof/kernel/verify.ts', text: 'if (!isTied)', by: 'if (false)' },
      79,
    ],
    [
      'refuses two entries of one key',
      { file: 'proof/kernel/transaction.ts', text: '  checkKeys(entries)\n' },
      1,
    ],
    [
      'says that the other entries are open when they are left out',
      {
        file: 'proof/kernel/proven-tx.ts',
        text: "[...outcome.open, 'entries']",
        by: '[...outcome.open]',
      },
      5,
    ],
    [
      'says that of a transaction without its entries only the header is proven',
      {
        file: 'trust/object-verdict.ts',
        text: "isHeaderOnly(verification) ? [...open, 'header'] : open",
        by: 'open',
      },
      3,
    ],
    [
      'says that the description of a table is open when it is new',
      { file: 'proof/kernel/proven-tx.ts', text: "[...open, 'description']", by: '[...open]' },
      1,
    ],
    [
      'tells descriptions that were only seen from those that an audit derived',
      { file: 'proof/kernel/proven-tx.ts', text: ' && !known.isOnlySeen' },
      17,
    ],
    [
      'lets a description end with what was read of the history',
      {
        file: 'trust/trust-record.ts',
        text: 'if (!read || BigInt(read.catalogTx) > to) return false',
        by: 'return true',
      },
      76,
    ],
    [
      'notes that what was read since has changed the catalogue',
      { file: 'proof/deep-audit.ts', text: '    noteCatalog(audit, each)\n' },
      76,
    ],
    [
      'counts only those transactions as read that were',
      { file: 'proof/kernel/proven-tx.ts', text: 'read.from <= x && x <= read.to && ' },
      40,
    ],
    [
      'leaves out what was read of a history that was forgotten',
      {
        file: 'trust/audit/audit-store.ts',
        text: 'isSameContact({ ...trust, firstContact: kept.contact }, trust) ? kept.record : null',
        by: 'kept.record',
      },
      1758,
    ],
    [
      'compares the trees of both transactions',
      { file: 'proof/kernel/dual-proof.ts', text: '  checkConsistency(fields, pair)\n' },
      3,
    ],
    [
      'compares with the trusted hash',
      {
        file: 'proof/kernel/proven-tx.ts',
        text: "  ladder.match('link', inputs, [found, trusted.txHash], historyChanged, 'trusted')\n",
      },
      27,
    ],
    [
      'misses a signature while a key is pinned',
      {
        file: 'proof/kernel/signed-state.ts',
        text: "if (!given) throw refuse('signature')",
        by: 'if (!given) return true',
      },
      23,
    ],
    [
      'verifies a signature',
      {
        file: 'proof/kernel/signed-state.ts',
        text: 'if (!signatures.isSignature(given.signature, payload, publicKey)) {',
        by: 'if (false) {',
      },
      9,
    ],
    [
      'says that contents were not read by an audit',
      {
        file: 'trust/audit/report-verdict.ts',
        text: "isRead(report) ? [] : ['report']",
        by: '[]',
      },
      7,
    ],
    [
      'calls nothing proven that has the form of an old server',
      {
        file: 'proof/kernel/verify.ts',
        text: "    if (isOlderForm) return { ...nothing, why: 'older-form' }\n",
      },
      1,
    ],
    [
      'moves no state by a proof that lacks what old servers do not send',
      { file: 'proof/kernel/proven-tx.ts', text: "pair.advance !== 'lacking' && " },
      1,
    ],
    [
      'refuses the form of an old server where it has left it',
      {
        file: 'proof/kernel/verify-row.ts',
        text: "  if (isOlder && check.known.hasNewerForm) throw olderForm('MaxColId')\n",
      },
      1,
    ],
    [
      'notes that a server has left the form of old ones',
      { file: 'trust/trust-record.ts', text: ', ...(isNewer && { hasNewerForm: true })' },
      1,
    ],
    [
      'compares what a page draws with what is proven',
      { file: 'proof/shown.ts', text: 'matchOf(leaf.value, other)', by: "'same'" },
      1,
    ],
    [
      'says that something that a page draws is covered by no proof',
      { file: 'proof/shown.ts', text: ": 'uncovered' }", by: ": 'same' }" },
      1,
    ],
    [
      'asks who vouches for the history in a file',
      {
        file: 'trust/evidence.ts',
        text: "return unchecked.includes('newer') ? 'file-newer' : 'file'",
        by: "return 'recorded'",
      },
      291,
    ],
    [
      'holds the names in a file to the state that vouches for it',
      {
        file: 'trust/evidence.ts',
        text: '[own.txId, newest].every(',
        by: "[evidence.context.trusted?.txId ?? '0'].every(",
      },
      76,
    ],
  ]
  test.each(checks)('%s', { timeout: 120_000 }, async (_, removed, known) => {
    expect(await firstBreach(await attackedWithout(removed), 1_500, known)).toContain('seed')
  })
})
