// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowFromAddress, rowToAddress } from '~/immudb/row-address'

test('typed primary keys of the documentation', () => {
  expect(rowFromAddress('n:1')).toEqual([{ n: '1' }])
  expect(rowFromAddress('s:abc')).toEqual([{ s: 'abc' }])
  expect(rowFromAddress('n:-9223372036854775808,s:a%2Cb,b:true,bs:AP8')).toEqual([
    { n: '-9223372036854775808' },
    { s: 'a,b' },
    { b: true },
    { bs: 'AP8=' },
  ])
})

const value = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ n: String(n) })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ ts: String(n) })),
  fc.string({ unit: 'binary' }).map((s) => ({ s })),
  fc.boolean().map((b) => ({ b })),
  fc.uint8Array().map((bytes) => ({ bs: Buffer.from(bytes).toString('base64') })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((f) => ({ f })),
)

test('any primary key comes back from its address', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (key) => {
      expect(rowFromAddress(rowToAddress(key))).toEqual(key)
    }),
  )
})

test.each(['', 'n:', 'n:1.5', 'n:9223372036854775808', 'n:-0', 'x:1', 'n:1,', 'bs:*', 'f:', 'f:x'])(
  '%j is no primary key',
  (address) => expect(rowFromAddress(address)).toBeNull(),
)
