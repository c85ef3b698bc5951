// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { codePoints, isUnusualName, nameProblem, storedName } from '~/immudb/database-name'
import { corpus } from '../support/recorded'

const cases = [...corpus('name'), ...corpus('homoglyph')].flatMap(({ id, name, text, immudb }) => {
  const answer = immudb?.dbName
  return text === undefined || answer === undefined ? [] : [[id, name, text, answer] as const]
})

describe('names of databases, as a real server answered (A02)', () => {
  test('there are enough of them', () => expect(cases.length).toBeGreaterThan(20))

  test.each(cases)('%s %s', (_id, _name, text, answer) => {
    const taken = answer.includes('already exists')
      ? new Set([storedName(text)])
      : new Set<string>()
    const problem = nameProblem(text, taken)
    if (!answer.startsWith('ok')) return expect(problem).toBeDefined()
    expect(problem).toBeUndefined()
    expect(storedName(text)).toBe(answer.slice('ok '.length))
  })

  test('a letter becomes small by itself, as Go does it', () => {
    expect(storedName('ΑΣ')).toBe('ασ')
    expect(storedName('\u212aey')).toBe('key')
    expect(storedName('İ')).toBe('i')
  })

  test('the length counts bytes', () => {
    expect(nameProblem('é'.repeat(64), new Set())).toBeUndefined()
    expect(nameProblem('é'.repeat(65), new Set())).toContain('has 130')
    expect(nameProblem('', new Set())).toBe('This field is required')
  })

  test.each(['__proto__', 'constructor'])('%s is an ordinary name (A13)', (name) => {
    expect(nameProblem(name, new Set())).toBeUndefined()
    expect(nameProblem(name, new Set([name]))).toContain('already exists')
  })

  test('what could be taken for something else is told by its code points (A12)', () => {
    expect(isUnusualName('аdmin')).toBe(true)
    expect(isUnusualName('admin_1')).toBe(false)
    expect(codePoints('аdаmin')).toBe('а (U+0430)')
    expect(codePoints('a\u202eb')).toBe('U+202E')
    expect(nameProblem('a b', new Set())).toContain('A space is not allowed')
    expect(nameProblem('a\u202eb', new Set())).toContain('U+202E')
  })
})
