// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { keyOf, type RowsBefore } from '~/atoms/transactions/changed-rows'
import {
  type DocumentThen,
  documentsAtom,
  keyValuesAtom,
  rowsBeforeAtom,
  type TxValues,
  txsAtom,
  txValuesAtom,
} from '~/atoms/transactions/transaction'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import type { KeyContent } from '~/proof/stored-entry'
import { PastServer } from '../../support/past-server'
import { recorded } from '../../support/recorded'
import { until } from '../../support/until'

let server: PastServer
let store: Store
/** What a test answers in place of the server; undefined for what the server says. */
let instead: (path: string) => Response | undefined

beforeEach(() => {
  server = new PastServer()
  instead = () => undefined
  store = createStore()
  connect(store, '/api', async (input, init) => {
    const path = String(input).replace('/api', '')
    return instead(path) ?? server.answer(input, init)
  })
  openQueryCache(store)
})

async function settled<T>(atom: Parameters<Store['get']>[0]): Promise<T> {
  store.sub(atom, () => {})
  const read = () => store.get(atom) as { data?: T; error: unknown }
  const isThere = (found: { data?: T; error: unknown }) =>
    found.data !== undefined || found.error !== null
  const { data, error } = await until(read, isThere)
  if (data === undefined) throw error
  return data
}

const refusal = (text: string, status = 500) =>
  Response.json({ error: text, code: status === 429 ? 8 : 2, message: text }, { status })
const tooLarge = 'grpc: received message larger than max (6000000 vs. 4194304)'

describe('the values of a transaction', () => {
  const values = (id: string) => settled<TxValues>(store.get(txValuesAtom)('odd', id))

  test('come by their stored keys', async () => {
    const { byKey, tooLarge, refusal } = await values('3')
    expect([...byKey.keys()]).toEqual(['AHJlZg=='])
    expect([tooLarge, refusal]).toEqual([[], null])
  })

  test('are asked for by kinds when they are too large together', async () => {
    instead = (path) => (path.includes('kvEntriesSpec') ? refusal(tooLarge, 429) : undefined)
    expect((await values('10')).tooLarge).toEqual(['keys'])
    expect((await values('10')).byKey.size).toBe(2)
  })

  test('that a truncation removed are told apart from those that are refused', async () => {
    instead = (path) => (path.includes('kvEntriesSpec') ? refusal('EOF') : undefined)
    expect(await values('3')).toMatchObject({ areGone: true, refusal: null, tooLarge: [] })
  })

  test('that the server refuses are told with its words', async () => {
    instead = (path) => (path.includes('?') ? refusal('value was truncated') : undefined)
    expect(await values('3')).toMatchObject({ refusal: 'value was truncated', tooLarge: [] })
  })

  test('of one key alone are null when even that is too large or gone', async () => {
    instead = () => refusal(tooLarge, 429)
    expect(await ofOneKey()).toBeNull()
  })

  test.for([
    ['the newest value', {}, 0n],
    ['the value of a transaction', { atTx: '7' }, 7n],
  ] as const)('of a reference to %s are not those of the other key', async ([, bound, atTx]) => {
    const referencedBy = { tx: '33', key: 'YQ==', ...bound }
    const answer = { tx: '7', key: 'Yg==', value: 'Yg==', referencedBy }
    instead = () => Response.json(answer)
    const key = Uint8Array.of(98)
    expect(await ofOneKey()).toEqual({ kind: 'reference', key, atTx })
  })

  function ofOneKey() {
    return settled<KeyContent | null>(store.get(keyValuesAtom)('odd', '33', 'YQ=='))
  }
})

test('a transaction that does not exist is an error that says so', async () => {
  await expect(settled(store.get(txsAtom)('odd', '99'))).rejects.toMatchObject({
    reason: 'tx-not-found',
  })
})

describe('rows before a transaction', () => {
  const keys = [
    [{ column: 'id', type: 'INTEGER', value: '1' }],
    [{ column: 'id', type: 'INTEGER', value: '2' }],
  ]
  const rowsThen = (tx: string) =>
    settled<RowsBefore>(
      store.get(rowsBeforeAtom)(JSON.stringify({ database: 'odd', tx, table: 'parts', keys })),
    )

  test('come in one statement, by their keys', async () => {
    let asked = ''
    server.queries = (sql) => {
      asked = sql
      return {
        columns: [
          { name: '(parts.id)', type: 'INTEGER' },
          { name: '(parts.name)', type: 'VARCHAR' },
        ],
        rows: [{ values: [{ n: '1' }, { s: 'bolt' }] }],
      }
    }
    const found = await rowsThen('13')
    expect(asked).toBe(
      'SELECT * FROM parts BEFORE TX 13 WHERE id = 1 UNION ALL SELECT * FROM parts BEFORE TX 13 WHERE id = 2;',
    )
    expect(found.get(keyOf(['1']))?.get('name')).toEqual({ type: 'VARCHAR', value: 'bolt' })
    expect(found.has(keyOf(['2']))).toBe(false)
  })

  test('that cannot be read are unknown, and hide no others', async () => {
    const rows = (sql: string) => (sql.includes('id = 2') ? ['2'] : ['1'])
    instead = () => undefined
    connect(store, '/api', async (_, init) => {
      const { sql } = JSON.parse(String(init?.body))
      if (sql.includes('id = 1')) return refusal(tooLarge, 429)
      return Response.json({
        columns: [{ name: '(parts.id)', type: 'INTEGER' }],
        rows: rows(sql).map((n) => ({ values: [{ n }] })),
      })
    })
    const found = await rowsThen('13')
    expect(found.get(keyOf(['1']))).toBeNull()
    expect(found.get(keyOf(['2']))?.get('id')?.value).toBe('2')
  })

  test('are none before the first one, which is not asked for', async () => {
    expect((await rowsThen('1')).size).toBe(0)
    expect(server.asked).toEqual([])
  })
})

describe('a document', () => {
  const { revisions } = recorded('past', 'audit of a document').response.body as {
    revisions: { documentId: string }[]
  }
  const id = revisions[0]?.documentId ?? ''
  const document = (tx: string) =>
    settled<DocumentThen | null>(store.get(documentsAtom)('odd', tx, '1', id))

  test('comes with its revision before and the name of its collection', async () => {
    const found = await document('29')
    expect(found).toMatchObject({
      collection: 'orders',
      now: { revision: '2', document: { total: 4.5, paid: true } },
      before: { revision: '1', document: { total: 3.5 } },
    })
    expect((await document('28'))?.before).toBeNull()
  })

  test('is null in a transaction that did not write it', async () => {
    expect(await document('31')).toBeNull()
  })

  test('is null when its collection is gone', async () => {
    instead = (path) => (path === '/v2/collections' ? Response.json({}) : undefined)
    expect(await document('29')).toBeNull()
  })

  test('is asked for again once the index has its transaction', async () => {
    let isIndexed = false
    instead = (path) => {
      if (path.startsWith('/db/get/')) {
        isIndexed = true
        return refusal('tbtree: key not found')
      }
      const isAudit = path.endsWith('/audit') && !isIndexed
      return isAudit ? refusal('tbtree: key not found: error fetching document history') : undefined
    }
    expect((await document('29'))?.now.revision).toBe('2')
  })

  test('that is not yet in the index after a second is said to be so', async () => {
    const behind = 'watchers: max waiting limit exceeded'
    instead = (path) => (path.startsWith('/db/get/') ? refusal(behind) : undefined)
    await expect(document('31')).rejects.toMatchObject({ kind: 'index-behind' })
  })

  test('is read alone where its revisions are more than one answer takes', async () => {
    connect(store, '/api', async (input, init) => {
      if (!String(input).endsWith('/audit')) return server.answer(input, init)
      const { page, pageSize, omitPayload, desc } = JSON.parse(String(init?.body))
      if (pageSize > 1 && !omitPayload) return refusal(tooLarge, 429)
      const all = Array.from({ length: 45 }, (_, at) => ({
        transactionId: String(at + 1),
        revision: String(at + 1),
        ...(omitPayload ? {} : { document: { at } }),
        ts: '1',
      }))
      const inOrder = desc ? all.toReversed() : all
      const found = inOrder.slice((page - 1) * pageSize, page * pageSize)
      return found.length > 0
        ? Response.json({ revisions: found })
        : refusal('tbtree: no more entries')
    })
    const shown = async (tx: string) => {
      const found = await document(tx)
      return [found?.now.document, found?.before?.document]
    }
    expect(await shown('26')).toEqual([{ at: 25 }, { at: 24 }])
    expect(await shown('21')).toEqual([{ at: 20 }, { at: 19 }])
    expect(await shown('1')).toEqual([{ at: 0 }, undefined])
  })

  test.each([
    [2, 'gone', null],
    [1, null, 'gone'],
  ])('keeps its place where revisions up to %d were truncated', async (goneUpTo, now, before) => {
    connect(store, '/api', async (input, init) => {
      if (!String(input).endsWith('/audit')) return server.answer(input, init)
      const { omitPayload, page, pageSize, desc } = JSON.parse(String(init?.body))
      const all = [1, 2].map((at) => ({
        transactionId: String(27 + at),
        revision: String(at),
        ...(omitPayload ? {} : { document: { at } }),
      }))
      const inOrder = desc ? all.toReversed() : all
      const found = inOrder.slice((page - 1) * pageSize, page * pageSize)
      const isGone = found.some(({ revision }) => Number(revision) <= goneUpTo)
      return isGone && !omitPayload
        ? refusal('EOF: error fetching document history')
        : Response.json({ revisions: found })
    })
    const found = await document('29')
    expect(found).toMatchObject({
      collection: 'orders',
      now: { tx: '29', revision: '2', hidden: now },
      before: { tx: '28', revision: '1', hidden: 'gone' },
    })
    expect(found?.now.document).toEqual(now === null ? { at: 2 } : null)
    expect(found?.before?.hidden).toBe(before ?? 'gone')
  })

  test('is found among many revisions by bisection', async () => {
    const all = Array.from({ length: 3_000 }, (_, at) => ({
      transactionId: String(at * 2 + 1),
      revision: String(at + 1),
      document: { at },
      ts: '1',
    }))
    let calls = 0
    connect(store, '/api', async (input, init) => {
      if (!String(input).endsWith('/audit')) return server.answer(input, init)
      calls += 1
      const { page, pageSize, desc } = JSON.parse(String(init?.body))
      const inOrder = desc ? all.toReversed() : all
      const found = inOrder.slice((page - 1) * pageSize, page * pageSize)
      return found.length > 0
        ? Response.json({ revisions: found })
        : refusal('tbtree: offset out of range: error fetching document history')
    })
    const found = await document('4001')
    expect([found?.now.document, found?.before?.document]).toEqual([{ at: 2_000 }, { at: 1_999 }])
    expect(calls).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(3_000 / 20)))
  })
})
