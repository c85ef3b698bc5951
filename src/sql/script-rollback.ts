import type { ScriptDialect, ScriptSigns } from './script-dialect'
import { ScriptCursor } from './script-values'

/** Statements that a script takes back itself: from one number to another, and the line that does. */
export type TakenBack = { readonly from: number; readonly to: number; readonly line: number }

type LookedAt = {
  readonly text: string
  readonly line: number
  /** It makes or changes tables. */
  readonly isAboutTables: boolean
}

type Found = {
  /** Looks at the next statement of the script. */
  look(statement: LookedAt, number: number): void
  readonly takenBack: readonly TakenBack[]
}

/**
 * Finds what stands between a BEGIN or SAVEPOINT and its ROLLBACK. A ROLLBACK that nothing begins for
 * takes nothing back here.
 */
export function rollbackFinder(dialect: ScriptDialect, signs: ScriptSigns): Found {
  const takenBack: TakenBack[] = []
  /** Where the transaction begins; null outside of one. */
  let begin: number | null = null
  /** MySQL: all that is not committed is one transaction. */
  let isManual = false
  const savepoints = new Map<string, number>()
  const end = (number: number) => {
    begin = isManual ? number : null
    savepoints.clear()
  }
  return {
    takenBack,
    look({ text, line, isAboutTables }, number) {
      if (dialect === 'mysql' && begin !== null && (isAboutTables || commits.test(text)))
        return end(number)
      if (!transactionWord.test(text)) return
      const cursor = new ScriptCursor(text, signs)
      const { word } = cursor
      cursor.step()
      if (word === 'SET') {
        if (!cursor.takes('AUTOCOMMIT')) return
        cursor.step()
        isManual = cursor.text === '0' || cursor.word === 'OFF'
        end(number)
      } else if (word === 'BEGIN' || (word === 'START' && cursor.word === 'TRANSACTION')) {
        begin = number
        savepoints.clear()
      } else if (word === 'COMMIT' || word === 'END') end(number)
      else if (word === 'SAVEPOINT') savepoints.set(cursor.takeName() ?? '', number)
      else if (word === 'ROLLBACK' || word === 'ABORT') {
        if (!cursor.takes('WORK')) cursor.takes('TRANSACTION')
        const isPart = cursor.takes('TO')
        cursor.takes('SAVEPOINT')
        const from = isPart ? savepoints.get(cursor.takeName() ?? '') : begin
        if (from !== undefined && from !== null) {
          // One that holds others stands for them, so that none lies in another.
          while ((takenBack.at(-1)?.from ?? -1) >= from) takenBack.pop()
          takenBack.push({ from, to: number, line })
        }
        if (!isPart) end(number)
      }
    },
  }
}

/** The span that a statement is in or ends; undefined for none. */
export function spanAt(spans: readonly TakenBack[], number: number): TakenBack | undefined {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.to ?? 0) < number) low = middle + 1
    else high = middle
  }
  const span = spans[low]
  return span && span.from <= number ? span : undefined
}

/** Before these MySQL commits by itself, as before all that makes or changes a table. */
const commits =
  /^(?:\/\*M?!\d*\s*)?(?:LOCK|UNLOCK|CREATE|ALTER|DROP|GRANT|REVOKE|ANALYZE|OPTIMIZE)\b/i
const transactionWord = /^(?:SET\s+AUTOCOMMIT|BEGIN|START|COMMIT|END|SAVEPOINT|ROLLBACK|ABORT)\b/i
