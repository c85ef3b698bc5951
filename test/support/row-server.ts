import type { RowSet } from '~/core/row-set'
import type { Store } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { concat, u8, u32, u64 } from '~/proof/kernel/bytes'
import type { Schema } from '~/proof/kernel/schema'
import { rowKey } from '~/proof/kernel/stored'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import type { Json } from './history'
import { ProvingServer, refusal } from './proving-server'

export type Row = {
  id: number
  name: string
  /** Deleted in this transaction; `name` is its last content. */
  isDeleted?: boolean
}

const keyOf = (id: number) => concat(u8(0x80), u64(BigInt(id) ^ (1n << 63n)))

export function stored({ id, name, isDeleted = false }: Row) {
  const cell = (column: number, bytes: Uint8Array) => concat(u32(column), u32(bytes.length), bytes)
  const cells = [cell(1, u64(BigInt(id))), cell(2, encodeUtf8(name))]
  const value = concat(u32(cells.length), ...cells)
  return { key: rowKey(1, keyOf(id)), value, metadata: { deleted: isDeleted } }
}

const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

/** A server with one table whose rows it proves; transactions hold the rows as they are added. */
export class RowServer extends ProvingServer {
  readonly rows: { row: Row; tx: number; at: number }[] = []
  /** What it calls the second column. */
  column = 'name'
  /** Of which type it says that column is. */
  type = 'VARCHAR'
  /** Its queries find rows that were deleted, as if they had not been. */
  isBlind = false
  /** Changes an answer about one row on its way. */
  forge: (answer: Json, id: number) => Json = (answer) => answer
  /** Answers about one row instead. */
  refuse: (id: number) => Response | undefined = () => undefined

  /** Values come with the entries of a transaction when they are asked for. */
  override change = (answer: Json, path: string): Json => {
    if (!path.includes('RAW_VALUE')) return answer
    const { entries, ...rest } = answer.tx as { entries: { key: string }[] }
    const of = Number(/tx\/(\d+)/.exec(path)?.[1])
    const values = new Map(
      this.rows
        .filter(({ tx }) => tx === of)
        .map(({ row }) => [bytesToBase64(stored(row).key), bytesToBase64(stored(row).value)]),
    )
    const filled = entries.map((entry) => ({ ...entry, value: values.get(entry.key) }))
    return { ...answer, tx: { ...rest, entries: filled } }
  }

  add(...rows: Row[]) {
    this.history.add(rows.map(stored))
    const tx = this.history.headers.length
    for (const [at, row] of rows.entries()) this.rows.push({ row, tx, at })
  }

  /** What it calls its table, as a record has it. */
  get schema(): Schema {
    const cols = [
      { id: 1, name: 'id', type: 'INTEGER', maxLen: 8 },
      { id: 2, name: this.column, type: this.type, maxLen: 0 },
    ]
    return { table: 't', tableId: 1, pk: [1], cols, maxColId: 2 }
  }

  readonly answer = (async (input: unknown, init: RequestInit = {}) => {
    const path = String(input).replace(/^.*\/api/, '')
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    const own = this.#own(path, body)
    if (!own) return this.fetch(input as string, init)
    this.asked.push(path)
    await Promise.resolve()
    init.signal?.throwIfAborted()
    own.headers.set('Grpc-Metadata-Immudb-Uuid', this.uuid)
    return own
  }) as typeof fetch

  #own(path: string, body: Json): Response | undefined {
    const cells = (...values: Json[]) => ({ values })
    const bool = { b: false }
    if (path === '/db/table/list')
      return json({ columns: [{ name: 'TABLE', type: 'VARCHAR' }], rows: [cells({ s: 't' })] })
    if (path === '/db/tables') {
      const column = (name: string, type: string, mark: string) =>
        cells({ s: name }, { s: type }, bool, { s: mark }, bool, bool)
      const columns = [column('id', 'INTEGER', 'PRIMARY KEY'), column('name', this.type, 'NO')]
      return json({ columns: [{ name: 'COLUMN', type: 'VARCHAR' }], rows: columns })
    }
    if (path === '/db/sqlquery') return json(this.#query(String(body.sql)))
    if (path !== '/db/verifiable/sqlget') return undefined
    const { sqlGetRequest, proveSinceTx } = body as { sqlGetRequest: Json; proveSinceTx: string }
    const [{ n }] = sqlGetRequest.pkValues as [{ n: string }]
    const at = sqlGetRequest.atTx === undefined ? null : Number(sqlGetRequest.atTx)
    const refused = this.refuse(Number(n))
    if (refused) return refused
    const found = this.#versions(Number(n)).findLast(({ tx }) => at === null || tx === at)
    if (!found || (at === null && found.row.isDeleted)) return refusal('tbtree: key not found')
    return json(this.forge(this.#proof(found, Number(proveSinceTx)), Number(n)))
  }

  #versions(id: number) {
    return this.rows.filter(({ row }) => row.id === id)
  }

  /** Counts versions, and tells in which periods the newest one is there, as immudb does. */
  #query(sql: string): Json {
    const answer = (numbers: number[]) => ({
      columns: [{ name: '(t.col0)', type: 'INTEGER' }],
      rows: numbers.map((n) => ({ values: [{ n: String(n) }] })),
    })
    const history = /HISTORY OF t\) WHERE id = (\d+)/.exec(sql)
    if (history) return answer([this.#versions(Number(history[1])).length])
    const probes = sql.matchAll(
      /SELECT (\d+) FROM t (?:SINCE TX (\d+) )?(UNTIL|BEFORE) (?:TX (\d+)|CAST\('([^']+)' AS TIMESTAMP\)) WHERE id = (\d+)/g,
    )
    return answer(
      [...probes].flatMap(([, number, since = '1', word, until, time = '', id]) => {
        const isBefore = (tx: number) =>
          until === undefined
            ? Number(this.history.header(tx).ts) * 1_000 <= Date.parse(`${time}Z`)
            : tx <= Number(until) - (word === 'BEFORE' ? 1 : 0)
        const inside = this.#versions(Number(id)).filter(
          ({ tx }) => tx >= Number(since) && isBefore(tx),
        )
        const newest = inside.at(-1)
        return newest && (this.isBlind || !newest.row.isDeleted) ? [Number(number)] : []
      }),
    )
  }

  #proof({ row, tx, at }: RowServer['rows'][number], since: number): Json {
    return {
      sqlEntry: {
        tx: String(tx),
        value: bytesToBase64(stored(row).value),
        ...(row.isDeleted ? { metadata: { deleted: true } } : {}),
      },
      verifiableTx: this.history.verifiableTx(tx, since),
      inclusionProof: this.history.inclusionProof(tx, at),
      TableId: 1,
      PKIDs: [1],
      ColNamesById: { 1: 'id', 2: this.column },
      ColIdsByName: { '(t.id)': 1, [`(t.${this.column})`]: 2 },
      ColTypesById: { 1: 'INTEGER', 2: this.type },
      ColLenById: { 1: 8 },
      MaxColId: 2,
    }
  }
}

/**
 * Lets the record of a tab have the table as an audit derives it from the history.
 * @param to the last transaction that it read; by default all that a test writes later
 */
export async function deriveTable(store: Store, { schema }: RowServer, to = '1000'): Promise<void> {
  await verifyState(store)
  const points = store.get(trustedStatesAtom)
  const record = await points.read(store.get(databaseIdAtom)('db'))
  if (!record) throw new Error('nothing is recorded')
  const span = { from: '0', to }
  await points.pinAudited(record, { schemas: [schema], collections: [], named: [], span })
}

let shownSets = 0

/**
 * Rows as a result shows them, with names of this type.
 * @param txBefore the newest transaction when they were read; by default nothing is written since
 */
export function showRows(
  rows: readonly (Row & { rev?: number })[],
  sql = 'SELECT id, name FROM t',
  type = 'VARCHAR',
  txBefore = '1000',
): RowSet {
  const column = (name: string, type: string, values: string[]) => ({
    name: `(t.${name})`,
    table: 't',
    label: name,
    type,
    values,
  })
  const revisions = rows.map(({ rev }) => String(rev))
  const names = rows.map(({ name }) => name)
  const columns = [
    ...(sql.includes('HISTORY') ? [column('_rev', 'INTEGER', revisions)] : []),
    column(
      'id',
      'INTEGER',
      rows.map(({ id }) => String(id)),
    ),
    column('name', type, names),
  ]
  shownSets += 1
  const number = shownSets
  return { database: 'db', number, sql, rows: { rowCount: rows.length, columns }, txBefore }
}
