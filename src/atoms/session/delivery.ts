import { type ApiError, isBecause, type Reason } from '~/api/errors'

export const check = 'Check before you send it again.'
/** What a browser does where the server does not prevent it. */
export const repeated = 'The browser may have sent it more than once by itself'

/** What is known of how often a write without an answer was done, and what to do. */
export function adviceFor({ isOnce }: Pick<ApiError, 'isOnce'>): string {
  return isOnce
    ? `The server runs it once at most, even if the browser repeats it. ${check}`
    : `${repeated}. ${check}`
}

/**
 * Whether a refusal may be the answer to a second delivery: `reasons` are those that the same write
 * is refused for when it has just been done. It meets a conflict when both are done at the same time.
 */
export function mayBeSecond(error: ApiError, reasons: readonly Reason[] = []): boolean {
  return !error.isOnce && (error.kind === 'conflict' || isBecause(error, ...reasons))
}
