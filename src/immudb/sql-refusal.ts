/** What the database says about a refused statement, as read from its text. */
export type SqlRefusal = {
  /** The server's text, without transport prefixes, at most 2,000 characters. */
  readonly original: string
  /** The same without the position at its end. */
  readonly plain: string
  /** Null when the console has no better words for it. */
  readonly reason: SqlReason | null
  /** What the parser met and what it could have used, in words of its grammar. */
  readonly syntax: { readonly found: string; readonly expected: readonly string[] } | null
  /** A word was not known, or is known and does nothing: it may be newer than the server. */
  readonly isNotUnderstood: boolean
  /** Values of two types met, of which the server makes nothing. */
  readonly isOfTypes: boolean
  /** The missing column; null when the text is about something else. */
  readonly missingColumn: string | null
  /** UTF-8 bytes read when the parser stopped, the end of the token it could not use. */
  readonly position: number | null
  /** What the text names, most telling first. */
  readonly subjects: readonly SqlSubject[]
}

/** Something in a statement that a refusal is about. */
export type SqlSubject =
  | { readonly kind: 'text' | 'parameter' | 'table' | 'column'; readonly name: string }
  /** The only table that is named, or the first. */
  | { readonly kind: 'first-table' }

export type SqlReason =
  | 'alter-column'
  | 'answer-too-large'
  | 'begin-in-begin'
  | 'conflict'
  | 'diff-needs-both-ends'
  | 'join-needs-on'
  | 'key-not-found'
  | 'key-too-long'
  | 'mixes-tables-and-rows'
  | 'no-begin'
  | 'no-commit'
  | 'no-rows-to-return'
  | 'no-row-to-read'
  | 'not-grouped'
  | 'reads-too-much'
  | 'replica'
  | 'row-exists'
  | 'row-twice'
  | 'too-many-entries'
  | 'too-many-rows'
  | 'tx-below-one'
  | 'tx-below-two'
  | 'unloaded'
  | 'use-database'
  | 'value-gone'
  | 'value-too-long'
