import { atom, type Getter } from 'jotai'
import { clockOffsetAtom } from './session'

const day = 86_400_000

/**
 * Milliseconds by which the server's clock is ahead, within a limit. Without one, a server could
 * declare anything expired.
 */
export function believedOffset(get: Getter): number {
  return Math.max(-day, Math.min(day, get(clockOffsetAtom)))
}

/** Seconds since 1970 by the server's clock, as far as it is believed. */
export const serverSecondsAtom = atom(null, (get) => (Date.now() + believedOffset(get)) / 1_000)
