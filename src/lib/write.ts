/**
 * Where a write stands, whatever it writes; every writer adds only its own check and its words.
 *
 *   idle → confirming → sending → committed
 *                  ↓       ├────→ refused
 *               refused    └────→ unknown → checked, which is unknown with a finding
 *
 * A write is sent once. What became of one without an answer is looked up, never tried again; only
 * whoever wrote it starts it once more.
 */
export type Write<T> = Idle | Busy | Ended<T>

type Idle = { kind: 'idle' }

/** It is made sure that it may be sent, or it was sent; `isSlow`: the server does not finish it. */
export type Busy = { kind: 'confirming' } | { kind: 'sending'; isSlow: boolean }

export type Ended<T> = { kind: 'committed'; value: T } | Refused | Unknown

/** Nothing was written. */
export type Refused = {
  kind: 'refused'
  text: string
  details: string
  /** What the server's words mean; missing when it was not asked. */
  reason?: string | null
  /** Whether the server runs a write once at most; missing when it was not asked. */
  isOnce?: boolean
}

/** Sent, and nobody knows whether it was committed. */
export type Unknown = {
  kind: 'unknown'
  text: string
  details: string
  /** How often it may have been done, and what to do. */
  advice: string
  /** What a look afterwards found; null before the first one. */
  finding: string | null
  isChecking: boolean
}

/** What happens to a write; it may end as something of the writer's own, such as a conflict. */
export type WriteEvent<T, Own = never> =
  | { kind: 'start' }
  | { kind: 'send' }
  | { kind: 'wait' }
  | { kind: 'end'; state: Settled<T> | Own }
  | { kind: 'check' }
  | { kind: 'find'; finding: string }
  | { kind: 'forget' }

/** Idle again, where the writer has told elsewhere that it was committed. */
export type Settled<T> = Idle | Ended<T>

type Of<T, Own> = Write<T> | Own

export const idle: Idle = { kind: 'idle' }

export function isBusy(state: { kind: string }): state is Busy {
  return state.kind === 'confirming' || state.kind === 'sending'
}

/** The next state; the same one when the event does not belong to it, such as a second start. */
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
