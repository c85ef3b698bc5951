import { askForFewer } from '~/api/ask-for-fewer'
import type { Client } from '~/api/client'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { quoteName } from '~/sql/names'
import { newParams } from '~/sql/params'
import { type ResultTable, readResult } from '~/sql/result'
import { type Cells, type EditTable, keyOf, rebased, rowId, type StagedEdit } from '~/sql/row-edits'
import {
  changeEdits,
  editsOfAtom,
  inputsOf,
  type Place,
  rowChecksum,
  type StoredEdit,
} from './edits'

/** Rows that are asked for at once. */
const atOnce = 50

type Asked = {
  database: string
  table: EditTable
  /** Such as `UNTIL TX 5`; empty for now. */
  period: string
}

/**
 * The rows with some keys, by the names of the rows; one that is not there is missing.
 * @throws ApiError, ResultShapeError
 */
export async function readRowsByKey(
  client: Client,
  asked: Asked,
  keys: readonly Cells[],
): Promise<ReadonlyMap<string, Cells>> {
  const found = new Map<string, Cells>()
  for (let at = 0; at < keys.length; ) {
    const { rows, size } = await askForFewer(atOnce, async (most) => ({
      rows: await readSome(client, asked, keys.slice(at, at + most)),
      size: most,
    }))
    for (const row of rows) found.set(rowId(asked.table, row), row)
    at += size
  }
  return found
}

async function readSome(
  client: Client,
  { database, table, period }: Asked,
  keys: readonly Cells[],
): Promise<readonly Cells[]> {
  const params = newParams()
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const from = [quoteName(table.name), ...(period === '' ? [] : [period])].join(' ')
  const parts = keys.map((key) => {
    const where = [...key].map(([name, value]) =>
      value === null
        ? `${quoteName(name)} IS NULL`
        : `${quoteName(name)} = ${params.add(types.get(name) ?? '', value)}`,
    )
    return `SELECT * FROM ${from} WHERE ${where.join(' AND ')}`
  })
  const sql = `${parts.join(' UNION ALL ')};`
  const result = readResult(await querySql(client, { database, sql, params: params.list }))
  return Array.from({ length: result.rowCount }, (_, row) => rowCells(result, row))
}

/** A row of `SELECT *` of one table, by the names of its columns. */
export function rowCells({ columns }: ResultTable, row: number): Cells {
  return new Map(columns.map(({ label, values }) => [label, values[row] ?? null]))
}

/** The keys of the rows that edits are about, as far as they have one. */
export function keysOf(edits: readonly StagedEdit[], table: EditTable): readonly Cells[] {
  return edits.flatMap((edit) => keyOf(edit, table) ?? [])
}

/**
 * Reads the rows of edits of an earlier visit again and continues them. An edit whose row is another
 * one by now becomes a conflict, and a deletion of a row that is gone is over.
 * @throws ApiError, ResultShapeError
 */
export async function resumeEdits(io: Io, place: Place, table: EditTable): Promise<void> {
  const { waiting } = io.get(editsOfAtom)(place)
  if (waiting.length === 0) return
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, place.database)
  const keys = waiting.flatMap((one) => keyIn(table, one.copied?.id ?? one.id) ?? [])
  const asked = { database: place.database, table, period: '' }
  const rows = await readRowsByKey(client, asked, keys)
  const now = io.get(editsOfAtom)(place)
  // Another call may have been faster.
  if (now.waiting !== waiting) return
  const ids = new Set(now.edits.map(({ id }) => id))
  const back = waiting.filter(({ id }) => !ids.has(id)).map((one) => resumed(table, one, rows))
  const conflicts = new Map(now.conflicts)
  for (const { edit, isConflict } of back) {
    const of = edit.kind === 'add' ? edit.copied?.id : edit.id
    if (isConflict) conflicts.set(edit.id, rows.get(of ?? '') ?? null)
  }
  const isOver = ({ edit }: Resumed) => edit.kind === 'delete' && !rows.has(edit.id)
  const edits = [...back.filter((one) => !isOver(one)).map(({ edit }) => edit), ...now.edits]
  changeEdits(io, place, { edits, conflicts, waiting: [] })
}

type Resumed = { edit: StagedEdit; isConflict: boolean }

function resumed(table: EditTable, stored: StoredEdit, rows: ReadonlyMap<string, Cells>): Resumed {
  const { kind, id, checksum, copied } = stored
  const after = inputsOf(stored)
  if (kind === 'add') {
    if (!copied) return { edit: { kind, id, after }, isConflict: false }
    const row = rows.get(copied.id)
    const cells = row ?? keyIn(table, copied.id) ?? new Map<string, string | null>()
    const same = copied.names.flatMap((name) => {
      const value = cells.get(name)
      return value === undefined ? [] : [[name, { value }] as const]
    })
    const all = new Map([...same, ...after])
    const isSame = row !== undefined && rowChecksum(row) === checksum
    return { edit: { kind, id, after: all, copied: { id: copied.id, cells } }, isConflict: !isSame }
  }
  const row = rows.get(id)
  const before = row ?? keyIn(table, id) ?? new Map()
  const isConflict = !row || rowChecksum(row) !== checksum
  return {
    edit: kind === 'delete' ? { kind, id, before } : { kind, id, before, after },
    isConflict,
  }
}

/** The key in the name of a row; null for another name. */
function keyIn({ primaryKey }: EditTable, id: string): Cells | null {
  if (!id.startsWith('[')) return null
  const values: unknown = JSON.parse(id)
  if (!Array.isArray(values) || values.length !== primaryKey.length) return null
  return new Map(primaryKey.map((name, at) => [name, String(values[at])]))
}

/** Bases an edit on its row as someone else left it, so that a commit writes it over that. */
export function keepMine(io: Io, place: Place, table: EditTable, id: string) {
  const { edits, conflicts } = io.get(editsOfAtom)(place)
  const left = new Map(conflicts)
  left.delete(id)
  const next = rebased(edits, table, id, conflicts.get(id) ?? null)
  changeEdits(io, place, { edits: next, conflicts: left })
}
