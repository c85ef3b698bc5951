import type { Place, Shortcut } from '~/lib/shortcuts'

/**
 * The guide is data, so that all of it can be searched, linked to and tested. Texts may hold
 * `code`, *names of buttons*, {keys to press} and [links](#anchor) or [to pages](/query).
 */
export type Chapter = {
  /** Also its anchor in the address. */
  readonly id: string
  readonly title: string
  readonly intro: string
  readonly sections: readonly Section[]
}

export type Section = {
  /** Also its anchor in the address. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** What a section is made of; a text by itself is a paragraph. */
export type Block =
  | string
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'note'; readonly text: string }
  | TableBlock
  | SqlBlock
  | ShellBlock
  | FileBlock
  | KeyBlock
  | ProofBlock
  | { readonly kind: 'shortcuts'; readonly place: Place; readonly shortcuts: readonly Shortcut[] }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }

export type TableBlock = {
  readonly kind: 'table'
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Statements that a test runs against a real server, each with what it gave. */
export type SqlBlock = {
  readonly kind: 'sql'
  readonly sql: string
  readonly outcomes: readonly ExampleOutcome[]
}

/** What a reader sees after running one statement. */
export type ExampleOutcome =
  | RowsOutcome
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string; readonly hint?: string }

export type RowsOutcome = {
  readonly kind: 'rows'
  readonly columns: readonly string[]
  /** Cells as a grid shows them with times in UTC; null for NULL. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** What the console says it sent differently. */
  readonly note?: string
}

/** A command for a shell; the console never runs it. */
export type ShellBlock = { readonly kind: 'shell'; readonly command: string }

/** A file for another program; a test runs that program with it. */
export type FileBlock = { readonly kind: 'file'; readonly name: string; readonly text: string }

/** A key with the values it is given one after the other. */
export type KeyBlock = {
  readonly kind: 'key'
  readonly key: string
  readonly values: readonly [string, ...string[]]
}

/** A recorded answer to be verified, as it was or with one change. */
export type ProofBlock = { readonly kind: 'proof'; readonly cases: readonly ProofCase[] }

export type ProofCase = {
  readonly title: string
  readonly text: string
  readonly change: 'none' | 'value' | 'history'
}

export type Term = { readonly term: string; readonly text: string }

export const list = (...items: string[]): Block => ({ kind: 'list', isOrdered: false, items })

export const steps = (...items: string[]): Block => ({ kind: 'list', isOrdered: true, items })

export const note = (text: string): Block => ({ kind: 'note', text })

export const table = (head: readonly string[], ...rows: string[][]): Block => ({
  kind: 'table',
  head,
  rows,
})

export const sql = (text: string, ...outcomes: ExampleOutcome[]): Block => ({
  kind: 'sql',
  sql: text,
  outcomes,
})

export const shell = (command: string): Block => ({ kind: 'shell', command })

export const file = (name: string, text: string): FileBlock => ({ kind: 'file', name, text })

export const key = (name: string, ...values: [string, ...string[]]): Block => ({
  kind: 'key',
  key: name,
  values,
})

export const proof = (...cases: ProofCase[]): Block => ({ kind: 'proof', cases })

/** Columns are parted by spaces, since no example has a name with one. */
export const rows = (columns: string, ...cells: (string | null)[][]): RowsOutcome => ({
  kind: 'rows',
  columns: columns.split(' '),
  rows: cells,
})

export const done = (text: string): ExampleOutcome => ({ kind: 'done', text })

/** A statement that changed this many rows. */
export const changed = (count: number): ExampleOutcome =>
  done(`Committed, ${count} ${count === 1 ? 'row' : 'rows'} changed.`)

export const committed = done('Committed.')

export const nothing = done('Nothing was committed: the server made no transaction.')

export const failed = (text: string, hint?: string): ExampleOutcome => ({
  kind: 'failed',
  text,
  ...(hint === undefined ? {} : { hint }),
})
