import { isOrdered, takesLength } from '~/immudb/column-types'
import type { CsvRecord } from '~/lib/csv'
import { unknownDefaults } from './edit-problems'
import { columnNames, guessKey, isName } from './import-guess'
import type { NullWord } from './import-rows'
import { type ImportColumn, type ImportTarget, rowsPerTransaction } from './import-statements'
import { guessType, type Survey } from './import-survey'
import { type FieldRule, type ImportType, readType, rulesOf } from './import-types'

/** A field of the file as a column of a new table. */
export type NewColumn = {
  readonly name: string
  readonly type: ImportType
  /** How its fields are read; null: as SQL and ISO 8601 write them. */
  readonly rule: FieldRule | null
  readonly isIncluded: boolean
}

/** What is chosen for a new table. */
export type NewTable = {
  readonly table: string
  readonly columns: readonly NewColumn[]
  /** Places of the fields that are the primary key; none: the server counts the rows. */
  readonly key: readonly number[]
  /** The column that the server counts up, where the file has no key. */
  readonly autoKey: string
}

/** A column of a table that is there. */
export type TableColumn = {
  readonly name: string
  /** As the server tells it, such as `VARCHAR(64)`. */
  readonly type: string
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
  readonly isAutoIncrement: boolean
  readonly isIndexed: boolean
}

type TableIndex = { readonly columns: readonly string[]; readonly isPrimary: boolean }

/** A table that is there, with what is not known as null. */
export type ThereTable = {
  readonly table: string
  readonly columns: readonly TableColumn[]
  readonly indexes: readonly TableIndex[] | null
  /** Defaults of columns, by their names. */
  readonly defaults: ReadonlyMap<string, string> | null
}

/** Where rows go and how many at once, or why that is not possible. */
export type TargetChoice =
  | { readonly target: ImportTarget; readonly rowsEach: number }
  | { readonly why: string }

/**
 * What a new table would probably be. A field without a name and without a value is left out.
 * @param records the first of the file, among which keys are looked for
 */
export function guessNewTable(
  table: string,
  heads: readonly (string | null)[],
  { fields }: Pick<Survey, 'fields'>,
  records: readonly CsvRecord[],
  nulls: readonly NullWord[],
): NewTable {
  const names = columnNames(heads)
  const types = names.map((_, at): ImportType => {
    const field = fields[at]
    return field ? guessType(field, nulls) : { name: 'VARCHAR', length: null }
  })
  const key = guessKey(names, types, fields, records)
  const columns = names.map((name, at): NewColumn => {
    const type = types[at] ?? { name: 'VARCHAR', length: null }
    const hasName = (heads[at] ?? '').trim() !== ''
    const isUsed = hasName || (fields[at]?.values ?? 0) > 0 || (fields[at]?.words.size ?? 0) > 0
    return { name, type: at === key ? keyType(type) : type, rule: null, isIncluded: isUsed }
  })
  const isNone = columns.every(({ isIncluded }) => !isIncluded)
  const kept = isNone ? columns.map((column) => ({ ...column, isIncluded: true })) : columns
  return { table, columns: kept, key: key < 0 ? [] : [key], autoKey: freeName('id', names) }
}

function freeName(wanted: string, names: readonly string[]): string {
  let name = wanted
  for (let count = 2; names.includes(name); count += 1) name = `${wanted}_${count}`
  return name
}

/** A key needs a length. */
export function keyType(type: ImportType): ImportType {
  return takesLength(type.name) && type.length === null ? { ...type, length: longestKey } : type
}

/** Bytes of a text that immudb 1.11.1 takes as a key beside what it adds. */
const longestKey = 512

/** The target of a new table. `taken`: the tables that are there; `limit`: see `thereTarget`. */
export function newTarget(of: NewTable, taken: readonly string[], limit?: number): TargetChoice {
  const { table, columns, key, autoKey } = of
  const filled = columns.flatMap(({ name, type, rule, isIncluded }, from): ImportColumn[] =>
    isIncluded
      ? [{ name, type, from, isNullable: !key.includes(from), rule: ruleFor(type, rule) }]
      : [],
  )
  const names = [...filled.map(({ name }) => name), ...(key.length === 0 ? [autoKey] : [])]
  const odd = names.find((name) => !isName(name))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (!isName(table)) return { why: `A table’s name has ${letters}.` }
  if (taken.includes(table)) return { why: `There is a table ${table} already.` }
  if (odd !== undefined) return { why: `A column’s name has ${letters}, and not “${odd}”.` }
  if (twice !== undefined) return { why: `Two columns are called ${twice}.` }
  if (filled.length === 0) return { why: 'Choose at least one column.' }
  const keyColumns = filled.filter(({ from }) => key.includes(from))
  if (keyColumns.length < key.length) return { why: 'The primary key must be among the columns.' }
  const bad = keyColumns.find(({ type }) => keyProblem(type) !== null)
  if (bad) return { why: `${bad.name} cannot be the key: ${keyProblem(bad.type)}.` }
  const keyNames = keyColumns.map(({ name }) => name)
  const target: ImportTarget =
    key.length === 0
      ? { table, columns: filled, key: [autoKey], autoKey }
      : { table, columns: filled, key: keyNames, autoKey: null }
  return { target, rowsEach: rowsPerTransaction(0, limit) }
}

const letters = 'the letters a–z, digits and _ only'

function keyProblem({ name, length }: ImportType): string | null {
  if (!isOrdered(name)) return `${name} has no order`
  return takesLength(name) && length === null ? `${name} needs a length` : null
}

/** For each field the column of the same name, or of the same place in a file without names. */
export function guessMapping(
  heads: readonly (string | null)[],
  hasHeader: boolean,
  columns: readonly TableColumn[],
): (string | null)[] {
  const names = columnNames(heads)
  const others = columns.filter(({ isAutoIncrement }) => !isAutoIncrement)
  return names.map((name, at) => {
    if (!hasHeader) return others[at]?.name ?? null
    return columns.find((column) => column.name === name)?.name ?? null
  })
}

function ruleFor({ name }: ImportType, rule: FieldRule | null): FieldRule | null {
  return rule !== null && rulesOf(name).includes(rule) ? rule : null
}

/**
 * The target of a table that is there. `mapping` has the column of each field, or null; `rules` how
 * each is read.
 * @param limit most entries of a transaction of the database
 */
export function thereTarget(
  { table, columns, indexes, defaults }: ThereTable,
  mapping: readonly (string | null)[],
  limit?: number,
  rules: readonly (FieldRule | null)[] = [],
): TargetChoice {
  const twice = mapping.find((name, at) => name !== null && mapping.indexOf(name) !== at)
  if (twice) return { why: `Two fields of the file go into ${twice}.` }
  const filled: ImportColumn[] = []
  for (const [from, name] of mapping.entries()) {
    const column = columns.find((one) => one.name === name)
    if (!column) continue
    const type = readType(column.type)
    if (type === null) return { why: `Values of the type ${column.type} cannot be imported.` }
    const rule = ruleFor(type, rules[from] ?? null)
    filled.push({ name: column.name, type, from, isNullable: column.isNullable, rule })
  }
  if (filled.length === 0) return { why: 'Choose a column of the table for at least one field.' }
  const isFilled = (name: string) => filled.some((one) => one.name === name)
  const auto = columns.find(({ isAutoIncrement, name }) => isAutoIncrement && !isFilled(name))
  const missing = columns.find(
    ({ name, isNullable, isAutoIncrement }) =>
      !isNullable && !isAutoIncrement && !isFilled(name) && !defaults?.has(name),
  )
  if (missing) {
    const of = missing.isPrimaryKey ? 'is part of the primary key' : 'may not be NULL'
    const hint = defaults === null && !missing.isPrimaryKey ? ` ${unknownDefaults}` : ''
    return { why: `${missing.name} ${of}, and no field goes into it.${hint}` }
  }
  const key = keyOf(columns, indexes)
  const target = { table, columns: filled, key, autoKey: auto?.name ?? null }
  return { target, rowsEach: rowsPerTransaction(indexCount(columns, indexes), limit) }
}

function keyOf(columns: readonly TableColumn[], indexes: ThereTable['indexes']): readonly string[] {
  const primary = indexes?.find(({ isPrimary }) => isPrimary)
  if (primary) return primary.columns
  return columns.filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)
}

/** Indexes beside the primary one; where they are not known, as many as columns are in one. */
function indexCount(columns: readonly TableColumn[], indexes: ThereTable['indexes']): number {
  if (indexes !== null) return indexes.filter(({ isPrimary }) => !isPrimary).length
  return columns.filter(({ isIndexed, isPrimaryKey }) => isIndexed && !isPrimaryKey).length
}
