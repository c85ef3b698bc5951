import { type ApiError, type Reason, sentence, technicalDetails } from '~/api/errors'
import { readSqlRefusal } from '~/api/sql-errors'
import { explainSqlError, locateSqlError } from '~/sql/errors'
import type { PreparedSql } from '~/sql/send'
import type { Statement } from '~/sql/statements'
import { mayBeSecond } from '../write/write'
import type { Failure } from './output'

/** Statuses of the database's own errors; any other comes from a proxy in front of it. */
const databaseStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 412, 500])

/** Why the database refused a statement, in plain words, and where in the text of the editor. */
export function explainSqlFailure(
  error: ApiError,
  statement: Statement,
  text: string,
  prepared: PreparedSql,
): { failure: Failure; marker: Marker | null } {
  const refusal = readSqlRefusal(error.message)
  const place = locateSqlError(refusal, prepared.sql, prepared.offsets, {
    text,
    from: statement.from,
  })
  const offending = place ? text.slice(place.from, place.to) : undefined
  const explained = explainSqlError(refusal, {
    sql: prepared.sql,
    ...(offending === undefined ? {} : { offending }),
  })
  const isOfDatabase = error.code !== null && databaseStatuses.has(error.status ?? 500)
  const words = isOfDatabase ? explained : { ...explained, text: sentence(error) }
  const failure: Failure = {
    text: words.text,
    hint: words.hint ?? null,
    details: `${words.original} · ${technicalDetails(error)}`,
    place,
    mayRunAgain: error.kind === 'conflict',
    mayBeDone: mayBeSecond(error, secondReasons(statement.verb)),
  }
  return { failure, marker: place && { from: place.from, to: place.to, message: words.text } }
}

/** The refusals of a statement that was just committed. */
function secondReasons(verb: string): readonly Reason[] {
  if (verb === 'INSERT' || verb === 'CREATE') return ['exists']
  if (verb === 'ALTER') return ['exists', 'missing', 'database-missing']
  return verb === 'DROP' ? ['missing', 'database-missing'] : []
}

/** Where a failed statement went wrong, as offsets in the editor's text. */
export type Marker = { from: number; to: number; message: string }
