// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { ApiError, type ErrorKind } from '~/api/errors'
import type { PageEntries } from '~/api/proof'
import { bytesToBase64, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { schemasOf } from '~/proof/catalog'
import { checkEvidence } from '~/proof/check-evidence'
import { type DeepAudit, namedInHistory, startDeepAudit, takePage } from '~/proof/deep-audit'
import { readEvidence, recordOutcome, writeEvidence } from '~/proof/evidence'
import { concat, u8, u32 } from '~/proof/kernel/bytes'
import { documentKey, plainKey, plainValue } from '~/proof/kernel/stored'
import {
  goOnFrom,
  readTarget,
  resumeDeepAudit,
  type SavedDeepAudit,
  saveDeepAudit,
} from '~/proof/saved-audit'
import { settleExceptions } from '~/trust/audit/collections'
import { isAlarming } from '~/words/audit'
import type { AuditedServer } from '~/workers/audit/audited-server'
import { Refusal } from '~/workers/audit/proofs'
import { Walk, type Walked } from '~/workers/audit/walk'
import { History, type Json, type Written } from '../../support/history'
import { addedColumn, createdTable, storedRow } from '../../support/stored-table'

const kv = (key: string, value: string): Written => ({
  key: plainKey(encodeUtf8(key)),
  value: plainValue(encodeUtf8(value)),
})

/** A member of a sorted set with a value, which only a list of values gives. */
const member = (key: string): Written => ({
  key: concat(Uint8Array.of(1), encodeUtf8(key)),
  value: encodeUtf8('7 bytes'),
})

const altered = (id: number) => [addedColumn(id)]

const many = (count: number) => Array.from({ length: count }, (_, n) => kv(`one of ${n}`, ''))

type Asked = { from: number; limit: number; entries: PageEntries }

/** A database of one value in each transaction, as an audit asks its server for it. */
class Database {
  readonly history = new History()
  readonly written: Written[][] = []
  readonly asked: Asked[] = []
  readonly calls: string[] = []
  names = ['notes']
  /** What goes wrong with a page, before it is answered and after. */
  refuse: (asked: Asked) => ErrorKind | null = () => null
  change: (tx: Json, asked: Asked) => Json = (tx) => tx

  constructor(count: number, more: Written[][] = []) {
    for (let n = 1; n <= count; n += 1) this.add([kv(`key ${n}`, `value ${n}`)])
    for (const entries of more) this.add(entries)
  }

  /** @param lag how many transactions its tree lags behind */
  add(entries: Written[], lag = 0) {
    this.history.add(entries, { lag })
    this.written.push(entries)
  }

  get size(): number {
    return this.written.length
  }

  get server(): AuditedServer {
    return {
      page: async (initialTx, limit, entries) => this.#page(Number(initialTx), limit, entries),
      value: async (key, tx) => {
        this.calls.push(`value ${tx}`)
        return this.#value(key, Number(tx))
      },
      document: async (name, id, tx) => {
        this.calls.push(`document ${name} ${tx}`)
        if (name !== 'notes') throw failure('refused', 'collection does not exist')
        return this.#document(id, Number(tx))
      },
      row: async () => {
        throw failure('refused', 'no rows here')
      },
      collections: async () => this.names,
      tables: async () => [],
      describe: async () => [],
    }
  }

  #entries(tx: number): Written[] {
    return this.written[tx - 1] ?? []
  }

  #page(from: number, limit: number, entries: PageEntries): unknown {
    const asked = { from, limit, entries }
    this.asked.push(asked)
    const kind = this.refuse(asked)
    if (kind) throw failure(kind, kind)
    const txs: Json[] = []
    for (let tx = from; tx < Math.min(from + limit, this.size + 1); tx += 1) {
      txs.push(this.change(this.#tx(tx, entries), { from: tx, limit, entries }))
    }
    return { txs }
  }

  #tx(tx: number, content: PageEntries): Json {
    const { header, entries } = this.history.tx(tx) as { header: unknown; entries: Json[] }
    if (content === 'headers') return { header }
    if (content === 'digests') return { header, entries }
    const values = entries.map((entry, at) => {
      const { key, value } = this.#entries(tx)[at] as Written // as many as were added
      return key[0] === 3 ? null : { ...entry, value: bytesToBase64(value) }
    })
    return { header, entries: values.filter((entry) => entry !== null) }
  }

  #value(key: string, tx: number) {
    const { value } = this.#entries(tx)[0] as Written // as they are added
    return {
      request: { keyRequest: { key, atTx: String(tx) } },
      response: {
        entry: { tx: String(tx), key, value: bytesToBase64(value.subarray(1)) },
        verifiableTx: this.history.verifiableTx(tx, this.size),
        inclusionProof: this.history.inclusionProof(tx, 0),
      },
    }
  }

  #document(id: string, tx: number) {
    const { value } = this.#entries(tx)[0] as Written // as they are added
    return {
      request: { collectionName: 'notes', documentId: id, transactionId: String(tx) },
      response: {
        database: 'd',
        collectionId: 7,
        documentIdFieldName: '_id',
        encodedDocument: bytesToBase64(value),
        verifiableTx: this.history.verifiableTxV2(tx, this.size),
      },
    }
  }
}

function failure(kind: ErrorKind, text: string): ApiError {
  return new ApiError({ kind, text, status: 500, code: 2 })
}

type Ran = Walked & { saved: SavedDeepAudit[] }

async function run(
  database: Database,
  options: {
    withValues?: boolean
    isWanted?: () => boolean
    server?: AuditedServer
    clockOffset?: number
  } = {},
): Promise<Ran> {
  const target = readTarget(database.history.point(database.size))
  const saved: SavedDeepAudit[] = []
  const walk = new Walk(startDeepAudit(target, options.withValues ?? true), {
    server: options.server ?? database.server,
    database: 'd',
    report: (_, one) => one && saved.push(one),
    newestPoint: async () => null,
    isWanted: options.isWanted ?? (() => true),
    clockOffset: options.clockOffset ?? 0,
  })
  return { ...(await walk.run()), saved }
}

describe('pages', () => {
  test('a whole history, with values, in one list where that is whole', async () => {
    const database = new Database(2_300)
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(audit.counts.values).toBe(2_300)
    expect(database.asked.every(({ entries }) => entries === 'values')).toBe(true)
    expect(Math.max(...database.asked.map(({ limit }) => limit))).toBe(1_000)
    // Nothing behind the trusted state is asked for.
    expect(Math.max(...database.asked.map(({ from, limit }) => from + limit - 1))).toBe(2_300)
  })

  test('are smaller as long as answers are too large, and seldom too large again', async () => {
    const database = new Database(1_500)
    database.refuse = ({ limit }) => (limit > 130 ? 'too-large' : null)
    const { audit, isAtEnd } = await run(database)
    expect(database.asked.length).toBeLessThan(30)
    expect(isAtEnd).toBe(true)
    expect(audit.counts.values).toBe(1_500)
    expect(audit.exceptions.counts).toEqual({})
  })

  test('a transaction whose values are too large is asked for value by value', async () => {
    const database = new Database(30)
    database.refuse = ({ from, limit, entries }) =>
      entries === 'values' && from <= 9 && from + limit > 9 ? 'too-large' : null
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(database.calls).toEqual(['value 9'])
    expect(audit.counts.values).toBe(30)
    expect(audit.exceptions.counts).toEqual({})
  })

  test('a value that the server cannot read is told in its words, the rest is read', async () => {
    const database = new Database(40)
    database.refuse = ({ from, limit, entries }) =>
      entries === 'values' && from <= 17 && from + limit > 17 ? 'refused' : null
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(audit.counts.values).toBe(39)
    expect(audit.exceptions.list).toEqual([
      {
        reason: 'refused',
        tx: '17',
        key: bytesToHex(plainKey(encodeUtf8('key 17'))),
        words: 'refused',
      },
    ])
  })

  test('a transaction whose digests are too large is proven by its header', async () => {
    const database = new Database(4, [many(5_000)])
    database.add([kv('last', '')])
    database.refuse = ({ from, limit, entries }) =>
      entries !== 'headers' && from <= 5 && from + limit > 5 ? 'too-large' : null
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(audit.exceptions.counts).toEqual({ 'entries-too-large': 5_000 })
  })

  test.each([1, 1_024])(
    'a server that says so of %i entries, which can never be too large, withholds them',
    async (count) => {
      const database = new Database(4, [many(count)])
      database.refuse = ({ entries }) => (entries === 'headers' ? null : 'too-large')
      const { audit, isAtEnd } = await run(database)
      expect(isAtEnd).toBe(true)
      expect(audit.exceptions.counts).toEqual({ 'entries-withheld': 4 + count })
      expect(Object.keys(audit.exceptions.counts).every(isAlarming)).toBe(true)
    },
  )

  test('by digests, too, and says so', async () => {
    const database = new Database(11, [many(5_000)])
    database.refuse = ({ from, limit, entries }) =>
      entries !== 'headers' && from <= 12 && from + limit > 12 ? 'too-large' : null
    const { audit, isAtEnd } = await run(database, { withValues: false })
    expect(isAtEnd).toBe(true)
    expect(audit.exceptions).toEqual({
      counts: { 'entries-too-large': 5_000 },
      list: [{ reason: 'entries-too-large', tx: '12', key: '', words: '', count: 5_000 }],
    })
    // Its entries are not there to be checked again.
    expect(audit.end).toBeNull()
  })

  test.each<ErrorKind>(['timeout', 'network', 'unavailable'])(
    'a failure of the network (%s) is never told as a refusal of the server',
    async (kind) => {
      const database = new Database(40)
      database.refuse = ({ from, limit, entries }) =>
        entries === 'values' && from <= 17 && from + limit > 17 ? kind : null
      await expect(run(database)).rejects.toMatchObject({ name: 'ApiError', kind })
    },
  )

  test('are smaller as long as answers do not come in time', async () => {
    const database = new Database(300)
    database.refuse = ({ limit }) => (limit > 40 ? 'timeout' : null)
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(audit.counts.values).toBe(300)
    expect(audit.exceptions.counts).toEqual({})
  })

  test('without values nothing but digests is asked for', async () => {
    const database = new Database(20)
    const { audit } = await run(database, { withValues: false })
    expect(audit.chain.entries).toBe(20)
    expect(database.asked.map(({ entries }) => entries)).toEqual(['digests'])
  })

  describe('without values', () => {
    const isOf = (what: PageEntries) => (asked: Asked) => asked.entries === what

    test('those of the catalog are read, each neighbourhood at once, and give the tables', async () => {
      const database = new Database(20, [createdTable, altered(2), altered(3)])
      database.add([kv('in', 'between')])
      database.add(altered(4))
      const { audit, tables } = await run(database, { withValues: false })
      expect(database.asked.filter(isOf('values'))).toMatchObject([
        { from: 21, limit: 3 },
        { from: 25, limit: 1 },
      ])
      expect(schemasOf(audit.catalog)).toMatchObject([
        { table: 't1', pk: [1], cols: [{}, {}, {}, {}].map(() => ({ type: expect.any(String) })) },
      ])
      expect(tables).toMatchObject([{ table: 't1', kind: 'missing' }])
    })

    test('a table whose definition the server keeps to itself is no table that is known', async () => {
      const database = new Database(20, [createdTable, altered(2)])
      database.refuse = ({ entries, from, limit }) =>
        entries === 'values' && from <= 22 && 22 < from + limit ? 'refused' : null
      const { audit, tables, isAtEnd } = await run(database, { withValues: false })
      expect(isAtEnd).toBe(true)
      expect(audit.isCatalogWhole).toBe(false)
      expect(tables).toBeNull()
    })

    test('a definition that is not the one committed ends the audit', async () => {
      const database = new Database(20, [createdTable])
      database.change = (tx, { entries, from }) =>
        entries === 'values' && from === 21
          ? { ...tx, entries: [{ ...(tx.entries as Json[])[0], value: 'dDI=' }] }
          : tx
      await expect(run(database, { withValues: false })).rejects.toMatchObject({ name: 'Refusal' })
    })

    test('nothing but digests is read where the tables are not asked for', async () => {
      const database = new Database(3)
      const { audit } = await run(database, { withValues: false })
      database.add(createdTable)
      const target = database.history.point(database.size)
      const from = { target, withValues: false, withTables: false }
      database.asked.length = 0
      const walk = new Walk(goOnFrom(saveDeepAudit(audit), from), {
        server: database.server,
        database: 'd',
        report: () => {},
        newestPoint: async () => null,
        isWanted: () => true,
      })
      expect(await walk.run()).toMatchObject({ isAtEnd: true, tables: null })
      expect(database.asked.map(({ entries }) => entries)).toEqual(['digests'])
    })
  })

  test('a right that is missing ends the audit as what it is', async () => {
    const database = new Database(20)
    database.refuse = () => 'permission'
    await expect(run(database)).rejects.toMatchObject({ name: 'ApiError', kind: 'permission' })
  })
})

describe('of a transaction that is said to be too large', () => {
  const isTooLarge =
    (tx: number) =>
    ({ from, limit, entries }: Asked) =>
      entries === 'values' && from <= tx && from + limit > tx ? 'too-large' : null

  test('the definitions of tables are told apart, without which nothing is known of them', async () => {
    const database = new Database(1, [createdTable, [kv('last', '')]])
    database.refuse = isTooLarge(2)
    const { audit, isAtEnd, tables } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(audit.exceptions.counts).toEqual({ 'catalog-unseen': 4 })
    expect(isAlarming('catalog-unseen')).toBe(true)
    expect(tables).toBeNull()
  })

  test.each<ErrorKind>(['refused', 'permission'])(
    'a row that the server does not prove by itself (%s) is told in its words',
    async (kind) => {
      const database = new Database(0, [createdTable, [storedRow(1)], [kv('last', '')]])
      database.refuse = isTooLarge(2)
      const row = async () => {
        throw failure(kind, 'data is corrupted')
      }
      const { audit } = await run(database, { server: { ...database.server, row } })
      const { key } = storedRow(1)
      expect(audit.exceptions.list).toEqual([
        { reason: 'row-refused', tx: '2', key: bytesToHex(key), words: 'data is corrupted' },
      ])
      expect(isAlarming('row-refused')).toBe(true)
    },
  )

  /** Says of every value that it is so large, as only the server can. */
  const sized = (server: AuditedServer, vLen: number): AuditedServer['page'] => {
    return async (...asked) => {
      const { txs } = (await server.page(...asked)) as { txs: { entries?: object[] }[] }
      const large = (entry: object) => ({ ...entry, vLen })
      return { txs: txs.map(({ entries = [], ...tx }) => ({ ...tx, entries: entries.map(large) })) }
    }
  }

  test('a row that is too large by itself is nothing that anybody could tell', async () => {
    const database = new Database(0, [createdTable, [storedRow(1)], [kv('last', '')]])
    database.refuse = isTooLarge(2)
    const row = async () => {
      throw failure('too-large', 'too large')
    }
    const page = sized(database.server, 4_194_304)
    const { audit } = await run(database, { server: { ...database.server, page, row } })
    expect(audit.exceptions.counts).toEqual({ 'too-large': 1 })
    expect(audit.counts.unseen).toBe(4_194_304)
  })

  test.each([
    ['row', [createdTable, [storedRow(1)]], 1],
    ['value', [createdTable, [kv('a', '7 bytes')], [kv('b', '')]], 1],
    ['member of a set', [createdTable, [member('a'), member('b')]], 2],
  ] as [string, Written[][], number][])(
    'a %s that its own size does not explain is to be looked into',
    async (_, txs, many) => {
      const database = new Database(0, [...txs])
      database.refuse = isTooLarge(2)
      const tooLarge = async () => {
        throw failure('too-large', 'too large')
      }
      const server = { ...database.server, row: tooLarge, value: tooLarge }
      const { audit, isAtEnd } = await run(database, { server })
      expect(isAtEnd).toBe(true)
      expect(audit.exceptions.counts).toEqual({ 'size-unexplained': many })
      expect(isAlarming('size-unexplained')).toBe(true)
    },
  )

  const tooLarge = async () => {
    throw failure('too-large', 'too large')
  }

  /**
   * A value that is said to be too large, in a transaction whose tree lags by so many; and what the
   * tree of the trusted one lags by.
   */
  function lagging(own: number, trusted: number): Database {
    const database = new Database(20)
    const behind = Number.MAX_SAFE_INTEGER
    for (let n = 0; n < own; n += 1) database.add([kv(`before ${n}`, '')], behind)
    database.add([kv('a', '7 bytes')], own > 0 ? behind : 0)
    database.refuse = isTooLarge(database.size)
    for (let n = 0; n < trusted; n += 1) database.add([kv(`behind ${n}`, '')], behind)
    if (trusted === 0) database.add([kv('last', '')])
    return database
  }

  test('a row is no larger for a tree that is one behind', async () => {
    const database = new Database(0, [createdTable])
    database.add([storedRow(1)], 1)
    database.refuse = isTooLarge(2)
    const { audit } = await run(database, { server: { ...database.server, row: tooLarge } })
    expect(audit.exceptions.counts).toEqual({ 'size-unexplained': 1 })
  })

  test.each([
    [1, 0],
    [1, 1],
    [0, 150],
    [150, 150],
  ])('a value is not too large for trees that lag by %i and %i', async (own, trusted) => {
    const database = lagging(own, trusted)
    const { audit, isAtEnd } = await run(database, {
      server: { ...database.server, value: tooLarge },
    })
    expect(isAtEnd).toBe(true)
    expect(audit.exceptions.counts).toEqual({ 'size-unexplained': 1 })
  })

  // Just below what an answer can have, so that what the lag adds decides.
  test.each<[string, string, number, [number, number]]>([
    ['the paths from its own tree', 'too-large', 70_000, [150, 0]],
    ['the chain of the trusted transaction', 'too-large', 5_000, [0, 120]],
    ['less than trees that do not lag explain', 'size-unexplained', 5_000, [0, 0]],
    ['less than these trees explain', 'size-unexplained', 200_000, [150, 120]],
  ])('a value of nearly 4 MiB has %s (%s)', async (_, reason, below, lags) => {
    const database = lagging(...lags)
    const vLen = 4_194_304 - 65_536 - 256 - 2 - below
    const large = sized(database.server, vLen)
    const page: AuditedServer['page'] = (from, limit, what) =>
      (what === 'headers' ? database.server.page : large)(from, limit, what)
    const { audit } = await run(database, { server: { ...database.server, page, value: tooLarge } })
    expect(audit.exceptions.counts).toEqual({ [reason]: 1 })
  })

  test.each([
    ['another header than the trusted one', (header: Json) => ({ ...header, blTxId: '0' })],
    ['no header', () => undefined],
  ])('%s explains nothing', async (_, change) => {
    const database = lagging(0, 120)
    const server = { ...database.server, value: tooLarge }
    const large = sized(server, 4_194_304 - 65_536 - 256 - 2 - 5_000)
    const page: AuditedServer['page'] = async (from, limit, what) => {
      if (what !== 'headers') return await large(from, limit, what)
      const { txs } = (await server.page(from, limit, what)) as { txs: { header: Json }[] }
      return { txs: txs.map(({ header }) => ({ header: change(header) })) }
    }
    const { audit } = await run(database, { server: { ...server, page } })
    expect(audit.exceptions.counts).toEqual({ 'size-unexplained': 1 })
  })

  test.each([
    ['key', [kv('a', '7 bytes')]],
    ['row', [storedRow(1)]],
  ] as [string, Written[]][])('a %s that expired is not asked for', async (_, [written]) => {
    const expired = { ...(written as Written), metadata: { expiresAt: 1_700_000_000n } }
    const database = new Database(0, [createdTable, [expired], [kv('last', '')]])
    database.refuse = isTooLarge(2)
    const gone = async () => {
      throw failure('refused', 'key not found')
    }
    const { audit } = await run(database, {
      server: { ...database.server, value: gone, row: gone },
    })
    expect(audit.exceptions.counts).toEqual({ expired: 1 })
    expect(isAlarming('expired')).toBe(false)
  })

  test('a key that expires before it is asked for is not asked for', async () => {
    const expiresAt = BigInt(Math.floor(Date.now() / 1000) + 3_600)
    const database = new Database(0, [[{ ...kv('a', '7 bytes'), metadata: { expiresAt } }]])
    database.refuse = isTooLarge(1)
    const gone = async () => {
      throw failure('refused', 'key not found')
    }
    const audit = startDeepAudit(readTarget(database.history.point(1)), true)
    const lack = { reason: 'too-large', words: '' } as const
    takePage(audit, [{ tx: database.history.tx(1), values: null, lack }], Date.now() / 1000)
    const saved = JSON.parse(JSON.stringify(saveDeepAudit(audit)))
    const walk = new Walk(resumeDeepAudit(saved), {
      server: { ...database.server, value: gone },
      database: 'd',
      report: () => {},
      newestPoint: async () => null,
      isWanted: () => true,
      clockOffset: 7_200_000,
    })
    const { audit: resumed } = await walk.run()
    expect(resumed.exceptions.counts).toEqual({ expired: 1 })
  })

  test('a row is not proven by the proof of the same one of another table', async () => {
    const database = new Database(0, [createdTable, [storedRow(1), storedRow(1, 2)]])
    database.refuse = isTooLarge(2)
    const row: AuditedServer['row'] = async (table, pkValues, atTx) => ({
      request: { sqlGetRequest: { table, pkValues, atTx } },
      response: {
        sqlEntry: { tx: '2', value: bytesToBase64(storedRow(1, 2).value) },
        verifiableTx: database.history.verifiableTx(2, 2),
        inclusionProof: database.history.inclusionProof(2, 1),
        TableId: 2,
        PKIDs: [1],
        ColNamesById: { 1: 'id' },
        ColIdsByName: { '(t1.id)': 1 },
        ColTypesById: { 1: 'INTEGER' },
        ColLenById: { 1: 8 },
        MaxColId: 1,
      },
    })
    const { audit } = await run(database, { server: { ...database.server, row } })
    expect(audit.exceptions.counts).toEqual({ 'row-refused': 1, 'size-unexplained': 1 })
  })
})

describe('what is not right', () => {
  const flipped = (tx: Json): Json => {
    const { header, entries } = tx as { header: Json; entries: Json[] }
    return { header: { ...header, ts: String(Number(header.ts) + 1) }, entries }
  }

  test('once is asked for again', async () => {
    const database = new Database(50)
    let times = 0
    database.change = (tx, { from }) => {
      if (from !== 20) return tx
      times += 1
      return times === 1 ? flipped(tx) : tx
    }
    expect(await run(database)).toMatchObject({ isAtEnd: true })
    expect(times).toBe(2)
  })

  test.each([200, 400, 1_000])(
    'once at the end of what is checked in one go (%i) is asked for again',
    async (at) => {
      const database = new Database(1_100)
      let times = 0
      database.change = (tx, { from }) => {
        if (from !== at) return tx
        times += 1
        return times === 1 ? flipped(tx) : tx
      }
      const { audit, isAtEnd } = await run(database)
      expect(isAtEnd).toBe(true)
      expect(audit.counts.values).toBe(1_100)
      expect(audit.chain.entries).toBe(1_100)
    },
  )

  test('F74: twice is refused, with what it takes to check it again', async () => {
    const database = new Database(50)
    database.change = (tx, { from }) => (from === 20 ? flipped(tx) : tx)
    const refusal = await run(database).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({
      kind: 'audit',
      context: { db: 'd', trusted: database.history.point(50) },
      refusal: { reason: 'audit', part: 'prevAlh' },
    })
  })

  test.each([1, 5_000])(
    'another history than the trusted one, whose last transaction of %i entries is said to be too large',
    async (count) => {
      const trusted = new Database(11, [many(count)])
      const other = new Database(10, [[kv('forged', 'x')], many(count)])
      other.refuse = ({ from, limit, entries }) =>
        entries !== 'headers' && from <= 12 && from + limit > 12 ? 'too-large' : null
      const found = await run(trusted, { server: other.server }).catch((error: unknown) => error)
      expect(found).toMatchObject({
        name: 'Refusal',
        refusal: { reason: 'audit', step: 'link', part: 'trusted' },
      })
    },
  )

  const places = [
    ['behind', 15, 20],
    ['right behind', 13, 20],
    ['in', 12, 20],
    ['right before', 11, 20],
    ['before', 5, 20],
    ['at the end behind', 20, 20],
    ['in the last and', 12, 12],
  ] as const
  /** Whether the server sends other transactions along with the one whose digests it cannot list. */
  const pages = ['single', 'whole'] as const

  test.each(places.flatMap((place) => pages.map((page) => [...place, page] as const)))(
    '%s a transaction too large to be listed is refused again for the same reason (%i of %i, %s pages)',
    async (_, wrong, size, pages) => {
      const database = new Database(11, [many(5_000)])
      while (database.size < size) database.add([kv(`more ${database.size}`, 'x')])
      const isPart = pages === 'whole'
      database.refuse = ({ from, limit, entries }) => {
        const isListed = entries === 'headers' || (isPart && entries === 'values')
        return !isListed && from <= 12 && from + limit > 12 ? 'too-large' : null
      }
      database.change = (tx, { from, entries }) => {
        const listed = isPart && from === 12 && entries === 'values' ? { ...tx, entries: [] } : tx
        return from === wrong ? flipped(listed) : listed
      }
      const found = await run(database).catch((error: unknown) => error)
      if (!(found instanceof Refusal)) throw found
      const { kind, what, context, answered, refusal } = found
      const outcome = { kind: 'refused', refusal } as const
      const checked = { kind, what, context, ...answered, at: 0, outcome }
      const file = writeEvidence(checked, {
        server: { uuid: null, origin: '' },
        console: { version: '', commit: '', bundle: '' },
        firstContact: null,
      })
      const read = readEvidence(file)
      if ('error' in read) throw new Error(read.error)
      const again = await checkEvidence(read.evidence)
      expect(recordOutcome(again.outcome)).toEqual(recordOutcome(outcome))
      expect(again.agrees).toBe(true)
      expect(again.unchecked).toContain('audit')
    },
  )

  test('a history that ends before the trusted state', async () => {
    const database = new Database(50)
    const { page } = database.server
    const server = database.server
    const short = {
      ...server,
      page: async (from: bigint, limit: number, what: PageEntries) => {
        const { txs } = (await page(from, limit, what)) as { txs: unknown[] }
        return { txs: txs.slice(0, Math.max(0, 40 - Number(from) + 1)) }
      },
    }
    const target = readTarget(database.history.point(50))
    const walk = new Walk(startDeepAudit(target, true), {
      server: short,
      database: 'd',
      report: () => {},
      newestPoint: async () => null,
      isWanted: () => true,
    })
    await expect(walk.run()).rejects.toMatchObject({ refusal: { reason: 'audit', part: 'txs' } })
  })
})

test.each([
  ['expired', 0, -3_600],
  ['withheld', 0, 3_600],
  ['expired', 7_200_000, 3_600],
  ['withheld', -7_200_000, -3_600],
])(
  'a value that is left out is %s by the clock of the server, %i ms ahead (expires in %i s)',
  async (reason, clockOffset, left) => {
    const expiresAt = BigInt(Math.floor(Date.now() / 1_000) + left)
    const database = new Database(3, [[{ ...kv('k', 'v'), metadata: { expiresAt } }]])
    database.change = (tx, { from }) => {
      const { header, entries } = tx as { header: Json; entries: Json[] }
      if (from !== 4) return tx
      return { header, entries: entries.map((entry) => ({ ...entry, value: undefined })) }
    }
    const { audit } = await run(database, { clockOffset })
    expect(audit.exceptions.counts).toEqual({ [reason]: 1 })
  },
)

describe('documents', () => {
  const id = encodeUtf8('0123456789abcdef')
  const cell = (at: number, bytes: Uint8Array) => concat(u32(at), u32(bytes.length), bytes)
  const text = (tag: number, bytes: Uint8Array) => concat(Uint8Array.of(tag, bytes.length), bytes)
  const idValue = text(0x1a, encodeUtf8(bytesToHex(id)))
  const struct = text(0x0a, concat(text(0x0a, encodeUtf8('_id')), text(0x12, idValue)))
  const stored = concat(u32(2), cell(1, id), cell(2, struct))
  const note: Written = { key: documentKey(7, id), value: stored }

  test('are proven by their own calls, their collection found by its number', async () => {
    const database = new Database(3, [[note], [note]])
    database.names = ['other', 'notes']
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(audit.exceptions.counts).toEqual({})
    expect(audit.counts.documents).toBe(2)
    expect([...audit.collections]).toEqual([[7, 'notes']])
  })

  test('that expired are not asked for', async () => {
    const expired = { ...note, metadata: { expiresAt: 1_700_000_000n } }
    const { audit } = await run(new Database(3, [[expired]]), {})
    expect(audit.exceptions.counts).toEqual({ expired: 1 })
  })

  /** What immudb writes when a collection is made. */
  const named = (number: number, name: string): Written => ({
    key: concat(u8(3), encodeUtf8('CTL.TABLE.'), u32(1), u32(number)),
    value: encodeUtf8(name),
  })

  test.each([
    ['the name that the history has', 'notes', [['notes', 7]]],
    ['another name than the history has', 'secrets', []],
  ])('are described by the history itself when they have %s', async (_, name, found) => {
    const { audit } = await run(new Database(3, [[named(7, name)], [note]]))
    expect(audit.exceptions.counts).toEqual({ 'collection-catalog': 1 })
    expect(namedInHistory(audit)).toEqual(found)
    // Also when the audit rests, and in one that goes on from there.
    const resumed = resumeDeepAudit(JSON.parse(JSON.stringify(saveDeepAudit(audit))))
    expect(namedInHistory(resumed)).toEqual(found)
  })

  test('of a collection that was deleted are not described any more', async () => {
    const gone = { ...named(7, 'notes'), metadata: { deleted: true } }
    const { audit } = await run(new Database(3, [[named(7, 'notes')], [note], [gone]]))
    expect(namedInHistory(audit)).toEqual([])
  })

  test('are not described any more behind entries that could not be seen', async () => {
    const database = new Database(3, [[named(7, 'notes')], [note], many(5_000)])
    database.refuse = ({ from, limit, entries }) =>
      entries !== 'headers' && from <= 6 && from + limit > 6 ? 'too-large' : null
    const { audit } = await run(database)
    expect([...audit.collections]).toEqual([[7, 'notes']])
    // One of those may be another name.
    expect(namedInHistory(audit)).toEqual([])
  })

  test('are described by the newest name, which an audit of digests alone learns too', async () => {
    const database = new Database(3, [[named(7, 'notes')], [note]])
    const { audit } = await run(database)
    database.add([named(7, 'letters')])
    const point = database.history.point(database.size)
    const later = goOnFrom(saveDeepAudit(audit), {
      target: point,
      withValues: false,
      withTables: false,
    })
    takePage(later, [{ tx: database.history.tx(database.size), values: null, lack: null }], 0)
    later.collections.set(7, 'notes')
    expect(namedInHistory(later)).toEqual([])
    later.collections.set(7, 'letters')
    expect(namedInHistory(later)).toEqual([['letters', 7]])
  })

  /** A server that gives documents of the listed names as `numberOf` says. */
  function serving(database: Database, numberOf: (name: string, tx: number) => number | null) {
    const { server } = database
    return {
      ...server,
      document: async (name: string, of: string, tx: string) => {
        database.calls.push(`${name} ${tx}`)
        const collectionId = numberOf(name, Number(tx))
        if (collectionId === null) throw failure('refused', 'document not found')
        const { request, response } = await server.document('notes', of, tx)
        const renamed = { ...(request as Json), collectionName: name }
        return { request: renamed, response: { ...(response as Json), collectionId } }
      },
    }
  }

  /** What the report says in the end, when the server lists some collections. */
  const told = ({ exceptions, collections }: DeepAudit, listed: readonly string[]) =>
    settleExceptions(exceptions, { collections: [...collections], listed })

  const isOdd = (audit: DeepAudit, listed = ['notes']) =>
    Object.keys(told(audit, listed).counts).some(isAlarming)

  test('of which the server lists no collection are told as of one that is no more', async () => {
    const database = new Database(3, [[note]])
    database.names = []
    const { audit, isAtEnd } = await run(database)
    expect(isAtEnd).toBe(true)
    expect(told(audit, []).counts).toEqual({ 'collection-gone': 1 })
    expect(isOdd(audit, [])).toBe(false)
  })

  test.each([
    ['says that it finds none of them', null],
    ['always names another collection', 8],
  ])('of a listed collection are not taken for gone when the server %s', async (_what, number) => {
    const database = new Database(3, [[note], [note], [note]])
    const { audit, isAtEnd } = await run(database, { server: serving(database, () => number) })
    expect(isAtEnd).toBe(true)
    expect(told(audit, ['notes']).counts).toEqual({ 'collection-unclear': 3 })
    expect(isOdd(audit)).toBe(true)
  })

  test('are asked for although one of them was not found', async () => {
    const database = new Database(1, [[note]])
    for (let n = 0; n < 250; n += 1) database.add([kv(`between ${n}`, '')])
    for (let n = 0; n < 5; n += 1) database.add([note])
    const server = serving(database, (_, tx) => (tx === 2 ? null : 7))
    const { audit } = await run(database, { server })
    expect(audit.counts.documents).toBe(5)
    // The first was not seen, and its collection is there.
    expect(told(audit, ['notes']).counts).toEqual({ 'collection-unclear': 1 })
    expect(isOdd(audit)).toBe(true)
  })

  test('of a deleted collection are told as such once all others are known', async () => {
    const other: Written = { key: documentKey(8, id), value: stored }
    const database = new Database(1, [[note], [note], [other]])
    database.names = ['others']
    const server = serving(database, (_, tx) => (tx === 4 ? 8 : null))
    const { audit, isAtEnd } = await run(database, { server })
    expect(isAtEnd).toBe(true)
    expect(audit.counts.documents).toBe(1)
    const { counts, list } = told(audit, ['others'])
    expect(counts).toEqual({ 'collection-gone': 2 })
    expect(list.map(({ reason }) => reason)).toEqual(['collection-gone', 'collection-gone'])
    expect(isOdd(audit, ['others'])).toBe(false)
    // Of another one that is listed nothing was proven: they may be its.
    expect(isOdd(audit, ['others', 'more'])).toBe(true)
  })

  test('of a collection that is deleted meanwhile are told as such', async () => {
    const database = new Database(1, [[note]])
    for (let n = 0; n < 250; n += 1) database.add([kv(`between ${n}`, '')])
    database.add([note])
    const { document, ...server } = serving(database, (_, tx) => (tx === 2 ? 7 : null))
    const deleting = async (name: string, of: string, tx: string) => {
      const answered = await document(name, of, tx)
      database.names = []
      return answered
    }
    const { audit } = await run(database, { server: { ...server, document: deleting } })
    expect(audit.counts.documents).toBe(1)
    expect(told(audit, []).counts).toEqual({ 'collection-gone': 1 })
  })

  test('of a collection made again are proven in the audit that goes on from before', async () => {
    const again: Written = { key: documentKey(8, id), value: stored }
    const before = new Database(1, [[note]])
    const first = await run(before)
    expect(first.audit.counts.documents).toBe(1)
    const after = new Database(1, [[note], [again], [again]])
    const target = after.history.point(4)
    const walk = new Walk(
      goOnFrom(saveDeepAudit(first.audit), { target, withValues: true, withTables: true }),
      {
        server: serving(after, (_, tx) => (tx > 2 ? 8 : null)),
        database: 'd',
        report: () => {},
        newestPoint: async () => null,
        isWanted: () => true,
      },
    )
    const { audit } = await walk.run()
    expect(audit.counts.documents).toBe(2)
    expect(audit.exceptions.counts).toEqual({})
  })

  test('that may not be read are told in the words of the server', async () => {
    const database = new Database(3, [[note]])
    const { server } = database
    const refusing = {
      ...server,
      document: async () => {
        throw failure('permission', 'permission denied')
      },
    }
    const { audit, isAtEnd } = await run(database, { server: refusing })
    expect(isAtEnd).toBe(true)
    expect(audit.exceptions.list).toMatchObject([
      { reason: 'document-refused', tx: '4', words: 'permission denied' },
    ])
  })

  test('another content than was written is refused', async () => {
    const database = new Database(3, [[note]])
    const other = new Database(3, [[{ ...note, value: concat(u32(1), cell(1, id)) }]])
    const { document } = other.server
    const server = { ...database.server, document }
    const target = readTarget(database.history.point(4))
    const walk = new Walk(startDeepAudit(target, true), {
      server,
      database: 'd',
      report: () => {},
      newestPoint: async () => null,
      isWanted: () => true,
    })
    await expect(walk.run()).rejects.toMatchObject({ name: 'Refusal', kind: 'document' })
  })
})

test('pausing keeps where it is', async () => {
  const database = new Database(900)
  let left = 3
  const { isAtEnd, saved } = await run(database, {
    isWanted: () => {
      left -= 1
      return left > 0
    },
  })
  expect(isAtEnd).toBe(false)
  expect(saved.at(-1)?.pending).toEqual([])
  expect(Number(saved.at(-1)?.chain.txId)).toBeLessThan(900)
})
