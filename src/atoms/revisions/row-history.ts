import { ApiError, isBecause } from '~/api/errors'
import { readVerifiableRow } from '~/api/proof'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { differingParts, type OlderRevision } from '~/core/revisions/last-changes'
import type { RevisionLine } from '~/core/revisions/revisions'
import { countRevisions, type Reads, type RowName } from '~/core/revisions/row-questions'
import { openRowRevisions, type RowRevisions } from '~/core/revisions/row-revisions'
import type { Change } from '~/core/revisions/row-timeline'
import { clientAtom } from '~/core/session/client'
import { lackingAtom } from '~/core/session/server-version'
import { unreadable } from '~/core/unreadable'
import type { KeyValue } from '~/immudb/key-address'
import type { RowKey } from '~/immudb/row-address'
import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from '~/lib/bytes'
import { cutText } from '~/lib/visible-text'
import type { CellFacts, RowFacts } from '~/proof/kernel/proven-facts'
import { type Cells, readRow } from '~/proof/kernel/row'
import type { FactsOf } from '~/proof/kernel/verify'
import { droppedLeaf, shownCell } from '~/proof/proven-leaves'
import { booleanValue, type Leaf, objectLeaf, type Shown } from '~/proof/shown'
import { type ResultColumn, type ResultTable, readResult } from '~/sql/result'
import { type WholeKey, wholeKey } from '~/sql/row-key'
import { revisionsOf, rowAsOf, rowAsOfEach } from '~/sql/row-source'
import { saidLeaf, writtenLeaves } from '~/trust/questions'
import type { ObjectKind, Question } from '~/trust/verification'
import { readDetails } from '../tables/table-list'
import { cellsOf } from '../transactions/changed-rows'
import {
  type Drawn,
  type DroppedCell,
  type During,
  type History,
  nextHistory,
  olderAtOnce,
  type Part,
  type Read,
  type RevisionContent,
  saidOfRevision,
} from './history'
import type { Subject } from './open-revisions'

type RowSubject = Extract<Subject, { kind: 'row' }>

/** Revisions in one answer of the history, and how far back it is quicker than a look at a moment. */
const atOnce = 20
const mostPaged = 100
/** Moments of the past in one statement. */
const momentsAtOnce = 64
/** The server needs 2 seconds to skip so many revisions, and 50 to skip five times as many. */
const mostSkipped = 1_000

/**
 * Opens the revisions of a row.
 * @throws ApiError when the server cannot be asked
 */
export async function openRowHistory(io: Reads, subject: RowSubject): Promise<History> {
  const { database, table, key } = subject
  const lacks = io.get(lackingAtom)('rowHistory')
  if (lacks !== undefined) return noHistory(subject, table, lacks)
  const { columns, indexes } = await readDetails(io.get, database, table)
  const names = indexes?.find(({ isPrimary }) => isPrimary)?.columns
  const keys = columns.filter(({ isPrimaryKey }) => isPrimaryKey)
  const ordered = names?.length === keys.length ? names : keys.map(({ name }) => name)
  const types = ordered.map((name) => typeOf(columns.find((one) => one.name === name)?.type ?? ''))
  const cells = keyCells(ordered, types, key)
  if (!cells) return noHistory(subject, table, notItsKey(table, ordered, types))
  const row = { database, table, key: cells }
  const what = `row ${cells.map(({ column, value }) => `${column} = ${cutText(value, namedLength)}`).join(', ')} of ${table}`
  const newest = () => readState(io.get(clientAtom), database)
  const revisions = await openRowRevisions(io, row, { newest, isRemembered: true })
  if (revisions.count === 0) return noHistory(subject, what, noSuchRow(table, cells))
  return new RowHistory(io, subject, { row, what, revisions })
}

/** What one search asks and tells. */
type Asked = NonNullable<Parameters<RowRevisions['at']>[1]>

type Opened = { row: RowName; what: string; revisions: RowRevisions }

class RowHistory implements History {
  readonly id = nextHistory()
  readonly subject: RowSubject
  readonly what: string
  readonly count: number
  readonly missing = ''
  readonly row: RowName
  readonly #io: Reads
  readonly #of: Opened
  /** Answers of the history by the place of their first revision. */
  readonly #pages = new Map<number, Promise<ResultTable>>()
  /** The revision that others were last compared with; null where its cells are not told. */
  #compared: { tx: string; stored: Stored | null } | null = null

  constructor(io: Reads, subject: RowSubject, of: Opened) {
    this.#io = io
    this.#of = of
    this.subject = subject
    this.what = of.what
    this.row = of.row
    this.count = of.revisions.count
  }

  isFar(from: number, to: number): boolean {
    const { revisions } = this.#of
    return revisions.isFar(from) && revisions.isFar(to)
  }

  isSlow(number: number): boolean {
    return this.count - number > mostSkipped && this.isFar(number, number)
  }

  async lines(from: number, to: number, during: During) {
    const lines: RevisionLine[] = []
    for (let number = from; number >= to; number -= 1) {
      lines.push(lineOf(number, await this.#find(number, during)))
    }
    return lines
  }

  changing({ parts }: RevisionContent): readonly Part[] {
    const key = new Set(this.row.key.map(({ column }) => column))
    return parts.filter(({ name }) => !key.has(name))
  }

  async older(from: number, to: number, than: Read, during: During) {
    const isNear = this.count - from < mostPaged
    const size = Math.min(olderAtOnce(than.content), isNear ? atOnce : from)
    const last = Math.max(to, from - size + 1)
    const stored = isNear ? null : await this.#comparedWith(than, during)
    return stored
      ? this.#olderByCells(from, last, { than, ...stored }, during)
      : this.#olderByContent(from, last, than, during)
  }

  /** One by one; near the newest an answer holds several. */
  async #olderByContent(from: number, to: number, { content }: Read, during: During) {
    const older: OlderRevision[] = []
    for (let number = from; number >= to; number -= 1) {
      const change = await this.#find(number, during)
      const isThere = change !== null && !change.isDeletion
      const shown = isThere && (await this.#shown(number, change, during).catch(noneIfUnreadable))
      // The number of the revision comes first.
      const parts = shown ? partsIn(shown.result, shown.row) : null
      const differing = parts && differingParts(content.parts, parts)
      older.push({ line: lineOf(number, change), differing })
    }
    return older
  }

  /** By the stored cells, which come with transactions that are looked at one by one. */
  async #olderByCells(
    from: number,
    to: number,
    { than, newer, told }: Stored & { than: Read },
    during: During,
  ) {
    const onRow = (tx: bigint, value: string | undefined) => {
      const cells = cellsOf(value)
      if (cells) told.set(String(tx), differingCells(newer, cells))
    }
    const lines: RevisionLine[] = []
    for (let number = from; number >= to; number -= 1) {
      lines.push(lineOf(number, await this.#find(number, { ...during, onRow })))
    }
    const untold = lines.flatMap(({ tx, kind }) =>
      tx !== null && kind === 'written' && !told.has(tx) ? [tx] : [],
    )
    for (let at = 0; at < untold.length; at += momentsAtOnce) {
      await this.#tellMoments(told, untold.slice(at, at + momentsAtOnce), than, during)
    }
    return lines.map((line) => ({ line, differing: told.get(line.tx ?? '') ?? null }))
  }

  /** Reads the row as of some transactions that wrote it. */
  async #tellMoments(
    told: Map<string, OlderRevision['differing']>,
    txs: readonly string[],
    { content }: Pick<Read, 'content'>,
    during: During,
  ): Promise<void> {
    const { table, key } = this.#of.row
    try {
      const result = await this.#ask(rowAsOfEach(table, key, txs), during)
      // A row is there after each transaction that wrote it.
      if (result.rowCount !== txs.length) return
      for (const [at, tx] of txs.entries()) {
        told.set(tx, differingParts(content.parts, partsIn(result, at)))
      }
    } catch (error) {
      if (unreadable(error) === null) throw error
      if (txs.length === 1) return
      const half = Math.ceil(txs.length / 2)
      for (const some of [txs.slice(0, half), txs.slice(half)]) {
        await this.#tellMoments(told, some, { content }, during)
      }
    }
  }

  /** The stored cells of the columns of a revision by their names; null where they are not told. */
  async #comparedWith({ line, content }: Read, during: During): Promise<Stored | null> {
    if (line.tx === null) return null
    if (this.#compared?.tx === line.tx) return this.#compared.stored
    const { sqlEntry, ColNamesById: names } = Object(await this.#stored(line.tx, during))
    const stored = cellsOf(sqlEntry?.value)
    const ids = new Map(Object.entries(Object(names)).map(([id, name]) => [name, Number(id)]))
    const named = this.changing(content).map(({ name }) => {
      const id = ids.get(name)
      return id === undefined ? null : { name, id, cell: stored?.get(id) }
    })
    const newer = named.flatMap((one) => one ?? [])
    const isAll = stored !== null && newer.length === named.length
    const found = isAll ? { newer, told: new Map() } : null
    this.#compared = { tx: line.tx, stored: found }
    return found
  }

  async #find(number: number, { signal, ...during }: During & Pick<Asked, 'onRow'>) {
    signal?.throwIfAborted()
    // A short search goes on though nobody waits any more: the next one would ask the same again.
    const stopped = signal && this.isFar(number, number) ? { signal } : {}
    return this.#of.revisions.at(number, { ...during, ...stopped })
  }

  async content(number: number, during: During): Promise<RevisionContent> {
    // A deletion repeats the last content unmarked, so its transaction must be known first.
    const change = await this.#findSoon(number, during)
    const shown = await this.#shown(number, change, during).catch(goneIfGone)
    if (shown === 'gone') return { parts: [], dropped: [], note: cellsGone }
    const { result, row } = shown
    const parts = partsIn(result, row).slice(1)
    const isDeletion = change?.isDeletion === true
    const dropped = change && !isDeletion ? await this.#dropped(String(change.tx), during) : []
    const note = isDeletion
      ? 'This revision deleted the row. A deletion repeats the last content.'
      : change
        ? null
        : unsure
    return { parts: isDeletion ? [] : parts, dropped, note }
  }

  /** The change of a revision unless its content is there sooner; null when it is not known. */
  async #findSoon(number: number, during: During): Promise<Change | null> {
    const isLate = this.isFar(number, number) && !this.isSlow(number)
    return isLate ? null : this.#find(number, during)
  }

  /** The revision as rows of a result that begin with its number. */
  async #shown(
    number: number,
    change: Change | null,
    during: During,
  ): Promise<{ result: ResultTable; row: number }> {
    const place = this.count - number
    // The server takes long to skip many revisions, and a moment of the past is read at once.
    if (!change || place < mostPaged) return this.#paged(place, number, during)
    const { table, key } = this.#of.row
    const as = change.isDeletion ? change.tx - 1n : change.tx
    const result = await this.#ask(rowAsOf(table, key, String(as)), during)
    return { result: withRevision(result, table, number), row: 0 }
  }

  async #paged(place: number, number: number, during: During) {
    const size = place < mostPaged ? atOnce : 1
    const first = place - (place % size)
    const fetched = this.#pages.get(first) ?? this.#page(size, first, during)
    this.#pages.set(first, fetched)
    const result = await fetched.catch(async (error: unknown) => {
      this.#pages.delete(first)
      // Someone else who waited for the same page may have stopped it.
      if (error instanceof ApiError && error.kind === 'aborted' && !during.signal?.aborted) {
        return this.#page(size, first, during)
      }
      if (unreadable(error) === null || size === 1) throw error
      return this.#page(1, place, during)
    })
    const row = result.columns[0]?.values.indexOf(String(number)) ?? -1
    if (row >= 0) return { result, row }
    // It was written again since, which moves all others.
    this.#pages.clear()
    const newest = await countRevisions(this.#io, this.#of.row, during.signal)
    return { result: await this.#page(1, newest - number, during), row: 0 }
  }

  #page(limit: number, offset: number, during: During): Promise<ResultTable> {
    const { table, key } = this.#of.row
    return this.#ask(revisionsOf(table, key, limit, offset), during)
  }

  async #ask(sql: string, { signal }: During): Promise<ResultTable> {
    const { database } = this.#of.row
    const asked = { database, sql, ...(signal ? { signal } : {}) }
    return readResult(await querySql(this.#io.get(clientAtom), asked))
  }

  /** The stored cells of columns that the table has no more. */
  async #dropped(tx: string, during: During): Promise<readonly DroppedCell[]> {
    return droppedIn(await this.#stored(tx, during))
  }

  /** The row as a transaction stored it, with the names of its columns; null where it is not told. */
  #stored(tx: string, { signal }: During): Promise<unknown> {
    const { database, table } = this.#of.row
    const asked = { database, table, pkValues: this.subject.key, atTx: tx, since: '0' }
    const client = this.#io.get(clientAtom)
    return readVerifiableRow(client, {
      ...asked,
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (unreadable(error) !== null || isBecause(error, 'key-not-found')) return null
      throw error
    })
  }

  async questions(_io: Io, drawn: Drawn): Promise<readonly Question[] | { why: string }> {
    const { number, line } = drawn
    const tx = line?.tx ?? String((await this.#find(number, {}))?.tx ?? '')
    if (tx === '') return { why: notFound }
    const { database, table } = this.#of.row
    return [
      {
        database,
        kind: 'row',
        what: `${this.what}, revision ${number}`,
        request: { sqlGetRequest: { table, pkValues: this.subject.key, atTx: tx } },
        shown: shownRevision(drawn, tx),
      },
    ]
  }

  provenContent([facts]: readonly FactsOf[ObjectKind][], { content }: Drawn): RevisionContent {
    const none = content ?? { parts: [], dropped: [], note: null }
    if (!facts || !('named' in facts)) return none
    const dropped = facts.hidden.map((id) => {
      return { id, cell: hexToBytes(facts.raw[id] ?? '') ?? new Uint8Array() }
    })
    return { ...none, parts: facts.deleted ? [] : provenParts(facts, none.parts), dropped }
  }
}

/** The stored cells of columns; absent for NULL. */
type NamedCells = readonly {
  readonly name: string
  readonly id: number
  readonly cell: Uint8Array | undefined
}[]

/** The stored cells of a revision, and what others have otherwise, by their transactions. */
type Stored = {
  readonly newer: NamedCells
  /** Transactions are looked at ahead, so some are told before they are asked for. */
  readonly told: Map<string, OlderRevision['differing']>
}

const nothing: ReadonlyMap<string, 'other'> = new Map()

/** Two cells are the same if all of their bytes are. */
function differingCells(newer: NamedCells, older: Cells): ReadonlyMap<string, 'other'> {
  const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined) =>
    one && other ? bytesToHex(one) === bytesToHex(other) : one === other
  const differing = newer.filter(({ id, cell }) => !isSame(cell, older.get(id)))
  return differing.length === 0 ? nothing : new Map(differing.map(({ name }) => [name, 'other']))
}

function lineOf(number: number, change: Change | null): RevisionLine {
  const kind = change === null ? null : change.isDeletion ? 'deleted' : 'written'
  const tx = change === null ? null : String(change.tx)
  return { number, tx, kind, seconds: null, author: null }
}

const partsIn = ({ columns }: ResultTable, row: number): Part[] =>
  columns.map(({ label, type, values }) => ({ name: label, type, value: values[row] ?? null }))

/** A revision as the drawer draws it: all of its cells, and those of columns that were dropped. */
function shownRevision(drawn: Drawn, tx: string): Shown {
  const { content, line } = drawn
  const isWhole = content !== null && content.parts.length > 0
  const cells = (content?.parts ?? []).map(({ name, type, value }): Leaf => {
    return { group: 'column', name, value: shownCell(type, value) }
  })
  const dropped = (content?.dropped ?? []).map(({ id, cell }) => droppedLeaf(id, bytesToHex(cell)))
  const names = dropped.length === 0 ? [] : [saidLeaf('the names of dropped columns', '')]
  const kind = line?.kind ?? null
  const isDeletion = objectLeaf('the deletion', booleanValue(kind === 'deleted'))
  const leaves = [
    ...writtenLeaves(tx, line?.seconds ?? null),
    ...(kind === null ? [] : [isDeletion]),
    ...cells,
    ...dropped,
    ...names,
    ...saidOfRevision(drawn),
  ]
  // Without a note it is known which transaction wrote the revision, and so what was dropped since.
  const whole = content?.note === null ? (['column', 'dropped'] as const) : (['column'] as const)
  return { leaves, whole: isWhole ? whole : [] }
}

/** The cells of a proven row as parts, in the form of a result. */
function provenParts({ named }: RowFacts, drawn: readonly Part[]): Part[] {
  const typeOfNull = (name: string) => drawn.find((part) => part.name === name)?.type ?? ''
  return Object.entries(named).map(([name, cell]) => ({
    name,
    type: cell?.isBytes ? 'BLOB' : (cell?.type ?? typeOfNull(name)),
    value: cell && resultText(cell),
  }))
}

function resultText({ type, value, isBytes }: CellFacts): string {
  if (isBytes || type === 'BLOB')
    return bytesToBase64(hexToBytes(String(value)) ?? new Uint8Array())
  return Object.is(value, -0) ? '-0' : String(value)
}

function noneIfUnreadable(error: unknown): null {
  if (unreadable(error) === null) throw error
  return null
}

/** For a row whose cells a truncation removed. */
function goneIfGone(error: unknown): 'gone' {
  if (isBecause(error, 'value-gone')) return 'gone'
  throw error
}

const cellsGone =
  'The server no longer has the cells of this revision. A truncation may have removed them. Its transaction and digest are still there.'

const unsure =
  'Whether this revision wrote the row or deleted it is not known, because its transaction is not.'

const notFound =
  'Queries did not find the transaction that wrote this revision. A deep audit reads every transaction.'

/** The columns of the answer with the number of the revision before them. */
function withRevision(result: ResultTable, table: string, number: number): ResultTable {
  const values = Array.from({ length: result.rowCount }, () => String(number))
  const column: ResultColumn = {
    name: `(${table}._rev)`,
    table,
    label: '_rev',
    type: 'INTEGER',
    values,
  }
  return { ...result, columns: [column, ...result.columns] }
}

function droppedIn(answer: unknown): readonly DroppedCell[] {
  const { sqlEntry, ColNamesById: names } = Object(answer)
  if (typeof sqlEntry?.value !== 'string' || typeof names !== 'object' || names === null) return []
  try {
    const cells = [...readRow(base64ToBytes(sqlEntry.value))]
    return cells.flatMap(([id, cell]) => (id in names ? [] : [{ id, cell }]))
  } catch {
    return []
  }
}

/** `VARCHAR(64)` as `VARCHAR`. */
const typeOf = (type: string) => type.replace(/[([].*$/, '').toUpperCase()

/** Longest value of a key that names its row. */
const namedLength = 40

const kinds: Readonly<Record<string, string>> = {
  INTEGER: 'n',
  VARCHAR: 's',
  UUID: 's',
  BOOLEAN: 'b',
  BLOB: 'bs',
  TIMESTAMP: 'ts',
  FLOAT: 'f',
}

/** The cells of a primary key; null when the values are not of its columns. */
function keyCells(
  names: readonly string[],
  types: readonly string[],
  key: RowKey,
): WholeKey | null {
  if (names.length !== key.length) return null
  const columns = names.map((name, at) => ({ name, type: types[at] ?? '' }))
  return wholeKey(columns, (name) => {
    const at = names.indexOf(name)
    const [kind, value] = [kinds[types[at] ?? ''], key[at]]
    return kind && value ? cellOf(kind, value) : null
  })
}

function cellOf(kind: string, value: KeyValue): string | null {
  const found: unknown = Object.entries(value).find(([name]) => name === kind)?.[1]
  return found === undefined ? null : String(found)
}

function notItsKey(table: string, names: readonly string[], types: readonly string[]): string {
  const columns = names.map((name, at) => `${name} ${types[at]}`).join(', ')
  return names.length === 0
    ? `The primary key of ${table} is not known, so a row cannot be named by it.`
    : `No such row: the primary key of ${table} is ${columns}.`
}

function noSuchRow(table: string, key: WholeKey): string {
  const named = key
    .map(({ column, value }) => `${column} = ${cutText(value, namedLength)}`)
    .join(', ')
  return `No such row: ${table} never had one with ${named}.`
}

function noHistory(subject: Subject, what: string, missing: string): History {
  return {
    id: nextHistory(),
    subject,
    what,
    count: 0,
    missing,
    isFar: () => false,
    isSlow: () => false,
    lines: async () => [],
    content: async () => ({ parts: [], dropped: [], note: null }),
    questions: async () => [],
    changing: () => [],
    older: async () => [],
    provenContent: () => ({ parts: [], dropped: [], note: null }),
  }
}
