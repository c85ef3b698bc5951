/** A value of a primary key as immudb's `SQLValue` has it in JSON. */
export type KeyValue =
  | { n: string }
  | { s: string }
  | { b: boolean }
  | { bs: string }
  | { ts: string }
  | { f: number }
