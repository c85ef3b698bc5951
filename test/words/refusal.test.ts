// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { proofSteps, reasons } from '~/proof/kernel/steps'
import { limitsOf, stepWords } from '~/words/proof-step'
import { reasonWords } from '~/words/refusal'

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

test('every step has words, and every kind says what it does not prove', () => {
  for (const step of [...proofSteps, 'context', 'request', 'answer', 'content']) {
    expect(stepWords(step).says).toMatch(/\.$/)
  }
  for (const kind of ['row', 'get', 'tx', 'document', 'write', 'state']) {
    expect(limitsOf(kind).not.length).toBeGreaterThan(2)
    expect(limitsOf(kind).proves).toMatch(/\.$/)
  }
})

test('a step that nobody knows is shown by its name', () => {
  expect(stepWords('new').title).toBe('new')
})
