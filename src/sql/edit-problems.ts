import { cutText } from '~/lib/visible-text'
import { isValue, jsonNull } from './cell-input'
import {
  type Cells,
  type EditColumn,
  type Edits,
  type EditTable,
  keyOf,
  type StagedEdit,
  stagedValues,
  staysUnnamed,
} from './row-edits'

/** Why an edit cannot be committed as it is. */
export type EditProblem = {
  readonly id: string
  /** Null where it is about the row. */
  readonly column: string | null
  readonly text: string
}

/**
 * Everything that the server would refuse, or take although it should not.
 * @param defaults of columns, by their names; null while they are not known
 */
export function problemsOf(
  table: EditTable,
  edits: Edits,
  defaults: ReadonlyMap<string, string> | null,
): readonly EditProblem[] {
  return [
    ...edits.flatMap((edit) => [
      ...ofUnnamed(table, edit),
      ...ofMissing(table, edit),
      ...ofCells(table, edit, defaults),
      ...ofRow(table, edit),
    ]),
    ...ofKeys(table, edits),
    ...ofIndexes(table, edits),
  ]
}

/** Why a cell cannot be edited at all; `isNew` for a row that is not in the table yet. */
export function reasonAgainst(column: EditColumn, isNew: boolean): string | undefined {
  if (isNew || !column.isPrimaryKey) return undefined
  return 'immudb does not change a primary key. Duplicate the row with the new key, and delete this one.'
}

/** Characters of a value that are shown. */
const shownLength = 200

/** A row that nothing can name alone. */
function ofUnnamed(table: EditTable, edit: StagedEdit): EditProblem[] {
  if (edit.kind === 'add' || keyOf(edit, table) !== null) return []
  return [{ id: edit.id, column: null, text: staysUnnamed }]
}

/** What was typed for a column that was dropped or renamed since must not get lost unseen. */
function ofMissing({ columns }: EditTable, edit: StagedEdit): EditProblem[] {
  if (edit.kind === 'delete') return []
  const names = new Set(columns.map(({ name }) => name))
  return [...edit.after].flatMap(([column, input]) => {
    if (names.has(column)) return []
    const value = isValue(input) ? (input.value ?? 'NULL') : input.text
    const text = `The table no longer has this column. You staged: ${cutText(value, shownLength)}`
    return [{ id: edit.id, column, text }]
  })
}

function ofCells(
  { columns }: EditTable,
  edit: StagedEdit,
  defaults: ReadonlyMap<string, string> | null,
): EditProblem[] {
  if (edit.kind === 'delete') return []
  return columns.flatMap((column): EditProblem[] => {
    const problem = (text: string) => [{ id: edit.id, column: column.name, text }]
    const input = edit.after.get(column.name)
    if (input && !isValue(input)) return problem(input.error)
    const isNull = input ? input.value === null : edit.kind === 'add'
    if (!isNull || column.isNullable || column.isAutoIncrement) return []
    if (!input && defaults?.has(column.name)) return []
    return problem(
      edit.kind === 'change'
        ? 'NULL is not allowed here. immudb itself would not refuse it.'
        : 'This column needs a value.',
    )
  })
}

function ofRow({ columns, primaryKey }: EditTable, edit: StagedEdit): EditProblem[] {
  const problem = (column: string | null, text: string) => [{ id: edit.id, column, text }]
  if (edit.kind === 'change') {
    const stuck = columns.find(
      ({ name, type }) =>
        type === 'JSON' && edit.before.get(name) === 'null' && !edit.after.has(name),
    )
    return stuck ? problem(stuck.name, `${jsonNull} Change this cell too.`) : []
  }
  const isAllKey = columns.length > 0 && columns.every(({ isAutoIncrement }) => isAutoIncrement)
  const isEmpty = edit.kind === 'add' && stagedValues(edit).size === 0
  return isAllKey && isEmpty
    ? problem(primaryKey[0] ?? null, 'A table with this column alone needs a value.')
    : []
}

const sameKey = 'Another staged row has the same primary key.'
const freedKey =
  'immudb refuses a key that the same transaction deletes. Commit the deletion first, or change that row.'

function ofKeys(table: EditTable, edits: Edits): EditProblem[] {
  const keys = edits.map((edit) => {
    const key = keyOf(edit, table)
    return { edit, key: key && JSON.stringify([...key.values()]) }
  })
  const byKey = groupedBy(keys, (one) => one.key)
  return keys.flatMap(({ edit, key }): EditProblem[] => {
    if (edit.kind !== 'add' || key === null) return []
    const other = byKey.get(key)?.find((one) => one.edit !== edit)?.edit
    if (!other) return []
    const text = other.kind === 'delete' ? freedKey : sameKey
    return [{ id: edit.id, column: table.primaryKey[0] ?? null, text }]
  })
}

/** Looking through all rows for each would take seconds where thousands were pasted. */
function groupedBy<T, K>(all: readonly T[], nameOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const group = groups.get(nameOf(one))
    if (group) group.push(one)
    else groups.set(nameOf(one), [one])
  }
  return groups
}

const sameUnique = 'Another staged row has the same value, and the index is unique.'
const freedUnique =
  'immudb gives a unique value to another row only after the row that has it now was committed without it. Commit that change first.'
const leftValue =
  'immudb refuses a transaction in which one row leaves an indexed value and another takes it. Commit one of the two first.'

const sameNaN =
  'immudb changes no row that keeps NaN in an index. Give this column another value, too.'

/**
 * The server looks at unique indexes as they were before the transaction, for deleted rows too. Of
 * the others it refuses a value that a change leaves and another row takes, measured on 1.11.1.
 */
function ofIndexes(table: EditTable, edits: Edits): EditProblem[] {
  return (table.indexes ?? []).flatMap(({ columns, isUnique }) => {
    const tuple = (cells: Cells) => JSON.stringify(columns.map((name) => cells.get(name) ?? null))
    const rows = edits.map((edit) => {
      const old = edit.kind === 'add' ? null : tuple(edit.before)
      const cells = edit.kind === 'delete' ? null : contentOf(edit)
      const made = cells && tuple(cells)
      return { edit, old, made: made === old ? null : made }
    })
    const [byOld, byMade] = [groupedBy(rows, (one) => one.old), groupedBy(rows, (one) => one.made)]
    return rows.flatMap(({ edit, made }): EditProblem[] => {
      if (made === null) {
        const nan =
          edit.kind === 'change' ? columns.find((name) => isNaNOf(table, edit, name)) : undefined
        return nan === undefined ? [] : [{ id: edit.id, column: nan, text: sameNaN }]
      }
      const isOther = (one: (typeof rows)[number]) => one.edit !== edit
      const problem = (text: string) => [{ id: edit.id, column: columns[0] ?? null, text }]
      const holders = (byOld.get(made) ?? []).filter(isOther)
      if (!isUnique) {
        const isLeft = holders.some((one) => one.edit.kind === 'change' && one.made !== null)
        return isLeft ? problem(leftValue) : []
      }
      if (byMade.get(made)?.some(isOther)) return problem(sameUnique)
      return holders.length > 0 ? problem(freedUnique) : []
    })
  })
}

const isNaNOf = ({ columns }: EditTable, edit: StagedEdit, name: string) =>
  contentOf(edit).get(name) === 'NaN' &&
  columns.some((column) => column.name === name && column.type === 'FLOAT')

/** What to do where a column without a value may have a default that is not known yet. */
export const unknownDefaults =
  'A column that has a default needs none: the tab Structure reads the defaults.'

/** The values that staged rows are to have in a unique index. */
export type UniqueClaims = {
  readonly columns: readonly string[]
  /** By the columns of the index, each with the row that is to have them. */
  readonly rows: readonly { readonly id: string; readonly values: Cells }[]
}

/** What staged edits claim in the unique indexes of a table; NULL as well (1.11.1). */
export function uniqueClaims({ indexes }: EditTable, edits: Edits): readonly UniqueClaims[] {
  const unique = (indexes ?? []).filter(({ isUnique }) => isUnique)
  return unique.map(({ columns }) => ({
    columns,
    rows: edits.flatMap((edit) => {
      const isClaim =
        edit.kind === 'add' ||
        (edit.kind === 'change' && columns.some((name) => edit.after.has(name)))
      if (!isClaim) return []
      const content = contentOf(edit)
      const values = new Map(columns.map((name) => [name, content.get(name) ?? null]))
      return [{ id: edit.id, values }]
    }),
  }))
}

/** The row as it is to be. */
function contentOf(edit: StagedEdit): Cells {
  const before = edit.kind === 'add' ? [] : edit.before
  return new Map([...before, ...stagedValues(edit)])
}
