// @vitest-environment node
import { expect, test } from 'vitest'
import { refusalOfDocument, refusalOfTx, txOf } from '~/immudb/object-address'

test.each([
  ['42', '42'],
  [' tx 12,904 ', '12904'],
  ['TX1', 'TX1'],
  ['1 000', '1000'],
])('%j is the transaction %j', (text, tx) => {
  expect(txOf(text)).toBe(tx)
})

test.each(['1', '9223372036854775807', 'tx 12,904'])('%j is a transaction', (text) => {
  expect(refusalOfTx(text)).toBeUndefined()
})

test.each(['', 'tx', '0', '-1', '1.5', 'one', '9223372036854775808', '0x10', '007'])(
  '%j is none',
  (text) => {
    expect(refusalOfTx(text)).toMatch(/\w/)
  },
)

test.each(['6b024954', '6B0249540000000000000002', `${'ab'.repeat(32)}`, ' 00 '])(
  '%j is the id of a document',
  (text) => {
    expect(refusalOfDocument(text)).toBeUndefined()
  },
)

test.each(['', 'abc', 'xy', 'ab'.repeat(33), '6b 02'])('%j is none', (text) => {
  expect(refusalOfDocument(text)).toMatch(/\w/)
})
