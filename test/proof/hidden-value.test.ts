// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToBase64, bytesToHex } from '~/lib/bytes'
import { openEvidence } from '~/proof/check-evidence'
import { writeEvidence } from '~/proof/evidence'
import { withHiddenValue } from '~/proof/hidden-value'
import { hash } from '~/proof/kernel/hash'
import { verify } from '~/proof/kernel/verify'
import { recorded } from '../support/recorded'

type Answer = { entry: { tx: string; key: string; value: string } }

const { request, response } = recorded('audit-log', 'proof of an event with a session')
const answer = response.body as Answer
const { keyRequest } = request.body as { keyRequest: object }
const nothingKnown = { db: 'systemdb', trusted: null, publicKey: null }
const hidden = withHiddenValue(answer) as Answer
const hiding = { keyRequest, hidesValue: true }
const value = Buffer.from(answer.entry.value, 'base64').toString()
const [, session = ''] = /"sid":"([^"]+)"/.exec(value) ?? []

const check = (asked: object, given: unknown) => verify('get', nothingKnown, asked, given)

describe('a hidden value', () => {
  test('is proven by its hash, in the same transaction as the value itself', async () => {
    const [plain, without] = [await check({ keyRequest }, answer), await check(hiding, hidden)]
    if (plain.verdict !== 'ok' || without.verdict !== 'ok') throw new Error('not proven')
    const { value: shown, ...facts } = plain.facts as { value: string; kind: string }
    const stored = new Uint8Array([0, ...Buffer.from(shown, 'hex')])
    expect(without.facts).toEqual({ ...facts, kind: 'hidden', valueHash: bytesToHex(hash(stored)) })
    expect(without.next).toEqual(plain.next)
    expect(session).toHaveLength(44)
    expect(JSON.stringify(without)).not.toContain(session)
  })

  test('is taken only where it was asked for, and the value only where it was not', async () => {
    await expect(check({ keyRequest }, hidden)).rejects.toMatchObject({ reason: 'malformed' })
    await expect(check(hiding, answer)).rejects.toMatchObject({ reason: 'malformed' })
    await expect(check({ keyRequest, hidesValue: 'yes' }, hidden)).rejects.toMatchObject({
      reason: 'malformed',
    })
  })

  test('with another hash is refused', async () => {
    const other = bytesToBase64(hash(new Uint8Array([1])))
    const changed = { ...hidden, entry: { ...hidden.entry, valueHash: other } }
    await expect(check(hiding, changed)).rejects.toMatchObject({ name: 'ProofError' })
    for (const valueHash of [undefined, '', 'AAAA', 7]) {
      const broken = { ...hidden, entry: { ...hidden.entry, valueHash } }
      await expect(check(hiding, broken)).rejects.toMatchObject({ reason: 'malformed' })
    }
  })

  test('of an answer that makes no sense is refused, and nothing of it is kept', async () => {
    const oddities = [null, 'x', [], {}, { entry: null }, { entry: [] }]
    for (const odd of oddities) {
      const given = withHiddenValue(odd)
      await expect(check(hiding, given)).rejects.toMatchObject({ reason: 'malformed' })
    }
    const odd = { ...answer, entry: { ...answer.entry, value: { sid: session } } }
    expect(JSON.stringify(withHiddenValue(odd))).not.toContain(session)
  })

  test('is checked again from evidence, which says what it leaves out', async () => {
    const verified = await check(hiding, hidden)
    const text = writeEvidence(
      {
        kind: 'get',
        what: 'audit event',
        context: nothingKnown,
        request: hiding,
        response: hidden,
        at: 0,
        outcome: { kind: 'ok', verified },
      },
      {
        server: { uuid: null, origin: 'http://localhost' },
        console: { version: '1', commit: 'c', bundle: 'b' },
        firstContact: null,
      },
    )
    expect(text).not.toContain(session)
    expect(text).not.toContain(answer.entry.value)
    const opened = await openEvidence(text)
    if ('error' in opened) throw new Error(opened.error)
    expect(opened.rechecked).toMatchObject({ agrees: true, outcome: { kind: 'ok' } })
    expect(opened.rechecked.unchecked).toContain('hidden')
    const forged = text.replace(/"valueHash": "[0-9a-f]{8}/, '"valueHash": "00000000')
    const again = await openEvidence(forged)
    expect('rechecked' in again && again.rechecked.agrees).toBe(false)
  })
})
