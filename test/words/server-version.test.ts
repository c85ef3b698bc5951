// @vitest-environment node
import { expect, test } from 'vitest'
import { readVersion } from '~/immudb/server-versions'
import { versionWords } from '~/words/server-version'

const words = (version: string) => versionWords(readVersion(version))

test('what a version lacks and does wrong is said in a sentence each', () => {
  expect(words('1.3.2')).toMatch(
    /^It lacks documents, .*, the audit log\. Known faults: AND and OR are read from left to right\.$/,
  )
  expect(words('1.10.0')).toMatch(
    /^It lacks filters by a part of a text, .* Known faults: no list of databases while one/,
  )
  expect(words('1.11.1')).toBe(
    'Known faults: 100 statements that cannot be read, in transactions of sessions, stop the server.',
  )
})

test('nothing is called lacking that SQL can do there', () => {
  // 1.10.0 deletes rows, and 1.9.5 orders by FLOAT: asked of both.
  expect(words('1.10.0')).not.toMatch(/deleting rows/)
  expect(words('1.10.0')).toMatch(/a condition that refuses a row changed meanwhile/)
  expect(words('1.9.5')).toMatch(/an order by FLOAT with a place for NaN/)
})

test('nothing is said of what is not known', () => {
  for (const version of ['-', '', '1.11.2', '2.0.0']) expect(words(version)).toBe('')
})
