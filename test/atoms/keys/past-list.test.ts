// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'
import { forgetAnswers } from '~/atoms/databases/database-list'
import { pastListsAtom } from '~/atoms/keys/past-list'
import { stateAtom } from '~/core/history/newest-state'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { recorded, recordedResponse } from '../../support/recorded'
import { soon } from '../../support/store'

const b = (text: string) => btoa(text)

type Entry = { key: string; hValue: string; vLen?: number; metadata?: object }
type Tx = { header: object; entries: Entry[] | null }

let store: Store
let history: Tx[]
let asked: string[]
let hold: Promise<void> | null

/** A transaction of the history, which wrote these entries. */
function add(...entries: (Omit<Entry, 'hValue'> & { of?: string })[]) {
  const id = String(history.length + 1)
  history.push({
    header: { id, prevAlh: '', ts: String(1_000 + history.length + 1), eH: '' },
    entries: entries.map((entry) => ({ hValue: b('h'), ...entry })),
  })
}

const key = (text: string, metadata?: object) => ({
  key: b(`\0${text}`),
  ...(metadata && { metadata }),
})

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const path = String(input).replace('/api', '')
  if (path === '/db/state') {
    return Response.json({ db: 'db', txId: String(history.length), txHash: b('h') })
  }
  const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
  asked.push(`${body.initialTx} ${body.limit}`)
  await hold
  if (init?.signal?.aborted) throw new DOMException('aborted', 'AbortError')
  const from = Number(body.initialTx) - 1
  const page = history.slice(from, from + body.limit)
  if (body.entriesSpec) return Response.json({ txs: page.map(({ header }) => ({ header })) })
  if (page.some(({ entries }) => entries === null)) {
    return recordedResponse(recorded('past', 'too wide'))
  }
  return Response.json({ txs: page })
}

beforeEach(async () => {
  history = []
  asked = []
  hold = null
  store = createStore()
  connect(store, '/api', answer)
  openQueryCache(store)
  const databaseTokens = new Map([['db', 'token']])
  store.set(sessionAtom, { user: 'u', token: 'token', databaseTokens, isStored: false, since: 0 })
  store.set(databaseAtom, 'db')
  add(key('b'), key('a'))
  add(key('c', { expiration: { expiresAt: '1004' } }), { key: b('\x02R.row') })
  add(key('b', { deleted: true }), key('hidden', { nonIndexable: true }))
  add(key('b'))
  add(key('z'))
  store.sub(stateAtom, () => {})
  await soon(() => expect(store.get(stateAtom).data?.txId).toBe('5'))
})

const of = (tx: number) => store.get(pastListsAtom)('db', String(tx))

async function listOf(tx: number) {
  await of(tx).read(store)
  const list = store.get(of(tx).listAtom)
  return list?.kind === 'done' ? list.keys.map((one) => `${atob(one.key)} ${one.revision}`) : list
}

test('the keys as of a transaction are those that were live then, in the order of bytes', async () => {
  expect(await listOf(1)).toEqual(['a 1', 'b 1'])
  expect(await listOf(2)).toEqual(['a 1', 'b 1', 'c 1'])
  // What is deleted since is there, and what was deleted then is not.
  expect(await listOf(3)).toEqual(['a 1', 'c 1'])
  // By the clock of transaction 4 the key had expired.
  expect(await listOf(4)).toEqual(['a 1', 'b 3'])
})

test('an entry that is in no index hides nothing and is no revision', async () => {
  add(key('z', { nonIndexable: true }), key('b', { nonIndexable: true, deleted: true }))
  add(key('a'))
  expect(await listOf(6)).toEqual(['a 1', 'b 3', 'z 1'])
  expect(await listOf(7)).toEqual(['a 2', 'b 3', 'z 1'])
})

test('what was read is remembered', async () => {
  await listOf(5)
  const count = asked.length
  expect(await listOf(5)).toHaveLength(3)
  expect(await listOf(3)).toEqual(['a 1', 'c 1'])
  expect(asked).toHaveLength(count)
})

test('of a database that was deleted and made again it is read again', async () => {
  await listOf(5)
  history = []
  for (let at = 0; at < 5; at += 1) add(key('new'))
  forgetAnswers(store, 'db')
  expect(store.get(of(5).listAtom)).toBeNull()
  expect(await listOf(5)).toEqual(['new 5'])
})

test('transactions with too many entries to be listed are counted', async () => {
  const wide = history[1]
  if (wide) wide.entries = null
  expect(await listOf(3)).toEqual(['a 1'])
  expect(store.get(of(3).listAtom)).toMatchObject({ kind: 'done', unlisted: 1 })
})

test('it can be cancelled and started again', async () => {
  let release = () => {}
  hold = new Promise((resolve) => {
    release = resolve
  })
  const reading = of(5).read(store)
  await soon(() => expect(asked).toHaveLength(1))
  expect(store.get(of(5).listAtom)).toMatchObject({ kind: 'reading', read: 0, of: 5 })
  of(5).cancel(store)
  release()
  await reading
  expect(store.get(of(5).listAtom)).toEqual({ kind: 'stopped', error: null })
  hold = null
  await of(5).read(store)
  expect(store.get(of(5).listAtom)).toMatchObject({ kind: 'done', unlisted: 0 })
})
