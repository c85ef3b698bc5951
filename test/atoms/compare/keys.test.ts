// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  documentValuesAtom,
  keyValuesAtom,
  type ValueDifference,
  type Written,
} from '~/atoms/compare/keys'
import { connect, type Store } from '~/atoms/session/client'
import { openQueryCache } from '~/atoms/session/query-client'
import { permissionsAtom } from '~/atoms/session/session'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'

const b = (text: string) => bytesToBase64(encodeUtf8(text))

type Revision = { tx: number; value: string | null }

let store: Store
/** Oldest first. */
let keys: Map<string, Revision[]>
let sent: { path: string; body: Record<string, unknown> }[]
/** Characters of values that one answer has room for. */
let room: number
/** Called before each answer. */
let onAnswer: (path: string) => void

function wire(key: string, revisions: Revision[], at: number) {
  const { tx, value } = revisions[at] ?? { tx: 0, value: null }
  return {
    key: b(key),
    tx: String(tx),
    revision: String(at + 1),
    ...(value ? { value: b(value) } : {}),
    ...(value === null ? { metadata: { deleted: true } } : {}),
  }
}

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const path = String(input).replace('/api', '')
  const body = JSON.parse(String(init?.body))
  sent.push({ path, body })
  onAnswer(path)
  const named = (key: string) => Buffer.from(key, 'base64').toString()
  const entries =
    path === '/db/getall'
      ? body.keys.map(named).flatMap((key: string) => {
          const revisions = keys.get(key) ?? []
          return revisions.at(-1)?.value === null
            ? []
            : [wire(key, revisions, revisions.length - 1)]
        })
      : [...(keys.get(named(body.key)) ?? []).keys()]
          .reverse()
          .slice(Number(body.offset), Number(body.offset) + body.limit)
          .map((at) => wire(named(body.key), keys.get(named(body.key)) ?? [], at))
  if (JSON.stringify(entries).length > room) {
    const message = 'grpc: received message larger than max (5000000 vs. 4194304)'
    return Response.json({ error: message, code: 8, message }, { status: 429 })
  }
  return Response.json({ entries })
}

beforeEach(() => {
  keys = new Map()
  sent = []
  room = 1_000_000
  onAnswer = () => {}
  store = createStore()
  connect(store, '/api', answer)
  openQueryCache(store)
  store.set(permissionsAtom, [{ database: 'd', permission: 2 }])
})

/** What a range of transactions wrote to a key, as reading it would tell. */
function writtenTo(key: string, from: number, to: number): Written {
  const writes = (keys.get(key) ?? []).flatMap(({ tx, value }) =>
    tx > from && tx <= to
      ? [
          {
            tx: String(tx),
            ts: '1',
            hValue: '',
            vLen: 1,
            isDeleted: value === null,
            expiresAt: null,
            isNonIndexable: false,
          },
        ]
      : [],
  )
  return { id: b(key), writes }
}

/** The first page of what changed in (10, 20]. */
async function compared(isWhole = true): Promise<readonly ValueDifference[]> {
  const written = [...keys.keys()].map((key) => writtenTo(key, 10, 20))
  const ends = { database: 'd', from: '10', to: '20', isWhole }
  const query = store.get(keyValuesAtom)(ends, '', written)
  const leave = store.sub(query, () => {})
  await expect.poll(() => store.get(query).data ?? store.get(query).error).toBeTruthy()
  leave()
  return store.get(query).data?.pages[0]?.rows ?? []
}

const paths = () => sent.map(({ path }) => path)
const short = (rows: readonly ValueDifference[]) =>
  rows.map(({ action, before, after }) => [action, before?.text, after?.text])

describe('the values of keys at both moments', () => {
  test('of a page of new keys take one request', async () => {
    for (let at = 0; at < 50; at += 1) keys.set(`new:${at}`, [{ tx: 15, value: `v${at}` }])
    const rows = await compared()
    expect(rows).toHaveLength(50)
    expect(short(rows)[7]).toEqual(['added', undefined, 'v7'])
    expect(paths()).toEqual(['/db/getall'])
  })

  test('are read one by one for those that may not write, and where writes are not known', async () => {
    keys.set('a', [{ tx: 15, value: 'new' }])
    expect(short(await compared(false))).toEqual([['added', undefined, 'new']])
    expect(paths()).toEqual(['/db/getall', '/db/history'])
    store.set(permissionsAtom, [{ database: 'd', permission: 1 }])
    openQueryCache(store)
    sent = []
    expect(short(await compared())).toEqual([['added', undefined, 'new']])
    expect(paths()).toEqual(['/db/history'])
  })

  test('of changed and deleted keys take as many revisions as are needed', async () => {
    keys.set('changed', [
      { tx: 2, value: 'first' },
      { tx: 9, value: 'old' },
      { tx: 12, value: 'passing' },
      { tx: 20, value: 'new' },
    ])
    keys.set('deleted', [
      { tx: 3, value: 'gone' },
      { tx: 11, value: null },
    ])
    keys.set('passing', [
      { tx: 11, value: 'short' },
      { tx: 12, value: null },
    ])
    expect(short(await compared())).toEqual([
      ['changed', 'old', 'new'],
      ['deleted', 'gone', undefined],
      ['passing', undefined, undefined],
    ])
    const limits = sent.flatMap(({ path, body }) => (path === '/db/history' ? [body.limit] : []))
    expect(limits).toEqual([3, 2, 3])
  })

  test('of a key with 10,000 revisions since are found by bisection', async () => {
    const later = Array.from({ length: 10_000 }, (_, at) => ({ tx: 21 + at, value: `l${at}` }))
    keys.set('k', [{ tx: 5, value: 'old' }, { tx: 15, value: 'new' }, ...later])
    expect(short(await compared())).toEqual([['changed', 'old', 'new']])
    expect(sent.length).toBeLessThan(32)
  })

  test('stay right while the key is written again', async () => {
    keys.set('k', [
      { tx: 5, value: 'old' },
      { tx: 15, value: 'new' },
      ...Array.from({ length: 40 }, (_, at) => ({ tx: 21 + at, value: 'later' })),
    ])
    let next = 100
    onAnswer = (path) => {
      if (path === '/db/history' && next < 106)
        keys.get('k')?.push({ tx: next++, value: 'just now' })
    }
    expect(short(await compared())).toEqual([['changed', 'old', 'new']])
  })

  test('are read singly where several are too large for an answer', async () => {
    room = 3_000
    keys.set('k', [
      { tx: 5, value: 'o'.repeat(2_000) },
      { tx: 15, value: 'n'.repeat(2_000) },
    ])
    const [row] = await compared()
    expect(row).toMatchObject({
      before: { text: 'o'.repeat(2_000), isKnown: true },
      after: { text: 'n'.repeat(2_000), isKnown: true },
    })
  })

  test('that no answer can hold are said to be unread', async () => {
    room = 1_000
    keys.set('k', [
      { tx: 5, value: 'old' },
      { tx: 15, value: 'n'.repeat(2_000) },
    ])
    const [row] = await compared()
    expect(row?.after?.text).toMatch(/^not read/)
  })
})

describe('the values of documents at both moments', () => {
  type Audited = { page: number; pageSize: number; omitPayload: boolean; desc: boolean }

  /** Revisions of the one document, oldest first; null is a deletion. */
  let revisions: { tx: number; text: string | null }[]
  let isIndexed: boolean
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
    revisions = []
    isIndexed = true
    gone = new Set()
    connect(store, '/api', async (input, init) => {
      const path = String(input).replace('/api', '')
      sent.push({ path, body: {} })
      if (path.startsWith('/db/get/')) {
        isIndexed = true
        return refusal('tbtree: key not found')
      }
      if (!isIndexed || !path.startsWith('/v2/collection/c/document/aa')) {
        return refusal('tbtree: key not found: error fetching document history')
      }
      return audit(JSON.parse(String(init?.body)))
    })
    openQueryCache(store)
  })

  async function comparedDocuments(from = '10', to = '20') {
    const write = { ...writtenTo('none', 0, 0), id: 'aa', collectionId: 1 }
    const query = store.get(documentValuesAtom)({ database: 'd', from, to, collection: 'c' }, [
      write,
      { ...write, id: 'bb', collectionId: 2 },
    ])
    const leave = store.sub(query, () => {})
    await expect.poll(() => store.get(query).data ?? store.get(query).error).toBeTruthy()
    leave()
    return short(store.get(query).data?.pages[0]?.rows ?? [])
  }

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
