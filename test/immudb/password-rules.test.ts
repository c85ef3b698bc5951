// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  byteLength,
  passwordProblem,
  passwordRules,
  passwordStrength,
} from '~/immudb/password-rules'
import { corpus } from '../support/recorded'

const met = (password: string) => passwordRules(password).map(({ isMet }) => isMet)

describe('what the server takes (A15)', () => {
  test('the corpus: whatever the recorded server took is taken, 73 bytes are not', () => {
    const cases = corpus('password').flatMap(({ name, text }) =>
      text === undefined ? [] : [{ name, text }],
    )
    expect(cases.length).toBeGreaterThan(8)
    for (const { name, text } of cases) {
      expect(passwordProblem(text) === undefined, name).toBe(byteLength(text) <= 72)
    }
    expect(passwordProblem('é'.repeat(37))).toBe('74 bytes; immudb takes at most 72.')
  })

  test('spaces count, nothing is trimmed; empty and half characters are refused', () => {
    expect(passwordProblem('   ')).toBeUndefined()
    expect(passwordProblem('')).toBe('This field is required')
    expect(passwordProblem('\ud83d')).toMatch(/half a character/)
    expect(passwordProblem('\ud83d\udd11')).toBeUndefined()
  })
})

describe('what is asked for besides', () => {
  test('length, both cases, digit and special character, each for itself', () => {
    expect(met('')).toEqual([false, false, false, false, false, false])
    expect(met('aaaaaaaa')).toEqual([true, false, true, false, false, true])
    expect(met('A1!')).toEqual([false, true, false, true, true, true])
    expect(met('Pass w0rd')).toEqual([true, true, true, true, true, true])
    expect(met('Пароль №1')).toEqual([true, true, true, true, true, true])
    expect(met(`Aa1!${'x'.repeat(69)}`).at(-1)).toBe(false)
  })

  test('length counts characters, not halves of them', () => {
    expect(met('🔑🔑🔑🔑')[0]).toBe(false)
  })
})

describe('strength', () => {
  const word = (password: string, user?: string) => passwordStrength(password, user).word

  test('grows with length and variety', () => {
    expect(word('')).toBe('Very weak')
    expect(word('abc')).toBe('Very weak')
    expect(word('x7Kq!')).toBe('Weak')
    expect(word('x7Kq!9Zr')).toBe('Fair')
    expect(word('x7Kq!9ZrP')).toBe('Fair')
    expect(word('x7Kq!9ZrPt')).toBe('Good')
    expect(word('x7Kq!9ZrPt#Lw')).toBe('Strong')
  })

  test('runs, repeats, well known words and the own name hardly count', () => {
    expect(word('abcdefghijkl')).toBe('Very weak')
    expect(word('aaaaaaaaaaaaaaaa')).toBe('Very weak')
    expect(word('Password1!')).not.toBe('Strong')
    expect(passwordStrength('Password1!').score).toBeLessThanOrEqual(1)
    expect(passwordStrength('margarete-1A', 'margarete').score).toBeLessThan(
      passwordStrength('margarete-1A').score,
    )
  })
})
