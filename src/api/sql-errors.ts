import type { SqlReason, SqlRefusal, SqlSubject } from '~/immudb/sql-refusal'
import { type Reason, reasonOf, withoutPrefix } from './errors'

/** Texts of immudb 1.11.1 about statements; the first match counts. */
const sqlReasons: readonly (readonly [RegExp, SqlReason])[] = [
  [/^database is read-only because it's a replica/, 'replica'],
  [/^grpc: received message larger than max/, 'answer-too-large'],
  [/^max number of entries per tx exceeded/, 'too-many-entries'],
  [/^max key length exceeded/, 'key-too-long'],
  [/^max value length exceeded/, 'value-too-long'],
  [/^MVCC read-set limit exceeded/, 'reads-too-much'],
  [/^nested tx are not supported/, 'begin-in-begin'],
  [/^tx not properly closed/, 'no-commit'],
  [/^no ongoing transaction/, 'no-begin'],
  [/^illegal statement\. DQL statement expected/, 'no-rows-to-return'],
  [/database selection from SQL statements requires session/, 'use-database'],
  [/^key already exists/, 'row-exists'],
  [/^cannot change a non-transient key/, 'row-twice'],
  [/must appear in the group by clause/, 'not-grouped'],
  [/^ON clause is required/, 'join-needs-on'],
  [/^expected TYPE keyword/, 'alter-column'],
  [/no row to evaluate/, 'no-row-to-read'],
  [/^(embedded\/store: )?tx read conflict/, 'conflict'],
  [/DIFF requires both/, 'diff-needs-both-ends'],
  [/tx ID must be greater than 1/, 'tx-below-two'],
  [/tx ID must be a positive integer/, 'tx-below-one'],
  [/^transactions can NOT combine DDL and DML/, 'mixes-tables-and-rows'],
]

/** Texts that name something: (x), (t.x), column: x, savepoint x … */
const namePatterns: readonly RegExp[] = [
  /^\((\w+(?:\.\w+)?)\): must appear/,
  /^[^(]*\((\w+(?:\.\w+)?)\)/,
  /column: (\w+)/,
  /column '(\w+)'/,
  /^invalid column: (\w+)/,
  /^cannot drop column (\w+)/,
  /unknown function (\w+)/,
  /^savepoint (\w+) does not exist/,
  /^sequence '(\w+)'/,
]

/** Answers to words that a version does not know, or knows and does nothing with. */
const notUnderstood = /^syntax error|unkn?own function|function does not exist|supported/

const maxLength = 2000

/** Reads the server's text about a statement: the SQL part of `errors.ts`. */
export function readSqlRefusal(message: string): SqlRefusal {
  const text = withoutPrefix(message)
  const original = text.slice(0, maxLength)
  const position = /at position (\d+)$/.exec(text)?.[1]
  return {
    original,
    plain: original.replace(/ at position \d+$/, '').trim(),
    reason: sqlReasonOf(original),
    syntax: syntaxIn(original),
    isNotUnderstood: notUnderstood.test(original),
    missingColumn: /^column does not exist \(([^)]*)\)/.exec(original)?.[1] ?? null,
    isOfTypes: /^(values are not comparable|invalid types)/.test(text),
    position: position === undefined ? null : Number(position),
    subjects: subjectsIn(text),
  }
}

function sqlReasonOf(text: string): SqlReason | null {
  const known = sqlReasons.find(([pattern]) => pattern.test(text))
  if (known) return known[1]
  const reason = reasonOf(text)
  return reason !== null && isOfStatements(reason) ? reason : null
}

const isOfStatements = (reason: Reason): reason is Reason & SqlReason =>
  (ofStatements as readonly Reason[]).includes(reason)

/** The reasons of any call that have words of their own for a statement. */
const ofStatements = ['too-many-rows', 'unloaded', 'key-not-found', 'value-gone'] as const

function syntaxIn(text: string): SqlRefusal['syntax'] {
  const [, found, expected] =
    /^syntax error: unexpected (.+?)(?:, expecting (.+))? at position \d+$/.exec(text) ?? []
  return found === undefined ? null : { found, expected: expected?.split(' or ') ?? [] }
}

function subjectsIn(text: string): SqlSubject[] {
  const found: SqlSubject[] = []
  const value = /can not cast string '(.*)' as/.exec(text)?.[1]
  if (value !== undefined) found.push({ kind: 'text', name: value })
  const parameter = /^missing parameter\((\w+)\)/.exec(text)?.[1]
  if (parameter !== undefined) found.push({ kind: 'parameter', name: parameter })
  if (/^table does not exist$/.test(text)) return [...found, { kind: 'first-table' }]
  const name = namePatterns.map((pattern) => pattern.exec(text)?.[1]).find((match) => match)
  if (name) found.push({ kind: text.startsWith('table') ? 'table' : 'column', name })
  return found
}
