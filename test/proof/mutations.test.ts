// @vitest-environment node
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mutationsOf, randomOf, sample, splices } from '../support/mutations'
import { type Vector, type Verdict, vectorFiles, vectorsOf, verdictOf } from '../support/proofs'

/**
 * Whatever is changed in an answer that is right, it is refused or it changes nothing that is
 * shown. Each run tries some of all changes, and others than the run before; a failure says by which
 * PROOF_SEED the same ones are tried again. PROOF_MUTATIONS=all tries every one.
 */
const count =
  process.env.PROOF_MUTATIONS === 'all'
    ? Number.POSITIVE_INFINITY
    : Number(process.env.PROOF_MUTATIONS ?? 120)
const seed = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 32)
const again = `PROOF_SEED=${seed}`
const signedCount = Math.min(count, Number(process.env.PROOF_SIGNED_MUTATIONS ?? 3))

const accepted = vectorFiles.flatMap((file) =>
  vectorsOf(file)
    .filter(({ expect: { verdict } }) => verdict === 'ok')
    .map((vector) => [`${file} ${vector.name}`, vector] as const),
)

type Json = Readonly<Record<string, unknown>>

/** What is shown of an answer, without what is never shown as verified. */
function shown(verdict: Verdict, { verify, context }: Vector): unknown {
  if (verdict.refused) return null
  const { facts, next, firstUse, signed } = verdict
  // A first contact without a key is believed as it is.
  if (verify === 'state' && firstUse && !signed) return { firstUse }
  if (verify === 'tx' || verify === 'write') {
    return { facts: withoutValues(facts as Json), next, firstUse, signed }
  }
  // Without a pinned schema the types of columns, and what they make of the bytes, are hearsay.
  if (verify === 'row' && !context?.schema) {
    const named = Object.entries((facts as { named: Record<string, Json | null> }).named)
    const bytes = named.map(([name, cell]) => [name, cell?.raw])
    return { facts: { ...(facts as Json), named: bytes }, next, firstUse, signed }
  }
  return { facts, next, firstUse, signed }
}

/** Stored values may be left out, but those that are there must be the stored ones. */
function withoutValues({ entries, ...facts }: Json): Json {
  if (!Array.isArray(entries)) return facts
  const others = entries.map(({ value, ...entry }: Json) => {
    const isRight = value === undefined || sha256(String(value)) === entry.valueHash
    return { ...entry, isRight }
  })
  return { ...facts, entries: others }
}

function sha256(digits: string): string {
  return createHash('sha256').update(Buffer.from(digits, 'hex')).digest('hex')
}

function isSame(vector: Vector, before: Verdict, after: Verdict): boolean {
  const [one, other] = [shown(before, vector), shown(after, vector)]
  if (JSON.stringify(one) === JSON.stringify(other)) return true
  // A transaction may be told without its entries.
  if (vector.verify !== 'tx' || after.refused || 'entries' in (after.facts ?? {})) return false
  const { facts, ...rest } = one as { facts: Json }
  const { entries, ...header } = facts
  return JSON.stringify({ facts: header, ...rest }) === JSON.stringify(other)
}

const isOfOldServer = (found: Extract<Verdict, { refused: false }>) =>
  found.verdict === 'unproven' && found.why === 'older-form' && found.facts === null

/** The state of another answer may be the trusted one, of which nothing new is claimed. */
function isWhatIsTrusted({ verify, context }: Vector, after: Verdict): boolean {
  if (verify !== 'state' || after.refused || !context?.trusted) return false
  const { txId, alh } = after.facts as Json
  const { txId: known, txHash } = context.trusted
  return txId === known && alh === Buffer.from(txHash, 'base64').toString('hex')
}

async function tryAll(vector: Vector, which: number, random: () => number): Promise<string[]> {
  const before = await verdictOf(vector, vector.response)
  expect(before.refused).toBe(false)
  const donor = sample(accepted, 1, random)[0]?.[1].response
  const all = [...mutationsOf(vector.response), ...splices(vector.response, donor)]
  const wrong: string[] = []
  for (const { path, how, apply } of sample(all, which, random)) {
    const after = await verdictOf(vector, apply())
    // Without this field it has the form of old servers, which proves nothing.
    if (!after.refused && isOfOldServer(after)) {
      if (!path.endsWith('MaxColId')) wrong.push(`${path}: ${how}: is in the form of old servers`)
      continue
    }
    if (!after.refused && !isSame(vector, before, after) && !isWhatIsTrusted(vector, after)) {
      wrong.push(`${path}: ${how}: ${JSON.stringify(after.facts)}`)
    }
  }
  return wrong
}

describe('a changed answer is refused or shows the same:', () => {
  test.each(accepted)('%s', { timeout: 600_000 }, async (name, vector) => {
    const random = randomOf(seed + name.length * 7919)
    // A fork is signed by the keys in it, of which the context has the first.
    const isFork = vector.verify === 'fork'
    const context = vector.context && { ...vector.context, publicKey: null }
    const unsigned = context && !isFork ? { ...vector, context } : vector
    expect(await tryAll(unsigned, count, random), again).toEqual([])
    if (!vector.context?.publicKey || isFork) return
    expect(await tryAll(vector, signedCount, random), again).toEqual([])
  })
})

test('the changes themselves change something', () => {
  for (const [, { response }] of accepted) {
    const random = randomOf(seed)
    for (const { path, how, apply } of sample(mutationsOf(response), 40, random)) {
      const isChanged = JSON.stringify(apply()) !== JSON.stringify(response)
      expect(isChanged, `${path}: ${how}, ${again}`).toBe(true)
    }
  }
})
