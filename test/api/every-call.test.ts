// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { scanAuditLog } from '~/api/audit-log'
import { login, logout, openAccess, openDatabase, openInSession } from '~/api/auth'
import { listCheckpoints, readCheckpointsFile } from '~/api/checkpoints'
import { type Client, createClient } from '~/api/client'
import {
  changeCollection,
  describeCollections,
  listCollections,
  readIdField,
} from '~/api/collections'
import { createDatabase, readSettings, updateSettings } from '~/api/database-settings'
import * as work from '~/api/databases'
import { listDatabases } from '~/api/databases'
import * as search from '~/api/document-search'
import {
  auditDocument,
  countDocuments,
  deleteDocument,
  insertDocuments,
  replaceDocument,
} from '~/api/documents'
import { readEntryLimit } from '~/api/entry-limit'
import { ApiError, sentence } from '~/api/errors'
import {
  countKeys,
  deleteKey,
  getKey,
  getKeys,
  listRevisions,
  scanKeys,
  setKey,
  setReference,
  waitForIndex,
} from '~/api/keys'
import { fetchMetrics, parseMetrics } from '~/api/metrics'
import { execAll } from '~/api/operations'
import { readDockerToken, readManifest, readStars } from '~/api/outside-immudb'
import * as proof from '~/api/proof'
import { readHealth, readIdentity, readPageHeaders, readServerInfo, readState } from '~/api/server'
import { listHoldings, readStart } from '~/api/server-databases'
import { listServers } from '~/api/servers'
import { scanSet } from '~/api/sorted-sets'
import { execSql, querySql } from '~/api/sql'
import { describeTable, listColumns, listIndexes, listTables } from '~/api/tables'
import {
  listTransactions,
  listTxKeys,
  readTransaction,
  readTransactions,
  readTransactionValues,
} from '~/api/transactions'
import {
  changePassword,
  changePermission,
  changePrivileges,
  createUser,
  listUsers,
  setActive,
} from '~/api/users'
import { everything } from '~/immudb/document-query'
import { ResultShapeError, readResult } from '~/sql/result'
import { draw } from '../support/drawn'
import { listOf } from '../support/fake-servers'
import { mutants } from '../support/mutants'
import { type Recorded, recorded, recordedPairs } from '../support/recorded'

const database = 'shop'
const of = { database }
const [user, key, table] = ['bob', 'YQ==', 't']
const nothingSet = new Map<string, string>()
const never = new AbortController().signal
const searchPage = { session: 's', page: 1, pageSize: 2, keepOpen: true }

type Case = {
  readonly call: (client: Client) => Promise<unknown>
  /** A good answer of the server. */
  readonly good: unknown
  /** Whether no change of the answer matters, because only that it came does. */
  readonly isBare?: boolean
}

const bare = (call: Case['call'], good: unknown = {}): Case => ({ call, good, isBare: true })
const seen = (call: Case['call'], group: string, name: string): Case => ({
  call,
  good: recorded(group, name).response.body,
})

/** The fullest recorded good answer of a path. */
function answerOf(method: string, path: RegExp): unknown {
  const [found] = recordedPairs
    .filter(
      ({ request, response }) =>
        request.method === method && path.test(request.path) && response.status === 200,
    )
    .sort((a, b) => size(b) - size(a))
  if (!found) throw new Error(`nothing was recorded for ${method} ${path}`)
  return found.response.body
}

function size({ response }: Recorded): number {
  return JSON.stringify(response.body).length
}

const settings = { databases: [{ ...firstDatabase(), name: database }] }

function firstDatabase(): object {
  return Object(recorded('databases', 'list v2').response.body).databases[0]
}

/** Every function of src/api that asks a server for something. */
const cases: Record<string, Case> = {
  login: seen((client) => login(client, 'a', 'b'), 'auth', 'login default password'),
  logout: bare(logout),
  openDatabase: {
    call: (client) => openDatabase(client, database),
    good: answerOf('GET', /^\/api\/db\/use\//),
  },
  openInSession: {
    call: (client) => openInSession(client, database, 's'),
    good: answerOf('GET', /^\/api\/db\/use\//),
  },
  openAccess: {
    ...seen((client) => openAccess(client, database), 'maintenance', 'use without token'),
    // What cannot be understood means that the server wants a login.
    isBare: true,
  },
  readSettings: { call: (client) => readSettings(client, database), good: settings },
  readEntryLimit: {
    call: (client) => readEntryLimit(client, of),
    good: { databaseName: 'shop', maxTxEntries: 1_024 },
  },
  createDatabase: {
    call: (client) => createDatabase(client, { name: database, settings: nothingSet }),
    good: answerOf('POST', /^\/api\/db\/create\/v2$/),
  },
  updateSettings: {
    call: (client) => updateSettings(client, { name: database, settings: nothingSet }),
    good: answerOf('POST', /^\/api\/db\/update\/v2$/),
  },
  loadDatabase: { call: (client) => work.loadDatabase(client, database), good: { database } },
  unloadDatabase: { call: (client) => work.unloadDatabase(client, database), good: { database } },
  deleteDatabase: { call: (client) => work.deleteDatabase(client, database), good: { database } },
  truncateDatabase: {
    call: (client) => work.truncateDatabase(client, { ...of, retention: 1 }),
    good: { database },
  },
  flushIndex: {
    call: (client) => work.flushIndex(client, { ...of, cleanup: '1', isSynced: true }),
    good: { database },
  },
  compactIndex: bare((client) => work.compactIndex(client, database)),
  listDatabases: seen(listDatabases, 'databases', 'list v2'),
  listHoldings: seen((client) => listHoldings(client, never), 'databases', 'list v2'),
  listServers: bare(listServers, listOf(['eu', 'us'])),
  // What cannot be understood means that the host has no such list.
  listCheckpoints: bare(listCheckpoints, {
    files: [{ name: 'a', origin: 'immudb/x/a', size: 9, modified: '2026-01-02T03:04:05Z' }],
    isCut: false,
  }),
  readCheckpointsFile: bare((client) => readCheckpointsFile(client, '/checkpoints/a', never)),
  readManifest: {
    call: readManifest,
    good: { version: '1', commit: 'c', entry: 'e', files: [{ path: 'p', size: 1, sha256: 's' }] },
  },
  readDockerToken: { call: (client) => readDockerToken(client, '/docker'), good: { token: 't' } },
  readStars: { call: (client) => readStars(client, '/stars'), good: { stargazers_count: 9 } },
  scanKeys: seen(
    (client) => scanKeys(client, { ...of, prefix: '', after: null, offset: 0, limit: 9 }),
    'kv',
    'scan all',
  ),
  scanAuditLog: seen(
    (client) => scanAuditLog(client, { from: null, end: null, limit: 8 }),
    'audit-log',
    'newest',
  ),
  getKey: seen((client) => getKey(client, { ...of, key }), 'kv', 'get reference'),
  waitForIndex: bare((client) => waitForIndex(client, of), recorded('kv', 'get').response.body),
  countKeys: seen((client) => countKeys(client, { ...of, prefix: key }), 'kv', 'count'),
  scanSet: seen(
    (client) => scanSet(client, { ...of, set: key, after: null, offset: 0, limit: 9 }),
    'kv',
    'zscan',
  ),
  execAll: seen((client) => execAll(client, { ...of, body: {} }), 'kv', 'execall'),
  getKeys: seen((client) => getKeys(client, { ...of, keys: [key] }), 'kv', 'getall'),
  listRevisions: seen(
    (client) => listRevisions(client, { ...of, key, offset: 0, limit: 9 }),
    'kv',
    'history deleted',
  ),
  setKey: {
    call: (client) =>
      setKey(client, {
        ...of,
        key,
        value: key,
        expiresAt: null,
        precondition: { kind: 'must-exist' },
      }),
    good: answerOf('POST', /^\/api\/db\/set$/),
  },
  setReference: seen(
    (client) =>
      setReference(client, {
        ...of,
        key,
        target: key,
        atTx: null,
        precondition: { kind: 'must-exist' },
      }),
    'kv',
    'setreference',
  ),
  deleteKey: seen((client) => deleteKey(client, { ...of, key }), 'kv', 'deletekey'),
  fetchMetrics: bare((client) => fetchMetrics(client, '/metrics')),
  changePermission: bare((client) =>
    changePermission(client, { ...of, action: 'GRANT', user, permission: 1 }),
  ),
  changePrivileges: bare((client) =>
    changePrivileges(client, { ...of, action: 'GRANT', user, privileges: [] }),
  ),
  // Answers that carry proofs are handed on as they are; the engine refuses what is spoiled.
  readVerifiableState: bare((client) => proof.readVerifiableState(client, of)),
  readVerifiableTx: bare((client) =>
    proof.readVerifiableTx(client, { ...of, tx: '1', since: '1', entries: 'all' }),
  ),
  readVerifiableEntry: bare((client) =>
    proof.readVerifiableEntry(client, { ...of, keyRequest: { key }, since: '1' }),
  ),
  readVerifiableRow: bare((client) =>
    proof.readVerifiableRow(client, { ...of, table, pkValues: [{ n: '1' }], since: '1' }),
  ),
  readDocumentProof: bare((client) =>
    proof.readDocumentProof(client, { ...of, collection: table, id: 'a', since: '1' }),
  ),
  readTxPage: bare((client) => proof.readTxPage(client, { ...of, initialTx: '1', limit: 9 })),
  readHealth: { call: readHealth, good: answerOf('GET', /^\/api\/health$/) },
  readIdentity: { call: readIdentity, good: answerOf('GET', /^\/api\/health$/) },
  readPageHeaders: bare(readPageHeaders),
  readServerInfo: { call: readServerInfo, good: answerOf('GET', /^\/api\/serverinfo$/) },
  readStart: {
    call: (client) => readStart(client, never),
    good: answerOf('GET', /^\/api\/serverinfo$/),
  },
  readState: {
    call: (client) => readState(client, database),
    good: answerOf('GET', /^\/api\/db\/state$/),
  },
  querySql: {
    call: async (client) => readResult(await querySql(client, { ...of, sql: 'X;' })),
    good: answerOf('POST', /^\/api\/db\/sqlquery$/),
  },
  execSql: seen((client) => execSql(client, { ...of, sql: 'X;' }), 'sql', 'update'),
  listTables: {
    call: (client) => listTables(client, of),
    good: answerOf('GET', /^\/api\/db\/table\/list$/),
  },
  describeTable: seen((client) => describeTable(client, { ...of, table }), 'sql', 'describe'),
  listIndexes: seen((client) => listIndexes(client, { ...of, table }), 'sql', 'indexes()'),
  listColumns: {
    call: (client) => listColumns(client, of),
    good: {
      columns: ['table_name', 'column_name', 'data_type'].map((name) => ({
        name,
        type: 'VARCHAR',
      })),
      rows: [{ values: [{ s: 't' }, { s: 'id' }, { s: 'integer' }] }],
    },
  },
  listCollections: {
    call: (client) => listCollections(client, of),
    good: answerOf('GET', /^\/api\/v2\/collections$/),
  },
  auditDocument: {
    call: (client) =>
      auditDocument(client, {
        ...of,
        collection: 'c',
        id: 'd',
        page: 1,
        pageSize: 9,
        omitPayload: false,
        isNewestFirst: true,
      }),
    good: answerOf('POST', /\/audit$/),
  },
  readIdField: seen(
    (client) => readIdField(client, { ...of, collection: 'c' }),
    'documents',
    'get',
  ),
  replaceDocument: seen(
    (client) =>
      replaceDocument(client, { ...of, collection: 'c', id: 'd', idField: '_id', document: {} }),
    'documents',
    'replace',
  ),
  describeCollections: {
    call: (client) => describeCollections(client, of),
    good: answerOf('GET', /^\/api\/v2\/collections$/),
  },
  changeCollection: bare((client) =>
    changeCollection(client, { ...of, change: { kind: 'delete', collection: 'c' } }),
  ),
  insertDocuments: seen(
    (client) => insertDocuments(client, { ...of, collection: 'c', documents: ['{}'] }),
    'documents',
    'insert',
  ),
  deleteDocument: bare((client) =>
    deleteDocument(client, { ...of, collection: 'c', id: 'd', idField: '_id' }),
  ),
  countDocuments: seen(
    (client) => countDocuments(client, { ...of, collection: 'c', query: everything }),
    'documents',
    'count',
  ),
  openDocumentSession: seen(
    (client) => search.openDocumentSession(client, { user, password: 'p', database }),
    'sessions',
    'open',
  ),
  keepDocumentSession: bare((client) => search.keepDocumentSession(client, 's')),
  closeDocumentSession: bare((client) => search.closeDocumentSession(client, 's')),
  searchDocuments: seen(
    (client) =>
      search.searchDocuments(client, { ...searchPage, collection: 'c', query: everything }),
    'documents',
    'search keep open',
  ),
  continueSearch: seen(
    (client) => search.continueSearch(client, { ...searchPage, searchId: 's' }),
    'documents',
    'search continue',
  ),
  listTransactions: {
    call: (client) => listTransactions(client, { ...of, upTo: '9', limit: 9 }),
    good: answerOf('POST', /^\/api\/db\/tx$/),
  },
  readTransactions: {
    call: (client) => readTransactions(client, { ...of, from: '1', limit: 9 }),
    good: answerOf('POST', /^\/api\/db\/tx$/),
  },
  readTransaction: {
    call: (client) => readTransaction(client, { ...of, id: '1' }),
    good: answerOf('GET', /^\/api\/db\/tx\/1$/),
  },
  readTransactionValues: {
    call: (client) => readTransactionValues(client, { ...of, id: '1', of: ['keys'] }),
    good: answerOf('GET', /^\/api\/db\/tx\/1$/),
  },
  listTxKeys: {
    call: (client) => listTxKeys(client, { ...of, from: '1', count: 9 }),
    good: answerOf('POST', /^\/api\/db\/tx$/),
  },
  listUsers: {
    call: (client) => listUsers(client, of),
    good: answerOf('GET', /^\/api\/user\/list$/),
  },
  createUser: bare((client) => createUser(client, { ...of, user, password: 'p', permission: 1 })),
  setActive: bare((client) => setActive(client, { user, active: true })),
  changePassword: bare((client) =>
    changePassword(client, { user, oldPassword: 'a', newPassword: 'b' }),
  ),
}

const all = Object.entries(cases)

// Each failure is logged; printing thousands of them would take longer than all else.
beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
})

/** A client of a server that gives one answer, whatever it is asked. */
function answering(text: string, contentType = 'application/json'): Client {
  return createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async () => new Response(text, { headers: { 'content-type': contentType } }),
  })
}

/**
 * Whether the call failed; throws what is no failure of the wire, also where what the call hands on
 * cannot be drawn.
 */
async function hasFailed(call: Case['call'], answer: string): Promise<boolean> {
  try {
    draw(await call(answering(answer)))
    return false
  } catch (error) {
    if (error instanceof ApiError || error instanceof ResultShapeError) return true
    throw error
  }
}

test('F76: the table has every call of src/api', () => {
  const folder = new URL('../../src/api/', import.meta.url)
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const asking = sources.flatMap((source) =>
    [...source.matchAll(/^export (?:async )?function (\w+)\(\s*client: Client\b/gm)].map(
      ([, name = '']) => name,
    ),
  )
  expect(asking.length).toBeGreaterThan(35)
  expect(Object.keys(cases).sort()).toEqual(asking.sort())
})

describe('no answer is left in the cache of the browser', () => {
  test.each(all)('%s', async (_name, { call, good }) => {
    const modes: unknown[] = []
    const client = createClient({
      baseURL: '/api',
      token: () => 'v2.public.x',
      fetch: async (_input, init) => {
        modes.push(init?.cache)
        return Response.json(good)
      },
    })
    await call(client).catch(() => {})
    expect(new Set(modes)).toEqual(new Set(['no-store']))
  })
})

describe('F76: each field of an answer dropped, renamed, emptied or of another type', () => {
  test.each(all)('%s', async (_name, { call, good, isBare }) => {
    expect(await hasFailed(call, JSON.stringify(good))).toBe(_name === 'fetchMetrics')
    let failures = 0
    for (const changed of mutants(good)) {
      if (await hasFailed(call, JSON.stringify(changed))) failures += 1
    }
    if (!isBare) expect(failures).toBeGreaterThan(0)
  })
})

describe('each recorded answer, spoiled, can be drawn or is refused in words', () => {
  const shown = 'The answer of the server could not be understood.'
  const kindOf = (path: string) => path.split('?')[0]?.split('/').slice(0, 4).join('/')
  /** Enough of each answer; the rest is more of the same. */
  const most = 60

  test.each(all.filter(([, { isBare }]) => !isBare))('%s', async (_name, { call }) => {
    const asked: string[] = []
    const spy = createClient({
      baseURL: '/api',
      token: () => 'v2.public.x',
      fetch: async (input, init) => {
        asked.push(`${init?.method} ${kindOf(String(input))}`)
        return Response.json(null)
      },
    })
    await call(spy).catch(() => {})
    const answers = recordedPairs.filter(
      ({ request, response }) =>
        response.status === 200 && asked.includes(`${request.method} ${kindOf(request.path)}`),
    )
    for (const { response } of answers.slice(0, 6)) {
      let count = 0
      for (const changed of mutants(response.body)) {
        if (count++ >= most) break
        const failure = await call(answering(JSON.stringify(changed))).then(draw, (error) => error)
        if (failure instanceof ApiError && failure.kind !== 'bad-answer') continue
        if (failure !== undefined) expect(sentence(failure)).toBe(shown)
      }
    }
  })
})

/** What an answer may be instead, with a status of 200; immudb sends none of it. */
const wrongAnswers = [
  '[]',
  '[{}]',
  'null',
  '0',
  '""',
  '"ok"',
  'true',
  '{"error":"x"}',
  '{"error":"x","code":2,"message":"x"}',
  '{"status":"ok"}',
  '<!doctype html><title>portal</title>',
  '',
]

/**
 * `{}` as immudb sends it: of a list that is empty, or of a write that has nothing to tell. Of
 * `readSettings` it says that the database is in no list.
 */
const emptyAnswers: Readonly<Record<string, unknown>> = {
  listDatabases: [],
  listHoldings: [],
  listCollections: [],
  describeCollections: [],
  searchDocuments: { searchId: null, documents: [] },
  continueSearch: { searchId: null, documents: [] },
  changeCollection: undefined,
  deleteDocument: undefined,
  keepDocumentSession: undefined,
  closeDocumentSession: undefined,
  countDocuments: '0',
  scanKeys: [],
  scanSet: [],
  countKeys: '0',
  getKeys: [],
  scanAuditLog: [],
  listTransactions: [],
  readTransactions: [],
  listTxKeys: [],
  // CREATE USER and the like make no transaction.
  execSql: [],
  // There is no such document.
  replaceDocument: null,
  logout: undefined,
  compactIndex: undefined,
  createUser: undefined,
  setActive: undefined,
  changePassword: undefined,
  changePermission: undefined,
  changePrivileges: undefined,
}

/** Answers with a proof go to the engine as they are; only their form is looked at before. */
const isProof = (name: string) => Object.hasOwn(proof, name)
/** Not about an answer of the database: bytes, headers, or a question that is put to anything. */
const others = [
  'openAccess',
  'fetchMetrics',
  'readPageHeaders',
  'listServers',
  'listCheckpoints',
  'readCheckpointsFile',
]
const ofDatabase = all.filter(([name]) => !others.includes(name))

describe('F75: an answer of the wrong form is a failure, and of a write an unknown outcome', () => {
  test.each(ofDatabase)('%s', async (name, { call }) => {
    for (const text of ['{}', ...wrongAnswers]) {
      if (text === '{}' && (Object.hasOwn(emptyAnswers, name) || name === 'readSettings')) continue
      if (isProof(name) && /^\{(?!"error)/.test(text)) continue
      const error: unknown = await call(answering(text)).then(
        (value) => ({ text, value }),
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(ApiError)
      if (error instanceof ApiError) expect([text, error.isOutcomeUnknown]).toEqual([text, true])
    }
    for (const type of ['text/html', 'text/plain', '']) {
      await expect(call(answering('<!doctype html>', type))).rejects.toBeInstanceOf(ApiError)
    }
  })

  test.each(Object.entries(emptyAnswers))('but {} is the answer of %s', async (name, value) => {
    expect(await cases[name]?.call(answering('{}'))).toEqual(value)
  })

  test.each([
    ['a list in the place of an object', '{"txs":[[]]}'],
    ['no transaction in the list', '{"txs":[]}'],
    ['a transaction with an empty header', '{"txs":[{"header":{}}]}'],
    ['a transaction with a header that is a list', '{"txs":[{"header":[]}]}'],
    ['an entry of something else', '{"txs":[{"result":"ok"}]}'],
  ])('a statement is not told as uncommitted for %s', async (_what, text) => {
    await expect(execSql(answering(text), { ...of, sql: 'X;' })).rejects.toMatchObject({
      kind: 'bad-answer',
      isOutcomeUnknown: true,
    })
  })

  test('and as uncommitted for what immudb sends then', async () => {
    expect(await execSql(answering('{"txs":[{}]}'), { ...of, sql: 'X;' })).toEqual([
      { updatedRows: 0 },
    ])
  })
})

describe('F76: what a worker made of the metrics', () => {
  const good = {
    uptimeHours: 1,
    reserved: 2,
    inUse: 3,
    sessions: 6,
    openFiles: 7,
    mostFiles: 8,
    diskFree: 4,
    writesWait: 5,
    databases: new Map([['a', { size: 1, tx: 2, indexLag: 0 }]]),
    calls: new Map(),
  }

  test('is taken whole, or refused', () => {
    expect(parseMetrics(good)).toEqual(good)
    let failures = 0
    for (const changed of mutants(good)) {
      try {
        parseMetrics(changed)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        failures += 1
      }
    }
    expect(failures).toBeGreaterThan(10)
  })
})
