import {
  batchesOf,
  guessReading,
  type JudgedScript,
  judgeScript,
  type ScriptPlan,
  type SentPart,
  surveyScript,
} from '~/atoms/scripts/script-file'
import { firstProgress } from '~/core/upload-progress'
import type { ScriptDialect } from '~/sql/script-dialect'
import { rowsSql } from '~/sql/script-judge'
import type { ScriptTable } from '~/sql/script-tables'
import type { Api } from './api'

const whole = { signal: new AbortController().signal, tell: () => {} }

/** A script as the console judges it. */
export async function judged(
  file: File,
  { dialect, there = [] }: { dialect?: ScriptDialect; there?: readonly ScriptTable[] } = {},
): Promise<JudgedScript> {
  const guessed = await guessReading(file)
  const reading = dialect === undefined ? guessed : { ...guessed, dialect }
  const survey = await surveyScript(file, reading, whole)
  const found = survey && (await judgeScript(file, survey, there, { decimals: 'FLOAT' }, whole))
  if (!found) throw new Error('the script was not read to its end')
  return found
}

/** Statements by their judgements. */
export function countsOf({ index }: JudgedScript): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { judgement, statements } of index.groups())
    counts[judgement] = (counts[judgement] ?? 0) + statements
  return counts
}

/** What is sent of a script, in the transactions in which the console sends it. */
export async function* transactionsOf(file: File, script: JudgedScript, entriesEach = 1_024) {
  const { survey, index, there, disordered } = script
  const plan: ScriptPlan = {
    database: 'defaultdb',
    into: 'defaultdb',
    file: survey.id,
    items: index.items,
    leftOut: [],
    ...survey.reading,
    decimals: 'FLOAT',
    there,
    disordered,
    entriesEach,
  }
  for await (const { items } of batchesOf({ file, script }, plan, firstProgress())) yield items
}

/** The request of a transaction. */
export function requestOf(items: readonly SentPart[]) {
  const [first] = items
  if (first?.sql) return { sql: first.sql.sql, params: [] }
  if (!first?.row) throw new Error('there is nothing to send')
  const rows = items.flatMap(({ row, number, line }) =>
    row ? [{ number, line, values: row.values }] : [],
  )
  return rowsSql(first.row, rows)
}

/** Runs a script on a server as the console does; what the server refused. */
export async function runOn(db: Api, file: File, script: JudgedScript): Promise<string[]> {
  const refused: string[] = []
  for await (const items of transactionsOf(file, script)) {
    const { sql, params } = requestOf(items)
    const line = items[0]?.line
    await db.call('/db/sqlexec', { sql, params }).catch((error: Error) => {
      refused.push(`line ${line}: ${error.message}: ${sql.slice(0, 300)}`)
    })
  }
  return refused
}
