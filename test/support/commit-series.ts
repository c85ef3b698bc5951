import { createStore } from 'jotai'
import { querySql } from '~/api/sql'
import { discardEdits, editsOfAtom, stageEdits } from '~/atoms/tables/edits'
import { commitEdits, commitStateAtom } from '~/atoms/tables/edits-commit'
import { rowCells } from '~/atoms/tables/edits-rows'
import { readDetails } from '~/atoms/tables/table-list'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { clientAtom, connect, type Store } from '~/core/session/client'
import { logIn } from '~/core/session/login'
import { openQueryCache } from '~/core/session/query-client'
import { openStorage } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { problemsOf } from '~/sql/edit-problems'
import { planEdits, requestOf } from '~/sql/edit-statements'
import { readResult } from '~/sql/result'
import {
  addRow,
  type Cells,
  changeCell,
  changeNewCell,
  deleteRow,
  type Edits,
  type EditTable,
  editTableOf,
  isDone,
  rowId,
} from '~/sql/row-edits'
import { memoryTrustStore } from '~/trust/store'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { type Api, api } from './api'
import { randomOf } from './mutations'
import { fakeDriver } from './store'
import { until } from './until'

// Someone stages edits of a random table, someone else writes to it at the worst moment, and the
// edits are committed on a real server. The law: all of them are committed or none, the outcome that
// is told is the one that the table has, and no row is written over that someone else changed.

/** When someone else writes: before the commit, after its rows were read again, or while it runs. */
const moments = ['never', 'before', 'between', 'during'] as const

/** What happened in the series of one table, by its outcome. */
export type Tally = Record<string, number>

type Random = () => number
const pick = <T>(random: Random, of: readonly T[]): T => {
  const one = of[Math.floor(random() * of.length)]
  if (one === undefined) throw new Error('nothing to pick')
  return one
}

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

/** Values that are awkward to compare, as a result has them. */
const values: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['0', '-1', '7', '9223372036854775807', '-9223372036854775808', '36028797018963972'],
  VARCHAR: ['', 'a', "it's; --", ' 00014', '\u{1F600}é', 'a\nb', 'NULL', '%_\\'],
  FLOAT: ['0', '-0', 'NaN', 'Infinity', '-Infinity', '1.5', '0.1', '5e-324', '-1e+21'],
  BOOLEAN: ['true', 'false'],
  TIMESTAMP: ['0', '-1', '1700000000123456', '253402300799000000'],
  BLOB: ['', 'AP8=', 'AAECAw=='],
  UUID: [uuid(1), uuid(2), uuid(3)],
  JSON: ['{"a":1}', '{"b":[1,2.5,null],"a":"x"}', '"text"', '9007199254740993', 'true', '[]', '{}'],
}
const keyValues: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['0', '1', '-5', '9223372036854775807', '42', '-9223372036854775808', '8'],
  VARCHAR: ['a', 'B', "o'k", ' x', 'é', 'zz', 'NULL'],
  FLOAT: ['0', '-0', '1.5', '-2', 'Infinity', '1e+21', 'NaN'],
  TIMESTAMP: ['0', '1', '1700000000123456', '5', '6', '7', '8'],
  BLOB: ['AA==', 'AP8=', 'AQ==', 'Ag==', 'Aw==', 'BA==', 'BQ=='],
  UUID: [1, 2, 3, 4, 5, 6, 7].map(uuid),
}

/** Shapes of the primary key; the first numbers its rows. */
const keys = [
  'INTEGER AUTO_INCREMENT',
  'INTEGER',
  'VARCHAR[12]',
  'UUID',
  'TIMESTAMP',
  'BLOB[8]',
  'FLOAT',
  'INTEGER,VARCHAR[12]',
  'VARCHAR[12],FLOAT',
] as const

const baseOf = (type: string) => type.replace(/\W.*$/, '')

/** A console without a page on a real server, with a place to act right before a commit arrives. */
class Console {
  readonly store: Store = createStore()
  onCommit: (send: () => Promise<Response>) => Promise<Response> = (send) => send()

  constructor(url: string) {
    const through = ((input: string, init?: RequestInit) => {
      const send = () => fetch(`${url}${input}`, init)
      return input.endsWith('/db/sqlexec') ? this.onCommit(send) : send()
    }) as typeof fetch
    connect(this.store, '/api', through)
    const driver = fakeDriver()
    this.store.set(
      storageAtom,
      openStorage(
        () => Promise.resolve(driver),
        () => {},
      ),
    )
    this.store.set(trustedStatesAtom, new TrustedStates(async () => memoryTrustStore()))
    openQueryCache(this.store)
  }
}

/** Plays series after series against tables of one database. */
export class CommitSeries {
  readonly #console: Console
  readonly #other: Api
  readonly tally: Tally = {}

  private constructor(console: Console, other: Api) {
    this.#console = console
    this.#other = other
  }

  /** Logs both in. */
  static async begin(url: string): Promise<CommitSeries> {
    const other = await api(url)
    const console = new Console(url)
    await logIn(console.store, { user: 'immudb', password: 'immudb', isStored: false })
    console.store.sub(writeRefusalAtom, () => {})
    await until(
      async () => console.store.get(writeRefusalAtom),
      (why) => why === undefined,
    )
    return new CommitSeries(console, other)
  }

  /** Makes a table by a seed, plays on it, and returns what broke the law; empty when nothing did. */
  async play(seed: number, rounds: number): Promise<string> {
    const random = randomOf(seed)
    const table = await this.#create(
      `series_${seed}`,
      keys[seed % keys.length] ?? 'INTEGER',
      random,
    )
    for (let round = 0; round < rounds; round += 1) {
      const breach = await this.#round(table, random)
      if (breach !== '') return `seed ${seed}, round ${round}: ${breach}`
    }
    return ''
  }

  async #create(name: string, key: string, random: Random): Promise<EditTable> {
    const keyColumns = key.split(',').map((type, at) => `k${at} ${type}`)
    const types = Object.keys(values).filter(() => random() < 0.5)
    const columns = types.map((type, at) => {
      const isRequired = random() < 0.2
      return `c${at} ${type}${type === 'VARCHAR' || type === 'BLOB' ? '[60]' : ''}${isRequired ? ' NOT NULL' : ''}`
    })
    const names = keyColumns.map((_, at) => `k${at}`).join(', ')
    const all = [...keyColumns, ...columns].join(', ')
    await this.#other.exec(`CREATE TABLE ${name} (${all}, PRIMARY KEY (${names}));`)
    const indexed = types.flatMap((type, at) => (type === 'JSON' ? [] : [`c${at}`]))
    if (indexed[0] && random() < 0.7) {
      await this.#other.exec(`CREATE INDEX ON ${name}(${indexed[0]});`)
      if (indexed[1] && random() < 0.5)
        await this.#other.exec(
          `CREATE ${random() < 0.3 ? 'UNIQUE ' : ''}INDEX ON ${name}(${indexed.slice(0, 2).join(', ')});`,
        )
    }
    const description = await readDetails(this.#console.store.get, 'defaultdb', name)
    return editTableOf(name, description)
  }

  async #read(table: EditTable, period = ''): Promise<Map<string, Cells>> {
    const client = this.#console.store.get(clientAtom)
    const sql = `SELECT * FROM ${table.name} ${period};`
    const result = readResult(await querySql(client, { database: 'defaultdb', sql }))
    const rows = Array.from({ length: result.rowCount }, (_, at) => rowCells(result, at))
    return new Map(rows.map((row) => [rowId(table, row), row]))
  }

  /** Edits as someone might make them of these rows. */
  #edits(table: EditTable, rows: ReadonlyMap<string, Cells>, random: Random, most: number): Edits {
    let edits: Edits = []
    const others = table.columns.filter(({ isPrimaryKey }) => !isPrimaryKey)
    const cellOf = ({ type, isNullable }: EditTable['columns'][number]) =>
      isNullable && random() < 0.25 ? null : pick(random, values[baseOf(type)] ?? ['x'])
    const count = 1 + Math.floor(random() * most)
    for (let at = 0; at < count; at += 1) {
      const how = random()
      const row = rows.size > 0 ? pick(random, [...rows.values()]) : undefined
      const isNew = !row || edits.every(({ id }) => id !== rowId(table, row))
      if (row && isNew && how < 0.5 && others.length > 0) {
        const column = pick(random, others)
        edits = changeCell(edits, table, row, column.name, { value: cellOf(column) })
      } else if (row && isNew && how < 0.7) edits = deleteRow(edits, table, row)
      else if (rows.size < 12) {
        const added = addRow(edits)
        edits = added.edits
        for (const column of table.columns) {
          if (column.isAutoIncrement) continue
          const value = column.isPrimaryKey
            ? pick(random, keyValues[baseOf(column.type)] ?? ['x'])
            : cellOf(column)
          if (value !== null || !column.isNullable)
            edits = changeNewCell(edits, added.id, column.name, { value })
        }
      }
    }
    return edits
  }

  /** Someone else's writes, in the same words; true when they were stored. */
  async #theirs(table: EditTable, edits: Edits): Promise<boolean> {
    if (edits.length === 0) return false
    const { sql, params } = requestOf(planEdits(table, edits))
    return this.#other.call('/db/sqlexec', { sql, params }).then(
      () => true,
      () => false,
    )
  }

  async #round(table: EditTable, random: Random): Promise<string> {
    const { store } = this.#console
    const place = { database: 'defaultdb', table: table.name }
    const seen = await this.#read(table)
    const mine = this.#edits(table, seen, random, 4)
    discardEdits(store, place)
    stageEdits(store, place, () => mine)
    // The review holds a commit that the server would refuse whatever anyone writes.
    if (mine.length === 0 || problemsOf(table, mine, null).length > 0) return ''
    const moment = pick(random, moments)
    const theirs = moment === 'never' ? [] : this.#edits(table, seen, random, 2)
    let isTheirs = false
    const act = async () => {
      isTheirs = await this.#theirs(table, theirs)
    }
    let racing: Promise<void> | null = null
    if (moment === 'before') await act()
    this.#console.onCommit = async (send) => {
      // The request comes twice when the server wants a fresh connection for it.
      if (moment === 'between' || moment === 'during') racing ??= act()
      if (moment === 'between') await racing
      return send()
    }
    const txBefore = await this.#other.txId()
    const isCommitted = await commitEdits(store, place, table)
    await racing
    const state = store.get(commitStateAtom)(place)
    const left = store.get(editsOfAtom)(place)
    const told = state.kind === 'refused' ? `refused ${state.text}` : state.kind
    const context = () =>
      JSON.stringify({ table: table.name, moment, told, mine, theirs, isTheirs }, (_, value) =>
        value instanceof Map ? [...value] : value,
      )
    this.#count(`${moment}: ${state.kind}${isTheirs ? ' (theirs was stored)' : ''}`)
    if (state.kind === 'refused' && !expectedRefusal.test(state.text))
      return `refused for another reason: ${context()}`
    if (isCommitted !== (state.kind === 'committed')) return `told two outcomes: ${context()}`
    const touched = new Set(theirs.filter(({ kind }) => kind !== 'add').map(({ id }) => id))
    const isMet = isTheirs && mine.some(({ id }) => touched.has(id))
    if (state.kind === 'committed') {
      const { tx } = state.value
      if (tx === null) return `committed in no transaction: ${context()}`
      const before = await this.#read(table, `UNTIL TX ${Number(tx) - 1}`)
      const after = await this.#read(table, `UNTIL TX ${tx}`)
      if (left.edits.length > 0) return `committed and still staged: ${context()}`
      const wrong = notWhole(table, mine, seen, before, after)
      return wrong === '' ? '' : `${wrong}: ${context()}`
    }
    if (state.kind !== 'refused') return `neither committed nor refused: ${context()}`
    if (left.edits.length !== mine.length) return `refused, and edits are lost: ${context()}`
    if (isMet && moment !== 'during' && ![...left.conflicts.keys()].some((id) => touched.has(id)))
      return `refused, and the changed row is not shown: ${context()}`
    const newest = await this.#other.txId()
    const most = (moment === 'before' ? 0 : Number(isTheirs)) + txBefore
    return newest > most ? `refused, and stored: ${context()}` : ''
  }

  #count(what: string) {
    this.tally[what] = (this.tally[what] ?? 0) + 1
  }
}

/** What someone else can make of a commit: a changed row, a taken key, or a write at once. */
const expectedRefusal =
  /^(Someone else changed k0 = |Someone else wrote at the same moment\.|Key already exists\.)/

const same = (one: Cells | undefined, other: Cells | undefined) =>
  JSON.stringify([...(one ?? [])]) === JSON.stringify([...(other ?? [])])

/** What of some edits a transaction does not hold, or holds beside them; empty when all is well. */
function notWhole(
  table: EditTable,
  edits: Edits,
  seen: ReadonlyMap<string, Cells>,
  before: ReadonlyMap<string, Cells>,
  after: ReadonlyMap<string, Cells>,
): string {
  const made = new Set([...after.keys()].filter((id) => !before.has(id)))
  const mine = new Map(edits.map((edit) => [edit.id, edit]))
  for (const edit of edits) {
    if (edit.kind === 'add') {
      const found = [...made].find((id) => isDone(edit, table, after.get(id) ?? null))
      if (found === undefined) return 'committed without a new row'
      made.delete(found)
      continue
    }
    if (!same(before.get(edit.id), seen.get(edit.id))) return 'wrote over a change of someone else'
    const now = after.get(edit.id) ?? null
    if (!isDone(edit, table, now)) return 'committed in part'
    if (edit.kind === 'delete' || now === null) continue
    const rest = (cells: Cells) => new Map([...cells].filter(([name]) => !edit.after.has(name)))
    if (!same(rest(edit.before), rest(now))) return 'changed a cell that was not staged'
  }
  if (made.size > 0) return 'made rows that were not staged'
  for (const [id, row] of before) {
    if (!mine.has(id) && !same(row, after.get(id))) return 'changed a row that was not staged'
  }
  return ''
}
