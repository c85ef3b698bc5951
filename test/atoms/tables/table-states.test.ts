// @vitest-environment node
import { createStore } from 'jotai'
import { beforeAll, describe, expect, test } from 'vitest'
import { columnAt, columnPasts, replay } from '~/atoms/tables/table-states'
import { pastTablesAtom } from '~/atoms/transactions/past-tables'
import { stateAtom } from '~/core/history/newest-state'
import { type CatalogueWrite, readRange } from '~/core/history/transaction-reader'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom } from '~/core/session/session'
import { recorded, recordedPairs, recordedResponse } from '../../support/recorded'
import { until } from '../../support/until'

/** A tab in front of the recorded history that was truncated by transaction 11, up to 13. */
function truncatedTab(): Store {
  const store = createStore()
  connect(store, '/api', async (input, init) => {
    const path = String(input)
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    if (path === '/api/db/state') return Response.json({ db: 'cut', txId: '13', txHash: 'AAAA' })
    if (path === '/api/db/tx') {
      const { txs } = recorded('truncation', 'all transactions').response.body as { txs: object[] }
      const first = Number(body.initialTx) - 1
      return Response.json({ txs: txs.slice(first, Math.min(13, first + Number(body.limit))) })
    }
    const [start = ''] = path.split('?')
    const values = recordedPairs.find(
      ({ group, request }) => group === 'truncation' && request.path.split('?')[0] === start,
    )
    return values
      ? recordedResponse(values)
      : Response.json({ error: 'not found', code: 2, message: 'not found' }, { status: 500 })
  })
  openQueryCache(store)
  store.set(databaseAtom, 'cut')
  return store
}

describe('the tables of a truncated past', () => {
  let catalogue: readonly CatalogueWrite[]

  beforeAll(async () => {
    const { get } = truncatedTab()
    catalogue = (await readRange({ get }, 'cut', { from: 1n, to: 13n })).catalogue
  })

  const upTo = (tx: number) => replay(catalogue.filter((change) => Number(change.tx) <= tx)).get(1)

  test('have no names before it, which is no dropping', () => {
    expect(upTo(10)).toMatchObject({ name: null, isPartial: true, droppedTx: null })
  })

  test('are known again from the copy that the truncation wrote', () => {
    expect(upTo(11)).toMatchObject({ name: 'flour', isPartial: false, droppedTx: null })
    const columns = [...(upTo(11)?.columns ?? [])].map(([id, { name }]) => [id, name])
    expect(columns).toEqual([
      [1, 'id'],
      [2, 'grade'],
    ])
  })

  test('have columns whose earlier names are not known', () => {
    const pasts = columnPasts(catalogue, 'flour')
    expect(pasts?.get(2)?.names.map(({ tx, name }) => [tx, name])).toEqual([['11', 'grade']])
    const grade = pasts?.get(2)
    expect(grade && columnAt(grade, '3')).toBeNull()
    expect(pasts?.get(3)).toEqual({ names: [], droppedTx: '6' })
    expect(columnPasts(catalogue, 'nothing')).toBeNull()
  })

  test('are counted without names as of before, and named as of after', async () => {
    const store = truncatedTab()
    store.sub(stateAtom, () => {})
    const tables = (tx: string) => {
      const past = store.get(pastTablesAtom)('cut', tx)
      store.sub(past, () => {})
      return until(
        () => store.get(past),
        (found) => found !== null,
      )
    }
    expect(await tables('5')).toEqual({ tables: [], nameless: 1 })
    const after = await tables('12')
    expect(after?.tables.map(({ name, now, isPartial }) => [name, now, isPartial])).toEqual([
      ['flour', 'flour', false],
    ])
  })
})
