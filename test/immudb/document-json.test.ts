// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { documentJson, hasLargeNumber } from '~/immudb/document-json'
import { corpusBytes } from '../support/corpus-bytes'

describe('a document as JSON', () => {
  test.each([
    ['numbers', [0, -0, 1.5, 1e21, 1e-7, 2 ** 53], '[0,-0,1.5,1e+21,1e-7,9007199254740992]'],
    ['numbers that JSON lacks', [Number.NaN, -Infinity], '["NaN","-Infinity"]'],
    ['other values', [null, true, 'a"b', {}, []], '[null,true,"a\\"b",{},[]]'],
    ['half of a pair', '\ud800', '"\\ud800"'],
  ])('has %s as the server writes them', (_what, value, text) => {
    expect(documentJson(value)).toBe(text)
  })

  test('may be nested as deep as the server takes it', () => {
    const depth = 5_000
    const text = `${'['.repeat(depth)}9007199254740994${']'.repeat(depth)}`
    const value: unknown = JSON.parse(text)
    expect(documentJson(value)).toBe(text)
    expect(documentJson(value, '').replace(/\s/g, '')).toBe(text)
    expect(documentJson(value, '').length).toBeLessThan(depth * 300)
    expect(hasLargeNumber({ value })).toBe(true)
  })

  test('has the fields in the order of their names when asked to', () => {
    const value: unknown = JSON.parse('{"b":[{"d":1,"c":2}],"a":-0,"__proto__":{}}')
    expect(documentJson(value, undefined, true)).toBe('{"__proto__":{},"a":-0,"b":[{"c":2,"d":1}]}')
  })

  test('keeps every name and text', () => {
    const texts = corpusBytes().map(({ bytes }) => bytes.toString())
    const names = ['__proto__', 'constructor', '', '1', ...texts]
    const fields = [...new Set(names)]
      .map((name) => JSON.stringify(name.slice(0, 10_000)))
      .map((name) => `${name}:[${name}]`)
    const document: unknown = JSON.parse(`{${fields.join(',')}}`)
    expect(documentJson(document)).toBe(JSON.stringify(document))
    expect(documentJson(document, '')).toBe(JSON.stringify(document, null, 2))
  })
})
