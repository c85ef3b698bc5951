// @vitest-environment node
import { expect, test } from 'vitest'
import { hexToBytes } from '~/lib/bytes'
import { entryName } from '~/screens/proof/entry-name'

test.each([
  ['0061', { kind: 'key', text: 'a' }],
  ['00ff', { kind: 'key', text: 'hex ff' }],
  [
    '010000000000000001733ff8000000000000000000000000000200610000000000000007',
    { kind: 'sorted set', text: 's' },
  ],
  ['02522e0000000100000007000000008000', { kind: 'row', text: 'table number 7' }],
  ['024d2e000000070000000180', { kind: 'index entry', text: 'table number 7' }],
  ['0243544c2e5441424c452e0000000100000001', { kind: 'catalogue', text: 'table' }],
  ['0243544c2e4e45572e00', { kind: 'catalogue', text: 'new' }],
  [
    `03522e00000001000000020000000080${'aa'.repeat(16)}${'00'.repeat(16)}00000010`,
    { kind: 'document', text: 'collection number 2' },
  ],
  ['02', { kind: 'other', text: 'hex 02' }],
  ['01ffffffffffffffff', { kind: 'other', text: 'hex 01ffffffffffffffff' }],
  ['', { kind: 'other', text: 'hex ' }],
])('the stored key %s', (digits, words) => {
  expect(entryName(hexToBytes(digits) ?? new Uint8Array())).toEqual(words)
})
