// @vitest-environment node
import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bytesToBase64, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { statePayload } from '~/proof/kernel/signed-state'
import { plainKey, plainValue, referenceValue, sortedSetKey } from '~/proof/kernel/stored'
import { verify } from '~/proof/kernel/verify'
import { History, type Json, metadataJson, plain, type Written } from '../support/history'
import { type Vector, verdictOf } from '../support/proofs'

const b64 = (text: string) => bytesToBase64(encodeUtf8(text))
const pair = (key: string, value: string, metadata?: Written['metadata']): Written => ({
  key: plainKey(encodeUtf8(key)),
  value: plainValue(encodeUtf8(value)),
  ...(metadata ? { metadata } : {}),
})

/** The reason of the refusal and the step it was refused in; the verdict when it was not. */
async function outcome(
  kind: Vector['verify'],
  context: unknown,
  request: unknown,
  response: unknown,
): Promise<string> {
  const given = { verify: kind, context, request } as Vector // what is wrong is meant to be
  const found = await verdictOf(given, response)
  return found.refused ? `${found.error.reason} ${found.error.step}` : found.verdict
}

const history = new History()
history.add([pair('a', '1')])
history.add([pair('a', '2', { expiresAt: 1_900_000_000n }), pair('b', ''), pair('c', '3')])
history.add([pair('b', '', { deleted: true })])
history.add([{ key: plainKey(encodeUtf8('r')), value: referenceValue(encodeUtf8('a'), 2n) }])

const context = (trusted: number | null, more: Json = {}) => ({
  db: 'db',
  trusted: trusted === null ? null : history.point(trusted),
  publicKey: null,
  ...more,
})

const state = (tx: number, more: Json = {}) => ({
  state: { db: 'db', ...history.point(tx), ...more },
})

describe('whatever comes in is refused and nothing else is thrown:', () => {
  const kinds = ['state', 'tx', 'get', 'write', 'row', 'document', 'audit'] as const
  let deep: unknown = 1
  for (let at = 0; at < 100_000; at += 1) deep = { tx: deep }
  const garbage = [undefined, null, 0, Number.NaN, '', 'x', true, [], {}, [[]], deep, 10n]

  test.each(kinds)('%s', async (kind) => {
    for (const response of garbage) {
      for (const request of [
        ...garbage.slice(0, 9),
        { tx: '1' },
        { keyRequest: { key: 'YQ==' } },
      ]) {
        // An empty list of transactions is what an empty database has.
        const isEmpty = kind === 'audit' && typeof response === 'object' && !Array.isArray(response)
        const found = await outcome(kind, context(isEmpty ? 1 : null), request, response)
        expect(found).toMatch(/^(malformed|audit|wrong-database) /)
      }
    }
  })

  test.each([
    null,
    undefined,
    'db',
    {},
    { db: '' },
    { db: 7 },
    { ...context(1), trusted: { txId: '1' } },
    { ...context(1), trusted: { txId: 1, txHash: history.point(1).txHash } },
    { ...context(1), trusted: { txId: '01', txHash: history.point(1).txHash } },
    { ...context(1), trusted: { txId: '0', txHash: history.point(1).txHash } },
    { ...context(1), trusted: 'none' },
    { ...context(1), publicKey: 'BA==' },
    { ...context(1), publicKey: 7 },
    // A point that is not on the curve.
    { ...context(1), publicKey: bytesToBase64(new Uint8Array(65).fill(4)) },
    { ...context(1), collectionId: '1' },
  ])('the context %j', async (wrong) => {
    expect(await outcome('state', wrong, {}, state(1))).toBe('malformed context')
  })

  test.each(['nothing', '__proto__', 'toString', 7, undefined])('the kind %s', async (kind) => {
    const refused = verify(kind as 'none', context(1), {}, {})
    await expect(refused).rejects.toMatchObject({ name: 'ProofError', reason: 'malformed' })
  })
})

describe('an error', () => {
  test('proves nothing', async () => {
    for (const response of [undefined, null, {}, { error: 'key not found' }, { message: 7 }]) {
      const found = await verify('error', null, undefined, response)
      expect(found).toMatchObject({ verdict: 'unproven', facts: null, next: null, signed: false })
      expect(await outcome('none', undefined, null, response)).toBe('unproven')
    }
    const { next } = await verify('error', context(2), {}, {})
    expect(next).toEqual(history.point(2))
  })

  test('of a server that is behind is a roll-back', async () => {
    const message = 'illegal state: latest txID=1 is lower than specified as initial tx=2'
    for (const response of [{ message }, { error: 'illegal state' }, { error: message, message }]) {
      expect(await outcome('error', context(2), {}, response)).toBe('rolled-back answer')
    }
  })
})

describe('a state', () => {
  test('of an empty database', async () => {
    const empty = { state: { db: 'db', txHash: history.point(0).txHash } }
    const first = await verify('state', context(null), {}, empty)
    expect(first).toMatchObject({ firstUse: true, next: history.point(0) })
    const again = await verify('state', context(0), {}, empty)
    expect(again).toMatchObject({ firstUse: false, next: history.point(0) })
    expect(await outcome('state', context(1), {}, empty)).toBe('rolled-back link')
    const other = { state: { db: 'db', txHash: history.point(1).txHash } }
    expect(await outcome('state', context(null), {}, other)).toBe('malformed answer')
  })

  test('that did not change may come with a proof, which must be one', async () => {
    const proof = history.verifiableTx(2, 2)
    expect(await outcome('state', context(2), {}, { ...state(2), proof })).toBe('ok')
    for (const other of [history.verifiableTx(1, 2), history.verifiableTx(2, 1), {}, 7]) {
      expect(await outcome('state', context(2), {}, { ...state(2), proof: other })).not.toBe('ok')
    }
  })

  test('that is newer needs the transaction itself in its proof', async () => {
    const { dualProof } = history.verifiableTx(4, 2)
    const answer = (proof: unknown) => outcome('state', context(2), {}, { ...state(4), proof })
    expect(await answer({ dualProof })).toBe('malformed answer')
    expect(await answer({ dualProof, tx: history.tx(3) })).toBe('tx-mismatch header')
    expect(await answer({ dualProof, tx: { header: history.tx(4).header } })).toBe('ok')
    const otherHash = {
      ...state(4, { txHash: history.point(3).txHash }),
      proof: { dualProof, tx: history.tx(4) },
    }
    expect(await outcome('state', context(2), {}, otherHash)).toBe('history-changed link')
  })
})

describe('a signature', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(26)
  const key = point.toString('base64')
  const sign = (tx: number, db = 'db') => {
    const payload = statePayload(db, { txId: BigInt(tx), txHash: history.alh(tx) })
    return createSign('sha256').update(payload).sign(privateKey)
  }
  const signed = (tx: number, signature: Buffer, by = key) =>
    state(tx, { signature: { publicKey: by, signature: signature.toString('base64') } })
  const verdict = (response: unknown) =>
    outcome('state', context(null, { publicKey: key }), {}, response)

  test('is right with either of the two values of s', async () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const halves = new Set<boolean>()
    for (let at = 0; at < 30; at += 1) {
      const signature = sign(1)
      const size = signature[3] ?? 0
      halves.add(BigInt(`0x${signature.subarray(6 + size).toString('hex')}`) > order / 2n)
      expect(await verdict(signed(1, signature))).toBe('ok')
    }
    expect(halves.size).toBe(2)
  })

  test('of something else, in another form or of another key is refused', async () => {
    const right = sign(1)
    expect(await verdict(signed(1, sign(2)))).toBe('signature signature')
    expect(await verdict(signed(1, sign(1, 'other')))).toBe('signature signature')
    expect(await verdict(signed(1, Buffer.concat([right, Buffer.of(0)])))).toBe(
      'signature signature',
    )
    expect(await verdict(signed(1, Buffer.alloc(0)))).toBe('signature signature')
    expect(await verdict(signed(1, right, b64('key')))).toBe('signature signature')
    expect(await verdict(signed(1, right, ''))).toBe('signature signature')
    expect(await verdict(state(1))).toBe('signature signature')
  })

  test('is of the newer of two transactions', async () => {
    for (const [tx, since] of [
      [1, 4],
      [4, 1],
    ] as const) {
      const signature = { publicKey: key, signature: sign(4).toString('base64') }
      const response = { ...history.verifiableTx(tx, since), signature }
      const known = { ...context(since), publicKey: key }
      expect((await verify('tx', known, { tx: String(tx) }, response)).signed).toBe(true)
      const other = { ...signature, signature: sign(1).toString('base64') }
      const wrong = { ...response, signature: other }
      expect(await outcome('tx', known, { tx }, wrong)).toBe('signature signature')
    }
  })
})

describe('a key', () => {
  const answer = (tx: number, at: number, entry: Json) => ({
    entry: { tx: String(tx), ...entry },
    verifiableTx: history.verifiableTx(tx, 4),
    inclusionProof: history.inclusionProof(tx, at),
  })
  const ask = (key: string, more: Json = {}) => ({ keyRequest: { key: b64(key), ...more } })

  test('with an expiry, an empty value, in its place', async () => {
    const metadata = metadataJson({ expiresAt: 1_900_000_000n })
    const expiring = answer(2, 0, { key: b64('a'), value: b64('2'), metadata })
    const found = await verify('get', context(4), ask('a'), expiring)
    expect(found.facts).toMatchObject({ meta: { expiresAt: '1900000000' }, position: 0 })
    const empty = await verify('get', context(4), ask('b'), answer(2, 1, { key: b64('b') }))
    expect(empty.facts).toMatchObject({ value: '', position: 1, kind: 'value' })
  })

  test('is refused at another transaction, when deleted and as another kind', async () => {
    const entry = { key: b64('a'), value: b64('1') }
    const at = (atTx: unknown) =>
      outcome('get', context(4), ask('a', { atTx }), answer(1, 0, entry))
    expect(await at('1')).toBe('ok')
    expect(await at(1)).toBe('ok')
    expect(await at('0')).toBe('ok')
    expect(await at('2')).toBe('answer-mismatch request')
    expect(await at('x')).toBe('malformed request')
    const deleted = answer(3, 0, { key: b64('b'), metadata: { deleted: true } })
    expect(await outcome('get', context(4), ask('b'), deleted)).toBe('answer-mismatch request')
    const reference = { tx: '4', key: b64('r'), atTx: '2' }
    const resolved = { key: b64('a'), value: b64('anything'), referencedBy: reference }
    const found = await verify('get', context(4), ask('r', { atTx: '4' }), {
      ...answer(4, 0, resolved),
      entry: { tx: '2', ...resolved },
    })
    expect(found.facts).toMatchObject({ kind: 'reference', referencedAtTx: '2', tx: '4' })
    expect(JSON.stringify(found)).not.toContain(bytesToHex(encodeUtf8('anything')))
  })

  test('shows every step, and the broken one last', async () => {
    const entry = { key: b64('c'), value: b64('3') }
    const { steps } = await verify('get', context(4), ask('c'), answer(2, 2, entry))
    expect(steps.map(({ name, result }) => [name, result])).toEqual([
      ['value', 'ok'],
      ['entry', 'ok'],
      ['header', 'ok'],
      ['link', 'ok'],
      ['signature', 'unchecked'],
    ])
    for (const { computed, expected, inputs } of steps.slice(1, 4)) {
      expect(computed).toMatch(/^[0-9a-f]{64}$/)
      expect(expected).toBe(computed)
      expect(Object.keys(inputs).length).toBeGreaterThan(2)
    }
    const given = { verify: 'get', context: context(4), request: ask('c') } as const
    const found = await verdictOf(given, answer(2, 2, { ...entry, value: b64('4') }))
    const last = found.refused ? found.error.steps.at(-1) : null
    expect(last).toMatchObject({
      name: 'entry',
      result: 'failed',
      expected: bytesToHex(history.header(2).eH),
    })
    expect(last?.computed).toMatch(/^[0-9a-f]{64}$/)
    expect(last?.computed).not.toBe(last?.expected)
  })
})

describe('a write', () => {
  const written = (entries: Written[]) => {
    const after = new History()
    after.add([pair('first', '')])
    after.add(entries)
    return {
      context: { ...context(null), trusted: after.point(1) },
      answer: after.verifiableTx(2, 1),
    }
  }
  const verdict = (request: Json, entries: Written[]) => {
    const { context: known, answer } = written(entries)
    return outcome('write', known, request, answer)
  }

  test('is what was sent, in any order', async () => {
    const KVs = [
      { key: b64('a'), value: b64('1') },
      { key: b64('b'), metadata: { nonIndexable: true } },
      { key: b64('c'), metadata: { expiration: { expiresAt: '5' }, deleted: false } },
    ]
    const stored = [
      pair('c', '', { expiresAt: 5n }),
      pair('a', '1'),
      pair('b', '', { nonIndexable: true }),
    ]
    const request = { setRequest: { KVs } }
    expect(await verdict(request, stored)).toBe('ok')
    for (const other of [
      stored.slice(1),
      [...stored, pair('d', '1')],
      [pair('c', ''), ...stored.slice(1)],
    ]) {
      const entries = other.filter((entry) => entry !== undefined)
      expect(await verdict(request, entries)).toBe('answer-mismatch request')
    }
    const [first, second] = stored
    const twice = [first, second, second].filter((entry) => entry !== undefined)
    expect(await verdict(request, twice)).toBe('duplicate-key entry')
  })

  test('of references and members of sets', async () => {
    const reference = { key: b64('r'), referencedKey: b64('a'), atTx: '7', boundRef: true }
    const stored = [{ key: plainKey(encodeUtf8('r')), value: referenceValue(encodeUtf8('a'), 7n) }]
    expect(await verdict({ referenceRequest: reference }, stored)).toBe('ok')
    const unbound = { referenceRequest: { ...reference, atTx: '0' } }
    expect(await verdict(unbound, stored)).toBe('answer-mismatch request')
    const member = { set: b64('s'), score: -2.5, key: b64('a'), atTx: 7 }
    const value = new Uint8Array()
    const ranked = [{ key: sortedSetKey(encodeUtf8('s'), -2.5, encodeUtf8('a'), 7n), value }]
    expect(await verdict({ zAddRequest: member }, ranked)).toBe('ok')
    for (const score of [2.5, 0, undefined, '-2.5', Number.NaN]) {
      const other = { zAddRequest: { ...member, score } }
      expect(await verdict(other, ranked)).toMatch(/^(answer-mismatch|malformed) request$/)
    }
  })

  test('is newer than what is known, and its entries are all there', async () => {
    const request = { setRequest: { KVs: [{ key: b64('a'), value: b64('1') }] } }
    const { context: known, answer } = written([pair('a', '1')])
    expect(await outcome('write', known, {}, answer)).toBe('malformed request')
    const { entries, ...tx } = answer.tx as Json
    const bare = { ...answer, tx }
    expect(await outcome('write', known, request, bare)).toBe('tx-mismatch entry')
    const old = { ...context(2) }
    expect(await outcome('write', old, request, history.verifiableTx(1, 2))).toBe(
      'not-anchored link',
    )
    expect(await outcome('write', old, request, history.verifiableTx(2, 2))).toBe(
      'not-anchored link',
    )
  })
})

describe('an audit', () => {
  const txs = [1, 2, 3, 4].map((tx) => history.tx(tx))
  const verdict = (known: unknown, given: unknown) => outcome('audit', known, {}, { txs: given })

  test('ends where it must', async () => {
    expect(await verdict(context(4), txs)).toBe('ok')
    expect(await verdict(context(3), txs)).toBe('audit link')
    expect(await verdict(context(4), txs.slice(0, 3))).toBe('audit link')
    expect(await verdict(context(4), txs.slice(1))).toBe('audit link')
    expect(await verdict(context(4), [])).toBe('audit link')
  })

  test('of an unknown history is a first contact, which a pinned key does not have', async () => {
    const found = await verify('audit', context(null), {}, { txs })
    expect(found).toMatchObject({ firstUse: true, signed: false, next: history.point(4) })
    const key = { publicKey: bytesToBase64(Uint8Array.of(4, ...new Uint8Array(64))) }
    expect(await verdict(context(null, key), txs)).toBe('signature signature')
    expect(await verdict(context(4, key), txs)).toBe('ok')
  })

  test('needs all entries, none resolved, and values that are the stored ones', async () => {
    const [first, ...rest] = txs
    const changed = (change: Json) => verdict(context(4), [{ ...first, ...change }, ...rest])
    expect(await changed({ entries: [] })).toBe('tx-mismatch entry')
    expect(await changed({ kvEntries: [{ tx: '1' }] })).toBe('malformed answer')
    const [entry] = (first?.entries ?? []) as Json[]
    const value = bytesToBase64(plainValue(encodeUtf8('1')))
    expect(await changed({ entries: [{ ...entry, value }] })).toBe('ok')
    expect(await changed({ entries: [{ ...entry, value: b64('1') }] })).toBe('value-mismatch value')
  })
})

test('the hashes that the tests make are those of other code', () => {
  const [{ value }] = [pair('a', '1')]
  const digest = createHash('sha256').update(value).digest('base64')
  expect((history.tx(1).entries as Json[])[0]).toMatchObject({ hValue: digest })
  expect(plain).toEqual({ deleted: false, expiresAt: null, nonIndexable: false })
})
