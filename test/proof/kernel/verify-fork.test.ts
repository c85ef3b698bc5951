// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToHex } from '~/lib/bytes'
import { type OpenedEvidence, openEvidence } from '~/proof/check-evidence'
import { recordOutcome } from '~/proof/evidence'
import type { ForkFacts } from '~/proof/kernel/proven-facts'
import { ProofError } from '~/proof/kernel/steps'
import { verify } from '~/proof/kernel/verify'
import {
  forkBetween,
  forkFile,
  type Party,
  type Question,
  signer,
  stateOf,
} from '../../support/fork-certificate'
import type { Json } from '../../support/history'
import { mutationsOf, randomOf, sample, splices } from '../../support/mutations'
import { historyOf } from '../../support/proving-server'

const [keyOfEu, keyOfUs] = [signer(), signer()]
const eu: Party = { name: 'eu', history: historyOf(30, 'b', 17), key: keyOfEu }
const us: Party = { name: 'us', history: historyOf(45, 'a', 0), key: keyOfUs }
const unsigned = ({ name, history }: Party): Party => ({ name, history })

type Opened = Exclude<OpenedEvidence, { error: string }>

async function opened(file: unknown): Promise<Opened> {
  const found = await openEvidence(typeof file === 'string' ? file : JSON.stringify(file))
  if ('error' in found) throw new Error(found.error)
  return found
}

/** The reason and the place of a refusal; the facts when it was accepted. */
async function outcomeOf(question: Question | null): Promise<string | ForkFacts> {
  const { context, request, response } = question ?? ({} as Partial<Question>)
  try {
    const { facts } = await verify('fork', context, request, response)
    if (!facts) throw new Error('a fork has facts')
    return facts
  } catch (error) {
    if (error instanceof ProofError) return `${error.reason} ${error.step} ${error.part}`
    throw error
  }
}

const sideOf = ({ response }: Question, name: string) => response[name] as Json

/** A copy with one side changed. */
function withSide(question: Question, name: 'first' | 'second', change: Json): Question {
  const side = { ...sideOf(question, name), ...change }
  return { ...question, response: { ...question.response, [name]: side } }
}

describe('a certificate of a fork', () => {
  test('shows where two histories part, and who signed which', async () => {
    const { rechecked, fork, evidence } = await opened(await forkFile(eu, us))
    expect(evidence.kind).toBe('fork')
    expect(rechecked.agrees).toBe(true)
    expect(rechecked.outcome).toMatchObject({
      kind: 'ok',
      verified: {
        verdict: 'ok',
        signed: true,
        facts: {
          after: '17',
          prevAlh: bytesToHex(us.history.alh(17)),
          sides: [
            { stateTx: '30', alh: bytesToHex(eu.history.alh(18)), key: keyOfEu.publicKey },
            { stateTx: '45', alh: bytesToHex(us.history.alh(18)), key: keyOfUs.publicKey },
          ],
        },
      },
    })
    expect(fork).toMatchObject([
      { name: 'eu', key: keyOfEu.publicKey, server: { origin: 'https://eu' } },
      { name: 'us', key: keyOfUs.publicKey, server: { origin: 'https://us' } },
    ])
    expect(rechecked.unchecked).toEqual(['sides', 'key', 'which', 'still', 'words'])
  })

  test('is as recorded only where nobody signed', async () => {
    const { rechecked } = await opened(await forkFile(unsigned(eu), unsigned(us)))
    expect(rechecked.unchecked).toContain('unsigned')
    const half = await opened(await forkFile(eu, unsigned(us)))
    expect(half.rechecked.outcome).toMatchObject({ verified: { signed: false } })
    expect(half.rechecked.unchecked).toContain('key')
    expect(half.fork?.map(({ key }) => key)).toEqual([keyOfEu.publicKey, null])
  })

  test('holds where the histories have nothing in common', async () => {
    const other: Party = { ...us, history: historyOf(12, 'x', 0) }
    expect(await outcomeOf(await forkBetween(eu, other))).toMatchObject({ after: '0' })
  })
})

describe('no certificate is made of', () => {
  test('one header twice', async () => {
    const good = await forkBetween(eu, us)
    const response = { first: sideOf(good, 'first'), second: sideOf(good, 'first') }
    expect(await outcomeOf({ ...good, response })).toBe('no-fork content second')
  })

  test('two databases of one honest server, or a restored copy of another name', async () => {
    const other: Party = { ...eu, history: historyOf(12, 'x', 0), db: 'other' }
    expect(await outcomeOf(await forkBetween(eu, other))).toBe('no-fork content db')
    const copy: Party = { ...us, key: keyOfEu, db: 'copy' }
    expect(await outcomeOf(await forkBetween(eu, copy))).toBe('no-fork content db')
  })

  test('one side that only lags', async () => {
    const good = await forkBetween(eu, us)
    const { dualProof } = eu.history.verifiableTx(18, 25)
    const state = {
      db: 'db',
      ...eu.history.point(25),
      signature: keyOfEu.sign('db', eu.history, 25),
    }
    expect(await outcomeOf(withSide(good, 'second', { state, dualProof }))).toBe(
      'no-fork content second',
    )
  })

  test('transactions behind the fork', async () => {
    const good = await forkBetween(eu, us)
    const proof = ({ history }: Party) => history.dualProof(19, history.headers.length)
    const later = withSide(good, 'first', { dualProof: proof(eu) })
    const question = withSide(later, 'second', { dualProof: proof(us) })
    expect(await outcomeOf({ ...question, request: { tx: '19' } })).toBe('no-fork content prevAlh')
  })

  test('two transactions of different numbers', async () => {
    const good = await forkBetween(eu, us)
    const proof = us.history.dualProof(19, us.history.headers.length)
    expect(await outcomeOf(withSide(good, 'second', { dualProof: proof }))).toMatch(/^not-anchored/)
  })

  test('sides, states, proofs or signatures in the place of each other', async () => {
    const good = await forkBetween(eu, us)
    const [first, second] = [sideOf(good, 'first'), sideOf(good, 'second')]
    const swapped = { ...good, response: { first: second, second: first } }
    expect(await outcomeOf(swapped)).toBe('answer-mismatch request first')
    const states = withSide(withSide(good, 'first', { state: second.state }), 'second', {
      state: first.state,
    })
    expect(await outcomeOf(states)).toMatch(/^(not-anchored|malformed)/)
    const proofs = withSide(withSide(good, 'first', { dualProof: second.dualProof }), 'second', {
      dualProof: first.dualProof,
    })
    expect(await outcomeOf(proofs)).toMatch(/^not-anchored/)
    const signed = (first.state as Json).signature
    const signatures = withSide(good, 'second', {
      state: { ...(second.state as Json), signature: signed },
    })
    expect(await outcomeOf(signatures)).toMatch(/^signature/)
  })

  test('a signature of another database or of another state, or one taken away', async () => {
    const good = await forkBetween(eu, us)
    const state = stateOf(eu)
    for (const signature of [
      keyOfEu.sign('other', eu.history, 30),
      keyOfEu.sign('db', eu.history, 29),
      { ...keyOfEu.sign('db', eu.history, 30), publicKey: keyOfUs.publicKey },
    ]) {
      const changed = withSide(good, 'first', { state: { ...state, signature } })
      expect(await outcomeOf(changed)).toMatch(/^signature signature/)
    }
    const bare = withSide(good, 'first', { state: { ...state, signature: undefined } })
    expect(await outcomeOf(bare)).toBe('answer-mismatch request publicKey')
    const unknown = { ...good, context: { ...good.context, publicKey: null } }
    expect(await outcomeOf(unknown)).toBe('answer-mismatch request publicKey')
  })

  test('lists of very many hashes, or levels without end', { timeout: 60_000 }, async () => {
    const good = await forkBetween(unsigned(eu), unsigned(us))
    const terms = new Array(300_000).fill(`${'A'.repeat(43)}=`)
    const { dualProof } = sideOf(good, 'second') as { dualProof: Json }
    for (const name of ['inclusionProof', 'consistencyProof', 'lastInclusionProof']) {
      const changed = withSide(good, 'second', { dualProof: { ...dualProof, [name]: terms } })
      expect(await outcomeOf(changed)).toMatch(/^dual-proof/)
    }
    const linear = { ...(dualProof.linearProof as Json), terms }
    const changed = withSide(good, 'second', { dualProof: { ...dualProof, linearProof: linear } })
    expect(await outcomeOf(changed)).toMatch(/^linear-proof/)
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const file = (await forkFile(eu, us)).replace('"dualProof":', `"deep": ${deep}, "dualProof":`)
    expect(await openEvidence(file)).toHaveProperty('error')
  })
})

/**
 * An opponent who alters a certificate again and again, and each time writes down what comes of it
 * as its outcome, so that only the proof is left to find it out. Each run tries others; a failure
 * says by which PROOF_SEED the same ones are tried again.
 */
describe('anyone who alters a certificate', () => {
  const seed = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 32)
  const count = process.env.PROOF_MUTATIONS === 'all' ? Number.POSITIVE_INFINITY : 150
  const asia: Party = { name: 'asia', history: historyOf(38, 'c', 21), key: signer() }
  const parties = [eu, us, asia]

  /** Whether both sides are real: state, transaction and key are of one server and its history. */
  function isTrue({ after, prevAlh, sides }: ForkFacts): boolean {
    const tx = Number(after) + 1
    const isOf = (side: ForkFacts['sides'][number]) =>
      parties.some(
        ({ history, key }) =>
          (side.key === null || side.key === key?.publicKey) &&
          bytesToHex(history.alh(Number(side.stateTx))) === side.stateHash &&
          bytesToHex(history.alh(tx)) === side.alh &&
          bytesToHex(history.alh(tx - 1)) === prevAlh,
      )
    return sides.every(isOf) && sides[0].alh !== sides[1].alh
  }

  test.each([
    ['signed', eu, us],
    ['unsigned', unsigned(eu), unsigned(us)],
  ])('makes nothing of it that is not true: %s', { timeout: 120_000 }, async (_how, one, other) => {
    const random = randomOf(seed)
    const good = await forkBetween(one, other)
    let refused = 0
    for (const { path, how, apply } of sample(mutationsOf(good), count, random)) {
      const first = apply() as Question
      // Every third is altered once more.
      const [more] = random() < 1 / 3 ? sample(mutationsOf(first), 1, random) : []
      const found = await outcomeOf((more ? more.apply() : first) as Question)
      const what = `${path} ${how}, ${more?.path} ${more?.how}, PROOF_SEED=${seed}`
      if (typeof found === 'string') refused += 1
      else expect(isTrue(found), what).toBe(true)
    }
    expect(refused).toBeGreaterThan(100)
  })

  test.each([
    ['signed', eu, us, asia],
    ['unsigned', unsigned(eu), unsigned(us), unsigned(asia)],
  ])(
    'puts parts of another one into it, and binds nobody to what is not theirs: %s',
    {
      timeout: 120_000,
    },
    async (_how, one, other, third) => {
      const random = randomOf(seed + 2)
      const good = await forkBetween(one, other)
      for (const donor of [await forkBetween(one, third), await forkBetween(third, other)]) {
        for (const { path, apply } of sample(splices(good, donor), count, random)) {
          const [more] = sample(splices(apply(), donor), random() < 1 / 2 ? 1 : 0, random)
          const found = await outcomeOf((more ? more.apply() : apply()) as Question)
          if (typeof found === 'string') continue
          expect(isTrue(found), `${path}, ${more?.path}, PROOF_SEED=${seed}`).toBe(true)
        }
      }
    },
  )

  test('is found out by the recorded outcome, or has altered only words', {
    timeout: 120_000,
  }, async () => {
    const random = randomOf(seed + 1)
    const file = JSON.parse(await forkFile(eu, us)) as Json
    const { outcome, response, context, request } = file
    const whole = { outcome, response, context, request }
    for (const { path, how, apply } of sample(mutationsOf(whole), 80, random)) {
      const found = await openEvidence(JSON.stringify({ ...file, ...(apply() as Json) }))
      if ('error' in found || !found.rechecked.agrees) continue
      const now = recordOutcome(found.rechecked.outcome)
      expect(now, `${path} ${how}, PROOF_SEED=${seed}`).toEqual(outcome)
    }
  })
})
