/**
 * The states of any write. Each writer adds only its own check and its words.
 *
 *   idle → confirming → sending → committed
 *                  ↓       ├────→ refused
 *               refused    └────→ unknown → checked, which is unknown with a finding
 *
 * A write is sent once. If no answer comes, the console looks up what became of it and never sends
 * it again. Only the user can start it again.
 */
export type Write<T> = Idle | Busy | Ended<T>

type Idle = { kind: 'idle' }

/** The console checks whether it may be sent, or has sent it; `isSlow`: the server holds it up. */
export type Busy = { kind: 'confirming' } | { kind: 'sending'; isSlow: boolean }

export type Ended<T> = { kind: 'committed'; value: T } | Refused | Unknown

/** Nothing was written. */
export type Refused = {
  kind: 'refused'
  text: string
  details: string
  /** The meaning of the server's words; missing when nothing was sent. */
  reason?: string | null
  /** Whether the server runs a write at most once; missing when nothing was sent. */
  isOnce?: boolean
}

/** Sent, and not known whether it was committed. */
export type Unknown = {
  kind: 'unknown'
  text: string
  details: string
  /** How often it may have been done, and what to do. */
  advice: string
  /** What a check afterwards found; null before the first one. */
  finding: string | null
  isChecking: boolean
}

/** Events of a write. It may end in a state of the writer's own, such as a conflict. */
export type WriteEvent<T, Own = never> =
  | { kind: 'start' }
  | { kind: 'send' }
  | { kind: 'wait' }
  | { kind: 'end'; state: Settled<T> | Own }
  | { kind: 'check' }
  | { kind: 'find'; finding: string }
  | { kind: 'forget' }

/** Idle again when the writer shows the commit elsewhere. */
export type Settled<T> = Idle | Ended<T>

type Of<T, Own> = Write<T> | Own

export const idle: Idle = { kind: 'idle' }

export function isBusy(state: { kind: string }): state is Busy {
  return state.kind === 'confirming' || state.kind === 'sending'
}

/** The next state. An event that does not fit, such as a second start, changes nothing. */
export function afterEvent<T, Own extends { kind: string } = never>(
  state: Of<T, Own>,
  event: WriteEvent<T, Own>,
): Of<T, Own> {
  const isUnderWay = isBusy(state)
  switch (event.kind) {
    case 'start':
      return isUnderWay ? state : { kind: 'confirming' }
    case 'send':
      return state.kind === 'confirming' ? { kind: 'sending', isSlow: false } : state
    case 'wait':
      return state.kind === 'sending' ? { kind: 'sending', isSlow: true } : state
    case 'end':
      return isUnderWay ? event.state : state
    case 'check':
      return isUnknown(state) ? { ...state, isChecking: true } : state
    case 'find':
      return isUnknown(state) ? { ...state, finding: event.finding, isChecking: false } : state
    case 'forget':
      return isUnderWay ? state : idle
  }
}

function isUnknown(state: { kind: string }): state is Unknown {
  return state.kind === 'unknown'
}
