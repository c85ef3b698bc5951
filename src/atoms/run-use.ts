import type { Getter, Setter } from 'jotai'
import type { Statement } from '~/sql/statements'
import { openDatabaseAtom } from './databases'
import { sentence, technicalDetails } from './failure'
import { momentsAtom } from './moment'
import { changeOutputAtom } from './output'
import type { Course } from './run-statement'

/** `USE x` cannot work in SQL with a token; it switches this tab's database instead, or resolves with null. */
export async function switchDatabase(
  get: Getter,
  set: Setter,
  number: number,
  course: Course,
  statement: Statement,
): Promise<Course | null> {
  const database = statement.database ?? ''
  const stop = (reason: string, details: string) => {
    const text = `${database} was not opened. ${reason}`
    const failure = { text, hint: null, details, place: null }
    set(changeOutputAtom, number, { flux: 'stderr', status: 'failed', message: text, failure })
    return null
  }
  try {
    const isOpen = await set(openDatabaseAtom, database)
    if (!isOpen) return stop('Another database was chosen meanwhile.', 'Not switched.')
  } catch (error) {
    return stop(sentence(error), technicalDetails(error))
  }
  set(changeOutputAtom, number, { status: 'done', elapsed: 0, message: `Now using ${database}.` })
  return { ...course, database, lastTx: null, moment: get(momentsAtom).get(database) ?? null }
}
