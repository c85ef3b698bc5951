// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Literals that are a number or a word of the specification wherever they stand. Smaller ones, such
 * as 3, 20 or 48, mean too many other things to be looked for.
 */
const telling =
  /(?<![\w.])(30_?000|1_?200|3_?000|10_?000|5_?000|9_?497|1_?264|1_?280|1_?920|960|365|'defaultdb'|'localforage'|'keyvaluepairs'|'\/api')(?![\w.])/g

/**
 * A constant of a file alone, which means something else: a number with a name, below a comment that
 * says what it is.
 */
const ownNumber = /\*\/\n(?:export )?const \w+ = [\d_]+$/gm

function sources(): [string, string][] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => join('src', name)).filter((path) => /\.tsx?$/.test(path))
  return (
    paths
      // What the guide says in words is not code.
      .filter((path) => basename(path) !== 'constants.ts' && !/\/guide\/chapters\//.test(path))
      .map((path) => [path, readFileSync(path, 'utf8')])
  )
}

/** Without numbers of its own, comments and the names of packages. */
function codeOf(source: string): string {
  return source
    .replace(ownNumber, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/ from '.*'$/gm, '')
}

const literalsIn = (source: string) =>
  [...codeOf(source).matchAll(telling)].map(([literal]) => literal)

test('numbers of the specification are not written out anywhere else', () => {
  const found = sources().flatMap(([path, source]) =>
    literalsIn(source).map((literal) => `${path} ${literal}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['const patience = 10_000', ['10_000']],
  ['/** How long it may take. */\nconst patience = 10_000', []],
  ["/** The API. */\nconst base = '/api'", ["'/api'"]],
  ['/** It waits. */\nconst wait = () => pause(5_000)', ['5_000']],
])('%j has %j written out', (source, found) => {
  expect(literalsIn(source)).toEqual(found)
})
