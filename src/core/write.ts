import type { PrimitiveAtom } from 'jotai'
import { ApiError, isBecause, type Reason, sentence, technicalDetails } from '~/api/errors'
import type { Io } from '~/core/act'
import { slowWriteDelay } from '~/lib/constants'
import {
  afterEvent,
  type Ended,
  idle,
  isBusy,
  type Refused,
  type Settled,
  type Unknown,
  type Write,
  type WriteEvent,
} from '~/lib/write-state'
import {
  adviceOnRepeat,
  adviceWithoutAnswer,
  checkBeforeSending,
  checkFailed,
  pageSawNoAnswer,
  type SentThing,
  secondRefused,
} from '~/words/outcome'

/** Where the state of a write is kept. */
export type WritePlace<S> = { read: () => S; tell: (state: S) => void }

/** The place of a write whose state is the whole value of an atom. */
export function placeIn<S>({ get, set }: Io, of: PrimitiveAtom<S>): WritePlace<S> {
  return { read: () => get(of), tell: (state) => set(of, () => state) }
}

/** The parts that each writer adds. */
export type WritePlan<T, Own = never> = {
  /** Why it would be refused, looked up before anything is sent; null when it would not. */
  confirm?: () => Promise<Refused | null>
  /**
   * An unknown outcome in its place is that of an earlier attempt at the same write, and stays
   * unknown when this one is refused before it is sent.
   */
  isSameAgain?: boolean
  /** Sends it, once. */
  send: () => Promise<T>
  /** See `mayBeSecond`. */
  secondReasons?: readonly Reason[]
  /** Turns the outcome into the writer's own state; without it the outcome stays. */
  settle?: (outcome: Ended<T>) => Promise<Settled<T> | Own> | Settled<T> | Own
}

/**
 * Takes a write through the states of `Write`. Resolves with null if one is already in progress in
 * its place. Never sends it again. `atomWithMutation` would forget a write whose screen is left.
 * Nouns declare theirs by `defineWrite` of `trust/write.ts`, which also asks whether the history is
 * broken.
 */
export async function takeWrite<T, Own extends { kind: string } = never>(
  place: WritePlace<Write<T> | Own>,
  plan: WritePlan<T, Own>,
): Promise<Settled<T> | Own | null> {
  const before = place.read()
  if (isBusy(before)) return null
  const tell = (event: WriteEvent<T, Own>) => place.tell(afterEvent(place.read(), event))
  tell({ kind: 'start' })
  try {
    const unsent = (await plan.confirm?.()) ?? null
    const state = unsent
      ? afterUnsent(plan.isSameAgain ? before : idle, unsent)
      : await ended(plan, tell)
    tell({ kind: 'end', state })
    return state
  } catch (error) {
    // The write did not fail, but code that handles its outcome.
    tell({ kind: 'end', state: idle })
    throw error
  }
}

function afterUnsent<T, Own extends { kind: string }>(
  before: Write<T> | Own,
  refused: Refused,
): Settled<T> | Own {
  if (before.kind !== 'unknown') return refused
  return { ...before, finding: `It was not sent again: ${refused.text}`, isChecking: false }
}

async function ended<T, Own>(
  { send, secondReasons, settle }: WritePlan<T, Own>,
  tell: (event: WriteEvent<T, Own>) => void,
): Promise<Settled<T> | Own> {
  tell({ kind: 'send' })
  const timer = setTimeout(() => tell({ kind: 'wait' }), slowWriteDelay)
  const outcome = await outcomeOf(send(), secondReasons).finally(() => clearTimeout(timer))
  return settle ? settle(outcome) : outcome
}

/** Waits for a write and returns its outcome; `secondReasons`: see `mayBeSecond`. */
export async function outcomeOf<T>(
  write: Promise<T>,
  secondReasons?: readonly Reason[],
): Promise<Ended<T>> {
  try {
    return { kind: 'committed', value: await write }
  } catch (error) {
    return outcomeOfFailure(error, secondReasons)
  }
}

function outcomeOfFailure(error: unknown, secondReasons?: readonly Reason[]): Refused | Unknown {
  const told = { text: sentence(error), details: technicalDetails(error) }
  if (!(error instanceof ApiError)) return { kind: 'refused', ...told }
  if (error.isOutcomeUnknown) return withoutAnswer(error)
  if (mayBeSecond(error, secondReasons)) {
    return unknown({ ...told, advice: adviceOnRepeat })
  }
  return { kind: 'refused', ...told, reason: error.reason, isOnce: error.isOnce }
}

/** The request was sent, and no answer of the database came back. */
export function withoutAnswer(error: ApiError): Unknown {
  const told = { text: sentence(error), details: technicalDetails(error) }
  return unknown({ ...told, advice: adviceWithoutAnswer(error.isOnce) })
}

/** The outcome is unknown and not yet checked. */
export function unknown(of: Pick<Unknown, 'text' | 'details' | 'advice'>): Unknown {
  return { kind: 'unknown', ...of, finding: null, isChecking: false }
}

/** Sent by a page that was left, or by another tab: `details` says by which. */
export function unanswered(thing: SentThing, details: string): Unknown {
  return unknown({ text: pageSawNoAnswer(thing), details, advice: checkBeforeSending(thing) })
}

/**
 * Whether a refusal may answer a repeat by the browser, so that the first attempt may be committed.
 * `reasons`: the refusals of a write that was just committed. A conflict means that both ran at
 * once.
 */
export function mayBeSecond(error: ApiError, reasons: readonly Reason[] = []): boolean {
  return !error.isOnce && (error.kind === 'conflict' || isBecause(error, ...reasons))
}

/** A refusal says nothing about an attempt before it that had no answer. */
export function refusedAgain<U extends Unknown>(before: U, { text }: Refused, done = 'done'): U {
  return { ...before, finding: secondRefused(text, done), isChecking: false }
}

/**
 * Checks the outcome of a write without an answer; `look` resolves with a sentence or a state. Null
 * when the write was sent again or given up in the meantime.
 */
export async function checkWrite<T, Own extends { kind: string } = never>(
  place: WritePlace<Write<T> | Own>,
  look: (isOver: () => boolean) => Promise<string | Settled<T> | Own | null>,
): Promise<Write<T> | Own | null> {
  const checking = afterEvent(place.read(), { kind: 'check' })
  place.tell(checking)
  const isOver = () => place.read() !== checking
  const found = await look(isOver).catch(failedCheck)
  if (found === null || isOver()) return null
  const isWords = typeof found === 'string'
  const state = isWords ? afterEvent(checking, { kind: 'find', finding: found }) : found
  place.tell(state)
  return state
}

/** The sentence for a failed check of a write. */
export function failedCheck(error: unknown): string {
  return checkFailed(sentence(error))
}
