import { ApiError, type Reason, sentence, technicalDetails } from '~/api/errors'
import { adviceFor, check, mayBeSecond, repeated } from '../session/delivery'

/** What became of a write: committed, refused by the server, or nobody knows. */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | {
      kind: 'refused'
      text: string
      details: string
      /** What the server's words mean; missing when it was not asked. */
      reason?: Reason | null
    }
  | {
      kind: 'unknown'
      text: string
      details: string
      /** How often it may have been done, and what to do. */
      advice: string
    }

/**
 * Waits for a write and says what became of it; never rejects and never sends it again.
 * `secondReasons`: see `mayBeSecond`.
 */
export async function outcomeOf<T>(
  write: Promise<T>,
  secondReasons?: readonly Reason[],
): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await write }
  } catch (error) {
    const told = { text: sentence(error), details: technicalDetails(error) }
    if (!(error instanceof ApiError)) return { kind: 'refused', ...told }
    if (error.isOutcomeUnknown) return { kind: 'unknown', ...told, advice: adviceFor(error) }
    if (!mayBeSecond(error, secondReasons)) {
      return { kind: 'refused', ...told, reason: error.reason }
    }
    return { kind: 'unknown', ...told, advice: `${repeated}; the first may be done. ${check}` }
  }
}
