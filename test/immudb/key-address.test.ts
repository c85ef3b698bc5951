// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyFromAddress, keyToAddress, toUrlSafe } from '~/immudb/key-address'
import { pathTo } from '~/lib/paths'
import { corpusBytes } from '../support/corpus-bytes'

/** What a reader of the address gets, after the browser has been through it. */
const throughAddress = (key: string) => {
  const url = new URL(pathTo('keys', { key: keyToAddress(key) }), 'http://x')
  expect(url.pathname).toBe('/keys')
  return keyFromAddress(url.searchParams.get('key') ?? '')
}

describe('a key in an address', () => {
  test('is its text when all of it can be seen, else base64', () => {
    const address = (text: string) => keyToAddress(Buffer.from(text).toString('base64'))
    expect(address('user:1')).toBe('user:1')
    expect(address('ключ 🔑')).toBe('ключ 🔑')
    expect(address('b64:x')).toBe('b64:YjY0Ong')
    expect(address('a\u202eb')).toBe('b64:YeKArmI')
    expect(address(' x')).toBe('b64:IHg')
    expect(address('')).toBe('b64:')
    expect(keyToAddress('/+8=')).toBe('b64:_-8')
  })

  test.each(corpusBytes('key'))('comes back exactly: $id $category: $name', ({ bytes }) => {
    const key = bytes.toString('base64')
    expect(throughAddress(key)).toBe(key)
  })

  test('comes back exactly, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
        const key = Buffer.from(bytes).toString('base64')
        expect(throughAddress(key)).toBe(key)
      }),
    )
  })

  test.each(['b64:%', 'b64:A', 'b64:ä'])('%s names none', (address) => {
    expect(keyFromAddress(address)).toBeNull()
  })

  test('is URL-safe in a path and keeps its padding', () => {
    expect(toUrlSafe('+/8=')).toBe('-_8=')
  })
})
