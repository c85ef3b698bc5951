import type { Getter } from 'jotai'
import { clockOffsetAtom } from './session'

const day = 86_400_000

/**
 * Milliseconds that the clock of the server is ahead, as far as it is believed: a server could call
 * anything expired if its clock was believed whatever it says.
 */
export function believedOffset(get: Getter): number {
  return Math.max(-day, Math.min(day, get(clockOffsetAtom)))
}
