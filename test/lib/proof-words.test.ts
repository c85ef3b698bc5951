// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { limitsOf, reasonWords, rungWords } from '~/lib/proof-words'
import { storedKey } from '~/lib/stored-key'

/** The members of a union type, as they are written in a source. */
function membersOf(file: string, type: string): string[] {
  const [, body = ''] =
    new RegExp(`type ${type} =([\\s\\S]*?)\\n\\n`).exec(readFileSync(file, 'utf8')) ?? []
  return [...body.matchAll(/'([a-z-]+)'/g)].map(([, name = '']) => name)
}

const reasons = membersOf('src/proof/failure.ts', 'Reason')

describe('every reason to refuse', () => {
  test('is found in the sources', () => {
    expect(reasons.length).toBeGreaterThan(15)
  })

  test.each([...reasons, 'other-server'])(
    '%s has words: what happened, what it means, what to do',
    (code) => {
      const words = reasonWords(code)
      for (const sentence of Object.values(words)) expect(sentence).toMatch(/^[A-Z].*\.$/)
      expect(words).not.toEqual(reasonWords('something unheard of'))
    },
  )
})

test('every rung has words, and every kind says what it does not prove', () => {
  const steps = membersOf('src/proof/failure.ts', 'Rung')
  expect(steps).toHaveLength(5)
  for (const step of [...steps, 'context', 'request', 'answer', 'content']) {
    expect(rungWords(step).says).toMatch(/\.$/)
  }
  for (const kind of ['row', 'get', 'tx', 'document', 'write', 'state']) {
    expect(limitsOf(kind).not.length).toBeGreaterThan(2)
    expect(limitsOf(kind).proves).toMatch(/\.$/)
  }
})

test.each([
  ['0061', { kind: 'key', text: 'a' }],
  ['00ff', { kind: 'key', text: 'hex ff' }],
  ['01000000000000000173', { kind: 'sorted set', text: 's' }],
  ['02522e00000001000000070000000080', { kind: 'row', text: 'table number 7' }],
  ['0243544c2e5441424c452e0000000100000001', { kind: 'catalogue', text: 'table' }],
  ['03522e00000001000000020000000080', { kind: 'document', text: 'collection number 2' }],
  ['02', { kind: 'other', text: 'of a table' }],
  ['01ffffffffffffffff', { kind: 'sorted set', text: '' }],
  ['', { kind: 'other', text: 'hex ' }],
])('the stored key %s', (digits, words) => expect(storedKey(digits)).toEqual(words))
