import { typeText, type WireValue } from './import-types'
import { functionNames } from './keywords'
import { isWritable, lowerAscii, quoteName } from './names'
import { plainName } from './plain-name'
import type { ScriptDialect, ScriptSigns } from './script-dialect'
import { spanAt, type TakenBack } from './script-rollback'
import { type DecimalChoice, scriptType, type TypeFound } from './script-types'
import {
  literalOfWire,
  nowWords,
  ScriptCursor,
  type ScriptValue,
  takeValue,
  type ValueColumn,
  wireOf,
} from './script-values'

/** What becomes of a statement of a script. */
export const judgements = ['runs', 'rewritten', 'left out', 'cannot run'] as const
export type Judgement = (typeof judgements)[number]

/** A statement as it is sent, and by what it is found again when its answer was lost. */
export type SentSql = {
  readonly sql: string
  readonly makes:
    | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
    | { readonly kind: 'index'; readonly table: string; readonly columns: readonly string[] }
    | { readonly kind: 'column'; readonly table: string; readonly column: string }
    | { readonly kind: 'no table'; readonly table: string }
    | { readonly kind: 'other' }
}

export type Judged = {
  readonly judgement: Judgement
  /** What is lost, what is done elsewhere, or why it does not run; sentences. */
  readonly notes: readonly string[]
  readonly sent: readonly SentSql[]
  /** What it destroys, such as `Drop table orders`; missing for nothing. */
  readonly danger?: string
}

export const leftOut = (...notes: readonly string[]): Judged => ({
  judgement: 'left out',
  notes,
  sent: [],
})
export const cannot = (...notes: readonly string[]): Judged => ({
  judgement: 'cannot run',
  notes,
  sent: [],
})

export type ScriptColumn = ValueColumn & {
  /** Its name in the script, in lower case. */
  readonly written: string
  /** The server fills it where a row does not name it. */
  readonly hasDefault: boolean
  /** What rows get that do not name it, where immudb cannot keep the default. */
  readonly fill: WireValue | null
}

export type ScriptTable = {
  readonly name: string
  readonly columns: readonly ScriptColumn[]
  readonly key: readonly string[]
  /** The column that the server counts up where a row does not name it. */
  readonly autoKey: string | null
  /** Columns of its indexes, each in their order, without the key. */
  readonly indexes: readonly (readonly string[])[]
  /** Why it cannot be made; null where it is there or will be. */
  readonly problem: string | null
  /** The script made it, so its rows are all known. */
  readonly isMade: boolean
}

/** Bytes that an entry of an index has beside its columns, and the most that it may have. */
const entryHead = 11
const longestKey = 1_024
const mostIndexed = 8

/**
 * Bytes of a column in a key: a mark, the value filled up to its longest, and its length. Measured
 * with immudb 1.11.1: an entry of an index has the columns and then the key of its row, that of the
 * key has the key twice. A row whose entry is longer is refused, or stops the index for good.
 */
function keyBytes({ type }: Pick<ScriptColumn, 'type'>): number {
  switch (type.name) {
    case 'BOOLEAN':
      return 2
    case 'INTEGER':
    case 'FLOAT':
    case 'TIMESTAMP':
      return 9
    case 'UUID':
      return 17
  }
  return (type.length ?? longestKey) + 5
}

type RawColumn = {
  readonly written: string
  name: string
  readonly found: TypeFound
  isNullable: boolean
  value: ScriptValue | null
  isAuto: boolean
  readonly notes: string[]
}

type RawIndex = {
  readonly columns: readonly string[]
  readonly isUnique: boolean
  /** Why immudb cannot have it. */
  readonly problem: string | null
  readonly notes: readonly string[]
}

type RawTable = {
  readonly name: string
  readonly columns: RawColumn[]
  key: readonly string[]
  readonly indexes: RawIndex[]
  readonly checks: string[]
  readonly notes: string[]
  readonly isIfMissing: boolean
  problem: string | null
}

/** A statement about tables, with its number in the script. */
export type TableStatement = {
  readonly number: number
  readonly line: number
  readonly text: string
}

const tableStatement =
  /^(?:\/\*M?!\d*\s*)?(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:GLOBAL\s+|LOCAL\s+)?(?:TEMP(?:ORARY)?\s+|UNLOGGED\s+)?TABLE|CREATE\s+(?:UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+|CLUSTERED\s+|NONCLUSTERED\s+)*INDEX|ALTER\s+TABLE|DROP\s+TABLE|DROP\s+INDEX|TRUNCATE|RENAME\s+TABLE)\b/i

/** Whether a statement makes or changes tables. */
export const isAboutTables = (text: string): boolean => tableStatement.test(text.slice(0, 200))

/** What the tables of a script are at a statement. */
export type ScriptTables = {
  readonly takenBack: readonly TakenBack[]
  /** What becomes of a statement about tables. */
  judgedAt(number: number): Judged | undefined
  tableAt(name: string, number: number): ScriptTable | undefined
  /** The name in immudb of a table that a script calls so; null for none that can be written. */
  nameOf(schema: string | null, name: string): string
}

export type TablesInput = {
  /** What the script takes back itself, and so never makes a table. */
  readonly takenBack: readonly TakenBack[]
  readonly dialect: ScriptDialect
  readonly decimals: DecimalChoice
  readonly statements: readonly TableStatement[]
  /** Numbers of the first statements that store rows into a table, by its name. */
  readonly firstRows: ReadonlyMap<string, readonly number[]>
  /** The tables of the database that the script names. */
  readonly there: readonly ScriptTable[]
  /** Tables whose rows have keys that do not grow, so that immudb cannot count them up. */
  readonly disordered: ReadonlySet<string>
}

const ownSchemas = /^(public|dbo|main|temp|pg_catalog)$/

/** Names of tables in immudb. Two names of a script never become one. */
export function tableNamer(dialect: ScriptDialect) {
  const known = new Map<string, string>()
  const taken = new Set<string>()
  return (schema: string | null, name: string): string => {
    const isOwn = schema === null || dialect === 'mysql' || ownSchemas.test(lowerAscii(schema))
    const full = isOwn ? name : `${schema}_${name}`
    return namedOnce(dialect === 'postgres' ? full : lowerAscii(full), known, taken)
  }
}

function namedOnce(full: string, known: Map<string, string>, taken: Set<string>): string {
  const before = known.get(full)
  if (before !== undefined) return before
  const lower = lowerAscii(full)
  const wanted = isWritable(lower) ? lower : plainName(full) || 'unnamed'
  let found = wanted
  for (let more = 2; taken.has(found); more += 1) found = `${wanted}_${more}`
  known.set(full, found)
  taken.add(found)
  return found
}

/** A name with the schema before it, as `schema.name`. */
export function takeQualified(
  cursor: ScriptCursor,
): { schema: string | null; name: string } | null {
  let schema: string | null = null
  let name = cursor.takeName()
  while (name !== null && cursor.sign === '.') {
    cursor.step()
    schema = name
    name = cursor.takeName()
  }
  return name === null ? null : { schema, name }
}

/**
 * Follows the statements about tables through a script. What immudb must know when a table is made
 * (its key, its unique indexes, what counts up) often stands behind its rows, so all of them are
 * read before the first is judged.
 */
export function scriptTables(input: TablesInput, signs: ScriptSigns): ScriptTables {
  const { dialect, takenBack } = input
  const statements = input.statements.filter(({ number }) => !spanAt(takenBack, number))
  const nameOf = tableNamer(dialect)
  const states = new Map<string, { number: number; table: ScriptTable | null }[]>()
  const judged = new Map<number, Judged>()
  for (const table of input.there) states.set(table.name, [{ number: -1, table }])

  const tableAt = (name: string, number: number) =>
    states.get(name)?.findLast((state) => state.number < number)?.table ?? undefined
  const setTable = (name: string, number: number, table: ScriptTable | null) => {
    const all = states.get(name) ?? []
    all.push({ number, table })
    states.set(name, all)
  }

  // First what each table is in the end, before the next one of its name.
  const open = new Map<string, { raw: RawTable; number: number }>()
  const made = new Map<number, RawTable>()
  /** Actions that are done where their table is made, by statement. */
  const hoisted = new Map<number, Set<number>>()
  const hasRowsBetween = (name: string, from: number, to: number) =>
    (input.firstRows.get(name) ?? []).some((number) => number > from && number < to)

  for (const { number, text } of statements) {
    const cursor = new ScriptCursor(text, signs)
    const created = readCreateTable(cursor.copy(), input, nameOf)
    if (created) {
      made.set(number, created)
      open.set(created.name, { raw: created, number })
      continue
    }
    const index = readIndex(cursor.copy(), nameOf)
    if (index) {
      const of = open.get(index.table)
      const mustHoist =
        index.isUnique &&
        index.problem === null &&
        of &&
        hasRowsBetween(index.table, of.number, number)
      if (of && mustHoist) {
        of.raw.indexes.push(index)
        hoisted.set(number, new Set([0]))
      }
      continue
    }
    const altered = readAlter(cursor.copy(), input, nameOf)
    if (!altered) continue
    const of = open.get(altered.table)
    if (!of) continue
    altered.actions.forEach((action, at) => {
      const isLate = hasRowsBetween(altered.table, of.number, number)
      if (!hoist(of.raw, action, isLate)) return
      const done = hoisted.get(number) ?? new Set()
      hoisted.set(number, done.add(at))
    })
    const renamed = altered.actions.find(({ kind }) => kind === 'rename')
    if (renamed) open.delete(altered.table)
  }

  // Then each statement in its order.
  for (const { number, line, text } of statements) {
    const raw = made.get(number)
    const found = raw
      ? judgeCreate(raw, number)
      : (judgeIndex(number, text) ?? judgeAlter(number, text) ?? judgeDrop(number, text))
    judged.set(number, asJudged(text, signs, found ?? cannot(unreadable(line))))
  }

  return { takenBack, judgedAt: (number) => judged.get(number), tableAt, nameOf }

  function judgeCreate(raw: RawTable, number: number): Judged {
    const before = tableAt(raw.name, number)
    if (before && before.problem === null) {
      const text = `There is a table ${raw.name} already.`
      return raw.isIfMissing ? leftOut(text) : cannot(text)
    }
    const { table, statements: sent, notes } = finish(raw, input)
    setTable(raw.name, number, table)
    if (table.problem !== null) return cannot(table.problem)
    return { judgement: 'rewritten', notes, sent }
  }

  function judgeIndex(number: number, text: string): Judged | null {
    const index = readIndex(new ScriptCursor(text, signs), nameOf)
    if (!index) return null
    if (hoisted.has(number)) {
      const why = 'because immudb makes a unique index only on an empty table'
      return withTable(
        index.table,
        index,
        `Made together with the table ${index.table}, ${why}.`,
        number,
      )
    }
    const table = tableAt(index.table, number)
    if (!table) return cannot(noTable(index.table))
    if (table.problem !== null) return cannot(dependsOn(table))
    return addIndex(table, index, number)
  }

  /** An index that was to be made with its table, which may have had no room for it. */
  function withTable(name: string, { columns }: RawIndex, text: string, number: number): Judged {
    const table = tableAt(name, number)
    if (!table) return cannot(noTable(name))
    if (table.problem !== null) return cannot(dependsOn(table))
    const names = columns.map((written) => columnOf(table, written)?.name).join()
    const isMade = [table.key, ...table.indexes].some((one) => one.join() === names)
    return leftOut(
      isMade ? text : `The statement that makes the table ${name} says why it is left out.`,
    )
  }

  function addIndex(table: ScriptTable, index: RawIndex, number: number): Judged {
    if (index.problem !== null) return leftOut(index.problem)
    const columns = index.columns.map((written) => columnOf(table, written)?.name)
    if (columns.includes(undefined)) {
      return cannot(`The table ${table.name} has not all columns of the index.`)
    }
    const names = columns.flatMap((name) => name ?? [])
    const isEqual = (other: readonly string[]) => other.join() === names.join()
    if (isEqual(table.key)) return leftOut('The key of the table is this index already.')
    if (table.indexes.some(isEqual)) return leftOut('There is an index on these columns already.')
    if (index.isUnique && !table.isMade) {
      return cannot(
        'immudb makes a unique index only on an empty table, and this one was there before the script.',
      )
    }
    const fits = indexFits(table, names)
    if (fits !== null) return leftOut(fits)
    const sent = indexSql(table.name, names, index.isUnique)
    setTable(table.name, number, { ...table, indexes: [...table.indexes, names] })
    return { judgement: 'rewritten', notes: index.notes, sent: [sent] }
  }

  function judgeAlter(number: number, text: string): Judged | null {
    const altered = readAlter(new ScriptCursor(text, signs), input, nameOf)
    if (!altered) return null
    const done = hoisted.get(number)
    const first = tableAt(altered.table, number)
    if (!first) {
      if (altered.isOther) return leftOut(notATable)
      return cannot(noTable(altered.table))
    }
    if (first.problem !== null) return cannot(dependsOn(first))
    const results = altered.actions.map((action, at): Judged => {
      if (done?.has(at)) {
        const text = `Done where the table ${altered.table} is made.`
        return action.kind === 'index'
          ? withTable(altered.table, action.index, text, number)
          : leftOut(text)
      }
      const table = tableAt(altered.table, number + 0.5) ?? first
      return judgeAction(table, action, number)
    })
    return together(results)
  }

  function judgeAction(table: ScriptTable, action: AlterAction, number: number): Judged {
    const name = quoteName(table.name)
    switch (action.kind) {
      case 'skip':
        return leftOut(action.why)
      case 'cannot':
        return cannot(action.why)
      case 'index':
        return addIndex(table, action.index, number)
      case 'key':
        return table.key.join() === action.columns.map((one) => columnOf(table, one)?.name).join()
          ? leftOut('The table has this key already.')
          : cannot(`immudb cannot change the key of ${table.name}.`)
      case 'auto':
      case 'default':
        return leftOut('immudb takes defaults only where a table is made.')
      case 'null': {
        const column = columnOf(table, action.column)
        if (!column || column.isNullable === action.isNullable) return leftOut(nothingToDo)
        return leftOut(
          action.isNullable
            ? `${column.name} stays without NULL.`
            : `${column.name} takes NULL on: rows may have it.`,
        )
      }
      case 'type': {
        const column = columnOf(table, action.column)
        return column?.type.name === action.found.type.name
          ? leftOut(`${column.name} is ${typeText(column.type)} in immudb already.`)
          : cannot('The console changes no types of columns in a script.')
      }
      case 'add': {
        const column = addedColumn(table, action.column)
        if (columnOf(table, action.column.written)) {
          return leftOut(`There is a column ${action.column.written} already.`)
        }
        const sql = `ALTER TABLE ${name} ADD COLUMN ${quoteName(column.name)} ${typeText(column.type)};`
        setTable(table.name, number, { ...table, columns: [...table.columns, column] })
        const wasRequired = !action.column.isNullable || action.column.value !== null
        const notes = wasRequired
          ? [`${column.name} takes NULL and has no default: immudb adds columns only so.`]
          : []
        const makes = { kind: 'column', table: table.name, column: column.name } as const
        return { judgement: 'rewritten', notes, sent: [{ sql, makes }] }
      }
      case 'rename': {
        const to = nameOf(null, action.to)
        if (tableAt(to, number)) return cannot(`There is a table ${to} already.`)
        setTable(to, number, { ...table, name: to })
        setTable(table.name, number, null)
        const sql = `ALTER TABLE ${name} RENAME TO ${quoteName(to)};`
        const makes = { kind: 'table', table: to, columns: [] } as const
        return { judgement: 'rewritten', notes: [], sent: [{ sql, makes }] }
      }
      case 'rename column': {
        const column = columnOf(table, action.column)
        if (!column) return cannot(`There is no column ${action.column}.`)
        const to = isWritable(lowerAscii(action.to)) ? lowerAscii(action.to) : plainName(action.to)
        const columns = table.columns.map((one) =>
          one === column ? { ...one, name: to, written: lowerAscii(action.to) } : one,
        )
        const renamed = (names: readonly string[]) =>
          names.map((one) => (one === column.name ? to : one))
        setTable(table.name, number, {
          ...table,
          columns,
          key: renamed(table.key),
          indexes: table.indexes.map(renamed),
        })
        const sql = `ALTER TABLE ${name} RENAME COLUMN ${quoteName(column.name)} TO ${quoteName(to)};`
        const makes = { kind: 'column', table: table.name, column: to } as const
        return { judgement: 'rewritten', notes: [], sent: [{ sql, makes }] }
      }
      case 'drop column': {
        const column = columnOf(table, action.column)
        if (!column) return cannot(`There is no column ${action.column}.`)
        const isUsed = [table.key, ...table.indexes].some((names) => names.includes(column.name))
        if (isUsed) return cannot(`${column.name} is part of an index, so immudb keeps it.`)
        const columns = table.columns.filter((one) => one !== column)
        setTable(table.name, number, { ...table, columns })
        const sql = `ALTER TABLE ${name} DROP COLUMN ${quoteName(column.name)};`
        const danger = `Drop column ${column.name} of ${table.name}`
        return { judgement: 'rewritten', notes: [], sent: [{ sql, makes: other }], danger }
      }
    }
  }

  function judgeDrop(number: number, text: string): Judged | null {
    const cursor = new ScriptCursor(text, signs)
    if (cursor.takes('DROP', 'INDEX')) {
      return leftOut('Indexes have no names in immudb. Drop it in Tables, where it is listed.')
    }
    if (cursor.takes('RENAME', 'TABLE')) {
      const from = takeQualified(cursor)
      cursor.takes('TO')
      const to = takeQualified(cursor)
      const table = from && tableAt(nameOf(from.schema, from.name), number)
      if (!table || !to || cursor.token) return cannot(unreadable(0))
      return judgeAction(table, { kind: 'rename', to: to.name }, number)
    }
    const isDrop = cursor.takes('DROP')
    const isTruncate = !isDrop && cursor.takes('TRUNCATE')
    if (!isDrop && !isTruncate) return null
    cursor.takes('TEMPORARY')
    cursor.takes('TABLE')
    const isIfThere = cursor.takes('IF', 'EXISTS')
    cursor.takes('ONLY')
    const results: Judged[] = []
    do {
      const found = takeQualified(cursor)
      if (found === null) return null
      const name = nameOf(found.schema, found.name)
      const table = tableAt(name, number)
      if (!table) {
        results.push(isIfThere ? leftOut(noTable(name)) : cannot(noTable(name)))
        continue
      }
      if (table.problem !== null) {
        results.push(leftOut(dependsOn(table)))
        continue
      }
      if (isDrop) setTable(name, number, null)
      const sql = isDrop ? `DROP TABLE ${quoteName(name)};` : `TRUNCATE TABLE ${quoteName(name)};`
      const makes = isDrop ? ({ kind: 'no table', table: name } as const) : other
      const danger = `${isDrop ? 'Drop' : 'Truncate'} table ${name}`
      results.push({ judgement: 'rewritten', notes: [], sent: [{ sql, makes }], danger })
    } while (cursor.takesSign(','))
    return together(results)
  }
}

const other = { kind: 'other' } as const
const nothingToDo = 'It is so in immudb already.'
const notATable = 'It is no table of immudb.'
export const noTable = (name: string) => `There is no table ${name}.`
export const dependsOn = ({ name, problem }: Pick<ScriptTable, 'name' | 'problem'>) =>
  `The table ${name} cannot be made: ${problem}`
const unreadable = (line: number) =>
  line === 0
    ? 'The console cannot read this statement.'
    : `The console cannot read the statement of line ${line}.`

/** Several results of one statement: what is sent of it, and what is said of the rest. */
function together(results: readonly Judged[]): Judged {
  const sent = results.flatMap((one) => one.sent)
  const notes = [...new Set(results.flatMap((one) => one.notes))]
  const dangers = results.flatMap(({ danger }) => danger ?? [])
  const danger = dangers.length > 0 ? { danger: dangers.join(', ') } : {}
  if (sent.length > 0) return { judgement: 'rewritten', notes, sent, ...danger }
  const isImpossible = results.some(({ judgement }) => judgement === 'cannot run')
  return isImpossible ? cannot(...notes) : leftOut(...notes)
}

/** What is sent as the script has it, but for spaces and the letters of words, runs as it is. */
export function asJudged(text: string, signs: ScriptSigns, found: Judged): Judged {
  if (found.judgement !== 'rewritten') return found
  const [one, ...more] = found.sent
  const isSame = one && more.length === 0 && isSameSql(text, one.sql, signs)
  return isSame ? { ...found, judgement: 'runs' } : found
}

/** Whether two statements differ in nothing but spaces, comments and the case of words. */
export function isSameSql(one: string, other: string, signs: ScriptSigns): boolean {
  const plain = { ...signs, hasBackslashes: false, hasDoubleTexts: false }
  return words(one, signs) === words(other, plain)
}

function words(text: string, signs: ScriptSigns): string {
  const cursor = new ScriptCursor(text, signs)
  const found: string[] = []
  for (; cursor.token; cursor.step()) {
    if (cursor.sign === ';') continue
    const { kind } = cursor.token
    found.push(kind === 'text' ? cursor.text : lowerAscii(cursor.text))
  }
  // immudb takes one column as a key with brackets and without.
  return found.join(' ').replace(/\bprimary\skey \( (\S+) \)/, 'primary key $1')
}

const columnsByName = new WeakMap<ScriptTable, ReadonlyMap<string, ScriptColumn>>()

/** The column that a script calls so. */
export function columnOf(table: ScriptTable, written: string): ScriptColumn | undefined {
  let known = columnsByName.get(table)
  if (!known) {
    known = new Map(table.columns.map((column) => [column.written, column]))
    columnsByName.set(table, known)
  }
  return known.get(written) ?? known.get(lowerAscii(written))
}

function addedColumn(table: ScriptTable, raw: RawColumn): ScriptColumn {
  const taken = new Set(table.columns.map(({ name }) => name))
  const { type } = widened(raw.found)
  const name = namedOnce(raw.written, new Map(), taken)
  return { ...plainColumn(raw, type), name, isNullable: true, hasDefault: false, fill: null }
}

function plainColumn(raw: RawColumn, type: ScriptColumn['type']) {
  const { written, name, isNullable } = raw
  return { written, name, type, isNullable, isDecimal: raw.found.isDecimal === true }
}

/** A length in characters as one in bytes. */
function widened(found: TypeFound): TypeFound {
  const { length } = found.type
  if (found.hasCharacters !== true || length === null) return found
  return { ...found, type: { ...found.type, length: length * 4 } }
}

export function indexSql(table: string, columns: readonly string[], isUnique: boolean): SentSql {
  const list = columns.map(quoteName).join(', ')
  const sql = `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ON ${quoteName(table)} (${list});`
  return { sql, makes: { kind: 'index', table, columns } }
}

/** Why an index on these columns cannot be made; null when it can. */
function indexFits(table: ScriptTable, names: readonly string[]): string | null {
  const of = (name: string) => table.columns.find((column) => column.name === name)
  const sum = (list: readonly string[]) =>
    list.reduce((bytes, name) => bytes + keyBytes(of(name) ?? { type: longText }), 0)
  if (names.length > mostIndexed) return `immudb indexes at most ${mostIndexed} columns together.`
  const json = names.find((name) => of(name)?.type.name === 'JSON')
  if (json !== undefined) return `immudb cannot index ${json}, which is JSON.`
  const endless = names.find((name) => isEndless(of(name)))
  if (endless !== undefined) return `immudb cannot index ${endless}, which has no maximum length.`
  const bytes = entryHead + sum(names) + sum(table.key)
  if (bytes <= longestKey) return null
  return `Its columns and the key of the table can have ${bytes} bytes together, and immudb takes ${longestKey}.`
}

const longText = { name: 'VARCHAR', length: null } as const

const isVariable = ({ type }: Pick<ScriptColumn, 'type'>) =>
  type.name === 'VARCHAR' || type.name === 'BLOB'

const isEndless = (column: ScriptColumn | undefined) =>
  column !== undefined && isVariable(column) && column.type.length === null

/**
 * Shortens columns until they fit into so many bytes of a key, each at most to its share; null when
 * that is shorter than a column must be.
 */
function shortened(
  columns: readonly ScriptColumn[],
  room: number,
  least: (column: ScriptColumn) => number,
): readonly ScriptColumn[] | null {
  const fixed = columns.filter((column) => !isVariable(column))
  let left = room - fixed.reduce((sum, column) => sum + keyBytes(column), 0)
  const variable = columns.filter(isVariable).sort((one, other) => keyBytes(one) - keyBytes(other))
  const lengths = new Map<string, number>()
  variable.forEach((column, at) => {
    const share = Math.floor(left / (variable.length - at)) - 5
    const length = Math.min(column.type.length ?? longestKey, share)
    lengths.set(column.name, length)
    left -= length + 5
  })
  const isShort = variable.some(
    (column) => (lengths.get(column.name) ?? 0) < Math.max(1, least(column)),
  )
  if (left < 0 || isShort) return null
  return columns.map((column) => {
    const length = lengths.get(column.name)
    return length === undefined ? column : { ...column, type: { ...column.type, length } }
  })
}

type Finished = { table: ScriptTable; statements: readonly SentSql[]; notes: readonly string[] }

/** A table as immudb makes it, with the indexes that come with it. */
function finish(raw: RawTable, { dialect, disordered }: TablesInput): Finished {
  const notes = [...raw.notes]
  const asNamed = (written: string) =>
    raw.columns.find((column) => column.written === lowerAscii(written))?.name
  const taken = new Set<string>()
  const known = new Map<string, string>()
  for (const column of raw.columns) column.name = namedOnce(column.written, known, taken)
  let columns = raw.columns.map((column): ScriptColumn => {
    const { type, note } = widened(column.found)
    if (note !== undefined) notes.push(`${column.name}: ${note}`)
    notes.push(...column.notes.map((text) => `${column.name}: ${text}`))
    return { ...plainColumn(column, type), hasDefault: false, fill: null }
  })
  const fail = (problem: string): Finished => ({
    table: { name: raw.name, columns, key: [], autoKey: null, indexes: [], problem, isMade: true },
    statements: [],
    notes,
  })
  if (raw.problem !== null) return fail(raw.problem)
  const written = keyOf(raw)
  let key = (written ?? []).map((one) => asNamed(one) ?? '')
  let autoKey: string | null = null
  const auto =
    raw.columns.find(({ isAuto }) => isAuto) ??
    raw.columns.find(({ name, found }) => found.isAutoAsKey && key.length === 1 && key[0] === name)
  const isCounted = auto !== undefined && key.length === 1 && key[0] === auto.name
  if (isCounted && !disordered.has(raw.name)) autoKey = auto.name
  else if (isCounted) {
    notes.push(
      `${auto.name} does not count up: immudb takes given keys of AUTO_INCREMENT only in growing order, and the rows of the script have another.`,
    )
  } else if (auto) notes.push(`${auto.name} does not count up: only a key alone does in immudb.`)
  if (key.length === 0) {
    const name = namedOnce(taken.has('row_id') ? 'row_id_key' : 'row_id', new Map(), taken)
    autoKey = name
    key = [name]
    notes.push(`The table has no key, so it gets the column ${name}, which counts its rows.`)
  }
  if (key.length > mostIndexed) return fail(`immudb takes at most ${mostIndexed} columns in a key.`)
  const ofKey = key.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const json = ofKey.find(({ type }) => type.name === 'JSON')
  if (json) return fail(`immudb cannot index ${json.name}, which is JSON.`)
  // The entry of a row has its key twice.
  const fitting = shortened(ofKey, Math.floor((longestKey - entryHead) / 2), () => 1)
  if (fitting === null) return fail('Its key is longer than immudb takes.')
  const replace = (by: readonly ScriptColumn[]) => {
    columns = columns.map((column) => by.find(({ name }) => name === column.name) ?? column)
  }
  replace(fitting)
  columns = columns.map((column) =>
    key.includes(column.name) ? { ...column, isNullable: false } : column,
  )
  let table: ScriptTable = {
    name: raw.name,
    columns,
    key,
    autoKey,
    indexes: [],
    problem: null,
    isMade: true,
  }
  const isAdded = autoKey !== null && !columns.some(({ name }) => name === autoKey)
  const withAdded = (of: ScriptTable): ScriptTable =>
    isAdded ? { ...of, columns: [...of.columns, addedKey(autoKey ?? '')] } : of
  const indexes: SentSql[] = []
  const ordered = [...raw.indexes].sort((one, next) => Number(next.isUnique) - Number(one.isUnique))
  for (const index of ordered) {
    const names = index.columns.flatMap((one) => asNamed(one) ?? [])
    const what = `The index on ${index.columns.join(', ')} is left out:`
    const isThere = [key, ...table.indexes].some((one) => one.join() === names.join())
    if (isThere) continue
    if (index.problem !== null || names.length < index.columns.length) {
      notes.push(`${what} ${index.problem ?? 'the table has not all of its columns.'}`)
      continue
    }
    const members = names.flatMap((name) => table.columns.find((one) => one.name === name) ?? [])
    const outside = members.filter(({ name }) => !key.includes(name))
    const room =
      longestKey -
      entryHead -
      ofKeyBytes(withAdded(table), key) -
      members.filter(({ name }) => key.includes(name)).reduce((sum, one) => sum + keyBytes(one), 0)
    const fits = shortened(outside, room, (column) => leastLength(raw, column))
    if (
      fits !== null &&
      members.every((one) => one.type.name !== 'JSON') &&
      names.length <= mostIndexed
    ) {
      table = {
        ...table,
        columns: table.columns.map((one) => fits.find(({ name }) => name === one.name) ?? one),
      }
    }
    const why = indexFits(withAdded(table), names)
    if (why !== null) {
      const isLost = index.isUnique ? ' immudb does not check that its values are unique.' : ''
      notes.push(`${what} ${why}${isLost}`)
      continue
    }
    notes.push(...index.notes)
    table = { ...table, indexes: [...table.indexes, names] }
    indexes.push(indexSql(raw.name, names, index.isUnique))
  }
  const lines: string[] = []
  if (isAdded) lines.push(`${quoteName(autoKey ?? '')} INTEGER NOT NULL AUTO_INCREMENT`)
  const typed = table.columns.map((column, at): ScriptColumn => {
    const value = raw.columns[at]?.value ?? null
    const isAuto = column.name === autoKey
    const found = isAuto ? noDefault : defaultOf(column, value, dialect)
    if (found.note !== undefined) notes.push(`${column.name}: ${found.note}`)
    const parts = [quoteName(column.name), typeText(column.type)]
    if (!column.isNullable && (!key.includes(column.name) || raw.columns[at]?.isNullable === false))
      parts.push('NOT NULL')
    if (found.sql !== null) parts.push(`DEFAULT ${found.sql}`)
    if (isAuto) parts.push('AUTO_INCREMENT')
    lines.push(parts.join(' '))
    return { ...column, hasDefault: found.sql !== null || isAuto, fill: found.fill }
  })
  lines.push(...raw.checks)
  lines.push(`PRIMARY KEY (${key.map(quoteName).join(', ')})`)
  const head = `CREATE TABLE ${raw.isIfMissing ? 'IF NOT EXISTS ' : ''}${quoteName(raw.name)}`
  const sql = `${head} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
  const all = isAdded ? [addedKey(autoKey ?? ''), ...typed] : typed
  const makes = { kind: 'table', table: raw.name, columns: all.map(({ name }) => name) } as const
  return {
    table: { ...table, columns: all },
    statements: [{ sql, makes }, ...indexes],
    notes: [...new Set(notes)],
  }
}

const addedKey = (name: string): ScriptColumn => ({
  name,
  // No script names it.
  written: `\0${name}`,
  type: { name: 'INTEGER', length: null },
  isNullable: false,
  isDecimal: false,
  hasDefault: true,
  fill: null,
})

const ofKeyBytes = (table: ScriptTable, key: readonly string[]) =>
  key.reduce((sum, name) => {
    const column = table.columns.find((one) => one.name === name)
    return sum + (column ? keyBytes(column) : 9)
  }, 0)

/** A column that is shortened for an index keeps as many bytes as it has characters. */
function leastLength(raw: RawTable, column: ScriptColumn): number {
  const of = raw.columns.find(({ name }) => name === column.name)
  return of?.found.type.length ?? Number.POSITIVE_INFINITY
}

/** The primary key, or what stands for it. */
function keyOf(raw: RawTable): readonly string[] | null {
  if (raw.key.length > 0) return raw.key
  const isRequired = (written: string) =>
    raw.columns.find((column) => column.written === lowerAscii(written))?.isNullable === false
  const unique = raw.indexes.find(
    ({ isUnique, problem, columns }) => isUnique && problem === null && columns.every(isRequired),
  )
  return unique?.columns ?? null
}

type DefaultFound = { sql: string | null; fill: WireValue | null; note?: string }
const noDefault: DefaultFound = { sql: null, fill: null }

function defaultOf(
  column: ScriptColumn,
  value: ScriptValue | null,
  dialect: ScriptDialect,
): DefaultFound {
  if (value === null || value.kind === 'null' || value.kind === 'default') return noDefault
  if (value.kind === 'now') {
    return column.type.name === 'TIMESTAMP'
      ? { ...noDefault, sql: 'NOW()' }
      : { ...noDefault, note: 'Its default is left out: it is a time.' }
  }
  if (value.kind === 'new id') {
    return column.type.name === 'UUID'
      ? { ...noDefault, sql: 'RANDOM_UUID()' }
      : { ...noDefault, note: 'Its default is left out: it is a UUID.' }
  }
  if (value.kind === 'other') {
    return { ...noDefault, note: `Its default ${value.text} is left out.` }
  }
  const read = wireOf(column, value, dialect)
  if ('why' in read) return { ...noDefault, note: `Its default is left out: it ${read.why}.` }
  if (read.wire === null) return noDefault
  const sql = literalOfWire(column.type, read.wire)
  // Measured with immudb 1.11.1: it forgets a default with a quote, and takes no bytes for one.
  const isKept =
    column.type.name !== 'BLOB' && /^('[^'\\\r\n]*'|[\w.-]+|CAST\('[^'\\]*' AS \w+\))$/.test(sql)
  if (isKept) return { ...noDefault, sql }
  return {
    sql: null,
    fill: read.wire,
    note: 'immudb cannot keep its default: rows of the script get it.',
  }
}

type NameOf = (schema: string | null, name: string) => string

function readCreateTable(
  cursor: ScriptCursor,
  input: TablesInput,
  nameOf: NameOf,
): RawTable | null {
  if (!cursor.takes('CREATE')) return null
  cursor.takes('OR', 'REPLACE')
  let isPassing = false
  while (/^(GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED)$/.test(cursor.word)) {
    isPassing ||= cursor.word.startsWith('TEMP')
    cursor.step()
  }
  if (!cursor.takes('TABLE')) return null
  const isIfMissing = cursor.takes('IF', 'NOT', 'EXISTS')
  const found = takeQualified(cursor)
  if (found === null) return null
  const raw: RawTable = {
    name: nameOf(found.schema, found.name),
    columns: [],
    key: [],
    indexes: [],
    checks: [],
    notes: [],
    isIfMissing,
    problem: null,
  }
  const isOther = !raw.name.endsWith(lowerAscii(found.name))
  if (isOther || /[^a-z0-9_]/.test(lowerAscii(found.name)))
    raw.notes.push(`The table is called ${raw.name} in immudb.`)
  if (isPassing) raw.notes.push('It stays: immudb has no temporary tables.')
  if (!cursor.takesSign('(')) {
    raw.problem = ofOthers
    return raw
  }
  while (cursor.token && cursor.sign !== ')') {
    readElement(cursor, raw, input)
    if (!cursor.takesSign(',')) break
  }
  if (!cursor.takesSign(')')) raw.problem = 'The console cannot read all of its columns.'
  else if (raw.columns.length === 0) raw.problem = 'It has no columns.'
  if (/\bSELECT\b|^AS\b/.test(withoutTexts(cursor))) raw.problem = ofOthers
  if (cursor.word === 'INHERITS') raw.problem = 'immudb has no tables that inherit columns.'
  if (/\bPARTITION\s+BY\b/i.test(cursor.source.slice(cursor.token?.from ?? cursor.source.length)))
    raw.notes.push(
      input.dialect === 'mysql'
        ? 'immudb has no partitions: all rows are in this table.'
        : 'immudb has no partitions: each stays a table of its own.',
    )
  return raw
}

const ofOthers = 'The console makes no table from a SELECT, from another table or as a part of one.'

/** The words that are left, as a comment of a table may have any. */
function withoutTexts(left: ScriptCursor): string {
  const found: string[] = []
  for (const cursor = left.copy(); cursor.token; cursor.step()) found.push(cursor.word)
  return found.join(' ')
}

/** A column, or a constraint of the table. */
function readElement(cursor: ScriptCursor, raw: RawTable, input: TablesInput): void {
  const constraint = readConstraint(cursor)
  if (constraint) applyConstraint(raw, constraint, input)
  else if (cursor.takes('LIKE')) {
    raw.problem = 'immudb makes no table like another one.'
    skipElement(cursor)
  } else {
    const column = readColumn(cursor, raw, input)
    if (raw.columns.some(({ written }) => written === column?.written))
      raw.problem = `Two of its columns are called ${column?.written}, but for capital letters.`
    else if (column) raw.columns.push(column)
    else raw.problem = 'The console cannot read all of its columns.'
  }
  skipElement(cursor)
}

/** Goes to the comma or bracket behind an element. */
function skipElement(cursor: ScriptCursor): void {
  while (cursor.token && cursor.sign !== ',' && cursor.sign !== ')') {
    const isOpen = cursor.sign === '('
    cursor.step()
    if (isOpen) cursor.skipBrackets()
  }
}

type Constraint =
  | { readonly kind: 'key'; readonly columns: readonly string[] }
  | { readonly kind: 'index'; readonly index: RawIndex }
  | { readonly kind: 'check'; readonly sql: string | null }
  | { readonly kind: 'note'; readonly text: string }

const foreignKey = 'immudb does not check foreign keys.'

/** A constraint or index as a table or an ALTER TABLE has it; null for anything else. */
function readConstraint(cursor: ScriptCursor): Constraint | null {
  const before = cursor.token
  if (cursor.takes('CONSTRAINT')) {
    if (!/^(PRIMARY|UNIQUE|FOREIGN|CHECK|EXCLUDE)$/.test(cursor.word)) cursor.takeName()
  }
  const found = readBareConstraint(cursor)
  if (found === null) cursor.token = before
  return found
}

function readBareConstraint(cursor: ScriptCursor): Constraint | null {
  if (cursor.takes('PRIMARY', 'KEY')) {
    const { token } = cursor
    skipTo(cursor, '(')
    if (cursor.sign === '(') {
      const columns = takeColumns(cursor)
      return { kind: 'key', columns: columns.names }
    }
    // immudb takes one column without brackets.
    cursor.token = token
    const name = cursor.takeName()
    return name === null ? { kind: 'note', text: unreadable(0) } : { kind: 'key', columns: [name] }
  }
  if (cursor.takes('FOREIGN', 'KEY')) return { kind: 'note', text: foreignKey }
  if (cursor.word === 'EXCLUDE') return { kind: 'note', text: 'immudb does not check EXCLUDE.' }
  if (cursor.takes('CHECK')) return { kind: 'check', sql: takeCheck(cursor) }
  const isUnique = cursor.word === 'UNIQUE'
  const isSpecial = cursor.word === 'FULLTEXT' || cursor.word === 'SPATIAL'
  const isIndex = cursor.word === 'KEY' || cursor.word === 'INDEX'
  if (!isUnique && !isSpecial && !isIndex) return null
  const before = cursor.copy()
  cursor.step()
  if (isUnique || isSpecial) {
    if (!cursor.takes('KEY')) cursor.takes('INDEX')
  }
  skipTo(cursor, '(')
  // A column may be called `key`, with its type behind it.
  if (
    cursor.sign !== '(' ||
    (isIndex && /^\w+\s+\w+\s*\(\s*\d/.test(before.source.slice(before.token?.from)))
  ) {
    cursor.token = before.token
    return null
  }
  const { names, problem, notes } = takeColumns(cursor)
  const special = isSpecial ? 'immudb has no indexes of this kind.' : problem
  return { kind: 'index', index: { columns: names, isUnique, problem: special, notes } }
}

/** Goes to a bracket behind a name and words such as USING BTREE. */
function skipTo(cursor: ScriptCursor, sign: string): void {
  for (let most = 6; most > 0 && cursor.token && cursor.sign !== sign; most -= 1) {
    if (cursor.sign === ',' || cursor.sign === ')') return
    if (cursor.token.kind === 'sign' && cursor.sign !== '.') return
    cursor.step()
  }
}

/** The columns of an index in its brackets. */
function takeColumns(cursor: ScriptCursor) {
  const names: string[] = []
  const notes: string[] = []
  let problem: string | null = null
  cursor.takesSign('(')
  while (cursor.token && cursor.sign !== ')') {
    const isExpression = cursor.sign === '('
    const name = isExpression ? null : cursor.takeName()
    if (name === null) problem = 'immudb indexes columns, not what is calculated from them.'
    else names.push(name)
    if (name !== null && cursor.sign === '(') {
      cursor.step()
      if (cursor.token?.kind === 'number') {
        cursor.step()
        notes.push(`The index takes all of ${name}, not its beginning alone.`)
      } else problem = 'immudb indexes columns, not what is calculated from them.'
      cursor.skipBrackets()
    }
    while (cursor.token && cursor.sign !== ',' && cursor.sign !== ')') {
      if (cursor.word === 'DESC') notes.push('immudb sorts every index upwards.')
      const isOpen = cursor.sign === '('
      cursor.step()
      if (isOpen) cursor.skipBrackets()
    }
    if (!cursor.takesSign(',')) break
  }
  cursor.takesSign(')')
  return { names, problem, notes }
}

const checkWords = /^(AND|OR|NOT|IN|IS|NULL|TRUE|FALSE)$/

/** A condition that immudb reads as the others do; null for one that it may not. */
function takeCheck(cursor: ScriptCursor): string | null {
  const from = cursor.token?.from ?? 0
  const opening: string = cursor.sign
  if (opening !== '(') return null
  let isPlain = true
  let depth = 0
  let to = from
  do {
    const { token, sign, word } = cursor
    if (token === null) return null
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    const isSign = /^([(),]|[<>]=?|=|<>|!=)$/.test(sign)
    const isWord = token.kind === 'word' && (checkWords.test(word) || isWritable(lowerAscii(word)))
    const isText = token.kind === 'text' && /^'[^'\\\r\n]*'$/.test(cursor.text)
    if (!isSign && !isWord && !isText && token.kind !== 'number') isPlain = false
    to = token.to
    cursor.step()
    // A function may be called otherwise in immudb, or not be there.
    if (cursor.sign === '(' && token.kind === 'word' && !checkWords.test(word)) isPlain = false
  } while (depth > 0)
  return isPlain ? `CHECK ${cursor.source.slice(from, to)}` : null
}

function applyConstraint(
  raw: RawTable,
  constraint: Constraint,
  { dialect }: Pick<TablesInput, 'dialect'>,
): void {
  if (constraint.kind === 'key') raw.key = constraint.columns
  else if (constraint.kind === 'index') raw.indexes.push(constraint.index)
  else if (constraint.kind === 'note') raw.notes.push(constraint.text)
  else if (constraint.sql === null || dialect !== 'immudb')
    raw.notes.push('A CHECK is left out: immudb refuses NULL by one, and others do not.')
  else raw.checks.push(constraint.sql)
}

const attributes =
  /^(NOT|NULL|DEFAULT|AUTO_INCREMENT|AUTOINCREMENT|PRIMARY|UNIQUE|KEY|COMMENT|COLLATE|CHARACTER|CHARSET|CHECK|CONSTRAINT|REFERENCES|GENERATED|AS|ON|IDENTITY|FIRST|AFTER|VISIBLE|INVISIBLE|STORAGE|COMPRESSION|UNSIGNED|SIGNED|ZEROFILL|BINARY|VIRTUAL|STORED|SPARSE|ROWGUIDCOL|DEFERRABLE|INITIALLY|ENCODE)$/

/** The definition of a column; null where it has no name. */
function readColumn(
  cursor: ScriptCursor,
  raw: RawTable | null,
  input: TablesInput,
): RawColumn | null {
  const name = cursor.takeName()
  if (name === null) return null
  const found = readTypeOf(cursor, input)
  const column: RawColumn = {
    written: lowerAscii(name),
    name: '',
    found,
    isNullable: true,
    value: null,
    isAuto: found.isAuto === true,
    notes: [],
  }
  if (/[^a-z0-9_]/.test(column.written)) column.notes.push(`It is called “${name}” in the script.`)
  while (cursor.token && cursor.sign !== ',' && cursor.sign !== ')') {
    readAttribute(cursor, column, raw, input)
  }
  return column
}

function readTypeOf(cursor: ScriptCursor, { dialect, decimals }: TablesInput): TypeFound {
  const words: string[] = []
  let given: string[] = []
  let [isSquare, isArray] = [false, false]
  for (;;) {
    const { word, sign, token } = cursor
    if (token === null || sign === ',' || sign === ')') break
    if (sign === '.' && words.length > 0) {
      words.pop()
      cursor.step()
    } else if (sign === '(') {
      cursor.step()
      given = takeList(cursor)
    } else if (sign === '[') {
      cursor.step()
      const size = cursor.token?.kind === 'number' ? cursor.text : null
      if (size !== null) cursor.step()
      cursor.takesSign(']')
      if (size !== null && dialect !== 'postgres') [given, isSquare] = [[size], true]
      else isArray = true
    } else if (word === 'WITH' || word === 'WITHOUT') {
      cursor.step()
      cursor.takes('LOCAL')
      cursor.takes('TIME', 'ZONE')
    } else if (word === 'ARRAY') {
      isArray = true
      cursor.step()
    } else if (word === 'BINARY' && words.length > 0) cursor.step()
    else if (word === 'CHARACTER' && words.length > 0 && words[0] !== 'NATIONAL') break
    else if (
      attributes.test(word) &&
      !(word === 'BINARY' && words.length === 0) &&
      !(word === 'CHARACTER')
    )
      break
    else if (token.kind === 'word' || token.kind === 'name') {
      words.push((cursor.takeName() ?? '').toUpperCase())
    } else break
  }
  return scriptType(
    { words: words.join(' '), arguments: given, isSquare, isArray },
    dialect,
    decimals,
  )
}

/** Values in brackets behind a type. */
function takeList(cursor: ScriptCursor): string[] {
  const found: string[] = []
  while (cursor.token && cursor.sign !== ')') {
    const value = takeValue(cursor)
    if (value.kind === 'text' || value.kind === 'number') found.push(value.text)
    if (!cursor.takesSign(',')) break
  }
  cursor.skipBrackets()
  return found
}

function readAttribute(
  cursor: ScriptCursor,
  column: RawColumn,
  raw: RawTable | null,
  input: TablesInput,
): void {
  const { word } = cursor
  const isOpen = cursor.sign === '('
  if (cursor.takes('NOT', 'NULL')) column.isNullable = false
  else if (cursor.takes('PRIMARY', 'KEY')) {
    column.isNullable = false
    if (raw) raw.key = [column.written]
  } else if (cursor.takes('GENERATED')) {
    if (!cursor.takes('ALWAYS', 'AS')) cursor.takes('BY', 'DEFAULT', 'AS')
    if (cursor.takes('IDENTITY')) column.isAuto = true
    else column.notes.push('Its values are not calculated.')
  } else if (cursor.takes('ON')) {
    cursor.step()
    if (cursor.word === 'SET') cursor.step()
    if (nowWords.test(cursor.word)) column.notes.push('A change of a row does not set its time.')
    cursor.step()
  } else if (cursor.takes('DEFAULT')) readDefault(cursor, column)
  else if (cursor.takes('CHECK')) {
    const sql = takeCheck(cursor)
    if (raw) applyConstraint(raw, { kind: 'check', sql }, input)
  } else if (cursor.takes('COMMENT')) cursor.step()
  else if (cursor.takes('REFERENCES')) raw?.notes.push(foreignKey)
  else {
    cursor.step()
    if (word === 'AUTO_INCREMENT' || word === 'AUTOINCREMENT' || word === 'IDENTITY')
      column.isAuto = true
    if (word === 'UNIQUE') {
      cursor.takes('KEY')
      const index = { columns: [column.written], isUnique: true, problem: null, notes: [] }
      raw?.indexes.push(index)
    }
    if (word === 'AS') column.notes.push('Its values are not calculated.')
    if (isOpen) cursor.skipBrackets()
  }
}

function readDefault(cursor: ScriptCursor, column: RawColumn): void {
  const value = takeAttributeValue(cursor)
  if (value.kind === 'other' && /^nextval\s*\(/i.test(value.text)) column.isAuto = true
  else column.value = value
}

/** A value with attributes behind it, such as `DEFAULT '' NOT NULL`. */
function takeAttributeValue(cursor: ScriptCursor): ScriptValue {
  const from = cursor.token?.from ?? 0
  let to = from
  let isFirst = true
  while (cursor.token && cursor.sign !== ',' && cursor.sign !== ')') {
    if (!isFirst && attributes.test(cursor.word)) break
    isFirst = false
    if (cursor.sign === '::') {
      // A type may have several words: `timestamp with time zone`.
      cursor.step()
      to = cursor.token?.to ?? to
      cursor.step()
      while (/^(WITH|WITHOUT|TIME|ZONE|VARYING|PRECISION)$/.test(cursor.word)) {
        to = cursor.token?.to ?? to
        cursor.step()
      }
      continue
    }
    const isOpen = cursor.sign === '('
    to = cursor.token.to
    cursor.step()
    if (isOpen) {
      cursor.skipBrackets()
      to = lastBracket(cursor, to)
    }
  }
  return takeValue(new ScriptCursor(cursor.source.slice(from, to), cursor.signs))
}

/** The offset behind the bracket that was closed before the token. */
function lastBracket({ source, token }: ScriptCursor, from: number): number {
  const end = token?.from ?? source.length
  const at = source.lastIndexOf(')', end - 1)
  return at < from ? from : at + 1
}

function readIndex(cursor: ScriptCursor, nameOf: NameOf): (RawIndex & { table: string }) | null {
  if (!cursor.takes('CREATE')) return null
  let isUnique = false
  let special: string | null = null
  while (/^(UNIQUE|FULLTEXT|SPATIAL|CLUSTERED|NONCLUSTERED)$/.test(cursor.word)) {
    if (cursor.word === 'UNIQUE') isUnique = true
    else if (/TEXT|SPATIAL/.test(cursor.word)) special = 'immudb has no indexes of this kind.'
    cursor.step()
  }
  if (!cursor.takes('INDEX')) return null
  cursor.takes('CONCURRENTLY')
  cursor.takes('IF', 'NOT', 'EXISTS')
  if (cursor.word !== 'ON') takeQualified(cursor)
  if (cursor.takes('USING')) cursor.step()
  if (!cursor.takes('ON')) return null
  cursor.takes('ONLY')
  const found = takeQualified(cursor)
  if (found === null) return null
  if (cursor.takes('USING')) {
    if (!/^(BTREE|HASH)$/.test(cursor.word)) special = 'immudb has no indexes of this kind.'
    cursor.step()
  }
  const { names, problem, notes } = takeColumns(cursor)
  let why = special ?? problem
  const more = [...notes]
  const rest = cursor.source.slice(cursor.token?.from ?? cursor.source.length)
  if (/\bWHERE\b/i.test(rest)) {
    if (isUnique) why = 'It is unique for some rows only, which immudb cannot keep.'
    else more.push('The index takes all rows, not some of them.')
  }
  return {
    table: nameOf(found.schema, found.name),
    columns: names,
    isUnique,
    problem: why,
    notes: more,
  }
}

type AlterAction =
  | { readonly kind: 'skip' | 'cannot'; readonly why: string }
  | { readonly kind: 'key'; readonly columns: readonly string[] }
  | { readonly kind: 'index'; readonly index: RawIndex }
  | { readonly kind: 'auto'; readonly column: string }
  | { readonly kind: 'default'; readonly column: string; readonly value: ScriptValue }
  | { readonly kind: 'null'; readonly column: string; readonly isNullable: boolean }
  | {
      readonly kind: 'type'
      readonly column: string
      readonly found: TypeFound
      readonly isAuto: boolean
    }
  | { readonly kind: 'add'; readonly column: RawColumn }
  | { readonly kind: 'rename'; readonly to: string }
  | { readonly kind: 'rename column'; readonly column: string; readonly to: string }
  | { readonly kind: 'drop column'; readonly column: string }

/** Does an action where the table is made, if it must or may be done there. */
function hoist(raw: RawTable, action: AlterAction, isLate: boolean): boolean {
  const column = (written: string) => raw.columns.find((one) => one.written === lowerAscii(written))
  switch (action.kind) {
    case 'key':
      if (raw.key.length > 0) return false
      raw.key = action.columns
      return true
    case 'index':
      if (!action.index.isUnique || action.index.problem !== null || !isLate) return false
      raw.indexes.push(action.index)
      return true
    case 'auto':
    case 'type': {
      const found = column(action.column)
      if (!found || (action.kind === 'type' && !action.isAuto)) return false
      found.isAuto = true
      return true
    }
    case 'default': {
      const found = column(action.column)
      if (!found || isLate) return false
      found.value = action.value
      return true
    }
    case 'null': {
      const found = column(action.column)
      if (!found) return false
      found.isNullable = action.isNullable
      return true
    }
  }
  return false
}

function readAlter(cursor: ScriptCursor, input: TablesInput, nameOf: NameOf) {
  if (!cursor.takes('ALTER', 'TABLE')) return null
  cursor.takes('IF', 'EXISTS')
  cursor.takes('ONLY')
  const found = takeQualified(cursor)
  if (found === null) return null
  const actions: AlterAction[] = []
  do {
    const action = readAction(cursor, input)
    actions.push(action)
    skipElement(cursor)
  } while (cursor.takesSign(','))
  const isOther = actions.every(({ kind }) => kind === 'skip')
  return { table: nameOf(found.schema, found.name), actions, isOther }
}

const skipped = (why: string): AlterAction => ({ kind: 'skip', why })

function readAction(cursor: ScriptCursor, input: TablesInput): AlterAction {
  if (cursor.takes('ADD')) {
    const constraint = readConstraint(cursor)
    if (constraint?.kind === 'key') return constraint
    if (constraint?.kind === 'index') return constraint
    if (constraint?.kind === 'note') return skipped(constraint.text)
    if (constraint?.kind === 'check')
      return skipped('immudb adds no CHECK to a table that is there.')
    cursor.takes('COLUMN')
    cursor.takes('IF', 'NOT', 'EXISTS')
    if (cursor.takesSign('(')) return { kind: 'cannot', why: unreadable(0) }
    const column = readColumn(cursor, null, input)
    return column ? { kind: 'add', column } : { kind: 'cannot', why: unreadable(0) }
  }
  if (cursor.takes('DROP')) {
    if (cursor.takes('CONSTRAINT') || cursor.takes('FOREIGN') || cursor.takes('CHECK'))
      return skipped('What is dropped is not in immudb.')
    if (/^(INDEX|KEY|PRIMARY)$/.test(cursor.word))
      return skipped('Indexes have no names in immudb. Drop it in Tables, where it is listed.')
    cursor.takes('COLUMN')
    cursor.takes('IF', 'EXISTS')
    const column = cursor.takeName()
    return column === null
      ? { kind: 'cannot', why: unreadable(0) }
      : { kind: 'drop column', column }
  }
  if (cursor.takes('RENAME')) {
    if (cursor.takes('TO') || cursor.takes('AS')) return renamedTo(cursor)
    if (/^(CONSTRAINT|INDEX|KEY)$/.test(cursor.word))
      return skipped('Indexes have no names in immudb.')
    cursor.takes('COLUMN')
    const column = cursor.takeName()
    if (column === null || !cursor.takes('TO')) return renamedTo(cursor)
    const to = cursor.takeName()
    return to === null
      ? { kind: 'cannot', why: unreadable(0) }
      : { kind: 'rename column', column, to }
  }
  if (cursor.word === 'MODIFY' || cursor.word === 'CHANGE') {
    const isChange = cursor.word === 'CHANGE'
    cursor.step()
    cursor.takes('COLUMN')
    const before = isChange ? cursor.takeName() : null
    const column = readColumn(cursor, null, input)
    if (!column) return { kind: 'cannot', why: unreadable(0) }
    if (before !== null && lowerAscii(before) !== column.written)
      return { kind: 'rename column', column: before, to: column.written }
    return { kind: 'type', column: column.written, found: column.found, isAuto: column.isAuto }
  }
  if (cursor.takes('ALTER')) {
    cursor.takes('COLUMN')
    const column = cursor.takeName()
    if (column === null) return { kind: 'cannot', why: unreadable(0) }
    if (cursor.takes('SET', 'DEFAULT')) {
      const value = takeAttributeValue(cursor)
      const isAuto = value.kind === 'other' && /^nextval\s*\(/i.test(value.text)
      return isAuto ? { kind: 'auto', column } : { kind: 'default', column, value }
    }
    if (cursor.takes('DROP', 'DEFAULT')) return { kind: 'default', column, value: { kind: 'null' } }
    if (cursor.takes('SET', 'NOT', 'NULL')) return { kind: 'null', column, isNullable: false }
    if (cursor.takes('DROP', 'NOT', 'NULL')) return { kind: 'null', column, isNullable: true }
    if (cursor.takes('ADD', 'GENERATED')) return { kind: 'auto', column }
    if (cursor.takes('TYPE') || cursor.takes('SET', 'DATA', 'TYPE'))
      return { kind: 'type', column, found: readTypeOf(cursor, input), isAuto: false }
    return skipped(setting)
  }
  return skipped(setting)
}

const setting = 'It sets an option of the database that wrote the script.'

function renamedTo(cursor: ScriptCursor): AlterAction {
  const to = takeQualified(cursor)
  return to === null ? { kind: 'cannot', why: unreadable(0) } : { kind: 'rename', to: to.name }
}

/** Functions that immudb calls, for statements that calculate. */
export const knownFunctions: ReadonlySet<string> = new Set(functionNames)
