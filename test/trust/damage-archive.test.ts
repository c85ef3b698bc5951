import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseIdAtom } from '~/core/session/session'
import { readStateText } from '~/immudb/state-text'
import { zipOf } from '~/lib/zip-file'
import { readEvidence } from '~/proof/evidence'
import { loadCheckpoints } from '~/trust/checkpoint-run'
import { collectForArchive } from '~/trust/damage-archive'
import { damageSteps, doneStepsAtom, lastFoundAtom, markStep } from '~/trust/damage-steps'
import { prove } from '~/trust/prove'
import { verifyWrite } from '~/trust/receipts'
import { trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { pinWitness } from '~/trust/witnesses'
import { checkpointFile, newSigner } from '../support/checkpoints'
import { historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { txAlone } from '../support/questions'
import { verifyPage } from '../support/stamps'
import { until } from '../support/until'

let server: ProvingServer
let tab: ReturnType<typeof tabOf>

beforeEach(async () => {
  server = new ProvingServer(historyOf(5))
  tab = tabOf(server)
  server.instead = (path) => (path.endsWith('/verify.html') ? new Response(verifyPage) : undefined)
  await verifyState(tab)
})

/** The files of the archive as it is saved, by their paths. */
async function archived() {
  const { files, left } = await collectForArchive(tab, 'db')
  const opened = unzipSync(zipOf(files, Date.now()))
  const texts = Object.entries(opened).map(([path, bytes]) => [path, strFromU8(bytes)] as const)
  return { texts: new Map(texts), opened, left }
}

describe('the archive', () => {
  test('has what a rolled back server was caught with, and evidence that can be read', async () => {
    server.history = historyOf(3)
    await verifyState(tab)
    const { texts, left } = await archived()
    expect(left).toEqual([])
    expect(texts.get('incidents.txt')).toContain('immudb incidents\ndatabase: db')
    const states = readStateText(texts.get('trusted-states.txt') ?? '')
    expect(states).toMatchObject({ points: [{ database: 'db', txId: '5', server: 'server-one' }] })
    const evidence = [...texts].filter(([path]) => path.startsWith('evidence/'))
    expect(evidence).toHaveLength(1)
    for (const [, text] of evidence) expect(readEvidence(text)).toHaveProperty('evidence')
    expect(texts.get('verify.html')).toBe(verifyPage)
  })

  test('has each of several findings of one moment', async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    server.change = (answer) => ({ ...answer, dualProof: { hash: 'no proof' } })
    for (const tx of [2, 3]) await prove(tab, txAlone(tx))
    vi.useRealTimers()
    const { texts } = await archived()
    expect([...texts.keys()].filter((path) => path.startsWith('evidence/'))).toHaveLength(3)
  })

  test('says that there may be findings without evidence, where there are very many', async () => {
    server.history = historyOf(20)
    await verifyState(tab)
    server.change = (answer) => ({ ...answer, dualProof: { hash: 'no proof' } })
    for (let tx = 1; tx <= 14; tx += 1) await prove(tab, txAlone(tx))
    const { texts, left } = await archived()
    expect([...texts.keys()].filter((path) => path.startsWith('evidence/'))).toHaveLength(11)
    expect(left).toEqual([expect.stringMatching(/^This browser keeps evidence of 11 findings/)])
    expect(texts.get('README.txt')).toContain('If db had more, incidents.txt names them.')
  })

  test('has what a witness signed that contradicts the history, its key and the proof', async () => {
    const signer = newSigner('night-watch')
    await pinWitness(tab, signer.verifierKey)
    const { origin } = tab.get(databaseIdAtom)('db')
    const id = { origin, server: 'server-one', database: 'db' }
    const [same, other] = [historyOf(5).point(2), historyOf(5, 'b', 3).point(4)]
    const notes = [same, other].map((point) => signer.note({ ...id, ...point }))
    const bytes = new TextEncoder().encode(checkpointFile(notes))
    await loadCheckpoints(tab, { name: 'ledger', read: async () => ({ bytes }) })
    const { texts, left } = await archived()
    expect(left).toEqual([])
    const signed = [...texts].filter(([path]) => path.startsWith('witnesses/'))
    const under = (end: string) =>
      signed.filter(([path]) => path.endsWith(end)).map(([, text]) => text)
    expect(under('.txt')).toEqual([notes[1]])
    expect(under('.key')).toEqual([`${signer.verifierKey}\n`])
    const evidence = [...texts].filter(([path]) => path.startsWith('evidence/'))
    expect(evidence).toHaveLength(1)
    expect(texts.get('README.txt')).toContain('witnesses/')
  })

  test('lists the right hash of each other file', async () => {
    const { texts, opened } = await archived()
    const lines = (texts.get('SHA256SUMS') ?? '').trimEnd().split('\n')
    const hashes = Object.entries(opened)
      .filter(([path]) => path !== 'SHA256SUMS')
      .map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}`)
    expect(lines.toSorted()).toEqual(hashes.toSorted())
    expect(texts.get('README.txt')).toContain('Server: server-one at ')
    expect(texts.get('README.txt')).toContain(
      'take verify.html and the states to compare with from',
    )
  })

  test('has all states on the way, and the receipts of this page', async () => {
    const earlier = server.history
    server.history = historyOf(7)
    await verifyState(tab)
    const questions = [txAlone(2)]
    await verifyWrite(tab, { database: 'db', tx: '2', of: '1', questions })
    const { texts } = await archived()
    const states = readStateText(texts.get('earlier-states.txt') ?? '')
    const ids = 'points' in states ? states.points.map(({ txId }) => txId) : []
    expect(new Set(ids)).toEqual(new Set(['5', '7']))
    expect(earlier.headers.length).toBe(5)
    const receipts = [...texts.keys()].filter((path) => path.startsWith('receipts/'))
    expect(receipts).toHaveLength(1)
  })

  test('has states that every reader takes, also where a database was empty', async () => {
    const id = tab.get(databaseIdAtom)('empty')
    const nothing = { txId: '0', txHash: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }
    await tab.get(trustedStatesAtom).move(id, null, nothing, 'first')
    const { texts } = await archived()
    const read = (path: string) => readStateText(texts.get(path) ?? '')
    expect(read('trusted-states.txt')).toMatchObject({ points: [{ database: 'db', txId: '5' }] })
    // Each state once, however often the record has it.
    expect(read('earlier-states.txt')).toMatchObject({ points: [{ database: 'db', txId: '5' }] })
  })

  test('is of this server alone', async () => {
    const points = tab.get(trustedStatesAtom)
    const other = { origin: 'https://other.example', server: 'other', database: 'secret' }
    await points.import(other, { txId: '1', txHash: server.history.point(1).txHash })
    const { texts } = await archived()
    expect([...texts.values()].join('\n')).not.toMatch(/other\.example|secret/)
  })

  test('names what it lacks, and has all else', async () => {
    server.instead = (path) => (path.endsWith('/verify.html') ? new Response('x') : undefined)
    const { texts, left } = await archived()
    expect(left).toEqual([expect.stringMatching(/^verify\.html is missing\. .*SHA-256 differs/)])
    expect(texts.get('README.txt')).toContain('- verify.html is missing.')
    expect(texts.has('trusted-states.txt')).toBe(true)
  })
})

describe('the steps', () => {
  test('are done when they are marked, and kept for the next page', async () => {
    expect(tab.get(doneStepsAtom).size).toBe(0)
    await markStep(tab, 'keep', true)
    await markStep(tab, 'tell', true)
    await markStep(tab, 'tell', false)
    expect([...tab.get(doneStepsAtom).keys()]).toEqual(['keep'])
    expect(damageSteps[0]).toBe('keep')
  })

  test('have to be done again once something is found again', async () => {
    await tab.set(trustRecordsAtom)
    await markStep(tab, 'keep', true)
    server.history = historyOf(3)
    await verifyState(tab)
    await tab.set(trustRecordsAtom)
    expect(tab.get(lastFoundAtom)).toBeGreaterThan(0)
    expect(tab.get(doneStepsAtom).size).toBe(0)
    await markStep(tab, 'keep', true)
    expect([...tab.get(doneStepsAtom).keys()]).toEqual(['keep'])
  })

  test('stay done while the same is found again and again, as each look at the server does', async () => {
    await tab.set(trustRecordsAtom)
    server.history = historyOf(3)
    await verifyState(tab)
    await tab.set(trustRecordsAtom)
    await markStep(tab, 'keep', true)
    const found = tab.get(lastFoundAtom)
    await until(Date.now, (now) => now > found)
    await verifyState(tab)
    await tab.set(trustRecordsAtom)
    expect(tab.get(lastFoundAtom)).toBeGreaterThan(found)
    expect([...tab.get(doneStepsAtom).keys()]).toEqual(['keep'])
  })
})
