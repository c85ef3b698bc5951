// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Literals that are a number or a word of the specification wherever they stand. Smaller ones, such
 * as 3, 20 or 48, mean too many other things to be looked for.
 */
const telling =
  /(?<![\w.])(30_?000|1_?200|3_?000|10_?000|5_?000|9_?497|1_?264|1_?280|1_?920|960|365|'defaultdb'|'localforage'|'keyvaluepairs'|'\/api')(?![\w.])/g

/** Places where such a literal means something else, and what. */
const others: readonly (readonly [path: string, literal: string, meaning: string])[] = [
  ['src/ui/file.ts', '10_000', 'how long a browser may take to read a file'],
  ['src/app/watch/Expiry.tsx', '5_000', 'how often to check how much time is left'],
  ['src/app/watch/idle.ts', '5_000', 'how often to check whether anyone is there'],
  ['src/screens/proof/AuditBar.tsx', '10_000', 'how finely a share is told'],
  [
    'src/workers/audit/audited-server.ts',
    '10_000',
    'how long an audit waits at most before it tries again',
  ],
  [
    'src/core/session/document-login.ts',
    '10_000',
    'how long a password waits for the session that needs it',
  ],
  ['src/atoms/servers/measure.ts', '10_000', 'how long a member of a group may take to answer'],
  ['src/atoms/servers/standings.ts', '5_000', 'how long a server of a list may take to answer'],
  ['src/atoms/keys/key-revisions.ts', '5_000', 'how long what was just read is not read again'],
  ['src/lib/typed-time.ts', '10_000', 'the first year that times cannot have'],
  [
    'src/atoms/tables/table-export.ts',
    '10_000',
    'how many rows a file in an order without index has',
  ],
  ['src/workers/audit/walk.ts', '5_000', 'how long the rate of an audit is measured'],
]

function sources(): [string, string][] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => join('src', name)).filter((path) => /\.tsx?$/.test(path))
  return (
    paths
      // What the guide says in words is not code.
      .filter((path) => path !== 'src/lib/constants.ts' && !/\/guide\/chapters\//.test(path))
      .map((path) => [path, codeOf(readFileSync(path, 'utf8'))])
  )
}

/** Without comments and the names of packages. */
function codeOf(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/ from '.*'$/gm, '')
}

test('numbers of the specification are not written out anywhere else', () => {
  const found = sources().flatMap(([path, source]) =>
    [...source.matchAll(telling)].map(([literal]) => `${path} ${literal}`),
  )
  expect([...new Set(found)].sort()).toEqual(others.map(([path, of]) => `${path} ${of}`).sort())
})
