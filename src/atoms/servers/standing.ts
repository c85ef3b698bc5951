import type { Holding } from '~/api/server-databases'
import type { Server } from '~/lib/servers'

/**
 * What is known of a server: not asked yet, it answers, it answers but there is no session with it,
 * or it does not answer.
 */
export type StandingKind = 'asking' | 'answers' | 'no-session' | 'silent'

export type Standing = {
  server: Server
  kind: StandingKind
  /** When it came to be so, and when it last answered anything, in milliseconds since 1970. */
  since: number
  answeredAt: number | null
  /** Why it does not answer or why there is no session; empty where that is plain. */
  reason: string
  version: string
  /** Milliseconds since 1970; null when not known. */
  startedAt: number | null
  /** The id by which this browser keeps records of it. */
  uuid: string | null
  /** Null until it has listed them. */
  holdings: readonly Holding[] | null
}
