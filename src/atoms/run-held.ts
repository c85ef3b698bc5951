import type { Getter, Setter } from 'jotai'
import { refusalOf } from '~/sql/refusals'
import type { Statement } from '~/sql/statements'
import type { NewEntry } from './output'
import { type Course, isQuery } from './run-statement'
import { readOnlyDatabasesAtom } from './settings'
import { heldAtom } from './trust/trust'

/** Why the statement must not be sent, whatever its text would become. */
export function refusalFor(get: Getter, course: Course, statement: Statement): string | undefined {
  const refusal = refusalOf(statement)
  if (refusal !== undefined || !isWrite(statement, course)) return refusal
  if (get(readOnlyDatabasesAtom).has(course.database)) {
    return `The statement was not sent: ${course.database} is set to read-only in this browser (Settings, Safety).`
  }
  if (course.moment === null) return undefined
  return 'The statement was not sent: a moment of the past is chosen, and the past cannot be changed. Choose the present to write.'
}

/** Why a write waits for an operator; what only reads goes on at once. */
export function heldBack(
  set: Setter,
  course: Course,
  statement: Statement,
): undefined | Promise<string | undefined> {
  if (!isWrite(statement, course)) return undefined
  return set(heldAtom, course.database).then(
    (held) => held?.text && `The statement was not sent. ${held.text}`,
  )
}

function isWrite(statement: Statement, { mode }: Course): boolean {
  return !isQuery(statement, mode) && statement.kind !== 'use'
}

export function notSent(entry: NewEntry, text: string): NewEntry {
  const failure = { text, hint: null, details: 'Not sent to the server.', place: null }
  return { ...entry, flux: 'stderr', status: 'failed', elapsed: 0, message: text, failure }
}
