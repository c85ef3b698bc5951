// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { saveAudit } from '~/proof/audit-walk'
import { checkEvidence } from '~/proof/check-evidence'
import { type Checked, type Evidence, readEvidence, writeEvidence } from '~/proof/evidence'
import { auditTx, startAudit } from '~/proof/kernel/audit'
import { about, checkedOf } from '../support/evidence'
import { mutationsOf, randomOf, sample } from '../support/mutations'
import { type Vector, vectorFiles, vectorsOf } from '../support/proofs'

const isSaved = ({ verify, expect }: Vector) =>
  verify !== 'error' && verify !== 'none' && expect.verdict !== 'unproven'

const vectors = vectorFiles.flatMap((file) =>
  vectorsOf(file)
    .filter(isSaved)
    .map((vector) => [`${file} ${vector.name}`, vector] as const),
)

function readBack(text: string): Evidence {
  const read = readEvidence(text)
  if ('error' in read) throw new Error(read.error)
  return read.evidence
}

async function saved(vector: Vector): Promise<Evidence> {
  return readBack(writeEvidence(await checkedOf(vector), about))
}

const example = (kind: Vector['verify'], isWanted: (vector: Vector) => boolean = () => true) => {
  const found = vectors.find(
    ([, one]) => one.verify === kind && one.expect.verdict === 'ok' && isWanted(one),
  )
  if (!found) throw new Error(`no recorded answer of the kind ${kind}`)
  return found[1]
}

test.each(vectors)('%s: written, read back and verified again', async (_, vector) => {
  const evidence = await saved(vector)
  const { outcome, agrees } = await checkEvidence(evidence)
  expect(agrees).toBe(true)
  expect(outcome.kind).toBe(vector.expect.verdict === 'ok' ? 'ok' : 'refused')
  if (outcome.kind === 'ok' && vector.expect.facts) {
    expect(outcome.verified.facts).toStrictEqual(vector.expect.facts)
  }
})

test('the file says of itself what it is, and holds nothing that was not given to it', async () => {
  const checked = await checkedOf(example('row'))
  const known = checked.context ?? { db: '', trusted: null, publicKey: null }
  const secret = { ...known, token: 'v2.public.secret' }
  const text = writeEvidence({ ...checked, context: secret }, about)
  expect(text).not.toContain('secret')
  expect(Object.keys(JSON.parse(text))).toEqual([
    'format',
    'version',
    'what',
    'kind',
    'checkedAt',
    'server',
    'console',
    'firstContact',
    'context',
    'request',
    'response',
    'outcome',
  ])
})

test('a report beside the proof is kept as it is', async () => {
  const checked = await checkedOf(example('state'))
  const report = { transactions: '2203', skipped: [] }
  expect(readBack(writeEvidence(checked, { ...about, report })).report).toEqual(report)
})

describe('what is no evidence', () => {
  const texts = [
    ['', 'not JSON'],
    ['{', 'not JSON'],
    ['[]', 'not JSON'],
    ['null', 'not JSON'],
    ['{"format":"something else"}', 'not an evidence file'],
  ] as const
  test.each(texts)('%s', (text, words) => {
    expect(readEvidence(text)).toEqual({ error: expect.stringContaining(words) })
  })

  const digits = { txId: '9'.repeat(90_000), txHash: '' }

  test.each([
    ['what', (one: Evidence) => ({ ...one, what: 'a'.repeat(200_000) })],
    ['context', (one: Evidence) => ({ ...one, context: { ...one.context, trusted: digits } })],
    [
      'firstContact',
      (one: Evidence) => ({ ...one, firstContact: { at: one.checkedAt, ...digits } }),
    ],
  ])('a file whose %s would take for ever to be shown says so', async (name, change) => {
    const whole = JSON.parse(writeEvidence(await checkedOf(example('get')), about))
    expect(readEvidence(JSON.stringify({ ...whole, ...change(whole) }))).toEqual({
      error: `This evidence file is damaged: “${name}” cannot be read.`,
    })
  })
  test('a file of a later version says which', async () => {
    const later = {
      ...JSON.parse(writeEvidence(await checkedOf(example('get')), about)),
      version: 2,
    }
    expect(readEvidence(JSON.stringify(later))).toEqual({
      error: expect.stringMatching(/version 2.*reads version 1/),
    })
  })

  test('a file without one of its fields, or with one of another form, names it', async () => {
    const whole = JSON.parse(writeEvidence(await checkedOf(example('get')), about))
    for (const name of Object.keys(whole).slice(2)) {
      const { [name]: _gone, ...rest } = whole
      expect(readEvidence(JSON.stringify(rest)), name).toEqual({
        error: expect.stringContaining(`“${name}”`),
      })
    }
    for (const name of ['kind', 'checkedAt', 'server', 'context', 'outcome']) {
      expect(readEvidence(JSON.stringify({ ...whole, [name]: 7 })), name).toHaveProperty('error')
    }
  })
})

describe('a file that was changed', () => {
  const kinds = ['state', 'tx', 'get', 'row', 'document', 'write', 'audit'] as const
  const isAnchored = ({ context, expect }: Vector) => !!context?.trusted && !expect.firstUse

  test.each(kinds)('%s: any change of the proof is refused or changes nothing', async (kind) => {
    const evidence = await saved(example(kind, isAnchored))
    const changes = sample(mutationsOf(evidence.response), 60, randomOf(7))
    expect(changes.length).toBeGreaterThan(20)
    let refused = 0
    for (const { apply, path, how } of changes) {
      const { outcome, agrees } = await checkEvidence({ ...evidence, response: apply() })
      // What is not refused is what no proof covers; other content is not the recorded one.
      if (outcome.kind !== 'refused') continue
      refused += 1
      expect(agrees, `${path} ${how}`).toBe(false)
    }
    expect(refused).toBeGreaterThan(changes.length / 2)
  })

  test('the trusted state, the database and what was asked for are covered', async () => {
    const evidence = await saved(example('row', isAnchored))
    const { context, request } = evidence
    const other = `${'A'.repeat(43)}=`
    const changed: Evidence[] = [
      { ...evidence, context: { ...context, trusted: { txId: '1', txHash: other } } },
      { ...evidence, context: { ...context, publicKey: other } },
      { ...evidence, request: { ...(request as object), sqlGetRequest: { table: 'other' } } },
      { ...evidence, kind: 'tx' },
      { ...evidence, response: { ...(evidence.response as object), surplus: 1 } },
    ]
    for (const one of changed) {
      const { outcome, agrees } = await checkEvidence(one)
      expect([outcome.kind, agrees]).toEqual(['refused', false])
    }
  })

  test('facts that say something else than the proof are seen', async () => {
    const evidence = await saved(example('get'))
    const { outcome } = evidence
    if (outcome.verdict !== 'ok') throw new Error('not ok')
    const facts = { ...(outcome.facts as object), value: '6576696c' }
    const again = await checkEvidence({ ...evidence, outcome: { ...outcome, facts } })
    expect([again.outcome.kind, again.agrees]).toEqual(['ok', false])
  })

  test('a refusal that was made of a right answer is seen, and the other way round', async () => {
    const right = await saved(example('get'))
    const bad = vectors.find(
      ([, { verify, expect }]) => verify === 'get' && expect.verdict === 'fail',
    )
    const wrong = await saved(bad?.[1] ?? example('get'))
    expect((await checkEvidence({ ...right, outcome: wrong.outcome })).agrees).toBe(false)
    expect((await checkEvidence({ ...wrong, outcome: right.outcome })).agrees).toBe(false)
  })
})

describe('what a file cannot show', () => {
  const uncheckedOf = async (vector: Vector) => (await checkEvidence(await saved(vector))).unchecked

  test('is said: the point, the server now, newer values, the words around it', async () => {
    const found = await uncheckedOf(
      example('row', ({ context, expect }) => !!context?.trusted && !expect.firstUse),
    )
    expect(found).toEqual(expect.arrayContaining(['point', 'still', 'current', 'names', 'words']))
    expect(found).not.toContain('gave')
  })

  test('of what is newer than its point: that the history went on so', async () => {
    const isNewer = ({ context, expect: { next } }: Vector) =>
      !!context?.trusted && !!next && BigInt(next.txId) > BigInt(context.trusted.txId)
    expect(await uncheckedOf(example('get', isNewer))).toContain('newer')
    const isOlder = (one: Vector) => !!one.context?.trusted && !isNewer(one)
    expect(await uncheckedOf(example('get', isOlder))).not.toContain('newer')
  })

  test('of a document: the name of its collection', async () => {
    expect(await uncheckedOf(example('document'))).toContain('collection')
  })

  test('of a first contact: there was no point', async () => {
    const found = await uncheckedOf(example('state', ({ expect }) => expect.firstUse === true))
    expect(found).toContain('none')
    expect(found).not.toContain('point')
  })

  test('of a refusal: that the server gave this answer', async () => {
    const bad = vectors.find(([, { expect }]) => expect.verdict === 'fail')
    expect(await uncheckedOf(bad?.[1] ?? example('get'))).toContain('gave')
  })

  test('of a signed answer: whose key it is; of another: that no key was known', async () => {
    const signed = example('state', ({ expect }) => expect.signed === true)
    expect(await uncheckedOf(signed)).toEqual(expect.arrayContaining(['key']))
    const plain = example('state', ({ context }) => !context?.publicKey)
    expect(await uncheckedOf(plain)).toEqual(expect.arrayContaining(['unsigned']))
  })

  test('of an audit that names a key: that nothing in it is signed', async () => {
    const { context, ...whole } = example('audit', ({ context }) => context?.trusted != null)
    const { publicKey } = example('state', ({ expect }) => expect.signed === true).context ?? {}
    if (!context || !publicKey) throw new Error('no such vectors')
    const named = await saved({ ...whole, context: { ...context, publicKey } })
    const { outcome, unchecked } = await checkEvidence(named)
    expect(outcome.kind).toBe('ok')
    expect(unchecked).toContain('unsigned')
    expect(unchecked).not.toContain('key')
  })

  test('of a reference: the value behind it', async () => {
    const isReference = ({ expect }: Vector) =>
      (expect.facts as { kind?: string } | undefined)?.kind === 'reference'
    expect(await uncheckedOf(example('get', isReference))).toContain('target')
  })

  test('of a transaction: its values, or all of its entries where only the header is there', async () => {
    const entriesOf = ({ expect }: Vector) =>
      (expect.facts as { entries?: unknown } | undefined)?.entries
    const whole = example('tx', (one) => entriesOf(one) !== undefined)
    expect(await uncheckedOf(whole)).toContain('values')
    const header = await uncheckedOf(example('tx', (one) => entriesOf(one) === undefined))
    expect(header).toContain('entries')
    expect(header).not.toContain('values')
  })

  test('of an audit, whole or with its last steps only: what its report says', async () => {
    const { response, context, ...whole } = example('audit')
    const { txs } = response as { txs: unknown[] }
    expect(await uncheckedOf({ ...whole, response, ...(context ? { context } : {}) })).toContain(
      'audit',
    )
    const audit = startAudit()
    for (const tx of txs.slice(0, -1)) auditTx(audit, tx)
    const tail: Vector = {
      ...whole,
      ...(context ? { context } : {}),
      request: { after: saveAudit(audit) },
      response: { txs: txs.slice(-1) },
    }
    const { outcome, agrees, unchecked } = await checkEvidence(await saved(tail))
    expect([outcome.kind, agrees]).toEqual(['ok', true])
    expect(unchecked).toContain('audit')
  })

  test('of an audit whose transactions are not in the file: all of it', async () => {
    const checked = await checkedOf(example('audit'))
    const text = writeEvidence({ ...checked, response: null }, about)
    const { outcome, agrees, unchecked } = await checkEvidence(readBack(text))
    expect([outcome.kind, agrees]).toEqual(['unproven', false])
    expect(unchecked).toContain('audit')
    const honest: Checked = {
      ...checked,
      response: null,
      outcome: { kind: 'unproven', why: 'The transactions are not in the file.' },
    }
    const again = await checkEvidence(readBack(writeEvidence(honest, about)))
    expect([again.outcome.kind, again.agrees]).toEqual(['unproven', true])
  })
})
