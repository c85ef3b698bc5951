// @vitest-environment node
import { expect, test } from 'vitest'
import { runBoth } from './both/run'

/**
 * Both verifiers are asked the same: all recorded answers, changes of them, files and series. `npm run adversary -- --both --minutes N` goes on for longer; a failure says by which
 * PROOF_SEED it begins in the same way.
 */
test('the verifiers in TypeScript and in Go agree', { timeout: 120_000 }, async () => {
  const seed = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31)
  const { difference, answers, ok, refused, unproven, files } = await runBoth(
    seed,
    ({ series }) => series >= 5,
  )
  expect(difference?.message, `PROOF_SEED=${seed}`).toBeUndefined()
  expect(answers).toBeGreaterThan(1_000)
  expect(answers).toBe(ok + refused + unproven)
  for (const count of [ok, refused, unproven, files]) expect(count).toBeGreaterThan(10)
})
