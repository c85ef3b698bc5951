// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { titlesOf } from './support/titles'

/** How many requirements each section of the specification has; none may get lost. */
const counts = [24, 57, 74, 33, 39, 10, 46, 34, 41, 35, 52, 78, 8, 43]
const text = readFileSync('test/spec.md', 'utf8')
const decisions = [...text.matchAll(/^\| (D\d+) \| .+ \|$/gm)].map(([, id = '']) => id)
const tests = countedTests()

type Row = { readonly id: string; readonly says: string; readonly test: string; decided: string }

function rowsOf(table: string): Row[] {
  return [...table.matchAll(/^\| (S[\d.]+) \| (.*) \| (.*) \|(.*)\|$/gm)].map(
    ([, id = '', says = '', test = '', decided = '']) => ({ id, says, test, decided }),
  )
}

/** Every test as a row may name it, with its or without its groups, and how many have that name. */
function countedTests(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const count = (name: string) => found.set(name, (found.get(name) ?? 0) + 1)
  for (const file of filesBelow('test', /\.(test|e2e)\.tsx?$/)) {
    for (const { kind, title, groups } of titlesOf(readFileSync(file, 'utf8'))) {
      if (kind === 'group') continue
      count(`${file}: ${title}`)
      if (groups.length > 0) count(`${file}: ${[...groups, title].join(' › ')}`)
    }
  }
  for (const file of filesBelow('embed', /_test\.go$/)) {
    const titles = readFileSync(file, 'utf8').matchAll(/^func (Test\w+)\(/gm)
    for (const [, title] of titles) count(`${file}: ${title}`)
  }
  return found
}

function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => name.test(path))
}

function mistakes({ id, says, test, decided }: Row): string[] {
  const [, reason] = /^not used: (.*)$/.exec(test) ?? []
  const found = reason === undefined ? test.split('<br>').flatMap(ofTest) : ofSentence(reason)
  const unknown = (decided.match(/D\d+/g) ?? []).filter((one) => !decisions.includes(one))
  return [
    ...ofSentence(says),
    ...found,
    ...unknown.map((one) => `there is no decision ${one}`),
  ].map((what) => `${id}: ${what}`)
}

function ofSentence(said: string): string[] {
  return /\S.*\.$/.test(said) ? [] : ['this is no sentence']
}

function ofTest(name: string): string[] {
  const count = tests.get(name) ?? 0
  if (count === 0) return [`there is no test ${name}`]
  return count > 1 ? [`there are ${count} tests ${name}: name the group`] : []
}

test('every requirement has its row, in the order of the specification', () => {
  const wanted = counts.flatMap((count, section) =>
    Array.from({ length: count }, (_, at) => `S${section + 1}.${String(at + 1).padStart(2, '0')}`),
  )
  expect(rowsOf(text).map(({ id }) => id)).toEqual(wanted)
  expect(decisions).toEqual(Array.from({ length: 38 }, (_, at) => `D${at + 1}`))
})

test('every row names tests and decisions that exist, or says why it has no use', () => {
  expect(rowsOf(text).flatMap(mistakes)).toEqual([])
})

const here = 'test/spec.test.ts: every requirement has its row, in the order of the specification'

test.each([
  ['names a test', `It works. | ${here} | D1`, []],
  ['names a test of Go', 'It works. | embed/guard_test.go: TestAPIAnswersAreNotCached | ', []],
  ['has no use, and says why', 'It works. | not used: Nobody asks. | ', []],
  ['names no test', 'It works. |  | ', ['there is no test ']],
  [
    'names a missing test',
    'It works. | test/spec.test.ts: no | ',
    ['there is no test test/spec.test.ts: no'],
  ],
  [
    'names a missing test beside another',
    `It works. | ${here}<br>embed/guard_test.go: TestNo | `,
    ['there is no test embed/guard_test.go: TestNo'],
  ],
  [
    'names what several tests could be',
    'It works. | test/api/errors.test.ts: %s | ',
    ['there are 4 tests test/api/errors.test.ts: %s: name the group'],
  ],
  ['has no use without a reason', 'It works. | not used:  | ', ['this is no sentence']],
  ['says nothing', ` | ${here} | `, ['this is no sentence']],
  ['names a missing decision', `It works. | ${here} | D1, D39`, ['there is no decision D39']],
])('a row that %s', (_what, row, wrong) => {
  expect(rowsOf(`| S1.01 | ${row} |`).flatMap(mistakes)).toEqual(
    wrong.map((what) => `S1.01: ${what}`),
  )
})
