// @vitest-environment node
import { expect, test } from 'vitest'
import { titlesOf } from './titles'

const read = (lines: readonly string[]) =>
  titlesOf(lines.join('\n')).map(({ title, groups }) => [...groups, title].join(' › '))

test('titles stand behind those of their groups', () => {
  const source = [
    "describe('outer', () => {",
    "  test('one', () => {})",
    "  describe('inner', () => {",
    '    it(`two`, () => {})',
    '  })',
    '})',
    "test('three', () => {})",
  ]
  expect(read(source)).toEqual([
    'outer',
    'outer › one',
    'outer › inner',
    'outer › inner › two',
    'three',
  ])
})

test('titles are found behind tables, types and modes, on a line of their own too', () => {
  const source = [
    'test.each<',
    '  [string]',
    ">([['a)', f('x', 1)]])('typed %s', () => {",
    "  of('db')",
    '})',
    'test.each([',
    "  ['b(', 2],",
    '',
    "] as const)('row %s', () => {})",
    'test.for(looks)(',
    "  'it’s \\'real\\'',",
    '  () => {},',
    ')',
    "test.concurrent('fine', () => {})",
    'quickTest(',
    "  'with fixtures of its own',",
    '  () => {},',
    ')',
  ]
  expect(read(source)).toEqual([
    'typed %s',
    'row %s',
    "it’s 'real'",
    'fine',
    'with fixtures of its own',
  ])
})

test('what is a comment, a text or no literal is no title', () => {
  const source = [
    "// test('a comment', () => {})",
    'const text = "test(\'a text\', () => {})"',
    'test(name, () => {})',
    'test.each(rows)(name, () => {',
    "  expect(of('x')('y', 1)).toBe(1)",
    '})',
    "contest('no', () => {})",
  ]
  expect(read(source)).toEqual([])
})
