import type { Encoding } from '~/lib/encoding'
import { counted, formatCount } from '~/lib/text'
import { type ImportRow, type ImportTarget, insertSql } from './import-statements'
import type { WireValue } from './import-types'
import { lowerAscii, quoteName } from './names'
import type { ParamSql } from './restore'
import { type ScriptDialect, signsOf } from './script-dialect'
import type { ScriptPart } from './script-reader'
import { spanAt } from './script-rollback'
import {
  asJudged,
  cannot,
  columnOf,
  dependsOn,
  isSameSql,
  type Judged,
  knownFunctions,
  leftOut,
  noTable,
  type ScriptColumn,
  type ScriptTable,
  type ScriptTables,
  takeQualified,
} from './script-tables'
import {
  copyFields,
  isOfFile,
  literalOfWire,
  ScriptCursor,
  type ScriptValue,
  takeValue,
  wireOf,
} from './script-values'

/** How rows are stored: an equal key is refused, kept as it is, or replaced. */
export type RowMode = 'insert' | 'ignore' | 'replace'

/** A row of a script as it is sent. */
export type ScriptRow = {
  readonly target: ImportTarget
  readonly mode: RowMode
  readonly values: ImportRow['values']
  /** How many entries it makes: itself, and one in each index. */
  readonly entries: number
}

export type JudgedPart = Judged & {
  /** What equal ones are called together, such as `INSERT into orders`. */
  readonly label: string
  readonly rows: readonly ScriptRow[]
  /** Rows of the statement that cannot be sent; their reasons are among the notes. */
  readonly badRows: number
}

/** Rows that are judged as the script is read once more: which tables have keys out of order. */
export type KeyOrder = { readonly disordered: Set<string> }

/** The statement of immudb for rows, as it is sent. */
export function rowsSql(
  { target, mode }: Pick<ScriptRow, 'target' | 'mode'>,
  rows: readonly ImportRow[],
): ParamSql {
  const made = insertSql(target, rows)
  if (mode === 'insert') return made
  if (mode === 'replace') return { ...made, sql: made.sql.replace(/^INSERT/, 'UPSERT') }
  return { ...made, sql: made.sql.replace(/;$/, ' ON CONFLICT DO NOTHING;') }
}

const settings = 'It sets an option of the program that wrote the script.'
const transactions = 'The console makes transactions of its own.'
const rights = 'Users and rights are set in Users.'
const upkeep = 'immudb needs no such upkeep.'
const openDatabase = 'All of the script goes into the database that is open.'
const programs = 'immudb runs no programs of its own.'

/** What a script sets as the zone of times that have none. */
const zoneSet =
  /^(?:\/\*M?!\d*\s*)?SET\b[^;]*?\btime[_ ]?zone\s*(?:=|\bTO\b)?\s*(['"@\w+-][^,;*]*)/i
/** UTC, or the zone from before. */
const utcZone = /^(?:['"]?(?:[+-]00:00|UTC|GMT|Z|0)\b|@|DEFAULT\b)/i
const inUtc = 'Times without a zone are read as UTC all the same.'

/** Why statements are left out, by how they begin. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(SET|RESET|PRAGMA|DISCARD|SHOW VARIABLES)$/, settings],
  [/^(BEGIN|START|COMMIT|END|SAVEPOINT|RELEASE)$/, transactions],
  [/^(LOCK|UNLOCK|FLUSH)$/, 'immudb takes no locks.'],
  [/^(ANALYZE|ANALYSE|VACUUM|OPTIMIZE|REINDEX|CLUSTER|CHECKPOINT|CHECK|REPAIR|REFRESH)$/, upkeep],
  [/^(GRANT|REVOKE|REASSIGN)$/, rights],
  [/^(COMMENT|LABEL|SECURITY)$/, 'immudb keeps no comments.'],
  [/^(SELECT|WITH|SHOW|EXPLAIN|DESCRIBE|DESC|TABLE)$/, 'It only reads. Run it in the editor.'],
  [/^(DO|CALL|EXECUTE|EXEC|PREPARE|DEALLOCATE|DECLARE|HANDLER)$/, programs],
  [/^(NOTIFY|LISTEN|UNLISTEN|PRINT|GO|DELIMITER|LOAD)$/, settings],
  [/^(USE|CONNECT|ATTACH|DETACH)$/, openDatabase],
]

const nothingSo = 'immudb has nothing of this kind.'

/** Why what is made or changed is left out, by the first of these words: names stand behind it. */
const createReasons: readonly (readonly [RegExp, string])[] = [
  [/^(USER|ROLE|GROUP|LOGIN|PRIVILEGES|POLICY)$/, rights],
  [/^(FUNCTION|PROCEDURE|ROUTINE|TRIGGER|EVENT|RULE|AGGREGATE|OPERATOR|LANGUAGE)$/, programs],
  [/^(MATERIALIZED|VIEW)$/, 'The console brings no views.'],
  [/^SEQUENCE$/, 'In immudb the key of a table counts up by itself (AUTO_INCREMENT).'],
  [/^(DATABASE|SCHEMA)$/, openDatabase],
  [/^(TYPE|DOMAIN)$/, 'immudb has no types of its own making: their columns keep the text.'],
  [
    /^(EXTENSION|VIRTUAL|PUBLICATION|SUBSCRIPTION|SERVER|FOREIGN|TEXT|ACCESS|TABLESPACE)$/,
    nothingSo,
  ],
  [/^(COLLATION|CAST|CONVERSION|STATISTICS|TRANSFORM|INDEX|TABLE|LARGE)$/, nothingSo],
]

/** What a client reads of other files, as psql, MySQL and SQLite call it. */
const otherFile = /^(?:\\(?:i|ir|include|include_relative|copy)\b|\.(?:read|import|restore)\b)/i

/** What makes texts mean something else, and is read as usual all the same. */
const otherTexts: readonly (readonly [RegExp, string])[] = [
  [
    /^SET\s+(?:SESSION\s+|LOCAL\s+)?standard_conforming_strings\s*(?:=|\bTO\b)\s*'?(?:off|false|0)\b/i,
    'A backslash in a text stays one here. Write the script with standard_conforming_strings on.',
  ],
  [
    /^(?:\/\*M?!\d*\s*)?SET\b[^;]*NO_BACKSLASH_ESCAPES/i,
    'A backslash in a text escapes the next sign here. Write the script without NO_BACKSLASH_ESCAPES.',
  ],
]

/** What writes, where it begins like something that reads. */
const writes = /^(INSERT|UPDATE|DELETE|MERGE|INTO)$/

function isWrite(cursor: ScriptCursor): boolean {
  for (let before = ''; cursor.token; cursor.step()) {
    if (before !== 'FOR' && writes.test(cursor.word)) return true
    before = cursor.word
  }
  return false
}

/** Judges the parts of a script, in their order. */
export function scriptJudge(
  dialect: ScriptDialect,
  tables: ScriptTables,
  order: KeyOrder = { disordered: new Set() },
  /** Rows are written out as they are shown, which takes longer than to judge them. */
  isShown = true,
  encoding: Encoding = 'utf-8',
) {
  const signs = signsOf(dialect)
  const targets = new WeakMap<ScriptTable, Map<string, ImportTarget>>()
  const lastKeys = new Map<string, bigint>()
  /** The COPY that the next rows belong to. */
  let copy: CopyHead | null = null

  /** Judges a part; goes on when it is asked, so that a long one may be judged bit by bit. */
  function* judging(part: ScriptPart, number: number): Generator<void, JudgedPart> {
    const back = spanAt(tables.takenBack, number)
    if (back) {
      const why =
        number === back.to
          ? 'What it takes back is left out.'
          : `The script takes it back itself, by the ROLLBACK in line ${formatCount(back.line)}.`
      return of(part.kind === 'row' ? 'data' : firstWords(part.text), leftOut(why))
    }
    if (part.kind === 'row') return copy ? copyRow(copy, part) : bad('data', orphan)
    if (part.openLine !== null) {
      const what = `Something that begins in line ${part.openLine} is never closed, so all behind it is unreadable.`
      return bad(firstWords(part.text), what)
    }
    if (part.kind === 'command') {
      if (otherFile.test(part.text)) return bad(firstWords(part.text), ofOtherFile)
      const why = /^\\c(onnect)?\b/.test(part.text) ? openDatabase : forClient
      return of(firstWords(part.text), leftOut(why))
    }
    if (part.kind === 'copy') {
      copy = readCopy(part, number)
      return of(copy.label, copy.judged)
    }
    const known = tables.judgedAt(number)
    if (known) return of(firstWords(part.text), known)
    const cursor = new ScriptCursor(part.text, signs)
    const { word } = cursor
    if (hasNul(part.text, cursor.signs)) return bad(word, 'It has an invisible NUL sign.')
    if (word === 'INSERT' || word === 'REPLACE' || word === 'UPSERT')
      return yield* insert(cursor, number)
    return judgeStatement(part, cursor, number)
  }

  function judge(part: ScriptPart, number: number): JudgedPart {
    const steps = judging(part, number)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }

  function judgeStatement(part: ScriptPart, cursor: ScriptCursor, number: number): JudgedPart {
    const { word } = cursor
    if (word === 'UPDATE' || word === 'DELETE') return change(cursor, number)
    const label = firstWords(part.text)
    if (word === 'ROLLBACK' || word === 'ABORT') {
      return bad(label, 'What stands before it is committed by then. Remove what it takes back.')
    }
    if (word === '') return of(label, leftOut('There is no statement in it.'))
    if (/^(CREATE|ALTER|DROP)$/.test(word)) return of(label, aboutOther(cursor))
    if (/setval\s*\(/i.test(part.text)) return of(label, leftOut(counting))
    const text = otherTexts.find(([set]) => set.test(part.text))?.[1]
    if (text !== undefined) return bad(label, text)
    if (/^(LOAD\s+(DATA|XML)|SOURCE)\b/i.test(part.text)) return bad(label, ofOtherFile)
    if (/^(SELECT|WITH|EXPLAIN)$/.test(word) && isWrite(cursor)) return bad(label, noForm)
    const zone = zoneSet.exec(part.text)?.[1]
    if (zone !== undefined && !utcZone.test(zone)) return of(label, leftOut(settings, inUtc))
    const why = reasons.find(([words]) => words.test(word))?.[1]
    return why === undefined
      ? bad(label, `immudb has no statement ${word}.`)
      : of(label, leftOut(why))
  }

  function aboutOther(cursor: ScriptCursor): Judged {
    const verb = cursor.word
    for (; cursor.token; cursor.step()) {
      const { word } = cursor
      const why = createReasons.find(([words]) => words.test(word))?.[1]
      if (why === undefined) continue
      const isKnown = /^(SEQUENCE|VIEW)$/.test(word) && verb !== 'ALTER'
      return dialect === 'immudb' && isKnown ? asItIs(cursor) : leftOut(why)
    }
    return leftOut(nothingSo)
  }

  /** A statement of immudb that is sent alone, because only the server knows what it stores. */
  function asItIs({ source }: ScriptCursor): Judged {
    for (const cursor = new ScriptCursor(source, signs); cursor.token; cursor.step()) {
      if (/^[@?$]$/.test(cursor.sign) || cursor.token.kind === 'unreadable')
        return cannot(hasParams)
    }
    const sent = { sql: `${source};`, makes: { kind: 'other' } as const }
    return { judgement: 'runs', notes: [], sent: [sent] }
  }

  function* insert(cursor: ScriptCursor, number: number): Generator<void, JudgedPart> {
    const head = insertHead(cursor)
    if (head === null) return bad('INSERT', cannotRead)
    if (ownTable.test(head.name)) return of(`INSERT into ${head.name}`, leftOut(ofSqlite))
    const name = tables.nameOf(head.schema, head.name)
    const label = `${head.verb} into ${name}`
    const table = tables.tableAt(name, number)
    const why = tableProblem(name, table)
    if (why !== null || table === undefined) return bad(label, why ?? noTable(name))
    const columns = head.columns
      ? head.columns.map((written) => columnOf(table, written))
      : table.columns.filter(({ written }) => !written.startsWith('\0'))
    const lacking = columns.indexOf(undefined)
    if (lacking >= 0) return bad(label, `There is no column ${head.columns?.[lacking]} in ${name}.`)
    if (!cursor.takes('VALUES') && !cursor.takes('VALUE')) {
      const isDefaults = cursor.takes('DEFAULT', 'VALUES')
      const isSelect = /^(SELECT|WITH|TABLE)$/.test(cursor.word) || cursor.sign === '('
      const what = isDefaults
        ? 'immudb inserts no row without a value.'
        : isSelect
          ? noSelect
          : noForm
      return isSelect && dialect === 'immudb' ? of(label, asItIs(cursor)) : bad(label, what)
    }
    const listed = columns.filter((column) => column !== undefined)
    const isPlain =
      head.verb === (head.mode === 'replace' ? 'UPSERT' : 'INSERT') && head.columns !== null
    return yield* insertRows(cursor, { label, table, columns: listed, mode: head.mode, isPlain })
  }

  type RowsOf = {
    label: string
    table: ScriptTable
    columns: readonly ScriptColumn[]
    mode: RowMode
    /** What stands before its rows may be as immudb has it. */
    isPlain: boolean
  }

  function* insertRows(cursor: ScriptCursor, into: RowsOf): Generator<void, JudgedPart> {
    const { label, table, columns } = into
    const rows: ScriptRow[] = []
    const notes = new Set<string>()
    const written: string[] = []
    let [badRows, count] = [0, 0]
    let mayBeSame = into.isPlain
    while (cursor.takesSign('(')) {
      const values: ScriptValue[] = []
      const texts: string[] = []
      while (cursor.token && cursor.sign !== ')') {
        const from = cursor.token.from
        const value = takeValue(cursor)
        if (value.kind === 'other' && dialect === 'immudb') return of(label, asItIs(cursor))
        values.push(value)
        if (mayBeSame) texts.push(cursor.source.slice(from, cursor.token?.from).trimEnd())
        if (!cursor.takesSign(',')) break
      }
      if (!cursor.takesSign(')')) return bad(label, cannotRead)
      count += 1
      if (count % rowsEach === 0) yield
      const isWritten = mayBeSame || (isShown && written.length < mostShown)
      const made = makeRow(into, values, isWritten)
      if ('why' in made) {
        badRows += 1
        if (notes.size < mostNotes) notes.add(`Row ${formatCount(count)}: ${made.why}`)
        mayBeSame = false
      } else {
        rows.push(made.row)
        for (const note of made.notes) if (notes.size < mostNotes) notes.add(note)
        if (mayBeSame && !isSameRow(texts, made.literals)) mayBeSame = false
        if (isShown && written.length < mostShown) written.push(`(${made.literals.join(', ')})`)
      }
      if (!cursor.takesSign(',')) break
    }
    const behind = restOf(cursor)
    const tail = readTail(cursor, table)
    if (typeof tail === 'object') return bad(label, tail.why)
    const mode = tail === 'ignore' ? 'ignore' : into.mode
    const all = mode === into.mode ? rows : rows.map((row) => ({ ...row, mode }))
    if (rows.length === 0) return { ...bad(label, ...notes), badRows }
    const isSameTail = /^\s*(ON\s+CONFLICT\s+DO\s+NOTHING)?\s*$/i.test(behind)
    const isSame =
      mayBeSame && isSameTail && notes.size === 0 && isSameHead(cursor, table, rows[0], columns)
    const judgement = isSame ? 'runs' : 'rewritten'
    const sent = isShown ? [{ sql: writtenRows(rows, written, mode), makes: notMade }] : []
    return { label, judgement, notes: [...notes], sent, rows: all, badRows }
  }

  function makeRow(
    { table, columns, mode }: RowsOf,
    given: readonly ScriptValue[],
    isWritten = isShown,
  ): { row: ScriptRow; notes: string[]; literals: readonly string[] } | { why: string } {
    if (given.length !== columns.length) {
      const values = counted(given.length, 'value')
      return { why: `it has ${values} for ${counted(columns.length, 'column')}.` }
    }
    const notes: string[] = []
    const names: string[] = []
    const values: (WireValue | null)[] = []
    const literals: string[] = []
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at] as ScriptColumn
      const value = given[at] as ScriptValue
      const isOfServer =
        value.kind === 'default' || (value.kind === 'null' && column.name === table.autoKey)
      if (isOfServer && (column.hasDefault || column.fill === null)) {
        if (!column.hasDefault && !column.isNullable)
          return { why: `${column.name} has no default.` }
        continue
      }
      if (encoding !== 'utf-8' && isOfFile(column, value))
        return { why: `${column.name}: ${onlyUtf8}` }
      const read = isOfServer ? { wire: column.fill } : wireOf(column, value, dialect)
      if ('why' in read) return { why: `${column.name}: ${shortValue(value)} ${read.why}.` }
      if (read.wire === null && !column.isNullable) {
        return { why: `${column.name} is NULL, and the column takes no NULL.` }
      }
      if ('note' in read && read.note !== undefined) notes.push(read.note)
      names.push(column.name)
      values.push(read.wire)
      if (isWritten) literals.push(shownLiteral(column, value, read.wire))
    }
    for (const column of table.columns) {
      if (names.includes(column.name) || column.hasDefault) continue
      if (columns.includes(column)) continue
      if (column.fill !== null) {
        names.push(column.name)
        values.push(column.fill)
        if (isWritten) literals.push(literalOfWire(column.type, column.fill))
      } else if (!column.isNullable) return { why: `${column.name} has no value and no default.` }
    }
    if (names.length === 0) return { why: 'immudb inserts no row without a value.' }
    noteKey(table, names, values)
    const row = { target: targetOf(table, names), mode, values, entries: 1 + table.indexes.length }
    return { row, notes, literals }
  }

  /** Keys that the script gives must grow where the server counts them up. */
  function noteKey(
    table: ScriptTable,
    names: readonly string[],
    values: readonly (WireValue | null)[],
  ): void {
    if (table.autoKey === null || !table.isMade) return
    const key = values[names.indexOf(table.autoKey)]?.n
    if (key === undefined) return
    const number = BigInt(key as string)
    const last = lastKeys.get(table.name) ?? 0n
    if (number <= last) order.disordered.add(table.name)
    else lastKeys.set(table.name, number)
  }

  function targetOf(table: ScriptTable, names: readonly string[]): ImportTarget {
    const ofTable = targets.get(table) ?? new Map<string, ImportTarget>()
    if (ofTable.size === 0) targets.set(table, ofTable)
    const id = names.join()
    const known = ofTable.get(id)
    if (known) return known
    const columns = names.map((name, from) => {
      const column = table.columns.find((one) => one.name === name) as ScriptColumn
      return { name, type: column.type, from, isNullable: column.isNullable, rule: null }
    })
    const isGiven = table.autoKey === null || names.includes(table.autoKey)
    const target: ImportTarget = {
      table: table.name,
      columns,
      key: table.key,
      autoKey: isGiven && table.key.every((name) => names.includes(name)) ? null : table.autoKey,
    }
    ofTable.set(id, target)
    return target
  }

  type CopyHead = { label: string; judged: Judged; into: RowsOf | null; problem: string | null }

  function readCopy({ text }: ScriptPart, number: number): CopyHead {
    const cursor = new ScriptCursor(text, signs)
    cursor.step()
    const found = takeQualified(cursor)
    const fail = (label: string, problem: string): CopyHead => ({
      label,
      judged: cannot(problem),
      into: null,
      problem,
    })
    if (found === null) return fail('COPY', cannotRead)
    const name = tables.nameOf(found.schema, found.name)
    const label = `COPY into ${name}`
    const table = tables.tableAt(name, number)
    const why = tableProblem(name, table)
    if (why !== null || table === undefined) return fail(label, why ?? noTable(name))
    const names = cursor.sign === '(' ? takeNames(cursor) : null
    cursor.takes('FROM')
    cursor.step()
    const isPlain = cursor.token === null || /^(WITH)?$/.test(cursor.word)
    if (!isPlain || /\b(CSV|DELIMITER|BINARY|NULL|FORMAT)\b/i.test(restOf(cursor))) {
      return fail(label, 'The console reads the data of COPY only as PostgreSQL writes it itself.')
    }
    const columns = names
      ? names.map((written) => columnOf(table, written))
      : table.columns.filter(({ written }) => !written.startsWith('\0'))
    const lacking = columns.indexOf(undefined)
    if (lacking >= 0) return fail(label, `There is no column ${names?.[lacking]} in ${name}.`)
    const listed = columns.filter((column) => column !== undefined)
    const judged: Judged = {
      judgement: 'rewritten',
      notes: ['Each line of its data is an INSERT.'],
      sent: [],
    }
    return {
      label,
      judged,
      into: { label, table, columns: listed, mode: 'insert', isPlain: false },
      problem: null,
    }
  }

  function copyRow({ label, into, problem }: CopyHead, { text }: ScriptPart): JudgedPart {
    if (into === null) return bad(label, problem ?? cannotRead)
    const values = copyFields(text).map(
      (field): ScriptValue => (field === null ? { kind: 'null' } : { kind: 'text', text: field }),
    )
    const made = makeRow(into, values)
    if ('why' in made) return { ...bad(label, made.why), badRows: 1 }
    const rows = [made.row]
    const written = [`(${made.literals.join(', ')})`]
    const sent = isShown ? [{ sql: writtenRows(rows, written, 'insert'), makes: notMade }] : []
    return { label, judgement: 'rewritten', notes: made.notes, sent, rows, badRows: 0 }
  }

  /** UPDATE and DELETE, sign by sign. */
  function change(cursor: ScriptCursor, number: number): JudgedPart {
    const verb = cursor.word
    cursor.step()
    if (verb === 'DELETE' && !cursor.takes('FROM')) return bad(verb, cannotRead)
    cursor.takes('ONLY')
    const found = takeQualified(cursor)
    if (found === null) return bad(verb, cannotRead)
    if (ownTable.test(found.name)) return of(`${verb} ${found.name}`, leftOut(ofSqlite))
    const name = tables.nameOf(found.schema, found.name)
    const label = verb === 'UPDATE' ? `UPDATE ${name}` : `DELETE from ${name}`
    const table = tables.tableAt(name, number)
    const why = tableProblem(name, table)
    if (why !== null || table === undefined) return bad(label, why ?? noTable(name))
    const isEnd = cursor.token === null
    if (verb === 'UPDATE' ? !cursor.takes('SET') : !isEnd && cursor.word !== 'WHERE') {
      return bad(label, noForm)
    }
    const mayHaveBytes = table.columns.some(({ type }) => type.name === 'BLOB')
    if (encoding !== 'utf-8' && mayHaveBytes && /[^\0-\x7f]/.test(cursor.source)) {
      return bad(label, onlyUtf8)
    }
    const rest = translate(cursor, table, dialect)
    if ('why' in rest) return bad(label, rest.why)
    const head =
      verb === 'UPDATE' ? `UPDATE ${quoteName(name)} SET ` : `DELETE FROM ${quoteName(name)} `
    const sql = `${(head + rest.sql).trim()};`
    const danger = rest.hasWhere
      ? {}
      : { danger: `${verb === 'UPDATE' ? 'Change' : 'Delete'} all rows of ${name}` }
    const sent = [{ sql, makes: { kind: 'other' } as const }]
    const judged = asJudged(cursor.source, signs, {
      judgement: 'rewritten',
      notes: rest.notes,
      sent,
      ...danger,
    })
    return of(label, judged)
  }

  return { judge, judging }
}

/** Rows that are judged at once. */
const rowsEach = 256

const mostNotes = 20
const notMade = { kind: 'other' } as const

/** Rows as one statement; of very many only the first are written out. */
function writtenRows(
  rows: readonly ScriptRow[],
  written: readonly string[],
  mode: RowMode,
): string {
  const { target } = rows[0] as ScriptRow
  const names = target.columns.map(({ name }) => quoteName(name)).join(', ')
  const verb = mode === 'replace' ? 'UPSERT' : 'INSERT'
  const end = mode === 'ignore' ? ' ON CONFLICT DO NOTHING' : ''
  const left = rows.length - written.length
  const more = left > 0 ? `\n-- and ${counted(left, 'row')} more like these` : ''
  const between = written.length > 1 ? ',\n  ' : ''
  const values = written.length > 1 ? `\n  ${written.join(between)}` : ` ${written.join('')}`
  return `${verb} INTO ${quoteName(target.table)} (${names}) VALUES${values}${end};${more}`
}

/** Whether values stand in the script as they are sent; words in either case. */
function isSameRow(texts: readonly string[], literals: readonly string[]): boolean {
  return (
    texts.length === literals.length &&
    literals.every((literal, at) => {
      const text = texts[at] ?? ''
      return text === literal || (text[0] !== "'" && lowerAscii(text) === lowerAscii(literal))
    })
  )
}

/** Whether an INSERT names its table and columns as it is sent. */
function isSameHead(
  { source, signs }: ScriptCursor,
  table: ScriptTable,
  row: ScriptRow | undefined,
  columns: readonly ScriptColumn[],
): boolean {
  const at = source.search(/\bVALUES\b/i)
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  const verb = row?.mode === 'replace' ? 'UPSERT' : 'INSERT'
  const head = `${verb} INTO ${quoteName(table.name)} (${names})`
  return (
    row?.target.columns.length === columns.length && isSameSql(source.slice(0, at), head, signs)
  )
}
/** Rows of an INSERT that are written out where it is shown. */
const mostShown = 1_000

const ownTable = /^sqlite_/i
const ofSqlite = 'SQLite keeps it for itself.'
const orphan = 'It belongs to no COPY.'
const forClient = 'For the program that runs the script.'
const cannotRead = 'The console cannot read this statement.'
const counting = 'immudb counts on from the largest key by itself.'
const onlyUtf8 = 'Bytes that are not digits are read from scripts in UTF-8 alone.'
const ofOtherFile = 'It reads another file. Bring that one by itself.'
const hasParams = 'It has parameters. Run it in the editor, which asks for their values.'
const noForm = 'The console sends no statement of this form.'
const noSelect = 'The console inserts values, not the rows of a SELECT.'

const of = (label: string, judged: Judged): JudgedPart => ({
  ...judged,
  label,
  rows: [],
  badRows: 0,
})
const bad = (label: string, ...why: readonly string[]) => of(label, cannot(...why))

function tableProblem(name: string, table: ScriptTable | undefined): string | null {
  if (table === undefined) return noTable(name)
  return table.problem === null ? null : dependsOn(table)
}

/** What a statement is called in the list: its first words. */
function firstWords(text: string): string {
  const head = text.slice(0, 200).replace(/^\/\*M?!\d*\s*/, '')
  const [, first = '', second = ''] = /^\W{0,1}([A-Za-z_]+)(?:\s+([A-Za-z_]+))?/.exec(head) ?? []
  const word = first.toUpperCase()
  const isPair = /^(CREATE|ALTER|DROP|START|LOCK|UNLOCK|COMMENT|RENAME)$/.test(word)
  if (word === '') return 'Other'
  const next = second.toUpperCase()
  if (isPair && /^(UNIQUE|TEMPORARY|TEMP|OR)$/.test(next)) {
    return `${word} ${/\b(TABLE|INDEX|VIEW|FUNCTION|TRIGGER)\b/i.exec(head)?.[1]?.toUpperCase() ?? next}`
  }
  return isPair ? `${word} ${next}`.trim() : word
}

type InsertHead = {
  verb: string
  schema: string | null
  name: string
  columns: string[] | null
  mode: RowMode
}

function insertHead(cursor: ScriptCursor): InsertHead | null {
  const first = cursor.word
  cursor.step()
  let mode: RowMode = first === 'INSERT' ? 'insert' : 'replace'
  while (/^(LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|OR)$/.test(cursor.word)) {
    if (cursor.word === 'IGNORE') mode = 'ignore'
    const isChoice = cursor.word === 'OR'
    cursor.step()
    if (!isChoice) continue
    if (cursor.takes('REPLACE')) mode = 'replace'
    else if (cursor.takes('IGNORE')) mode = 'ignore'
    else cursor.step()
  }
  cursor.takes('INTO')
  const found = takeQualified(cursor)
  if (found === null) return null
  const columns = cursor.sign === '(' ? takeNames(cursor) : null
  if (cursor.takes('OVERRIDING')) {
    cursor.step()
    cursor.takes('VALUE')
  }
  return { verb: first === 'REPLACE' ? 'REPLACE' : first, ...found, columns, mode }
}

function takeNames(cursor: ScriptCursor): string[] {
  cursor.takesSign('(')
  const names: string[] = []
  while (cursor.token && cursor.sign !== ')') {
    let name = cursor.takeName()
    // The table may stand before the column.
    while (cursor.takesSign('.')) name = cursor.takeName()
    if (name === null) break
    names.push(name)
    if (!cursor.takesSign(',')) break
  }
  cursor.takesSign(')')
  return names
}

const restOf = ({ source, token }: ScriptCursor) => source.slice(token?.from ?? source.length)

/** What stands behind the rows of an INSERT. */
function readTail(cursor: ScriptCursor, table: ScriptTable): 'none' | 'ignore' | { why: string } {
  cursor.takesSign(';')
  if (cursor.token === null) return 'none'
  if (cursor.takes('ON', 'CONFLICT')) {
    if (cursor.sign === '(') {
      const names = takeNames(cursor).map((written) => columnOf(table, written)?.name)
      if (names.join() !== table.key.join()) {
        return { why: 'ON CONFLICT of immudb looks at the key alone.' }
      }
    }
    if (cursor.takes('DO', 'NOTHING') && cursor.token === null) return 'ignore'
  }
  const rest = restOf(cursor)
  if (/^RETURNING\b/i.test(rest)) return { why: 'immudb 1.11 stores nothing with RETURNING.' }
  return { why: 'The console cannot send what stands behind its rows.' }
}

function shortValue(value: ScriptValue): string {
  const text = 'text' in value ? value.text : 'hex' in value ? `0x${value.hex}` : value.kind
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`
}

/** A value as it is shown; a number that stands there as immudb reads it stays as it is. */
function shownLiteral(column: ScriptColumn, value: ScriptValue, wire: WireValue | null): string {
  const isNumber = column.type.name === 'FLOAT' && value.kind === 'number'
  if (isNumber && /^-?\d+(\.\d+)?$/.test(value.text)) return value.text
  return literalOfWire(column.type, wire)
}

function hasNul(text: string, signs: ScriptCursor['signs']): boolean {
  if (!text.includes('\0')) return false
  for (const cursor = new ScriptCursor(text, signs); cursor.token; cursor.step()) {
    if (cursor.token.kind === 'unreadable') return true
  }
  return false
}

const plainWords =
  /^(AND|OR|NOT|IN|IS|NULL|TRUE|FALSE|LIKE|BETWEEN|WHERE|LIMIT|CASE|WHEN|THEN|ELSE|END)$/

/** What may stand here elsewhere, and is no column. */
const otherWords =
  /^(ORDER|RETURNING|USING|FROM|AS|SET|SELECT|JOIN|EXISTS|ESCAPE|INTERVAL|DEFAULT)$/

type Change = { readonly sql: string; readonly hasWhere: boolean; readonly notes: string[] }

/**
 * What stands behind the table of an UPDATE or DELETE, for immudb. Values that are compared with a
 * column or set to one get its type, because immudb compares equal types alone.
 */
function translate(
  cursor: ScriptCursor,
  table: ScriptTable,
  dialect: ScriptDialect,
): Change | { why: string } {
  const parts: string[] = []
  const notes: string[] = []
  const nulls = nullsIn(table, dialect)
  let hasWhere = false
  let isRange = false
  let column: ScriptColumn | null = null
  while (cursor.token) {
    const { token, word, sign, text } = cursor
    const isValue =
      token.kind === 'text' ||
      token.kind === 'bytes' ||
      token.kind === 'number' ||
      (token.kind === 'word' && cursor.copy().source[token.to] === "'")
    if (sign === ';') break
    if (isValue) {
      const value = takeOne(cursor)
      const literal = literalFor(column, value, dialect)
      if (literal === null)
        return { why: `${shortValue(value)} does not fit what it is compared with.` }
      parts.push(literal)
      continue
    }
    cursor.step()
    if (token.kind === 'word' && plainWords.test(word)) {
      parts.push(word)
      if (word === 'WHERE') hasWhere = true
      if (word === 'LIKE' && (dialect === 'mysql' || dialect === 'sqlite')) {
        notes.push('LIKE of immudb tells capital letters from small ones.')
      }
      nulls.word(word)
      // The AND of a BETWEEN stands between two values of its column.
      const isInRange = isRange && word === 'AND'
      isRange = word === 'BETWEEN' || (isRange && word !== 'AND')
      if (!isInRange && /^(AND|OR|WHERE|THEN|ELSE|WHEN|LIMIT)$/.test(word)) column = null
    } else if (token.kind === 'word' && cursor.takesSign('(')) {
      if (!knownFunctions.has(word)) return { why: `immudb has no function ${word}.` }
      parts.push(`${word}(`)
      column = null
    } else if (token.kind === 'word' && /^CURRENT_TIMESTAMP$/.test(word)) parts.push('NOW()')
    else if (token.kind === 'word' || token.kind === 'name') {
      const written = token.kind === 'word' ? text : text.slice(1, -1)
      const found = columnOf(table, written)
      if (!found && token.kind === 'word' && otherWords.test(word)) {
        return { why: `immudb has no ${word} here.` }
      }
      if (!found) return { why: `There is no column ${written} in ${table.name}.` }
      parts.push(quoteName(found.name))
      nulls.column(found)
      column = found
    } else if (/^([(),]|[<>]=?|=|<>|!=|[-+*/%])$/.test(sign)) {
      parts.push(sign)
      nulls.sign(sign)
    } else return { why: `immudb has no ${text} here.` }
    if (nulls.problem() !== null) return { why: nulls.problem() ?? '' }
  }
  return { sql: spaced(parts), hasWhere, notes: [...new Set(notes)] }
}

/** Puts blanks between the parts of a statement, of which texts stay as they are. */
function spaced(parts: readonly string[]): string {
  return parts
    .map((part, at) => {
      const isClose = at === 0 || part === ')' || part === ',' || parts[at - 1]?.endsWith('(')
      return isClose ? part : ` ${part}`
    })
    .join('')
}

/**
 * Watches the conditions of a statement for NULL. Measured with immudb 1.11.1: NULL is smaller than
 * every value, differs from each and equals NULL, so that it finds rows that other databases do not.
 */
function nullsIn({ key }: ScriptTable, dialect: ScriptDialect) {
  let problem: string | null = null
  let isCondition = false
  /** A NOT or CASE may turn what follows around. */
  let isTurned = false
  let isCompared = false
  let left: ScriptColumn | null = null
  let before = ''
  const note = ({ name }: ScriptColumn) => {
    problem ??= `immudb takes NULL for the smallest value, so where ${name} is NULL this may change other rows than the script means. Run it in the editor.`
  }
  return {
    problem: () => (dialect === 'immudb' ? null : problem),
    word(word: string) {
      if (word === 'WHERE' || word === 'WHEN') isCondition = true
      if (/^(WHERE|WHEN|AND|OR)$/.test(word)) [left, isCompared] = [null, false]
      if (word === 'THEN' || word === 'ELSE') isCondition = false
      if ((word === 'NOT' && before !== 'IS') || (word === 'CASE' && isCondition)) {
        isTurned = true
        if (left) note(left)
      }
      const isTest = before === 'IS' || before === 'IS NOT'
      if (word === 'NULL' && isCondition && !isTest) {
        problem ??= 'To immudb NULL equals NULL: write IS NULL or IS NOT NULL.'
      }
      before = before === 'IS' && word === 'NOT' ? 'IS NOT' : word
    },
    sign(sign: string) {
      before = ''
      if (!isCondition || !/[<>=!]/.test(sign)) return
      isCompared = true
      if (left && /^(<|<=|<>|!=)$/.test(sign)) note(left)
    },
    column(column: ScriptColumn) {
      before = ''
      if (!isCondition || !column.isNullable || key.includes(column.name)) return
      if (isTurned || isCompared) note(column)
      left = column
    },
  }
}

/** One value, which may have another sign behind it. */
function takeOne(cursor: ScriptCursor): ScriptValue {
  const { token, source, signs } = cursor
  const from = token?.from ?? 0
  let to = token?.to ?? from
  // A word such as E belongs to the text behind it.
  if (token?.kind === 'word') {
    cursor.step()
    to = cursor.token?.to ?? to
  }
  cursor.step()
  if (cursor.sign === '::') {
    cursor.step()
    cursor.step()
  }
  return takeValue(new ScriptCursor(source.slice(from, to), signs))
}

function literalFor(
  column: ScriptColumn | null,
  value: ScriptValue,
  dialect: ScriptDialect,
): string | null {
  if (column === null) {
    if (value.kind === 'number') return /^\d+(\.\d+)?$/.test(value.text) ? value.text : null
    return value.kind === 'text'
      ? literalOfWire({ name: 'VARCHAR', length: null }, { s: value.text })
      : null
  }
  const read = wireOf({ ...column, type: { ...column.type, length: null } }, value, dialect)
  return 'why' in read || read.wire === null ? null : shownLiteral(column, value, read.wire)
}
