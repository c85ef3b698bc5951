// @vitest-environment node
import { expect, test } from 'vitest'
import { storedKey } from '~/immudb/stored-key'

test.each([
  ['0061', { kind: 'key', text: 'a' }],
  ['00ff', { kind: 'key', text: 'hex ff' }],
  ['01000000000000000173', { kind: 'sorted set', text: 's' }],
  ['02522e00000001000000070000000080', { kind: 'row', text: 'table number 7' }],
  ['0243544c2e5441424c452e0000000100000001', { kind: 'catalogue', text: 'table' }],
  ['03522e00000001000000020000000080', { kind: 'document', text: 'collection number 2' }],
  ['02', { kind: 'other', text: 'of a table' }],
  ['01ffffffffffffffff', { kind: 'sorted set', text: '' }],
  ['', { kind: 'other', text: 'hex ' }],
])('the stored key %s', (digits, words) => expect(storedKey(digits)).toEqual(words))
