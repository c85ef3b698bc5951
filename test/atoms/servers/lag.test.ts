// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { compareRound, type Look, lagBetween, worstLag } from '~/atoms/servers/lag'
import { memberKey, replicaGroups } from '~/atoms/servers/replicas'
import { lagWords } from '~/screens/servers/words'
import { holdingOf, standingOf } from '../../support/standings'

const seen = (from: number, to: number, tx: number) => ({ from, to, tx: String(tx) })

describe('the lag of a replica', () => {
  test.each([
    ['none', [seen(1, 2, 98), seen(5, 6, 98)], 98],
    ['2 transactions behind', [seen(1, 2, 100), seen(5, 6, 100)], 98],
    // The primary went on while it was asked.
    ['up to 7 transactions behind', [seen(1, 2, 98), seen(5, 6, 105)], 98],
    ['2–7 transactions behind', [seen(1, 2, 100), seen(5, 6, 105)], 98],
    // The replica got there before it was asked: not ahead, because the primary says more later.
    ['up to 2 transactions behind', [seen(1, 2, 90), seen(5, 6, 100)], 98],
    ['none', [seen(1, 2, 90), seen(5, 6, 98)], 98],
    ['3 transactions ahead', [seen(1, 2, 90), seen(5, 6, 95)], 98],
    ['not known', [], 98],
    // Only asked before, or while the replica was being asked.
    ['not known', [seen(1, 2, 90)], 98],
    ['at least 2 transactions behind', [seen(1, 2, 100)], 98],
    ['not known', [seen(1, 9, 90)], 98],
    ['not known', [seen(3, 9, 110)], 98],
  ])('is %s', (words, primary, own) => {
    expect(lagWords(lagBetween(primary, seen(3, 4, own)))).toBe(words)
  })

  test('is never ahead of a primary, whatever the order in which answers come', () => {
    // Both count up together, and each answer may have been taken at any time while it was asked.
    let random = 7
    const next = (below: number) => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31
      return random % below
    }
    for (let run = 0; run < 2_000; run += 1) {
      const slack = next(5)
      const primaryAt = (time: number) => time * 3
      const replicaAt = (time: number) => Math.max(0, primaryAt(time) - slack)
      const ask = (tx: (time: number) => number) => {
        const from = next(100)
        const to = from + 1 + next(20)
        return seen(from, to, tx(from + next(to - from)))
      }
      const lag = lagBetween(
        Array.from({ length: 4 }, () => ask(primaryAt)),
        ask(replicaAt),
      )
      if (lag === null) continue
      expect(lag.most ?? 0n).toBeGreaterThanOrEqual(0n)
      // What is certain is no more than what is true of any moment of the round.
      expect(lag.least).toBeLessThanOrEqual(BigInt(slack))
    }
  })
})

describe('a round', () => {
  const primary = { database: 'shop', host: 'db1', port: 3322 }
  const eu = standingOf('eu', [holdingOf('shop')], 'http://db1:1')
  const us = standingOf('us', [holdingOf('shop', { primary })], 'http://db2:1')
  const groups = replicaGroups([eu, us])
  const look = (from: number, to: number, tx: number): Look => ({
    from,
    to,
    txIds: new Map([['shop', String(tx)]]),
  })

  test('compares its own figures alone, and shows the last one of the primary', () => {
    const round = new Map([
      ['id-eu', [look(1, 2, 91), look(5, 6, 99)]],
      ['id-us', [look(3, 4, 98)]],
    ])
    const figures = compareRound(groups, round, 5)
    const [group] = groups
    expect(group?.primary && figures.get(memberKey(group.primary))?.tx).toBe('99')
    expect(worstLag('id-us', groups, figures)).toEqual({ least: 0n, most: 1n })
    expect(worstLag('id-eu', groups, figures)).toBeNull()
  })

  test('in which one end did not answer tells no lag', () => {
    const round = new Map([['id-us', [look(3, 4, 98)]]])
    expect(worstLag('id-us', groups, compareRound(groups, round, 5))).toBeNull()
    expect(worstLag('id-us', groups, compareRound(groups, new Map(), 5))).toBeNull()
  })
})
