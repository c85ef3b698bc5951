import type { Getter } from 'jotai'
import { clockOffsetAtom } from './session'

const day = 86_400_000

/**
 * Milliseconds by which the server's clock is ahead, within a limit. Without one, a server could
 * declare anything expired.
 */
export function believedOffset(get: Getter): number {
  return Math.max(-day, Math.min(day, get(clockOffsetAtom)))
}
