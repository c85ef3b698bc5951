// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { fixture, vectorFiles, vectorsOf, verdictOf } from '../support/proofs'

describe.each(vectorFiles)('%s', (file) => {
  test.each(vectorsOf(file).map((vector) => [vector.name, vector] as const))(
    '%s',
    async (_, vector) => {
      const before = JSON.stringify(vector)
      const { verdict, reason, facts, next, firstUse, signed } = vector.expect
      const found = await verdictOf(vector, vector.response)
      expect(JSON.stringify(vector), 'it changes nothing it is given').toBe(before)
      if (found.refused) {
        expect([found.error.name, 'fail', found.error.reason]).toEqual([
          'ProofError',
          verdict,
          reason,
        ])
        expect(found.error.steps.at(-1)).toMatchObject({ result: 'failed', name: found.error.step })
        return
      }
      expect(found.verdict).toBe(verdict)
      if (facts) expect(found.facts).toStrictEqual(facts)
      if (next) expect(found.next).toStrictEqual(next)
      if (firstUse !== undefined) expect(found.firstUse).toBe(firstUse)
      if (signed !== undefined) expect(found.signed).toBe(signed)
    },
  )
})

test('all recorded answers are there', () => {
  const listed = fixture('index') as { vectors?: number }[]
  const count = listed.reduce((sum, { vectors = 0 }) => sum + vectors, 0)
  expect(vectorFiles.flatMap((file) => vectorsOf(file))).toHaveLength(count)
  expect(count).toBe(296)
})
