import { atom, type Getter } from 'jotai'
import { askForFewer } from '~/api/ask-for-fewer'
import type { Client } from '~/api/client'
import { isTooLarge } from '~/api/errors'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import { type Column, describeTable } from '~/api/tables'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { pageRows } from '~/lib/constants'
import { rounds } from '~/lib/rounds'
import { counted, formatTx } from '~/lib/text'
import {
  firstRows,
  joinResults,
  type PagePlace,
  type PagePlan,
  pageSql,
  planOf,
  type Shape,
  shapeOf,
} from '~/sql/paging'
import type { Param } from '~/sql/params'
import { type ResultTable, readResult } from '~/sql/result'
import { insertPeriods, withPeriods } from '~/sql/time-travel'
import { readTables } from '../tables/table-list'
import { allOutputAtom } from './all-output'
import { changeOutput } from './output'
import type { OutputEntry, Paging } from './output-entry'

/** A statement whose rows come in pages, with the values that each of them needs. */
export type PagedRequest = {
  database: string
  sql: string
  params: readonly Param[]
  signal: AbortSignal
}

/**
 * The first page of a query whose whole result does not fit into one answer, or null when it cannot
 * be cut into pages. Rejects with `ApiError` or `ResultShapeError`.
 * @param size rows of a page, as long as they fit
 */
export async function firstPage(
  get: Getter,
  request: PagedRequest,
  size: number,
): Promise<{ result: ResultTable; paging: Paging; sent: string } | null> {
  const client = get(clientAtom)
  const pinned = await pinnedSql(get, request)
  const shape = shapeOf(pinned.sql)
  if (shape === null) return null
  const keys = await keysOf(client, request, shape, pinned.tables)
  const start = { shape, tx: pinned.tx, size, isFetching: false, problem: null }
  const place = { done: 0, last: null }
  const read = (plan: PagePlan) => readPage(client, request, { ...start, plan }, place)
  let plan = planOf(pinned.sql, shape, keys)
  let page = await read(plan)
  if (plan.kind === 'key' && keyAt(page.rows, plan) < 0) {
    plan = { kind: 'offset' }
    page = await read(plan)
  }
  const paging = { ...start, plan, ...page.progress }
  return { result: page.rows, paging, sent: pageSql(shape, plan, place, page.size) }
}

/** All pages show the database as of one transaction, where the server can do that. */
async function pinnedSql(get: Getter, { database, sql, signal }: PagedRequest) {
  const { txId } = await readState(get(clientAtom), database, signal)
  const moment = { bound: 'UNTIL', at: { kind: 'tx', id: txId } } as const
  const tables = await readTables(
    get,
    database,
    (known) => insertPeriods(sql, moment, known).timeless,
  ).catch(() => new Set<string>())
  const way = insertPeriods(sql, moment, tables)
  const isPinned = way.timeless.length === 0 && way.own.length === 0 && way.tables.length > 0
  return { tables, sql: isPinned ? withPeriods(sql, way) : sql, tx: isPinned ? txId : null }
}

async function keysOf(
  client: Client,
  { database, signal }: PagedRequest,
  { simple }: Shape,
  tables: ReadonlySet<string>,
): Promise<Column[]> {
  if (!simple || !tables.has(simple.table)) return []
  const columns = await describeTable(client, { database, table: simple.table, signal }).catch(
    () => [],
  )
  return columns.filter(({ isPrimaryKey }) => isPrimaryKey)
}

function keyAt(rows: ResultTable, plan: Extract<PagePlan, { kind: 'key' }>): number {
  return rows.columns.findIndex(({ name }) => name === plan.resultName)
}

type Page = {
  readonly rows: ResultTable
  readonly size: number
  readonly progress: Pick<Paging, 'size' | 'isComplete'>
}

/**
 * One page, of fewer rows when an answer would be too large.
 * @throws ApiError of kind `too-large` when one row alone is larger than an answer
 */
export async function readPage(
  client: Client,
  { database, params, signal }: Omit<PagedRequest, 'sql'>,
  paging: Pick<Paging, 'shape' | 'plan' | 'size'>,
  place: PagePlace,
  most = pageRows,
): Promise<Page> {
  return askForFewer(paging.size, async (size) => {
    // Fetching one more row than shown tells whether more exist. Of a single one only itself is
    // asked for: the next may be as large.
    const wanted = size === 1 ? 1 : size + 1
    const sql = pageSql(paging.shape, paging.plan, place, wanted)
    const found = readResult(await querySql(client, { database, sql, params, signal }))
    const rows = firstRows(found, size)
    const isOver = place.done + rows.rowCount === paging.shape.limit
    const isLast = size === 1 ? found.rowCount === 0 : found.rowCount <= size
    // What fitted may be more next time.
    const next = size === paging.size ? Math.min(size * 2, most) : size
    return { rows, size, progress: { size: next, isComplete: isOver || isLast } }
  })
}

/** What further pages of a result are asked with. */
export function pagesOf(
  { database, given }: Pick<OutputEntry, 'database' | 'given'>,
  signal: AbortSignal,
): Omit<PagedRequest, 'sql'> {
  return { database, params: given.map(({ name, value }) => ({ name, value })), signal }
}

/** Where the page behind these rows begins. */
export function placeBehind(rows: ResultTable, { plan }: Pick<Paging, 'plan'>): PagePlace {
  if (plan.kind === 'offset') return { done: rows.rowCount, last: null }
  const values = rows.columns[keyAt(rows, plan)]?.values
  return { done: rows.rowCount, last: values?.at(-1) ?? null }
}

/** Pages that are fetched in one go: a million rows are as many as a page can hold. */
const mostPages = 1_000

const controllersAtom = atom<ReadonlyMap<number, AbortController>>(new Map())

const nextTooLarge =
  'The next row alone is larger than 4 MiB, the most this server sends. Select fewer columns.'

/** Stops fetching pages of a result and keeps those already fetched. */
export function stopPages({ get }: Io, number: number) {
  return get(controllersAtom).get(number)?.abort()
}

/** Fetches the next page of a result, or all that are left. */
export async function fetchResultPages(io: Io, number: number, howMany: 'next' | 'all') {
  const { get, set } = io
  if (entryOf(get, number)?.paging?.isFetching) return
  const controller = new AbortController()
  set(controllersAtom, new Map(get(controllersAtom)).set(number, controller))
  change({ isFetching: true, problem: null })
  const round = rounds(mostPages)
  try {
    do {
      const isLeft = await appendPage(controller.signal)
      if (!isLeft) break
    } while (howMany === 'all')
    change({ isFetching: false })
  } catch (error) {
    const problem = controller.signal.aborted
      ? null
      : isTooLarge(error)
        ? nextTooLarge
        : sentence(error)
    change({ isFetching: false, problem })
  }

  function change(paging: Partial<Paging>) {
    const present = entryOf(get, number)
    if (!present?.paging) return
    changeOutput(io, number, { paging: { ...present.paging, ...paging } })
  }

  async function appendPage(signal: AbortSignal): Promise<boolean> {
    const entry = entryOf(get, number)
    if (!entry?.paging || !entry.result || entry.paging.isComplete) return false
    const client = get(clientAtom)
    await ensureDatabaseToken(io, client, entry.database)
    const place = placeBehind(entry.result, entry.paging)
    round(place.last ?? place.done)
    const asked = pagesOf(entry, signal)
    const { rows, progress } = await readPage(client, asked, entry.paging, place)
    const present = entryOf(get, number)
    if (!present?.paging || !present.result) return false
    const result = joinResults(present.result, rows)
    const paging = { ...present.paging, ...progress }
    changeOutput(io, number, { result, paging, message: pagesMessage(result, paging) })
    return !progress.isComplete
  }
}

function entryOf(get: Getter, number: number): OutputEntry | undefined {
  const found = get(allOutputAtom).find((item) => item.kind === 'entry' && item.number === number)
  return found?.kind === 'entry' ? found : undefined
}

/** A sentence about how much of the result was fetched. */
export function pagesMessage({ rowCount }: ResultTable, { isComplete, tx }: Paging): string {
  const moment = tx === null ? '' : `, all as of tx ${formatTx(tx)}`
  if (isComplete) return `${counted(rowCount, 'row')}, fetched in pages${moment}.`
  return `The first ${counted(rowCount, 'row')}${moment}; more exist.`
}
