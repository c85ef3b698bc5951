import { toBase64 } from './base64'
import { hex } from './hash'
import { readRow } from './row'
import type { Schema } from './schema'
import { shown } from './sql-type'

/** A row by the transaction that wrote it and the cells of its primary key, hex digits by column. */
export type SampleRow = { tx: string; cells: readonly (readonly [id: number, cell: string])[] }

const longestKey = 256

/** Null for a row that cannot be read or whose key is too long to be kept. */
export function sampleRow(tx: string, row: Uint8Array, pk: readonly number[]): SampleRow | null {
  const cells = readable(row)
  const found = pk.map((id) => [id, cells?.get(id)] as const)
  const isWhole = found.every(([, cell]) => cell !== undefined && cell.length <= longestKey)
  if (!isWhole || pk.length === 0) return null
  return { tx, cells: found.map(([id, cell]) => [id, hex(cell ?? new Uint8Array())]) }
}

function readable(row: Uint8Array) {
  try {
    return readRow(row)
  } catch {
    return null
  }
}

/** `pkValues` of a request for the row by `/db/verifiable/sqlget`; null when it cannot be asked. */
export function pkValues(row: SampleRow, { cols }: Schema): Record<string, unknown>[] | null {
  const values = row.cells.map(([id, digits]) => {
    const type = cols.find((column) => column.id === id)?.type ?? ''
    const cell = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return sqlValue(type, cell)
  })
  return values.every((value) => value !== null) ? values : null
}

const fields: Readonly<Record<string, string>> = {
  INTEGER: 'n',
  TIMESTAMP: 'ts',
  BOOLEAN: 'b',
  FLOAT: 'f',
  UUID: 's',
  VARCHAR: 's',
}

function sqlValue(type: string, cell: Uint8Array): Record<string, unknown> | null {
  if (type === 'BLOB') return { bs: toBase64(cell) }
  const field = fields[type]
  return field ? { [field]: shown(type, cell) } : null
}
