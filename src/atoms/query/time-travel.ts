import type { Getter } from 'jotai'
import type { Statement } from '~/sql/statements'
import { insertPeriods, type Moment, periodOf } from '~/sql/time-travel'
import { readTables } from './tables'

/** What a statement becomes while a moment is chosen. */
export type TravelPlan =
  | { kind: 'refused'; text: string }
  | {
      kind: 'read'
      insertions: ReadonlyMap<number, string>
      notes: readonly string[]
      isPast: boolean
    }

/** Reads the tables of the statement at the moment; rejects with `ApiError`. */
export async function travelPlan(
  get: Getter,
  { text }: Pick<Statement, 'text'>,
  moment: Moment,
  database: string,
): Promise<TravelPlan> {
  const names = await readTables(
    get,
    database,
    (known) => insertPeriods(text, moment, known).timeless,
  )
  const { periods, tables, own, timeless } = insertPeriods(text, moment, names)
  if (timeless.length > 0) {
    return {
      kind: 'refused',
      text: `The statement was not sent: ${timeless.join(' and ')} cannot be looked at in the past. This server shows views and catalogues as they are now, whatever period is asked for.`,
    }
  }
  if (tables.length === 0 && own.length === 0) {
    const notes = ['No table is read here, so this shows the present.']
    return { kind: 'read', insertions: periods, notes, isPast: false }
  }
  const notes = [
    ...(tables.length > 0 ? [`${tables.join(' and ')} read ${periodOf(moment)}.`] : []),
    ...(own.length > 0 ? [`${own.join(' and ')} keeps the period written in the statement.`] : []),
  ]
  return { kind: 'read', insertions: periods, notes, isPast: true }
}
