import { type About, type Checked, writeEvidence } from '~/proof/evidence'
import { type Vector, vectorsOf, verdictOf } from './proofs'

/** What surrounds the evidence of tests. */
export const about: About = {
  server: { uuid: 'cq0000000000000000', origin: 'https://db.example' },
  console: { version: '1.2.3', commit: 'abc', bundle: 'main-AAAA.js' },
  firstContact: { at: '2026-01-02T03:04:05.000Z', txId: '1', txHash: 'AA==' },
}

/** What a screen would hold after the check, as it would save it. */
export async function checkedOf(vector: Vector): Promise<Checked> {
  const { verify: kind, context, request, response, name: what } = vector
  const found = await verdictOf(vector, response)
  const outcome: Checked['outcome'] = found.refused
    ? { kind: 'refused', refusal: found.error }
    : { kind: 'ok', verified: found }
  const known = context ?? { db: '', trusted: null, publicKey: null }
  return { kind, what, context: known, request, response, at: 1_767_323_045_000, outcome }
}

/** The evidence file of a recorded answer. */
export async function recordedEvidence(
  file: Parameters<typeof vectorsOf>[0],
  isWanted: (vector: Vector) => boolean,
): Promise<string> {
  const vector = vectorsOf(file).find(isWanted)
  if (!vector) throw new Error(`no such answer in ${file}`)
  return writeEvidence(await checkedOf(vector), about)
}
