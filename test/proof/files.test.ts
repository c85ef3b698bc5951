// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openEvidenceFile } from '~/proof/check-evidence'
import { evidenceVerdict, forkVerdict } from '~/trust/evidence'
import { ownState } from '~/trust/recorded-state'
import { type GivenState, wordOf } from '../support/file-word'

/** What FORMAT.md 7.3 says of each file of `test/fixtures/files/` for a reader with these states and keys. */
type Case = { file: string; states: GivenState[]; keys: string[]; word: string }

const reader = { openEvidenceFile, ownState, evidenceVerdict, forkVerdict }

const folder = 'test/fixtures/files'
const cases: Case[] = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8'))

test.each(cases.map((one) => [one.file, one.states.length, one.keys.length, one] as const))(
  '%s beside %i states and %i keys',
  async (...[, , , { file, states, keys, word }]) => {
    const bytes = new Uint8Array(readFileSync(`${folder}/${file}`))
    expect(await wordOf(reader, bytes, states, keys)).toBe(word)
  },
)

test('every file is among the cases, and every word is said of one', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.json')
  expect([...new Set(cases.map(({ file }) => file))].sort()).toEqual(files.sort())
  expect(new Set(cases.map(({ word }) => word))).toEqual(
    new Set(['verified', 'verified-in-part', 'unproven', 'contradicted', 'failed']),
  )
})
