// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type Blame, blamesAtom, openChangeProof, readBlame } from '~/atoms/revisions/blame'
import type { History } from '~/atoms/revisions/history'
import type { Subject } from '~/atoms/revisions/open-revisions'
import { openHistory } from '~/atoms/revisions/revision-list'
import type { Store } from '~/core/session/client'
import { proofDrawerAtom } from '~/trust/proof-drawer'
import { DocumentServer } from '../../support/document-server'
import { RevisionServer, tabWith } from '../../support/revision-server'

const row: Subject = { kind: 'row', database: 'db', table: 't', key: [{ n: '1' }] }
const document: Subject = { kind: 'document', database: 'db', collection: 'c', id: 'ff' }

async function blameIn(store: Store, subject: Subject, isFurther = false, number?: number) {
  const history = await openHistory(store, subject)
  return blameOf(store, history, isFurther, number ?? history.count)
}

async function blameOf(store: Store, history: History, isFurther: boolean, number: number) {
  await readBlame(store, history, number, isFurther)
  const blame = store.get(store.get(blamesAtom)(history, number))
  if (!blame) throw new Error('nothing was asked for')
  return blame
}

/** Each part with its last change, in short. */
const told = ({ parts }: Blame) =>
  parts.map(({ part, change, before }) => {
    const was = before ? ` from ${before.value}` : ''
    return `${part.name} ${change?.how ?? 'open'} ${change?.line.number} tx ${change?.line.tx}${was}`
  })

/** Revisions of a row, one in each transaction from 2 on. */
const written = (...values: (string | null)[]) =>
  new RevisionServer(
    values.map((v, at) => ({ tx: at + 2, v })),
    values.length + 2,
  )

describe('the blame of a row', () => {
  test('leaves out its key and names transaction and value before', async () => {
    const blame = await blameIn(tabWith(written('one', 'two', 'two')), row)
    expect(blame.state).toBe('done')
    expect(told(blame)).toEqual(['v changed 2 tx 3 from one'])
  })

  test('ends at a deletion', async () => {
    const server = new RevisionServer(
      [
        { tx: 5, v: 'one' },
        { tx: 6, v: 'one', isDeletion: true },
        { tx: 9, v: 'one' },
        { tx: 12, v: 'one' },
      ],
      20,
    )
    expect(told(await blameIn(tabWith(server), row))).toEqual(['v inserted again 3 tx 9'])
    // The deletion itself has nothing that changed.
    expect((await blameIn(tabWith(server), row, false, 2)).parts).toEqual([])
  })

  test('of 10,000 revisions is read by some requests, from the transactions themselves', async () => {
    const values = Array.from({ length: 10_000 }, (_, at) => (at === 5_000 ? 'other' : 'same'))
    const server = written(...values)
    server.isListed = true
    server.hasCells = true
    const store = tabWith(server)
    const history = await openHistory(store, row)
    const paused = await blameOf(store, history, false, 10_000)
    expect([paused.state, paused.read, told(paused)]).toEqual([
      'paused',
      100,
      ['v open undefined tx undefined'],
    ])
    expect(server.asked.length).toBeLessThan(25)
    const done = await blameOf(store, history, true, 10_000)
    expect(told(done)).toEqual(['v changed 5002 tx 5003 from other'])
    expect(server.asked.length).toBeLessThan(50)
    expect(server.asked.filter(({ path }) => path === '/db/tx').length).toBeGreaterThan(1)
  })

  test('tells NULL from a value, in stored cells too', async () => {
    const values = Array.from({ length: 400 }, (_, at) => (at < 150 ? 'x' : null))
    const server = written(...values)
    server.isListed = true
    server.hasCells = true
    const blame = await blameIn(tabWith(server), row, true)
    expect(told(blame)).toEqual(['v changed 151 tx 152 from x'])
  })

  test('is the same where the server lists no entries', async () => {
    const values = Array.from({ length: 300 }, (_, at) => (at < 150 ? 'x' : 'y'))
    const blame = await blameIn(tabWith(written(...values)), row, true)
    expect(told(blame)).toEqual(['v changed 151 tx 152 from x'])
  })

  test('says where cells are gone', async () => {
    const server = written('one', 'one', 'one')
    server.goneBefore = 3
    expect(told(await blameIn(tabWith(server), row))).toEqual(['v unread 2 tx 3'])
  })

  test('continues where it failed', async () => {
    const server = written('one', 'one', 'two')
    let isBusy = false
    const busy = { error: 'watchers: max waiting limit exceeded', code: 2 }
    const fetch: typeof server.fetch = (input, init) =>
      isBusy ? Promise.resolve(Response.json(busy, { status: 500 })) : server.fetch(input, init)
    const store = tabWith({ fetch })
    const history = await openHistory(store, row)
    isBusy = true
    const failed = await blameOf(store, history, false, 3)
    expect(failed).toMatchObject({ state: 'failed', parts: [] })
    expect(failed.problem).toMatch(/^[A-Z].*\.$/)
    isBusy = false
    expect(told(await blameOf(store, history, false, 3))).toEqual(['v changed 3 tx 4 from one'])
  })
})

describe('the blame of a document', () => {
  test('is told for each field, with who wrote it', async () => {
    const server = new DocumentServer([
      '{"_id":"ff","a":1,"b":"x"}',
      '{"_id":"ff","a":2,"b":"x","c":true}',
      '{"_id":"ff","a":"2","b":"x","c":true}',
    ])
    const blame = await blameIn(tabWith(server), document)
    expect(told(blame)).toEqual([
      '_id inserted 1 tx 10',
      'a changed 3 tx 12 from 2',
      'b inserted 1 tx 10',
      'c added 2 tx 11',
    ])
    expect(blame.parts[1]?.change?.line).toMatchObject({ author: 'ada', seconds: '1700000002' })
  })

  test('with thousands of revisions takes pages of them', async () => {
    const contents = Array.from(
      { length: 2_000 },
      (_, at) => `{"_id":"ff","n":${at < 900 ? 1 : 2}}`,
    )
    const server = new DocumentServer(contents)
    const blame = await blameIn(tabWith(server), document, true)
    expect(told(blame)).toEqual(['_id inserted 1 tx 10', 'n changed 901 tx 910 from 1'])
    expect(server.asked.length).toBeLessThan(40)
  })

  // What is drawn may come from a first answer that was false, and the proof from a right one.
  test.each([
    ['another type', '{"_id":"ff","a":"2"}', '{"_id":"ff","a":2}'],
    ['another value', '{"_id":"ff","a":3}', '{"_id":"ff","a":2}'],
    ['a field that is not there', '{"_id":"ff","a":2,"paid":true}', '{"_id":"ff","a":2}'],
  ])('is not proven where it is drawn with %s', async (_what, drawn, stored) => {
    const server = new DocumentServer(['{"_id":"ff"}', drawn])
    const store = tabWith(server)
    const history = await openHistory(store, document)
    const blame = await blameOf(store, history, false, 2)
    server.contents[1] = stored
    const change = blame.parts.at(-1)?.change
    if (!change) throw new Error('there is no change')
    await openChangeProof(store, { history, blame, change, secondsOf: ({ seconds }) => seconds })
    expect(store.get(proofDrawerAtom)?.state).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('two answers about revision 2 that differ'),
    })
  })
})
