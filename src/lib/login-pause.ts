import { freeLogins, loginPauses } from './constants'

/**
 * Milliseconds to wait after so many wrong logins in a row: nothing at first, then longer each
 * time. A courtesy to the server, whose password check is costly; it holds nobody up for good.
 */
export function loginPause(failures: number): number {
  if (failures < freeLogins) return 0
  return loginPauses[Math.min(failures - freeLogins, loginPauses.length - 1)] ?? 0
}
