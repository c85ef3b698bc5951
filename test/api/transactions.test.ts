// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { createClient } from '~/api/client'
import { ApiError } from '~/api/errors'
import {
  listTransactions,
  listTxKeys,
  readTransaction,
  readTransactions,
  readTransactionValues,
} from '~/api/transactions'
import { recorded, recordedResponse } from '../support/recorded'

type Sent = { url: string; body: Record<string, unknown> }

/** A client of a server that answers by name of what was recorded. */
function clientOf(answer: (sent: Sent) => string | Response) {
  const sent: Sent[] = []
  const client = createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async (input, init) => {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
      const request = { url: String(input), body }
      sent.push(request)
      const given = answer(request)
      return typeof given === 'string' ? recordedResponse(recorded('past', given)) : given
    },
  })
  return { client, sent }
}

const database = 'odd'

describe('a page of transactions', () => {
  test('brings all entries by their digests', async () => {
    const { client, sent } = clientOf(() => 'page of digests')
    const page = await readTransactions(client, { database, from: '1', limit: 31 })
    expect(sent[0]?.body).toEqual(recorded('past', 'page of digests').request.body)
    expect(page).toHaveLength(31)
    expect(page.map(({ header, entries }) => header.nentries - (entries?.length ?? 0))).toEqual(
      page.map(() => 0),
    )
    expect(
      page[1]?.entries?.map(({ expiresAt, isNonIndexable }) => [expiresAt, isNonIndexable]),
    ).toEqual([
      [null, false],
      [null, false],
      [expect.stringMatching(/^\d{10}$/), false],
      [null, true],
    ])
    expect(page[17]?.entries?.map(({ isDeleted }) => isDeleted)).toContain(true)
    expect(page[26]?.header.metadata.extra).toBe('aW1tdWRi')
  })

  test('comes newest first too, and headers alone in both orders', async () => {
    const { client, sent } = clientOf(() => 'headers, newest first')
    await readTransactions(client, { database, upTo: '31', limit: 5 })
    const headers = await listTransactions(client, { database, upTo: '31', limit: 31 })
    await listTransactions(client, { database, from: '7', limit: 1 })
    expect(headers.map(({ id }) => id).slice(0, 2)).toEqual(['31', '30'])
    expect(sent.map(({ body }) => body)).toEqual([
      { initialTx: '31', desc: true, limit: 5 },
      { initialTx: '31', desc: true, limit: 31, entriesSpec: {} },
      { initialTx: '7', limit: 1, entriesSpec: {} },
    ])
  })

  test('over 4 MiB is asked for in smaller ones, at last as the header alone', async () => {
    const { client, sent } = clientOf(({ body }) =>
      body.entriesSpec ? 'headers, newest first' : 'too wide',
    )
    const page = await readTransactions(client, { database, upTo: '31', limit: 40 })
    expect(sent.map(({ body }) => body.limit)).toEqual([40, 5, 1, 1])
    expect(page[0]).toMatchObject({ header: { id: '31' }, entries: null })
  })

  test('fails with any other failure', async () => {
    const { client } = clientOf(() => 'unknown')
    const page = readTransactions(client, { database, from: '1', limit: 31 })
    await expect(page).rejects.toMatchObject({ reason: 'tx-not-found' })
  })

  test.each([
    [{ key: 'AA==' }],
    [{ key: '', hValue: 'AA==' }],
    [{ key: 'AA==', hValue: 'AA==', vLen: '3' }],
    [{ key: 'AA==', hValue: 'AA==', metadata: { deleted: 'yes' } }],
    ['AA=='],
  ])('is refused with an entry like %j', async (entry) => {
    const { client } = clientOf(() =>
      Response.json({ txs: [{ header: { id: '1' }, entries: [entry] }] }),
    )
    const page = readTransactions(client, { database, from: '1', limit: 31 })
    await expect(page).rejects.toMatchObject({ kind: 'bad-answer' })
  })
})

describe('one transaction', () => {
  test('brings its entries by their digests', async () => {
    const { client, sent } = clientOf(() => 'digests of a moved row')
    const { header, entries } = await readTransaction(client, { database, id: '13' })
    expect(sent[0]?.url).toBe('/api/db/tx/13')
    expect(header).toMatchObject({ id: '13', nentries: 2, version: 1, blTxId: '12' })
    expect(entries?.map(({ isDeleted, vLen }) => [isDeleted, vLen])).toEqual([
      [true, 48],
      [false, 49],
    ])
  })

  test('with more entries than one answer takes comes as its header', async () => {
    const { client } = clientOf(({ url }) =>
      url.endsWith('/db/tx') ? 'headers, newest first' : 'too wide',
    )
    expect(await readTransaction(client, { database, id: '31' })).toMatchObject({
      header: { id: '31' },
      entries: null,
    })
  })

  test('that does not exist is said', async () => {
    const { client } = clientOf(() => 'unknown')
    const found = readTransaction(client, { database, id: '99' })
    await expect(found).rejects.toMatchObject({ reason: 'tx-not-found' })
  })

  test('brings the stored values of the kinds asked for', async () => {
    const { client, sent } = clientOf(() => 'values of reference')
    const [entry] = await readTransactionValues(client, { database, id: '3', of: ['keys', 'sql'] })
    expect(sent[0]?.url).toBe(
      '/api/db/tx/3?entriesSpec.kvEntriesSpec.action=RAW_VALUE&entriesSpec.sqlEntriesSpec.action=RAW_VALUE',
    )
    expect(Buffer.from(entry?.value ?? '', 'base64').toString()).toContain('greeting')
  })

  test('with values over 4 MiB fails as such', async () => {
    const { client } = clientOf(() => 'too wide')
    const values = readTransactionValues(client, { database, id: '35', of: ['keys'] })
    await expect(values).rejects.toSatisfy(
      (error) => error instanceof ApiError && error.kind === 'too-large',
    )
  })
})

test.each([{ upTo: '0' }, { from: '0' }])(
  'of %j, the number of an empty database, nothing is asked: the server would refuse it',
  async (range) => {
    const { client, sent } = clientOf(() => 'page of digests')
    const asked = { database, limit: 10, ...range }
    expect(await listTransactions(client, asked)).toEqual([])
    expect(await readTransactions(client, asked)).toEqual([])
    expect(await listTxKeys(client, { database, from: '0', count: 1 })).toEqual([])
    expect(sent).toEqual([])
  },
)
