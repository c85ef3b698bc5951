// @vitest-environment node
import { expect, test } from 'vitest'
import { readAt, writeAt } from '~/immudb/moment'

test.each(['tx:1', 'tx:42', 'tx:18446744073709551615', '2026-11-21T09:00:00Z'])(
  '%s is read and written again',
  (text) => {
    const at = readAt(text)
    expect(at && writeAt(at)).toBe(text)
  },
)

test('a number without tx: is that transaction', () => {
  expect(readAt('42')).toEqual({ kind: 'tx', id: '42' })
})

test.each([
  ...[
    '',
    'tx:',
    'tx:0',
    'tx:-1',
    'tx:01',
    'tx:1.5',
    'tx:18446744073709551616',
    'TX:1',
    '042',
    '0',
    'tx:tx:1',
  ],
  ...['2026-11-21', '2026-02-31T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21T09:00:00+01:00'],
  ...['2026-11-21T09:00:00.5Z', 'now', `tx:${'9'.repeat(400)}`, ' tx:1', 'tx:1\n'],
])('%j is no moment', (text) => {
  expect(readAt(text)).toBeNull()
})
