import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '~/core/session/client'
import { hexOf } from '~/lib/bytes'
import { cancelCheckpoints, checkpointRunAtom, loadCheckpoints } from '~/trust/checkpoint-run'
import { forgetState } from '~/trust/decisions'
import { prove } from '~/trust/prove'
import { memoryTrustStore } from '~/trust/store'
import { trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import {
  noteSighting,
  pinWitness,
  seenOfProofAtom,
  seenOfRecordAtom,
  unpinWitness,
} from '~/trust/witnesses'
import { incidentWords } from '~/words/incident'
import { provedWords } from '~/words/witness'
import { checkpointFile, newSigner } from '../support/checkpoints'
import type { History } from '../support/history'
import { grow, historyOf, keptDoor, ProvingServer, refusal, tabOf } from '../support/proving-server'
import { txAlone } from '../support/questions'

const origin = 'http://localhost:3000'
const id = { origin, server: 'server-one', database: 'db' }
const signer = newSigner('night-watch')
const other = newSigner('somebody-else')

let server: ProvingServer
let door: ReturnType<typeof keptDoor>
let store: Store

beforeEach(async () => {
  server = new ProvingServer(historyOf(20))
  door = keptDoor()
  store = tabOf(server, door)
  await verifyState(store)
  await pinWitness(store, signer.verifierKey)
})

const noteOf = (history: History, tx: number, by = signer, of = id) =>
  by.note({ ...of, ...history.point(tx) })

async function load(notes: string | readonly string[], of = store) {
  const text = typeof notes === 'string' ? notes : checkpointFile(notes)
  const bytes = new TextEncoder().encode(text)
  await loadCheckpoints(of, { name: 'ledger', read: async () => ({ bytes }) })
  return of.get(checkpointRunAtom)
}

/** What came of the only witness and database. */
async function proved(notes: string | readonly string[], of = store) {
  const run = await load(notes, of)
  if (run.kind !== 'done') throw new Error(JSON.stringify(run))
  expect(run.results).toHaveLength(1)
  const [result] = run.results
  if (!result) throw new Error('nothing was compared')
  return result
}

const incidents = async (of = store) =>
  (await of.get(trustedStatesAtom).others()).incidents.flatMap((log) => log.incidents)
const sightings = async (of = store) => (await of.get(trustedStatesAtom).others()).sightings
/** Transactions that the server was asked to prove. */
const asked = () => server.asked.flatMap((path) => /\/tx\/(\d+)\?.*EXCLUDE/.exec(path)?.[1] ?? [])

describe('checkpoints of a pinned witness', () => {
  test('that lie in the history are each proven, and kept', async () => {
    const all = [1, 4, 5, 9, 20].map((tx) => noteOf(server.history, tx))
    const result = await proved(all)
    expect(result).toMatchObject({ given: 5, proven: 5, span: { first: '1', last: '20' } })
    expect(result.end).toEqual({ kind: 'all' })
    // The trusted state itself needs no proof.
    expect(asked().sort()).toEqual(['1', '4', '5', '9'])
    expect(await incidents()).toEqual([])
    expect(await sightings()).toMatchObject([
      {
        witness: signer.verifierKey,
        id,
        seen: [1, 4, 5, 9, 20].map((tx) => server.history.point(tx)),
      },
    ])
  })

  test('are not proven twice, and nothing is lost by a reload', async () => {
    await proved([3, 7].map((tx) => noteOf(server.history, tx)))
    const again = tabOf(server, door)
    await verifyState(again)
    server.asked.length = 0
    const result = await proved(
      [3, 7, 8].map((tx) => noteOf(server.history, tx)),
      again,
    )
    expect(result).toMatchObject({ given: 3, proven: 3, end: { kind: 'all' } })
    expect(asked()).toEqual(['8'])
    expect((await sightings(again))[0]?.seen.map(({ txId }) => txId)).toEqual(['3', '7', '8'])
  })

  test('that are newer than the server has are named, the others are proven', async () => {
    const longer = historyOf(25)
    const result = await proved([noteOf(longer, 19), noteOf(longer, 23), noteOf(longer, 25)])
    expect(result).toMatchObject({ given: 3, proven: 1 })
    expect(result.end).toEqual({ kind: 'ahead', newest: '20', count: 2 })
    expect(await incidents()).toEqual([])
  })

  test('that were newer than the trusted state are proven once it has advanced', async () => {
    for (let at = 0; at < 5; at += 1) grow(server.history)
    const result = await proved([noteOf(server.history, 19), noteOf(server.history, 24)])
    expect(result).toMatchObject({ proven: 2, end: { kind: 'all' } })
  })

  test('name the first that does not lie in the history, in few requests', async () => {
    const big = new ProvingServer(historyOf(200))
    const tab = tabOf(big, keptDoor())
    await verifyState(tab)
    await pinWitness(tab, signer.verifierKey)
    const fork = historyOf(200, 'b', 120)
    const notes = Array.from({ length: 200 }, (_, at) => noteOf(fork, at + 1))
    const result = await proved(notes, tab)
    expect(result.end).toMatchObject({
      kind: 'found',
      finding: {
        kind: 'differs',
        txId: '121',
        before: '120',
        signed: hexOf(fork.point(121).txHash),
        other: hexOf(big.history.point(121).txHash),
        notes: [noteOf(fork, 121)],
      },
    })
    expect(big.count('EXCLUDE')).toBeLessThanOrEqual(9)
    const [incident, ...more] = await incidents(tab)
    expect(more).toEqual([])
    expect(incident).toMatchObject({
      kind: 'contradicted',
      what: 'tx 121 as signed by night-watch',
      expected: hexOf(fork.point(121).txHash),
      received: hexOf(big.history.point(121).txHash),
    })
    expect(incident && incidentWords(incident)).toBe(
      'A witness signed another hash for this transaction.',
    )
    // With the evidence, after a reload, too.
    const [kept] = await sightings(tab)
    expect(kept?.found).toMatchObject({ txId: '121', verification: { kind: 'tx' } })
    expect(kept?.found?.verification?.response).toBeTruthy()
  })

  test('of which none lies in the history name the very first', async () => {
    const fork = historyOf(20, 'b')
    const result = await proved([2, 9, 20].map((tx) => noteOf(fork, tx)))
    expect(result).toMatchObject({ proven: 0, span: null })
    expect(result.end).toMatchObject({ kind: 'found', finding: { txId: '2', before: null } })
  })

  test('name one that differs although a newer one does not', async () => {
    const fork = historyOf(20, 'b', 3)
    const notes = [1, 2, 6, 8, 12, 20].map((tx) =>
      noteOf(tx === 6 || tx === 8 ? fork : server.history, tx),
    )
    const result = await proved(notes)
    expect(result.end).toMatchObject({ kind: 'found', finding: { txId: '6', before: '2' } })
    expect(await incidents()).toHaveLength(1)
  })

  test('at the trusted state with another hash need no answer of the server', async () => {
    const fork = historyOf(20, 'b', 19)
    const result = await proved([noteOf(fork, 20)])
    expect(result.end).toMatchObject({
      kind: 'found',
      finding: { txId: '20', verification: null, notes: [noteOf(fork, 20)] },
    })
    expect(asked()).toEqual([])
  })

  test('that contradict each other accuse nobody but the witness', async () => {
    const fork = historyOf(20, 'b', 3)
    const result = await proved([
      noteOf(server.history, 3),
      noteOf(server.history, 7),
      noteOf(fork, 7),
      noteOf(server.history, 9),
    ])
    expect(result).toMatchObject({
      proven: 0,
      end: {
        kind: 'found',
        finding: { kind: 'itself', txId: '7', notes: [noteOf(server.history, 7), noteOf(fork, 7)] },
      },
    })
    expect(await incidents()).toEqual([])
    expect(asked()).toEqual([])
  })

  test('that go back to an older transaction accuse nobody but the witness', async () => {
    const result = await proved([noteOf(server.history, 9), noteOf(server.history, 3)])
    expect(result.end).toMatchObject({
      kind: 'found',
      finding: { kind: 'falls', txId: '3', before: '9' },
    })
    expect(await incidents()).toEqual([])
    expect(asked()).toEqual([])
  })

  test('that contradict each other do, whatever stands behind them', async () => {
    const torn = [noteOf(server.history, 9), noteOf(server.history, 3)]
    const result = await proved(`${checkpointFile(torn)}\nsomething else`)
    expect(result.end).toMatchObject({ kind: 'found', finding: { kind: 'falls' } })
  })

  test('that contradict what was proven of an earlier file accuse the witness, too', async () => {
    await proved([noteOf(server.history, 7)])
    const result = await proved([noteOf(historyOf(20, 'b', 3), 7)])
    expect(result.end).toMatchObject({ kind: 'found', finding: { kind: 'itself', txId: '7' } })
    expect(await incidents()).toEqual([])
  })

  test('that repeat themselves count once', async () => {
    const one = noteOf(server.history, 7)
    expect(await proved([one, one, one])).toMatchObject({ given: 1, proven: 1 })
  })
})

describe('nothing is compared', () => {
  const incomplete = async (notes: string | readonly string[]) => {
    const run = await load(notes)
    expect(asked()).toEqual([])
    expect(await incidents()).toEqual([])
    expect(await sightings()).toEqual([])
    return run
  }

  test('of a file with one wrong signature', async () => {
    const forged = noteOf(server.history, 9).replace(/^9$/m, '8')
    const run = await incomplete([noteOf(server.history, 3), forged])
    expect(run).toMatchObject({
      kind: 'refused',
      problem: { line: 7, why: 'wrong-signature', witness: signer.verifierKey },
    })
  })

  test('of a file whose transactions fall, where no one signed both', async () => {
    const run = await incomplete([noteOf(server.history, 9), noteOf(server.history, 3, other)])
    expect(run).toMatchObject({ kind: 'refused', problem: { line: 7, why: 'falling' } })
  })

  test('of a file of two databases', async () => {
    const run = await incomplete([
      noteOf(server.history, 3),
      noteOf(server.history, 9, signer, { ...id, database: 'other' }),
    ])
    expect(run).toMatchObject({ kind: 'refused', problem: { line: 7, why: 'another-origin' } })
  })

  test('of a file that is cut off', async () => {
    const whole = checkpointFile([noteOf(server.history, 3), noteOf(server.history, 9)])
    expect(await incomplete(whole.slice(0, -30))).toMatchObject({
      kind: 'refused',
      problem: { line: 11, why: 'cut' },
    })
  })

  test('of a file with other line ends', async () => {
    const run = await incomplete(noteOf(server.history, 9).replaceAll('\n', '\r\n'))
    expect(run).toMatchObject({ kind: 'refused', problem: { line: 1, why: 'crlf' } })
  })

  test('that an unknown key signed, and the key is named', async () => {
    const run = await incomplete([noteOf(server.history, 9, other)])
    const [name, digits] = other.verifierKey.split('+')
    expect(run).toMatchObject({
      kind: 'done',
      content: { notes: 1, unsigned: 1, signers: [`${name}+${digits}`] },
      results: [],
    })
  })

  test('of another server', async () => {
    const fork = historyOf(20, 'b')
    const run = await incomplete([noteOf(fork, 9, signer, { ...id, server: 'server-two' })])
    expect(run).toMatchObject({ kind: 'done', content: { isElsewhere: true }, results: [] })
  })

  test('of a server without an id on one with an id', async () => {
    const run = await incomplete([noteOf(historyOf(9, 'b'), 9, signer, { ...id, server: '' })])
    expect(run).toMatchObject({ content: { isElsewhere: true }, results: [] })
  })

  test('where the source cannot be read', async () => {
    await loadCheckpoints(store, { name: 'x', read: async () => ({ problem: 'Gone.' }) })
    expect(store.get(checkpointRunAtom)).toEqual({ kind: 'unread', name: 'x', problem: 'Gone.' })
  })
})

describe('a comparison that does not get to its end', () => {
  const many = () => Array.from({ length: 20 }, (_, at) => noteOf(server.history, at + 1))

  test('says how far it came when the server fails', async () => {
    server.instead = (path) => (path.includes('/tx/11?') ? refusal('no such luck') : undefined)
    const result = await proved(many())
    expect(result.end.kind).toBe('stopped')
    expect(result.proven).toBeGreaterThan(5)
    expect(result.proven).toBeLessThan(20)
    const [kept] = await sightings()
    expect(kept?.seen).toHaveLength(result.proven)
    expect(await incidents()).toEqual([])
  })

  test('says so when it is cancelled, and keeps what was proven', async () => {
    server.instead = (path) => {
      if (path.includes('/tx/5?')) cancelCheckpoints(store)
      return undefined
    }
    const result = await proved(many())
    expect(result).toMatchObject({ given: 20, end: { kind: 'stopped' } })
    expect(result.end).toHaveProperty('why', expect.stringMatching(/^You cancelled\./))
    expect((await sightings())[0]?.seen).toHaveLength(result.proven)
  })

  test('does not call proven what was proven before, where the server shows something else now', async () => {
    const notes = [3, 7, 20].map((tx) => noteOf(server.history, tx))
    expect((await proved(notes)).end).toEqual({ kind: 'all' })
    server.instead = () => refusal('database does not exist')
    const away = await proved(notes)
    expect(provedWords(away, 'night-watch')).toMatchObject({
      tone: 'warning',
      word: 'Not compared now',
      text: expect.stringMatching(
        / That was proven before, and not now\. .*database does not exist/,
      ),
    })
    server.instead = () => undefined
    server.history = historyOf(5)
    const back = await proved(notes)
    expect(back).toMatchObject({ given: 3, proven: 3, end: { kind: 'stopped' } })
    expect(back.end).toHaveProperty('why', expect.stringMatching(/The history is broken now/))
  })

  test('ends with another file', async () => {
    let next: Promise<unknown> | null = null
    server.instead = (path) => {
      if (path.includes('/tx/5?')) next ??= load([noteOf(server.history, 9)])
      return undefined
    }
    await load(many())
    await next
    expect(store.get(checkpointRunAtom)).toMatchObject({ kind: 'done', results: [{ given: 1 }] })
  })

  test('has nothing to say when the trusted state is forgotten meanwhile', async () => {
    let forgotten: Promise<void> | null = null
    server.instead = (path) => {
      if (path.includes('/tx/5?')) forgotten ??= forgetState(store, id, 'why not')
      return undefined
    }
    const result = await proved(many())
    await forgotten
    expect(result).toMatchObject({ proven: 0, end: { kind: 'stopped' } })
  })

  test('stops where a proof is refused, which breaks the history', async () => {
    server.change = (answer, path) => {
      if (path.includes('/tx/1?')) {
        const proof = answer.dualProof as { sourceTxHeader: { ts: string } }
        proof.sourceTxHeader = { ...proof.sourceTxHeader, ts: '1' }
      }
      return answer
    }
    const result = await proved(many())
    expect(result.end).toEqual({ kind: 'refused', txId: '1' })
  })

  test('cannot be had in a page that keeps nothing', async () => {
    const tab = tabOf(server, memoryTrustStore())
    await verifyState(tab)
    await pinWitness(tab, signer.verifierKey)
    const result = await proved([noteOf(server.history, 3)], tab)
    expect(result).toMatchObject({ proven: 0, end: { kind: 'stopped' } })
    expect(result.end).toHaveProperty('why', expect.stringContaining('keeps nothing'))
  })
})

test('without a trusted state the first contact comes first', async () => {
  const tab = tabOf(server, keptDoor())
  await pinWitness(tab, signer.verifierKey)
  const result = await proved([noteOf(server.history, 3)], tab)
  expect(result).toMatchObject({ proven: 1, end: { kind: 'all' } })
  // The witness is no trusted state.
  expect((await tab.get(trustedStatesAtom).read(id))?.point.txId).toBe('20')
})

describe('what a witness has seen', () => {
  const proofOf = (tx: number) => prove(store, txAlone(tx))
  const seenOf = async (tx: number) => {
    const { verification } = await proofOf(tx)
    await store.set(trustRecordsAtom)
    return store.get(seenOfProofAtom)(verification)
  }

  beforeEach(async () => {
    await proved([4, 9, 15].map((tx) => noteOf(server.history, tx)))
  })

  test.each([
    [1, '4'],
    [4, '4'],
    [5, '9'],
    [15, '15'],
    [16, null],
  ])('covers tx %i by its checkpoint at %s', async (tx, at) => {
    expect(await seenOf(tx)).toEqual([{ witness: signer.verifierKey, at, upTo: '15', found: null }])
  })

  test('is said of the trusted state, of which it may have seen less', async () => {
    const record = await store.get(trustedStatesAtom).read(id)
    await store.set(trustRecordsAtom)
    expect(record && store.get(seenOfRecordAtom)(record)).toMatchObject([{ at: null, upTo: '15' }])
  })

  test('is not said of a history that was met anew', async () => {
    await forgetState(store, id, 'why not')
    await verifyState(store)
    expect(await seenOf(4)).toEqual([])
    expect(await sightings()).toEqual([])
  })

  test('is not said of a proof that does not hold', async () => {
    const { verification } = await proofOf(4)
    await store.set(trustRecordsAtom)
    const refused = { ...verification, outcome: { kind: 'unproven', why: 'x' } as const }
    expect(store.get(seenOfProofAtom)(refused)).toEqual([])
  })

  test('goes with the witness', async () => {
    await unpinWitness(store, signer.verifierKey)
    expect(await seenOf(4)).toEqual([])
    expect((await store.get(trustedStatesAtom).others()).witnesses).toEqual([])
    const log = await store.get(trustedStatesAtom).log()
    expect(log.map(({ what, reason }) => [what, reason])).toEqual([
      ['witness-pinned', signer.verifierKey],
      ['witness-removed', signer.verifierKey],
    ])
  })

  test('is not kept for one that was unpinned while it was compared', async () => {
    await unpinWitness(store, signer.verifierKey)
    const firstContact = { at: 1, ...server.history.point(20) }
    const sighting = { witness: signer.verifierKey, id, firstContact, at: 1, seen: [], found: null }
    await noteSighting(store, sighting)
    expect(await sightings()).toEqual([])
  })
})
