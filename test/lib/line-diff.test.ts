// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { jsonLines, lineDiff } from '~/lib/line-diff'

const signs = { same: ' ', added: '+', removed: '-' }
const shown = (older: string, newer: string) =>
  lineDiff(older, newer).map(({ kind, text }) => signs[kind] + text)

describe('two texts', () => {
  test.each([
    ['a\nb\nc', 'a\nB\nc', [' a', '-b', '+B', ' c']],
    ['a\nb', 'a\nx\nb', [' a', '+x', ' b']],
    ['a\nx\nb', 'a\nb', [' a', '-x', ' b']],
    ['a\nb\nc\nd', 'b\nc\nx\nd', ['-a', ' b', ' c', '+x', ' d']],
    ['', 'a', ['-', '+a']],
    ['same', 'same', [' same']],
  ])('%j and %j are compared by line', (older, newer, lines) => {
    expect(shown(older, newer)).toEqual(lines)
  })

  test('of very many lines differ as a whole where they differ', () => {
    const lines = (of: string) => Array.from({ length: 1_500 }, (_, at) => `${of}${at}`).join('\n')
    const found = lineDiff(`start\n${lines('a')}\nend`, `start\n${lines('b')}\nend`)
    expect(found.filter(({ kind }) => kind === 'same').map(({ text }) => text)).toEqual([
      'start',
      'end',
    ])
    expect(found).toHaveLength(3_002)
  })
})

test('JSON has one value on each line, with its numbers and names as they are', () => {
  expect(
    jsonLines('{"b":12345678901234567890,"a":[],"c":{"d{":"x, y:[\\"z"},"e":[1.0,null]}'),
  ).toBe(
    `{
  "b": 12345678901234567890,
  "a": [],
  "c": {
    "d{": "x, y:[\\"z"
  },
  "e": [
    1.0,
    null
  ]
}`,
  )
})
