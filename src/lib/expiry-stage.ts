import { expiryWarnings } from './constants'

/** How near the end of a session is: not worth a word, ten minutes, one minute, past. */
export type ExpiryStage = 'far' | 'soon' | 'now' | 'over'

/** The stage for so many milliseconds that are left. */
export function expiryStage(left: number): ExpiryStage {
  const [soon, now] = expiryWarnings
  if (left <= 0) return 'over'
  if (left <= now) return 'now'
  return left <= soon ? 'soon' : 'far'
}
