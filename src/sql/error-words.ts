/** Words of the server's grammar that reach its error texts, in plain English. This file is data. */
export const parserWords: ReadonlyMap<string, string> = new Map([
  ['ERROR', 'text that cannot be read'],
  ['$end', 'the end of the statement'],
  ['$unk', 'a character that SQL does not use'],
  ["';'", 'the end of the statement'],
  ['IDENTIFIER', 'a name'],
  ['CMPOP', 'a comparison sign'],
  ['NOT_MATCHES_OP', '!~'],
  ['JOINTYPE', 'a kind of join'],
  ['SCAST', '::'],
  ['ARROW', '->'],
  ['DOT', "'.'"],
  ['string literal', 'a text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['binary literal', 'a blob'],
  ['boolean', 'TRUE or FALSE'],
  ['named parameter', 'a parameter'],
  ['positional parameter', 'a parameter'],
  ['aggregate function', 'an aggregate function'],
])

/** A server text, recognised by its beginning or a part of it, and what it means to the operator. */
export type KnownError = {
  readonly pattern: RegExp
  readonly text: string
  readonly hint?: string
}

/** Texts of immudb 1.11.1 that say too little or use words of its storage. First match wins. */
export const knownErrors: readonly KnownError[] = [
  {
    pattern: /^database is read-only because it's a replica/,
    text: 'This database is a replica: it can only be read. Nothing was stored.',
    hint: 'Write to its primary; the change arrives here by itself.',
  },
  {
    pattern: /^result size limit (reached|exceeded)/,
    text: 'The result has more than 2,500 rows, the most this server returns at once.',
    hint: 'Add LIMIT and OFFSET, or narrow the result with WHERE.',
  },
  {
    pattern: /^grpc: received message larger than max/,
    text: 'The answer is larger than 4 MiB, the most this server passes on.',
    hint: 'Ask for fewer rows or fewer columns.',
  },
  {
    pattern: /^max number of entries per tx exceeded/,
    text: 'The statement writes more than 1,024 entries (rows and index entries), the most one transaction can hold. Nothing was stored.',
    hint: 'Split it into several statements.',
  },
  {
    pattern: /^nested tx are not supported/,
    text: 'A transaction cannot be begun inside another one.',
    hint: 'End each BEGIN with COMMIT or ROLLBACK and run the blocks one by one. A block that was already committed stays committed.',
  },
  {
    pattern: /^tx not properly closed/,
    text: 'BEGIN has no COMMIT or ROLLBACK behind it. Nothing was stored.',
  },
  {
    pattern: /^no ongoing transaction/,
    text: 'There is no transaction to end: COMMIT and ROLLBACK need a BEGIN before them.',
  },
  {
    pattern: /^illegal statement\. DQL statement expected/,
    text: 'The statement returns no rows, so it cannot run as a query.',
    hint: 'Run it as a command.',
  },
  {
    pattern: /database selection from SQL statements requires session/,
    text: 'The server does not switch databases by SQL here. Use the database switch of the console.',
  },
  {
    pattern: /^key already exists/,
    text: 'A row with this primary key or unique value already exists.',
  },
  {
    pattern: /^(tbtree: |embedded\/\w+: |store: )?key not found/,
    text: 'Not found: the server has no entry for this key.',
  },
  {
    pattern: /must appear in the group by clause/,
    text: 'A selected column is neither in GROUP BY nor inside an aggregate such as COUNT or MAX.',
  },
  {
    pattern: /^ON clause is required/,
    text: 'A join needs ON or USING; only CROSS JOIN goes without.',
  },
  {
    pattern: /^expected TYPE keyword/,
    text: 'ALTER COLUMN needs TYPE in front of the new type, or SET NOT NULL or DROP NOT NULL.',
  },
  {
    pattern: /no row to evaluate in current context/,
    text: 'A column cannot stand here, because there is no row to take it from.',
  },
  {
    pattern: /^(tx read conflict|embedded\/store: tx read conflict)/,
    text: 'Someone else changed the same data at the same time. Nothing was stored.',
    hint: 'Look at the current state and run it again.',
  },
  {
    pattern: /^already closed/,
    text: 'The database is unloaded on the server.',
  },
  {
    pattern: /DIFF requires both/,
    text: 'DIFF OF needs both ends of the period: SINCE or AFTER, and UNTIL or BEFORE.',
  },
  {
    pattern: /tx ID must be greater than 1/,
    text: 'A period cannot start with SINCE TX 1 or end with BEFORE TX 1.',
    hint: 'Write AFTER TX 1 or UNTIL TX 1.',
  },
  {
    pattern: /tx ID must be a positive integer/,
    text: 'The transaction number of a period must be 1 or more.',
  },
  {
    pattern: /^transactions can NOT combine DDL and DML/,
    text: 'One transaction cannot both change tables and write rows.',
    hint: 'Put the two parts into separate transactions.',
  },
]
