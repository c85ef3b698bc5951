// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fullName, goTestNames, testNames } from './names'
import { decisions, type Requirement } from './requirement'
import { sections } from './table'

const rows = sections.flat()

/** Every test there is, as a row names it: `file: title` or `file: group › title`, with its count. */
const named = countedNames()

function countedNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const count = (name: string) => found.set(name, (found.get(name) ?? 0) + 1)
  for (const [file, names] of testFiles()) {
    for (const name of names) {
      count(`${file}: ${name.title}`)
      if (name.groups.length > 0) count(`${file}: ${fullName(name)}`)
    }
  }
  return found
}

function testFiles() {
  const below = (folder: string, pattern: RegExp) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => pattern.test(path) && !path.includes('node_modules'))
  const read = (path: string) => readFileSync(path, 'utf8')
  return [
    ...below('test', /\.(test|e2e)\.tsx?$/).map((path) => [path, testNames(read(path))] as const),
    ...below('embed', /_test\.go$/).map((path) => [path, goTestNames(read(path))] as const),
  ]
}

/** What of a row points to nothing, in the order in which it stands there. */
function mistakes(row: Requirement): string[] {
  const { where = [], shown = [], notUsed } = row
  const found = [...where.flatMap(ofPlace), ...shown.flatMap(ofTest)]
  if (notUsed === undefined) {
    if (where.length === 0) found.push('is kept nowhere')
    if (shown.length === 0) found.push('is shown by nothing')
  } else if (where.length > 0 || shown.length > 0) found.push('is kept and not used')
  for (const text of [row.says, notUsed]) {
    if (text !== undefined && !/\S.*\.$/.test(text)) found.push('is no sentence')
  }
  for (const decision of row.decided ?? []) {
    if (!(decision in decisions)) found.push(`there is no decision ${decision}`)
  }
  return found.map((what) => `${row.id} ${what}`)
}

function ofPlace(place: string): string[] {
  const at = place.indexOf('#')
  const [file, symbol] = at < 0 ? [place, null] : [place.slice(0, at), place.slice(at + 1)]
  if (!existsSync(file)) return [`there is no file ${file}`]
  if (symbol === null || holds(readFileSync(file, 'utf8'), symbol)) return []
  return [`${file} has no ${symbol}`]
}

/** A name must be declared there; anything else must be written there. */
function holds(source: string, symbol: string): boolean {
  if (!/^\w+$/.test(symbol)) return source.includes(symbol)
  return new RegExp(`\\b(function|const|let|class|type)\\s+${symbol}\\b`).test(source)
}

function ofTest(name: string): string[] {
  const count = named.get(name) ?? 0
  if (count === 0) return [`there is no test ${name}`]
  return count > 1 ? [`there are ${count} tests ${name}: name the group`] : []
}

describe('the table of the specification', () => {
  test('has all nine sections, and enough in each to be all of it', () => {
    const least = [20, 50, 70, 30, 39, 10, 40, 30, 40]
    expect(sections).toHaveLength(least.length)
    for (const [at, section] of sections.entries()) {
      expect(section.length).toBeGreaterThanOrEqual(least[at] ?? 0)
    }
  })

  test('numbers its rows by section, without a gap and none twice', () => {
    for (const [at, section] of sections.entries()) {
      const wanted = section.map((_, row) => `S${at + 1}.${String(row + 1).padStart(2, '0')}`)
      expect(section.map(({ id }) => id)).toEqual(wanted)
    }
    expect(new Set(rows.map(({ says }) => says)).size).toBe(rows.length)
  })

  test('names only places, tests and decisions that exist', () => {
    expect(rows.flatMap(mistakes)).toEqual([])
  })
})

describe('a row is found that', () => {
  const good: Requirement = {
    id: 'S1.01',
    says: 'It works.',
    where: ['src/lib/text.ts#asSentence'],
    shown: ['test/spec/table.test.ts: has all nine sections, and enough in each to be all of it'],
    decided: ['D1'],
  }
  const cases: readonly [string, Partial<Requirement>, string | null][] = [
    ['is right', {}, null],
    ['names no test', { shown: [] }, 'S1.01 is shown by nothing'],
    ['names no place', { where: [] }, 'S1.01 is kept nowhere'],
    ['says nothing', { says: ' ' }, 'S1.01 is no sentence'],
    ['is not used, with a reason', { where: [], shown: [], notUsed: 'Nobody asks.' }, null],
    [
      'is not used, without a reason',
      { where: [], shown: [], notUsed: '' },
      'S1.01 is no sentence',
    ],
    ['is kept and not used', { notUsed: 'Nobody asks.' }, 'S1.01 is kept and not used'],
    ['names a missing file', { where: ['src/no.ts'] }, 'S1.01 there is no file src/no.ts'],
    [
      'names a missing symbol',
      { where: ['src/lib/text.ts#asSentences'] },
      'S1.01 src/lib/text.ts has no asSentences',
    ],
    [
      'names a missing test',
      { shown: ['test/spec/table.test.ts: is not here'] },
      'S1.01 there is no test test/spec/table.test.ts: is not here',
    ],
    [
      'names a test that several could be',
      { shown: ['test/api/errors.test.ts: %s'] },
      'S1.01 there are 4 tests test/api/errors.test.ts: %s: name the group',
    ],
    ['names a test of Go', { shown: ['embed/guard_test.go: TestAPIAnswersAreNotCached'] }, null],
    [
      'names a missing test of Go',
      { shown: ['embed/guard_test.go: TestNo'] },
      'S1.01 there is no test embed/guard_test.go: TestNo',
    ],
  ]
  test.each(cases)('%s', (_what, change, mistake) => {
    expect(mistakes({ ...good, ...change })).toEqual(mistake === null ? [] : [mistake])
  })

  test('names a decision that was never made', () => {
    const numbers = Object.keys(decisions)
    expect(numbers).toHaveLength(38)
    const row: object = { ...good, decided: ['D39'] }
    expect(mistakes({ ...good, ...row })).toEqual(['S1.01 there is no decision D39'])
  })
})

describe('names of tests are read', () => {
  const of = (source: string) => testNames(source).map(fullName)

  test('with those of their groups', () => {
    const source = `
      describe('outer', () => {
        test('one', () => {})
        describe("inner", () => { it(\`two\`, () => {}) })
      })
      test('three', () => {})`
    expect(of(source)).toEqual(['outer › one', 'outer › inner › two', 'three'])
  })

  test('behind tables, types and modes', () => {
    const source = `
      test.each([['a)', "b("], [1, \`\${x(')')}\`]])('row %s', () => {})
      it.each<[string, Map<string, number>]>([])('typed %s', () => {})
      describe.for(looks)('looks, $theme', ({ theme }) => { test.concurrent('fine', () => {}) })
      test(\`a \${role} user\`, () => {})`
    expect(of(source)).toEqual(['row %s', 'typed %s', 'looks, $theme › fine', `a \${role} user`])
  })

  test('but not out of texts, comments and patterns', () => {
    const source = `
      // test('a comment', () => {})
      /* test('another', () => {}) */
      const text = "test('a text', () => {})"
      const pattern = /test\\('a pattern', "/
      const half = 4 / 2
      pattern.test('no test')
      test(name, () => {})
      test('it’s \\'real\\'', () => {})`
    expect(of(source)).toEqual(["it’s 'real'"])
  })
})
