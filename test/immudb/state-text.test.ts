// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  compareStates,
  readStateText,
  type WrittenState,
  writeStateText,
} from '~/immudb/state-text'

const [a, b] = [`${'A'.repeat(43)}=`, `${'B'.repeat(42)}A=`]

const orders: WrittenState = {
  database: 'orders',
  txId: '12904',
  txHash: a,
  server: 'cq0000000000000000',
  origin: 'https://db.example/ops',
  at: '2026-01-02T03:04:05.000Z',
}
const bare: WrittenState = { ...orders, database: 'x', server: '', origin: '', at: '' }

describe('points as text', () => {
  test('are read as they were written, one or many', () => {
    expect(readStateText(writeStateText([orders]))).toEqual({ points: [orders] })
    expect(readStateText(writeStateText([orders, bare, orders]))).toEqual({
      points: [orders, bare, orders],
    })
  })

  test('say what they are, with the hash in hex digits', () => {
    expect(writeStateText([orders])).toBe(
      [
        'immudb trusted state',
        'database: orders',
        'transaction: 12904',
        `hash: ${'0'.repeat(64)}`,
        'server: cq0000000000000000',
        'address: https://db.example/ops',
        'recorded: 2026-01-02T03:04:05.000Z',
        '',
      ].join('\n'),
    )
  })

  test('survive mail: quoted lines, other line ends, capitals, separators, base64', () => {
    const text = `> Database:  orders \r\n> Transaction: 12,904\r\n> HASH: ${a}\r\n`
    expect(readStateText(text)).toEqual({ points: [{ ...bare, database: 'orders' }] })
  })

  test('made to keep the reader waiting are read at once', () => {
    const [spaces, letters] = [' '.repeat(500_000), 'a'.repeat(500_000)]
    for (const text of [`database:${spaces}a`, `${spaces}x`, letters, `hash: ${letters}`]) {
      expect(readStateText(text)).toEqual({ error: expect.any(String) })
    }
  })

  test.each([
    ['', 'no trusted state'],
    ['hello', 'no trusted state'],
    ['transaction: 1\nhash: 00', 'The database is missing'],
    ['database: a\nhash: 00', 'The transaction is not a number'],
    ['database: a\ntransaction: -1\nhash: 00', 'The transaction is not a number'],
    ['database: a\ntransaction: 1\nhash: 00', 'The hash is not'],
    ['database: a\ntransaction: 1', 'The hash is not'],
    [`${writeStateText([orders])}\ndatabase: b`, 'State 2: The transaction is not a number'],
  ])('%j is refused with a reason', (text, words) => {
    expect(readStateText(text)).toEqual({ error: expect.stringContaining(words) })
  })
})

describe('a point from elsewhere', () => {
  const recorded = [
    { txId: '20', txHash: a },
    { txId: '10', txHash: b },
  ]
  test.each([
    [
      { txId: '20', txHash: a },
      { kind: 'same', txId: '20' },
    ],
    [
      { txId: '10', txHash: b },
      { kind: 'same', txId: '10' },
    ],
    [
      { txId: '10', txHash: a },
      { kind: 'different', txId: '10', ours: b },
    ],
    [
      { txId: '15', txHash: a },
      { kind: 'older', ours: '20' },
    ],
    [
      { txId: '9223372036854775807', txHash: a },
      { kind: 'newer', ours: '20' },
    ],
  ])('%j is %j', (point, expected) => {
    expect(compareStates(point, recorded)).toEqual(expected)
  })

  test('is unknown where nothing was recorded', () => {
    expect(compareStates({ txId: '1', txHash: a }, [])).toEqual({ kind: 'unknown' })
  })
})
