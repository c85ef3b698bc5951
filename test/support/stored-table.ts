import { encodeUtf8 } from '~/lib/bytes'
import { concat, u8, u32 } from '~/proof/kernel/bytes'
import { rowKey } from '~/proof/kernel/stored'
import type { Written } from './history'

const catalogKey = (kind: string, ...ids: (number | string)[]) =>
  concat(
    u8(2),
    encodeUtf8(`CTL.${kind}.`),
    u32(1),
    ...ids.map((id) => (typeof id === 'number' ? u32(id) : encodeUtf8(id))),
  )

/** `CREATE TABLE t1 (id INTEGER, name VARCHAR[32], PRIMARY KEY id)`, as it is stored. */
export const createdTable: Written[] = [
  { key: catalogKey('TABLE', 1), value: encodeUtf8('t1') },
  { key: catalogKey('COLUMN', 1, 1, 'INTEGER'), value: concat(u8(0), u32(8), encodeUtf8('id')) },
  { key: catalogKey('COLUMN', 1, 2, 'VARCHAR'), value: concat(u8(0), u32(32), encodeUtf8('name')) },
  { key: catalogKey('INDEX', 1, 0), value: concat(u8(1), u32(1), u8(0)) },
]

/** `ALTER TABLE t1 ADD COLUMN extra{id} INTEGER`; it overwrites the column with that number. */
export const addedColumn = (id: number): Written => ({
  key: catalogKey('COLUMN', 1, id, 'INTEGER'),
  value: concat(u8(0), u32(8), encodeUtf8(`extra${id}`)),
})

const cell = (id: number, bytes: Uint8Array) => concat(u32(id), u32(bytes.length), bytes)
const eight = (number: number) => concat(u32(0), u32(number))
/** A row of it with nothing but its key, or of another table. */
export const storedRow = (id: number, tableId = 1): Written => ({
  key: rowKey(tableId, concat(u8(0x80), u32(0x80_00_00_00), u32(id))),
  value: concat(u32(1), cell(1, eight(id))),
})
