// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { saveAudit, startBehind } from '~/proof/audit-walk'
import { auditTx, startAudit } from '~/proof/kernel/audit'
import { verify } from '~/proof/kernel/verify'
import { readTarget } from '~/proof/saved-audit'
import type { History, Json } from '../../support/history'
import { grow, historyOf, laggingHistory } from '../../support/proving-server'

function walkedTo(history: History, tx: number) {
  const audit = startAudit()
  for (let at = 1; at <= tx; at += 1) auditTx(audit, history.tx(at))
  return audit
}

const behind = (history: History, tx: number) =>
  startBehind(readTarget(history.point(tx)), history.dualProof(tx, tx))

describe('a walk that begins behind the trusted transaction', () => {
  test('stands where one from the first transaction would stand', () => {
    const history = historyOf(70)
    for (let tx = 1; tx <= 70; tx += 1) {
      const walked = saveAudit(walkedTo(history, tx))
      const begun = behind(history, tx)
      expect(begun && saveAudit(begun), `tx ${tx}`).toEqual({ ...walked, entries: 0 })
    }
  })

  test('goes on, and refuses what is in the chain and not in the tree', () => {
    const history = historyOf(13)
    const audit = behind(history, 13)
    if (!audit) throw new Error('it did not begin')
    grow(history)
    grow(history)
    auditTx(audit, history.tx(14))
    auditTx(audit, history.tx(15))
    expect(audit.alh).toEqual(history.alh(15))
    // Another transaction 14 in the tree than in the chain.
    const forked = historyOf(14, 'b', 13)
    grow(forked)
    const { header, ...tx } = history.tx(15)
    const { blRoot } = forked.tx(15).header as Json
    const again = behind(history, 13)
    if (!again) throw new Error('it did not begin')
    auditTx(again, history.tx(14))
    const mixed = { ...tx, header: { ...(header as Json), blRoot } }
    expect(() => auditTx(again, mixed)).toThrow('blRoot')
  })

  test('is refused for another transaction, another history and a wrong tree', () => {
    const history = historyOf(13)
    const trusted = readTarget(history.point(13))
    expect(() => startBehind(trusted, history.dualProof(12, 12))).toThrow('id')
    expect(() => startBehind(trusted, history.dualProof(12, 13))).toThrow('id')
    expect(() => startBehind(trusted, historyOf(13, 'b').dualProof(13, 13))).toThrow('trusted')
    const proof = history.dualProof(13, 13)
    const terms = [...(proof.lastInclusionProof as string[])].reverse()
    expect(() => startBehind(trusted, { ...proof, lastInclusionProof: terms })).toThrow()
  })

  test('does not begin where the tree lags behind', () => {
    expect(behind(laggingHistory(), 20)).toBeNull()
  })
})

describe('a transaction that was found in the tree only', () => {
  const history = historyOf(9)
  const trusted = history.point(9)
  const openOf = async (tx: number, read: { readFrom?: string; readTo?: string }) => {
    const context = { db: 'db', trusted, publicKey: null, ...read }
    const found = await verify('tx', context, { tx: String(tx) }, history.verifiableTx(tx, 9))
    return found.open
  }

  test('is open until all were read from it to the trusted one', async () => {
    expect(await openOf(5, {})).toEqual(['tree'])
    expect(await openOf(5, { readTo: '9' })).toEqual([])
    expect(await openOf(5, { readFrom: '5', readTo: '9' })).toEqual([])
    expect(await openOf(5, { readFrom: '6', readTo: '9' })).toEqual(['tree'])
    // Of what came behind, the tree alone says which chain it goes on from.
    expect(await openOf(5, { readTo: '8' })).toEqual(['tree'])
    expect(await openOf(5, { readTo: '5' })).toEqual(['tree'])
  })
})
