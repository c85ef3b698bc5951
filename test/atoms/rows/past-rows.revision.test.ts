// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { openRowProof, verifyRows } from '~/atoms/rows/proofs'
import { rowProofsAtom, summaryVerdictAtom } from '~/atoms/rows/row-marks'
import type { RowSet } from '~/core/row-set'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { gapOf, labelOf, unequalLeaves } from '~/trust/object-verdict'
import { proofDrawerAtom } from '~/trust/proof-drawer'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { History } from '../../support/history'
import { tabOf } from '../../support/proving-server'
import { deriveTable, type Row, RowServer, showRows } from '../../support/row-server'

let server: RowServer
let store: Store

const a = (name: string): Row => ({ id: 1, name })
const gone = (name: string): Row => ({ id: 1, name, isDeleted: true })
const other = (times: number) => {
  for (let at = 0; at < times; at += 1) server.add({ id: 2, name: `n${at}` })
}

beforeEach(async () => {
  server = new RowServer(new History())
  store = tabOf(server)
  connect(store, '/api', server.answer)
  openQueryCache(store)
  await deriveTable(store, server)
})

async function verifyAll(rowSet: RowSet) {
  const rows = Array.from({ length: rowSet.rows.rowCount }, (_, row) => row)
  await verifyRows(store, rowSet, rows)
  const { marks, summary } = store.get(rowProofsAtom)(rowSet.number)
  return { marks: [...marks].sort(([one], [two]) => one - two).map(([, mark]) => mark), summary }
}

async function opened(rowSet: RowSet, row = 0) {
  await openRowProof(store, rowSet, row)
  const drawer = store.get(proofDrawerAtom)
  const [proof] = drawer?.state.kind === 'here' ? drawer.state.proofs : []
  return { what: drawer?.what, proof, notes: proof?.notes?.join(' ') ?? '' }
}

describe('rows of a period', () => {
  test('proven in a transaction within it say what is proven and what is not', async () => {
    server.add(a('then'))
    other(3)
    const rowSet = showRows([a('then')], 'SELECT id, name FROM t UNTIL TX 3')
    const { proof, notes } = await opened(rowSet)
    expect(notes).toBe(
      'By its proof, tx 1 wrote it and is within UNTIL TX 3. That nothing wrote the row between tx 1 and that moment is only reported by the server.',
    )
    const gap = 'not covered by the proof: that it was so UNTIL TX 3'
    expect(proof && gapOf(proof)).toBe(gap)
    expect((await verifyAll(rowSet)).marks).toMatchObject([{ cause: 'open', tx: '1', gap }])
  })

  test('whose newest version says the same, but is behind it, are proven where they were', async () => {
    server.add(a('same'))
    server.add(a('else'))
    server.add(a('same'))
    const rowSet = showRows([a('same')], 'SELECT id, name FROM t BEFORE TX 2')
    expect((await verifyAll(rowSet)).marks).toMatchObject([{ cause: 'whole', tx: '1' }])
    expect((await opened(rowSet)).notes).toMatch(/^By its proof, tx 1 wrote it/)
  })

  test('that were not there by then are not verified by what was written later', async () => {
    other(2)
    server.add(a('late'))
    const rowSet = showRows([a('late')], 'SELECT id, name FROM t UNTIL TX 2')
    const { marks, summary } = await verifyAll(rowSet)
    const gap =
      'not covered by the proof: that it is of UNTIL TX 2, as this query asks: tx 3 wrote it'
    expect(marks).toMatchObject([{ cause: 'open', tx: '3', gap }])
    expect(summary?.text).toBe(`0 of 1 row verified, 1 in part (${gap}).`)
  })

  test('that were last written before it begins are not in it', async () => {
    server.add(a('early'))
    other(2)
    const rowSet = showRows([a('early')], 'SELECT id, name FROM t SINCE TX 2')
    const gap =
      'not covered by the proof: that it is of SINCE TX 2, as this query asks: tx 1 wrote it'
    expect((await verifyAll(rowSet)).marks).toMatchObject([{ cause: 'open', tx: '1', gap }])
    const inside = showRows([a('early')], 'SELECT id, name FROM t SINCE TX 1')
    expect((await opened(inside)).notes).toBe(
      'By its proof, tx 1 wrote it and is within SINCE TX 1.',
    )
  })

  test('that is given by times go by the time that is proven', async () => {
    server.add(a('first'))
    server.add(a('second'))
    // Transactions are a second apart, from 2023-11-14 22:13:20 on.
    const until = (time: string) => `SELECT id, name FROM t UNTIL CAST('${time}' AS TIMESTAMP)`
    const rowSet = showRows([a('first')], until('2023-11-14 22:13:20.7'))
    expect((await verifyAll(rowSet)).marks).toMatchObject([{ cause: 'open', tx: '1' }])
    const late = showRows([a('second')], until('2023-11-14 22:13:21'))
    expect((await verifyAll(late)).marks).toMatchObject([{ cause: 'open', tx: '2' }])
  })

  test('of which nobody can tell what it reads are verified in part', async () => {
    server.add(a('x'))
    const rowSet = showRows([a('x')], 'SELECT id, name FROM t UNTIL NOW()')
    const gap = 'not covered by the proof: whether this query reads tx 1, which wrote it'
    expect((await verifyAll(rowSet)).marks).toMatchObject([{ cause: 'open', tx: '1', gap }])
  })

  test.each([['SELECT id, name FROM t UNTIL TX 5'], ['SELECT id, UPPER(name) FROM t UNTIL TX 5']])(
    'that were deleted by then are not there: %s',
    async (source) => {
      server.add(a('then'))
      server.add(gone('then'))
      other(3)
      await deriveTable(store, server)
      // The server finds the row as if it was never deleted.
      server.isBlind = true
      const rowSet = showRows([a('then')], source)
      const { marks } = await verifyAll(rowSet)
      const columns = ['that the row is there']
      expect(marks).toMatchObject([{ cause: 'different', tx: '2', columns }])
      expect(store.get(summaryVerdictAtom)(rowSet).judged.verdict).toBe('contradicted')
      const { proof } = await opened(rowSet)
      const different = proof ? unequalLeaves(proof).filter(({ match }) => match === 'differs') : []
      expect(different.map(labelOf)).toEqual(columns)
      expect(different).toMatchObject([{ value: { of: 'false' }, proven: { of: 'true' } }])
    },
  )

  test.each([
    ['in the last transaction of the period', 'UNTIL TX 4', { cause: 'outdated', tx: '4' }],
    ['in a transaction behind it', 'UNTIL TX 3', { cause: 'different', tx: '1' }],
  ])(
    'that were written %s after they were read do not stand against it',
    async (_, period, mark) => {
      server.add(a('then'))
      other(2)
      // Read now, while the period goes on.
      const rowSet = showRows([a('shown')], `SELECT id, name FROM t ${period}`, 'VARCHAR', '3')
      server.add(a('later'))
      other(1)
      server.add(a('newest'))
      const { marks } = await verifyAll(rowSet)
      expect(marks).toMatchObject([{ ...mark, columns: ['name'] }])
      const { incidents } = await store.get(trustedStatesAtom).others()
      expect(incidents).toHaveLength(mark.cause === 'different' ? 1 : 0)
    },
  )

  test('are not proven by the newest transaction as a whole', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ id: at + 1, name: 'same' }))
    server.add(...many)
    other(1)
    server.add(...many)
    const rowSet = showRows(many, 'SELECT id, name FROM t UNTIL TX 1')
    const { summary, marks } = await verifyAll(rowSet)
    expect(summary?.text).toBe('12 of 12 rows verified.')
    expect(marks.every((mark) => mark.cause === 'whole' && mark.tx === '1')).toBe(true)
  })
})

const history = 'SELECT _rev, id, name FROM (HISTORY OF t)'
const rest = 'not covered by the proof: _rev'

describe('versions of rows', () => {
  test('are proven in the transactions that wrote them, deletions among them', async () => {
    server.add(a('one'))
    other(40)
    server.add(a('two'))
    server.add(gone('two'))
    other(2)
    server.add(a('three'))
    const shown = [
      { ...a('one'), rev: 1 },
      { ...a('two'), rev: 2 },
      { ...a('two'), rev: 3 },
      { ...a('three'), rev: 4 },
    ]
    const rowSet = showRows(shown, history)
    const { marks, summary } = await verifyAll(rowSet)
    expect(marks).toMatchObject([
      { cause: 'open', tx: '1', gap: rest },
      { cause: 'open', tx: '42', gap: rest },
      { cause: 'open', tx: '43', gap: rest },
      { cause: 'open', tx: '46', gap: rest },
    ])
    expect(summary?.text).toBe(`0 of 4 rows verified, 4 in part (${rest}).`)
    expect(store.get(summaryVerdictAtom)(rowSet).judged.verdict).toBe('verified-in-part')
  })

  test('one opens its proof, which says what is proven and what is not', async () => {
    server.add(a('one'))
    server.add(gone('one'))
    const shown = [
      { ...a('one'), rev: 1 },
      { ...a('one'), rev: 2 },
    ]
    const rowSet = showRows(shown, history)
    const live = await opened(rowSet)
    expect(live.what).toBe('row id = 1 of t, revision 1')
    expect(live.proof?.verification.request).toMatchObject({ sqlGetRequest: { atTx: '1' } })
    expect(live.proof && gapOf(live.proof)).toBe(rest)
    expect(live.notes).toBe(
      'By its proof, this transaction wrote the row like this. The revision number (_rev) is only reported by the server, whose queries also found the transaction.',
    )
    const deleted = await opened(rowSet, 1)
    expect(deleted.proof && gapOf(deleted.proof)).toBe(rest)
    expect(deleted.notes).toMatch(/^By its proof, this transaction deleted the row/)
  })

  test('that show something else than was written are told apart', async () => {
    server.add(a('one'))
    server.add(a('two'))
    const shown = [
      { ...a('forged'), rev: 1 },
      { ...a('two'), rev: 2 },
    ]
    const { marks } = await verifyAll(showRows(shown, history))
    expect(marks).toMatchObject([
      { cause: 'different', tx: '1', columns: ['name'] },
      { cause: 'open', tx: '2' },
    ])
  })

  test('that show something else do not say that it was written so', async () => {
    server.add(a('one'))
    const old = await opened(showRows([a('forged')], 'SELECT id, name FROM t UNTIL TX 1'))
    expect(old.notes).toBe('')
    const version = await opened(showRows([{ ...a('forged'), rev: 1 }], history))
    expect(version.notes).toMatch(/^The revision number \(_rev\)/)
  })

  test('that were written since the result was made do not shift the others', async () => {
    server.add(a('one'))
    server.add(a('two'))
    const rowSet = showRows(
      [
        { ...a('one'), rev: 1 },
        { ...a('two'), rev: 2 },
      ],
      history,
    )
    server.add(a('three'))
    expect((await verifyAll(rowSet)).marks).toMatchObject([{ tx: '1' }, { tx: '2' }])
  })

  test('are found with few questions, and once for a row', async () => {
    other(200)
    for (const name of ['one', 'two', 'three']) {
      server.add(a(name))
      other(50)
    }
    const shown = ['one', 'two', 'three'].map((name, at) => ({ ...a(name), rev: at + 1 }))
    const rowSet = showRows(shown, history)
    await verifyAll(rowSet)
    expect(server.count('/db/sqlquery')).toBeLessThan(20)
    const before = server.count('/db/sqlquery')
    await verifyAll(rowSet)
    expect(server.count('/db/sqlquery')).toBe(before)
  })

  test('that no answer numbers so are not proven', async () => {
    server.add(a('one'))
    const { marks } = await verifyAll(showRows([{ ...a('one'), rev: 7 }], history))
    expect(marks).toMatchObject([{ cause: 'none' }])
  })
})
