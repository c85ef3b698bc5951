import { describe, expect, test } from 'vitest'
import { openEventProof } from '~/atoms/auditlog/proof'
import { sessionAtom } from '~/core/session/session'
import { readAuditEvent } from '~/immudb/audit-event'
import { encodeUtf8 } from '~/lib/bytes'
import { plainKey, plainValue } from '~/proof/kernel/stored'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { gapOf, labelOf, unequalLeaves, verdictWhenChecked } from '~/trust/object-verdict'
import { proofDrawerAtom } from '~/trust/proof-drawer'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { keyOfEvent, liveSession, madeEvent } from '../../support/audit-server'
import { History } from '../../support/history'
import { ProvingServer, tabOf } from '../../support/proving-server'

/** A systemdb of eight events, of which one is verified. */
function stage(number: number) {
  const storedValue = (one: number) =>
    JSON.stringify(madeEvent(one)).replace(/"ts":"(\d+)"/, '"ts":$1')
  const history = new History()
  for (let one = 1; one <= 8; one += 1) {
    history.add([
      {
        key: plainKey(encodeUtf8(keyOfEvent(one))),
        value: plainValue(encodeUtf8(storedValue(one))),
      },
    ])
  }
  const server = new ProvingServer(history)
  let stored = storedValue(number)
  server.instead = (path) => {
    if (path === '/db/use/systemdb') return Response.json({ token: 'v2.public.systemdb' })
    if (path === '/db/state') return Response.json({ ...server.state(), db: 'systemdb' })
    if (path !== '/db/verifiable/get') return undefined
    const entry = { tx: String(number), key: btoa(keyOfEvent(number)), value: btoa(stored) }
    const verifiableTx = history.verifiableTx(number, 8)
    return Response.json({ entry, verifiableTx, inclusionProof: history.inclusionProof(number, 0) })
  }
  const event = readAuditEvent(
    { key: btoa(keyOfEvent(number)), tx: String(number) },
    encodeUtf8(keyOfEvent(number)),
    encodeUtf8(stored),
  )
  const answerWith = (value: string) => {
    stored = value
  }
  return { tab: tabOf(server), event, answerWith }
}

async function proven({ tab, event }: Pick<ReturnType<typeof stage>, 'tab' | 'event'>) {
  await openEventProof(tab, event)
  const state = tab.get(proofDrawerAtom)?.state
  if (state?.kind !== 'here') throw new Error(JSON.stringify(state))
  const [proof] = state.proofs
  if (!proof) throw new Error('no proof')
  return proof
}

/** Everything that a tab keeps and shows of a proof. */
async function traces(
  tab: ReturnType<typeof stage>['tab'],
  proof: Awaited<ReturnType<typeof proven>>,
) {
  const evidence = await writeEvidenceFile(tab, proof.verification)
  const kept = await tab.get(trustedStatesAtom).all()
  return JSON.stringify([proof, tab.get(proofDrawerAtom), evidence, kept], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

describe('an event', () => {
  test('without a session is verified like any key, with its value', async () => {
    const { tab, event } = stage(1)
    const proof = await proven({ tab, event })
    expect(proof.verification.outcome).toMatchObject({ verified: { facts: { kind: 'value' } } })
    expect(proof.doubts).toMatchObject([{ name: 'the event', match: 'same' }])
    expect(unequalLeaves(proof)).toEqual([])
    expect(gapOf(proof)).toBeNull()
    expect(proof.notes).toBeUndefined()
    // The open database keeps its token.
    expect(tab.get(sessionAtom)?.token).toBe('token')
  })

  test('with a session is verified by its hash, and nothing keeps the session ID', async () => {
    const { tab, event } = stage(7)
    expect(event.content?.hasSession).toBe(true)
    const proof = await proven({ tab, event })
    expect(proof.verification.outcome).toMatchObject({ verified: { facts: { kind: 'hidden' } } })
    expect(proof.doubts).toMatchObject([{ name: 'the event', match: 'same' }])
    expect(unequalLeaves(proof)).toEqual([])
    const text = await traces(tab, proof)
    for (const secret of [liveSession, btoa(JSON.stringify(madeEvent(7))).slice(0, 60)]) {
      expect(text).not.toContain(secret)
    }
  })

  test('that the list showed otherwise is not what was shown', async () => {
    const { tab, event } = stage(1)
    const content = event.content && { ...event.content, user: 'mallory' }
    const proof = await proven({ tab, event: { ...event, content } })
    expect(unequalLeaves(proof).map((leaf) => [labelOf(leaf), leaf.match])).toEqual([
      ['the event', 'differs'],
    ])
    expect(verdictWhenChecked(proof)).toMatchObject({ verdict: 'contradicted', cause: 'different' })
    const { incidents } = await tab.get(trustedStatesAtom).others()
    expect(incidents.flatMap((log) => log.incidents)).toMatchObject([
      { kind: 'contradicted', part: 'the event' },
    ])
  })

  test.each([
    [1, 'an event without a session'],
    [7, 'one with a session'],
  ])(
    'of a server that answers with another value is refused, without the value (%s, %s)',
    async (number) => {
      const { tab, event, answerWith } = stage(number)
      answerWith(JSON.stringify({ ...madeEvent(7), user: 'mallory' }))
      const proof = await proven({ tab, event })
      expect(proof.verification.outcome.kind).toBe('refused')
      expect(await traces(tab, proof)).not.toContain(liveSession)
      answerWith('not an event')
      expect((await proven({ tab, event })).verification.outcome.kind).toBe('refused')
    },
  )
})
