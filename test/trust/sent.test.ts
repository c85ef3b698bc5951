// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { u8, u64 } from '~/proof/kernel/bytes'
import { plainKey, rowKey } from '~/proof/kernel/stored'
import { documentWrite, rowsWrite, type SentRow, uncomparedWrite } from '~/trust/sent'
import type { Question } from '~/trust/verification'
import { unequalIn } from '../support/questions'

const write = { database: 'db', tx: '9', txBefore: '8' }

function only(questions: readonly Question[]): Question {
  const [question, ...others] = questions
  if (!question || others.length > 0) throw new Error(`${questions.length} questions`)
  return question
}

describe('a document that was sent', () => {
  const facts = (document: object, deleted = false) => ({
    ...{ collectionId: 1, documentId: 'd', tx: '9', ts: '1', deleted, document, indexed: {} },
  })
  const sent = (json: string | null, idField: string | null = '_id') =>
    only(documentWrite(write, { collection: 'c', id: 'd', json, idField }))

  test('is compared in the transaction that the server named', () => {
    expect(sent('{}')).toMatchObject({
      what: 'document d of c',
      request: { collectionName: 'c', documentId: 'd', transactionId: '9' },
      shown: { sentAfter: '8' },
    })
  })

  test.each([
    ['as it was sent', '{"a":1,"b":{"x":[null]}}', { _id: 'd', a: 1, b: { x: [null] } }, []],
    ['another value', '{"a":1}', { _id: 'd', a: 2 }, [['a', 'differs']]],
    ['a value inside that is another', '{"a":[1]}', { _id: 'd', a: [2] }, [['a', 'differs']]],
    ['a field less', '{"a":null}', { _id: 'd' }, [['a', 'differs']]],
    ['a field more', '{}', { _id: 'd', a: null }, [['a', 'differs']]],
    ['another id', '{}', { _id: 'e' }, [['_id', 'differs']]],
    ['the server’s id for one that was sent', '{"_id":"e"}', { _id: 'd' }, []],
    [
      'a rounded number',
      '{"a":9007199254740993}',
      { _id: 'd', a: 9007199254740992 },
      [['a', 'rounded']],
    ],
    [
      'a rounded number inside',
      '{"a":{"b":9007199254740993,"c":1}}',
      { _id: 'd', a: { b: 9007199254740992, c: 1 } },
      [['a', 'rounded']],
    ],
    ['another sign of zero', '{"a":-0}', { _id: 'd', a: 0 }, [['a', 'differs']]],
    ['half a character', '{"a":"\\ud800"}', { _id: 'd', a: '\ufffd' }, []],
  ])('and is stored as: %s', (_, json, stored, expected) => {
    expect(unequalIn(sent(json), facts(stored))).toEqual(expected)
  })

  test('is not what a deletion holds, and a deletion is not a document', () => {
    const deletion = ['the deletion of the document', 'differs']
    expect(unequalIn(sent('{}'), facts({ _id: 'd' }, true))).toEqual([deletion])
    expect(unequalIn(sent(null), facts({ _id: 'd' }, true))).toEqual([])
    expect(unequalIn(sent(null), facts({ _id: 'd' }))).toEqual([deletion])
  })

  test('may have a field more where it is not known which one is the id', () => {
    const question = sent('{"a":1}', null)
    expect(unequalIn(question, facts({ _id: 'd', a: 1 }))).toEqual([])
    expect(unequalIn(question, facts({ _id: 'd', a: 2 }))).toEqual([['a', 'differs']])
  })
})

describe('rows that were sent', () => {
  const row = (id: number, v: string | null, more: Partial<SentRow> = {}): SentRow => ({
    name: `row id = ${id} of t`,
    key: [{ n: String(id) }],
    cells: [
      { name: 'id', type: 'INTEGER', value: String(id) },
      { name: 'v', type: 'VARCHAR', value: v },
    ],
    isDeleted: false,
    ...more,
  })
  const rowFacts = (id: number, v: string | null, deleted = false) => ({
    ...{ tableId: 1, deleted, key: '', tx: '9', ts: '1', position: 0, raw: {}, hidden: [] },
    named: {
      id: { type: 'INTEGER', value: String(id), raw: '' },
      v: v === null ? null : { type: 'VARCHAR', value: v, raw: '' },
    },
  })
  const keyOf = (id: number) => {
    const key = u64(BigInt(id) ^ (1n << 63n))
    return bytesToHex(rowKey(1, Uint8Array.from([...u8(0x80), ...key])))
  }
  const txFacts = (...keys: readonly string[]) => ({
    ...{ id: '9', ts: '1', version: 1, nentries: keys.length, prevAlh: '', alh: '', blTxId: '0' },
    ...{ truncatedTxID: '0', extra: '' },
    entries: keys.map((key) => ({
      key,
      meta: { deleted: false, expiresAt: null, nonIndexable: false },
      valueHash: '00',
    })),
  })

  test('are counted, and each is compared with what its transaction wrote', () => {
    const rows = [row(1, 'a'), row(2, null), row(3, 'c', { cells: [], isDeleted: true })]
    const [tx, ...each] = rowsWrite(write, 't', rows)
    if (!tx) throw new Error('no question')
    expect(tx).toMatchObject({ kind: 'tx', request: { tx: '9' }, shown: { sentAfter: '8' } })
    expect(unequalIn(tx, txFacts(keyOf(1), keyOf(2), keyOf(3)))).toEqual([])
    expect(unequalIn(tx, txFacts(keyOf(1), keyOf(2)))).toEqual([['the number of rows', 'differs']])
    const key = bytesToHex(plainKey(encodeUtf8('k')))
    expect(unequalIn(tx, txFacts(keyOf(1), keyOf(2), keyOf(3), key))).toEqual([
      ['the number of other entries', 'differs'],
    ])
    expect(each.map(({ what, request }) => [what, request])).toEqual(
      [1, 2, 3].map((id) => [
        `row id = ${id} of t`,
        { sqlGetRequest: { table: 't', pkValues: [{ n: String(id) }], atTx: '9' } },
      ]),
    )
    const [first, second, third] = each
    if (!first || !second || !third) throw new Error('no question')
    expect(unequalIn(first, rowFacts(1, 'a'))).toEqual([])
    expect(unequalIn(first, rowFacts(1, 'b'))).toEqual([['v', 'differs']])
    expect(unequalIn(first, rowFacts(1, null))).toEqual([['v', 'differs']])
    expect(unequalIn(first, rowFacts(1, 'a', true))).toEqual([
      ['the deletion of the row', 'differs'],
    ])
    expect(unequalIn(second, rowFacts(2, null))).toEqual([])
    expect(unequalIn(second, rowFacts(2, ''))).toEqual([['v', 'differs']])
    expect(unequalIn(third, rowFacts(3, 'c', true))).toEqual([])
    expect(unequalIn(third, rowFacts(3, 'c'))).toEqual([['the deletion of the row', 'differs']])
  })

  test('are named as not compared where the server gave the key, and beyond the first', () => {
    const numbered = [row(1, 'a', { key: null }), row(2, 'b')]
    const [tx, ...each] = rowsWrite(write, 't', numbered)
    if (!tx) throw new Error('no question')
    expect(each).toHaveLength(1)
    expect(unequalIn(tx, txFacts(keyOf(1), keyOf(2)))).toEqual([
      ['the content of 1 row', 'uncovered'],
    ])
    const many = Array.from({ length: 60 }, (_, at) => row(at + 1, 'v'))
    const [whole, ...first] = rowsWrite(write, 't', many)
    if (!whole) throw new Error('no question')
    expect(first).toHaveLength(50)
    expect(unequalIn(whole, txFacts(...many.map((_, at) => keyOf(at + 1))))).toEqual([
      ['the content of 10 rows', 'uncovered'],
    ])
  })

  test('of which nothing is compared are named so', () => {
    const question = only(uncomparedWrite(write))
    expect(question).toMatchObject({ what: 'tx 9', shown: { sentAfter: '8' } })
    expect(unequalIn(question, txFacts(keyOf(1)))).toEqual([['what was sent', 'uncovered']])
  })
})
