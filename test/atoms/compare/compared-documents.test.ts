// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { documentValuesAtom } from '~/atoms/compare/compared-documents'
import {
  type ComparedAs,
  stepsOf,
  type ValueDifference,
  type Written,
} from '~/atoms/compare/values'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'

let store: Store
/** Characters of documents that one answer has room for. */
let room: number

type Audited = { page: number; pageSize: number; omitPayload: boolean; desc: boolean }

/** Revisions of the one document, oldest first; null is a deletion. */
let revisions: { tx: number; text: string | null }[]
let isIndexed: boolean
/** Requests for revisions. */
let asked = 0

const madeUpWrite = {
  ts: '1',
  hValue: '',
  vLen: 0,
  isDeleted: false,
  isNonIndexable: false,
  expiresAt: null,
}
/** Places of revisions whose values the server has no more. */
let gone: ReadonlySet<number>

const refusal = (error: string, status = 500) =>
  Response.json({ error, code: status === 429 ? 8 : 2, message: error }, { status })

function audit({ page, pageSize, omitPayload, desc }: Audited): Response {
  const all = revisions.map(({ tx, text }, at) => ({
    transactionId: String(tx),
    revision: String(at + 1),
    ts: '1',
    ...(text === null ? { metadata: { deleted: true } } : {}),
    ...(text === null || omitPayload ? {} : { document: { text } }),
  }))
  const ordered = desc ? all.reverse() : all
  const found = ordered.slice((page - 1) * pageSize, page * pageSize)
  if (found.length === 0) return refusal('tbtree: no more entries')
  if (!omitPayload && found.some(({ revision }) => gone.has(Number(revision)))) {
    return refusal('EOF')
  }
  if (JSON.stringify(found).length > room) return refusal('received message larger than max', 429)
  return Response.json({ revisions: found })
}

beforeEach(() => {
  room = 1_000_000
  revisions = []
  isIndexed = true
  gone = new Set()
  store = createStore()
  connect(store, '/api', async (input, init) => {
    const path = String(input).replace('/api', '')
    if (path.startsWith('/db/get/')) {
      isIndexed = true
      return refusal('tbtree: key not found')
    }
    if (!isIndexed || !path.startsWith('/v2/collection/c/document/aa')) {
      return refusal('tbtree: key not found: error fetching document history')
    }
    asked += 1
    return audit(JSON.parse(String(init?.body)))
  })
  openQueryCache(store)
})

async function comparedDocuments(from = '10', to = '20') {
  const write = { writes: [], id: 'aa', collectionId: 1 }
  return differences([write, { ...write, id: 'bb', collectionId: 2 }], { from, to })
}

async function differences(
  written: Written[],
  { from = '10', to = '20', as = 'net' as ComparedAs },
) {
  const ends = { database: 'd', from, to, collection: 'c' }
  const query = store.get(store.get(documentValuesAtom)(ends, as, written).listsAtom)()
  const leave = store.sub(query, () => {})
  await expect.poll(() => store.get(query).data ?? store.get(query).error).toBeTruthy()
  leave()
  return short(store.get(query).data?.rows ?? [])
}

const short = (rows: readonly ValueDifference[]) =>
  rows.map(({ action, before, after }) => [action, before?.text, after?.text])

describe('the values of documents at both moments', () => {
  test('are those of the collection alone', async () => {
    revisions = [
      { tx: 5, text: 'one' },
      { tx: 15, text: 'two' },
      { tx: 25, text: 'three' },
    ]
    expect(await comparedDocuments()).toEqual([['changed', '{"text":"one"}', '{"text":"two"}']])
  })

  test('wait for the index, so that a new document is not taken for one of another collection', async () => {
    revisions = [{ tx: 15, text: 'new' }]
    isIndexed = false
    expect(await comparedDocuments()).toEqual([['added', undefined, '{"text":"new"}']])
  })

  test('are read alone where the revisions are more than one answer takes', async () => {
    revisions = Array.from({ length: 120 }, (_, at) => ({ tx: at + 1, text: 'x'.repeat(100) }))
    revisions[49] = { tx: 50, text: 'old' }
    revisions[99] = { tx: 100, text: 'new' }
    room = 8_000
    expect(await comparedDocuments('50', '100')).toEqual([
      ['changed', '{"text":"old"}', '{"text":"new"}'],
    ])
  })

  test('that are gone or too large say so, for that moment alone', async () => {
    revisions = [
      { tx: 5, text: 'one' },
      { tx: 15, text: 'two' },
    ]
    gone = new Set([1])
    expect(await comparedDocuments()).toEqual([
      ['changed', 'not read: the server no longer has its value', '{"text":"two"}'],
    ])
    gone = new Set()
    room = 300
    revisions[1] = { tx: 15, text: 'y'.repeat(400) }
    openQueryCache(store)
    expect(await comparedDocuments()).toEqual([
      ['changed', '{"text":"one"}', 'not read: larger than 4 MiB'],
    ])
  })
})

test('every step of a document stands beside the revision before it, read in one request', async () => {
  revisions = [
    { tx: 5, text: 'one' },
    { tx: 12, text: 'two' },
    { tx: 15, text: null },
    { tx: 25, text: 'since' },
  ]
  const writes = ['12', '15'].map((tx) => ({ ...madeUpWrite, tx }))
  const steps = stepsOf([{ id: 'aa', collectionId: 1, writes }])
  const before = asked
  expect(await differences(steps, { as: 'steps' })).toEqual([
    ['changed', '{"text":"one"}', '{"text":"two"}'],
    ['deleted', '{"text":"two"}', undefined],
  ])
  expect(asked - before).toBe(1)
})
