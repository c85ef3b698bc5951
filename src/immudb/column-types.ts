import type { Feature } from './server-versions'

/** What the console knows of a type of column. */
type ColumnTypeFacts = {
  /** A length may be chosen for it, in bytes. */
  readonly takesLength?: true
  readonly isNumber?: true
  /** The server finds no order between its values, so no key and no index takes it. */
  readonly isUnordered?: true
  /** A statement can name its values exactly, and they sort as the index of the server does. */
  readonly isSought?: true
  /** What a server must have for it; every one has the others. */
  readonly needs?: Feature
  /** The field of a value in an answer; a text (`s`) where none is named. */
  readonly field?: 'n' | 'b' | 'bs' | 'ts' | 'f'
}

/**
 * The types of columns that immudb 1.11.1 has, in the order in which they are offered. What a new
 * one needs beside its row: its cells in `proof/kernel/sql-type.ts` and `proof/proven-leaves.ts`; how a
 * value is written in `sql/literals.ts`, typed in `sql/cell-input.ts`, imported in
 * `sql/import-types.ts`, exported in `sql/result-text.ts` and shown in `sql/cells.ts`.
 */
const facts = {
  INTEGER: { isNumber: true, isSought: true, field: 'n' },
  VARCHAR: { takesLength: true, isSought: true },
  BOOLEAN: { isSought: true, field: 'b' },
  FLOAT: { isNumber: true, needs: 'floats', field: 'f' },
  TIMESTAMP: { isSought: true, field: 'ts' },
  BLOB: { takesLength: true, isSought: true, field: 'bs' },
  JSON: { isUnordered: true, needs: 'json' },
  UUID: { isSought: true, needs: 'uuids' },
} as const satisfies Record<string, ColumnTypeFacts>

export type ColumnType = keyof typeof facts

export const columnTypes = Object.keys(facts) as ColumnType[] // the keys of the table above

const known: ReadonlyMap<string, ColumnTypeFacts> = new Map(Object.entries(facts))

/** What a server must have for a type; undefined where every one has it. */
export const neededFor = (type: string): Feature | undefined => known.get(type)?.needs

/** Whether a column of the type may have a length. */
export const takesLength = (type: string): boolean => known.get(type)?.takesLength ?? false

export const isNumberType = (type: string): boolean => known.get(type)?.isNumber ?? false

/** Whether the server can sort by a column of the type. */
export const isOrdered = (type: string): boolean => !known.get(type)?.isUnordered

/** Whether rows can be sought by a column of the type. */
export const isSought = (type: string): boolean => known.get(type)?.isSought ?? false

/** The field of a value in an answer that holds one of the type. */
export const valueField = (type: string): string => known.get(type)?.field ?? 's'
