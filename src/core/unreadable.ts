import { isBecause, isTooLarge } from '~/api/errors'

/** Why a value cannot be read: it is over 4 MiB, or its file was removed by a truncation. */
export type Unreadable = 'too-large' | 'gone'

/** Why the value cannot be read although its entry is there; null for any other failure. */
export function unreadable(error: unknown): Unreadable | null {
  if (isBecause(error, 'value-gone')) return 'gone'
  return isTooLarge(error) ? 'too-large' : null
}

/** The same; throws any other failure. */
export function whyUnreadable(error: unknown): Unreadable {
  const why = unreadable(error)
  if (why === null) throw error
  return why
}

/** Whether there is a value that cannot be read. */
export function isUnreadable(state: { kind: string }): state is { kind: Unreadable } {
  return state.kind === 'too-large' || state.kind === 'gone'
}
