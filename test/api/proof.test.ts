// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type Client, createClient } from '~/api/client'
import {
  documentRequest,
  readDocumentProof,
  readTxPage,
  readVerifiableEntry,
  readVerifiableRow,
  readVerifiableState,
  readVerifiableTx,
} from '~/api/proof'

const of = { database: 'shop', since: '7' }
const raw = { action: 'RAW_VALUE' }
const values = { kvEntriesSpec: raw, zEntriesSpec: raw, sqlEntriesSpec: raw }
const keyRequest = { key: 'YQ==', atTx: '3' }
const document = { collection: 'a/b', id: '0f' }

/** What a call sends, and what it makes of an answer of any form. */
async function sent(call: (client: Client) => Promise<unknown>) {
  const lines: string[] = []
  const bodies: unknown[] = []
  const client = createClient({
    baseURL: '/api',
    token: () => null,
    fetch: async (input, init) => {
      lines.push(`${init?.method} ${decodeURIComponent(String(input))}`)
      bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : null)
      const headers = { 'content-type': 'application/json' }
      return new Response('{"of":["any",{"form":1}]}', { headers })
    },
  })
  return { answer: await call(client), line: lines[0], body: bodies[0] }
}

const entries = (kind: string) => `entriesSpec.${kind}EntriesSpec.action`

describe('calls whose answers carry proofs', () => {
  test.each<[string, (client: Client) => Promise<unknown>, string, unknown]>([
    ['state', (client) => readVerifiableState(client, of), 'GET /api/db/state', null],
    [
      'transaction',
      (client) => readVerifiableTx(client, { ...of, tx: '9', entries: 'all' }),
      'GET /api/db/verifiable/tx/9?proveSinceTx=7',
      null,
    ],
    [
      'transaction without entries',
      (client) => readVerifiableTx(client, { ...of, tx: '9', entries: 'none' }),
      `GET /api/db/verifiable/tx/9?proveSinceTx=7&${entries('kv')}=EXCLUDE`,
      null,
    ],
    [
      'transaction with values',
      (client) => readVerifiableTx(client, { ...of, tx: '9', entries: 'values' }),
      `GET /api/db/verifiable/tx/9?proveSinceTx=7&${['kv', 'z', 'sql'].map((kind) => `${entries(kind)}=RAW_VALUE`).join('&')}`,
      null,
    ],
    [
      'key',
      (client) => readVerifiableEntry(client, { ...of, keyRequest }),
      'POST /api/db/verifiable/get',
      { keyRequest, proveSinceTx: '7' },
    ],
    [
      'row',
      (client) => readVerifiableRow(client, { ...of, table: 't', pkValues: [{ n: '1' }] }),
      'POST /api/db/verifiable/sqlget',
      { sqlGetRequest: { table: 't', pkValues: [{ n: '1' }] }, proveSinceTx: '7' },
    ],
    [
      'document',
      (client) => readDocumentProof(client, { ...of, ...document }),
      'POST /api/v2/collection/a/b/document/0f/proof',
      documentRequest(document, '7'),
    ],
    [
      'page of transactions with values',
      (client) => readTxPage(client, { ...of, initialTx: '1', limit: 10, entries: 'values' }),
      'POST /api/db/tx',
      { initialTx: '1', limit: 10, entriesSpec: values },
    ],
  ])('%s: the answer comes as it is', async (_, call, line, body) => {
    const found = await sent(call)
    expect(found).toEqual({ answer: { of: ['any', { form: 1 }] }, line, body })
  })
})
