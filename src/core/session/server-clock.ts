import type { Getter } from 'jotai'
import { readHealth } from '~/api/server'
import type { Io } from '~/core/act'
import { steadyNow } from '~/lib/time'
import { clientAtom, inSteps } from './client'
import { clockOffsetAtom, isLockedAtom, steadyOffsetAtom } from './session'

const day = 86_400_000

/** How long the page waits to hear whether this computer slept or its clock was set. */
const clockPatience = 2_000

/**
 * Milliseconds by which the server's clock is ahead, within a limit. Without one, a server could
 * declare anything expired.
 */
export function believedOffset(get: Getter): number {
  return Math.max(-day, Math.min(day, get(clockOffsetAtom)))
}

/** Seconds since 1970 by the server's clock, as far as it is believed. */
export function readServerSeconds({ get }: Io) {
  return (Date.now() + believedOffset(get)) / 1_000
}

/**
 * Milliseconds since 1970 by the server's clock, counted from its last answer: setting the clock of
 * this computer moves nothing.
 */
export function serverNow(get: Getter): number {
  const offset = get(steadyOffsetAtom)
  return offset === null ? Date.now() + get(clockOffsetAtom) : steadyNow() + offset
}

/** Milliseconds that the server's clock is ahead of `steadyNow` by its last answer; null if unknown. */
export function readServerAhead({ get }: Io) {
  return get(steadyOffsetAtom)
}

/**
 * The same by an answer of this moment; null when none comes soon or it names no time. Never
 * rejects. A locked console sends nothing.
 */
export async function askServerAhead({ get }: Io): Promise<number | null> {
  if (get(isLockedAtom)) return null
  let ahead: number | null = null
  await readHealth(get(clientAtom), {
    isPoll: true,
    mayRepeat: false,
    signal: AbortSignal.timeout(clockPatience),
    onClock: (now) => {
      ahead = inSteps(now - steadyNow())
    },
  }).catch(() => undefined)
  return ahead
}
