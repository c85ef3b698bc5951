import type { Getter, PrimitiveAtom, Setter } from 'jotai'
import { ApiError, isBecause, type Reason, sentence, technicalDetails } from '~/api/errors'
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
} from '~/lib/write'
import { writeBlockAtom } from '../trust/write-block'

/** Where the state of a write is kept. */
export type WritePlace<S> = { read: () => S; tell: (state: S) => void }

/** The place of a write whose state is all that an atom holds. */
export function placeIn<S>(get: Getter, set: Setter, of: PrimitiveAtom<S>): WritePlace<S> {
  return { read: () => get(of), tell: (state) => set(of, () => state) }
}

/** What a writer adds of its own. */
export type WritePlan<T, Own = never> = {
  /** The database that a broken history would hold it back from; null when it holds back none. */
  database: string | null
  /** Why it would be refused, looked up before anything is sent; null when it would not. */
  confirm?: () => Promise<Refused | null>
  /** Sends it, once. */
  send: () => Promise<T>
  /** See `mayBeSecond`. */
  secondReasons?: readonly Reason[]
  /** What the writer makes of the outcome; the outcome itself when this is missing. */
  settle?: (outcome: Ended<T>) => Promise<Settled<T> | Own> | Settled<T> | Own
}

/**
 * Takes a write through `Write`, unless one is under way in its place; resolves with null then.
 * Never sends it again.
 */
export async function runWrite<T, Own extends { kind: string } = never>(
  set: Setter,
  place: WritePlace<Write<T> | Own>,
  plan: WritePlan<T, Own>,
): Promise<Settled<T> | Own | null> {
  if (isBusy(place.read())) return null
  const tell = (event: WriteEvent<T, Own>) => place.tell(afterEvent(place.read(), event))
  tell({ kind: 'start' })
  try {
    const state = await ended(set, plan, tell)
    tell({ kind: 'end', state })
    return state
  } catch (error) {
    // Not the write: a part of the console that was to say what became of it.
    tell({ kind: 'end', state: idle })
    throw error
  }
}

async function ended<T, Own>(
  set: Setter,
  plan: WritePlan<T, Own>,
  tell: (event: WriteEvent<T, Own>) => void,
): Promise<Settled<T> | Own> {
  const held = plan.database === null ? null : await set(writeBlockAtom, plan.database)
  const refused = held ?? (await plan.confirm?.()) ?? null
  if (refused) return refused
  const { send, secondReasons, settle } = plan
  tell({ kind: 'send' })
  const timer = setTimeout(() => tell({ kind: 'wait' }), slowWriteDelay)
  const outcome = await outcomeOf(send(), secondReasons).finally(() => clearTimeout(timer))
  return settle ? settle(outcome) : outcome
}

/** Waits for a write and says what became of it; `secondReasons`: see `mayBeSecond`. */
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
    return unknown({ ...told, advice: `${repeated}; the first may be done. ${check}` })
  }
  return { kind: 'refused', ...told, reason: error.reason, isOnce: error.isOnce }
}

/** The request left, and no answer of the database came back. */
export function withoutAnswer(error: ApiError): Unknown {
  const told = { text: sentence(error), details: technicalDetails(error) }
  return unknown({ ...told, advice: adviceFor(error) })
}

/** Nobody knows what became of it, and nobody has looked so far. */
export function unknown(of: Pick<Unknown, 'text' | 'details' | 'advice'>): Unknown {
  return { kind: 'unknown', ...of, finding: null, isChecking: false }
}

const check = 'Check before you send it again.'
/** What a browser does where the server does not prevent it. */
const repeated = 'The browser may have sent it more than once by itself'

/** What is known of how often a write without an answer was done, and what to do. */
function adviceFor({ isOnce }: ApiError): string {
  return isOnce
    ? `The server runs it once at most, even if the browser repeats it. ${check}`
    : `${repeated}. ${check}`
}

/**
 * Whether a refusal may be the answer to a second delivery: `reasons` are those that the same write
 * is refused for when it has just been done. It meets a conflict when both are done at the same time.
 */
export function mayBeSecond(error: ApiError, reasons: readonly Reason[] = []): boolean {
  return !error.isOnce && (error.kind === 'conflict' || isBecause(error, ...reasons))
}

/**
 * Looks what became of a write without an answer, in the words or the state that `look` resolves
 * with. It may have been sent once more, or given up, in the meantime: null then.
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

/** What is said of a look at a write that did not succeed. */
export function failedCheck(error: unknown): string {
  return `The check itself failed. ${sentence(error)} Nothing more is known.`
}
