import { ApiError, sentence, technicalDetails } from '~/api/errors'

/** What became of a write: committed, refused by the server, or sent and never answered. */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; text: string; details: string }
  | { kind: 'unknown'; text: string; details: string }

/** Waits for a write and says what became of it; never rejects and never sends it again. */
export async function outcomeOf<T>(write: Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await write }
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.isOutcomeUnknown
    const kind = isUnknown ? 'unknown' : 'refused'
    return { kind, text: sentence(error), details: technicalDetails(error) }
  }
}

/**
 * As `outcomeOf`, for what is made under a name that was free a moment ago. That it is there
 * already may be the answer to a second delivery, which a browser can send by itself.
 */
export async function outcomeOfMaking<T>(write: Promise<T>, wasFree: boolean): Promise<Outcome<T>> {
  const outcome = await outcomeOf(write)
  if (!wasFree || outcome.kind !== 'refused' || !/already exists/i.test(outcome.text))
    return outcome
  const text = `${outcome.text} A browser can send a request twice by itself, so it may be this one.`
  return { ...outcome, kind: 'unknown', text }
}
