import { type Atom, atom, type Getter } from 'jotai'
import type { Reason } from '~/api/errors'
import type { Io } from '~/core/act'
import { newestKnown } from '~/core/history/newest-state'
import {
  checkWrite,
  type WritePlan as Plan,
  refusedAgain,
  takeWrite,
  type WritePlace,
} from '~/core/write'
import {
  type Ended,
  idle,
  isBusy,
  type Refused,
  type Settled,
  type Unknown,
  type Write,
} from '~/lib/write-state'
import { trustsAtom } from './trust'
import { findWriteBlock, type WriteOf } from './write-block'

/** What a write is about. */
export type Sending = {
  /** The database whose broken history would hold the write; null for none. */
  readonly database: string | null
  /** The newest transaction of it that the sender has seen, where it is not the newest known. */
  readonly seen?: string
}

/** What was sent. */
export type Sent<S extends Sending> = S & {
  /** The newest transaction known before it was sent first; the write is in a later one. */
  readonly txBefore: string
}

/**
 * The parts that a noun declares of a write: `S` is sent, `T` is answered, `Own` are states of its
 * own in which it may end, such as a conflict.
 */
export type WriteKind<S extends Sending, T, Own extends { kind: string }> = {
  /** What it is one at a time of, such as its database; all of its kind where this is absent. */
  slot?: (of: S) => string
  /** What it changes: the content of its database, unless this says otherwise. */
  of?: WriteOf
  /** Whether two of one slot are the same write; without it they are. */
  isSame?: (one: S, other: S) => boolean
  /** Why it would be refused, looked up before anything is sent; null when it would not. */
  confirm?: (io: Io, sent: Sent<S>, isAgain: boolean) => Promise<Refused | null>
  /** Sends it, once. */
  send: (io: Io, sent: Sent<S>) => Promise<T>
  /** The refusals that a repeat of it meets once it is committed; see `mayBeSecond`. */
  secondReasons?: (sent: S) => readonly Reason[]
  /** The state in which it ends; without it, the outcome. */
  settle?: (io: Io, sent: Sent<S>, outcome: Ended<T>, isAgain: boolean) => Ends<T, Own>
  /** Looks what became of it when no answer came: a sentence, or the state that was found. */
  look?: (
    io: Io,
    sent: Sent<S>,
    isOver: () => boolean,
  ) => Promise<string | Awaited<Ends<T, Own>> | null>
  /** Keeps beyond the page that it is being sent; null once it is known what became of it. */
  mark?: (io: Io, slot: string, sent: Sent<S> | null) => void
  /** What a page that was left had sent, by the marks that are kept; null where nothing was. */
  lost?: (get: Getter, slot: string) => { state: Unknown; sent: Sent<S> } | null
  /** What the first attempt may be when the second is refused, such as `stored`. */
  done?: string
}

type Ends<T, Own> = Settled<T> | Own | Promise<Settled<T> | Own>

/** The state of a write, and what was sent last. */
type Kept<S extends Sending, T, Own> = { state: Write<T> | Own; sent: Sent<S> | null }

/** A kind of write, for the actions and screens of its noun; a slot is `''` where it has none. */
export type Writer<S extends Sending, T, Own extends { kind: string }> = {
  stateAtom: Atom<(slot: string) => Write<T> | Own>
  /** What was sent last, about which an unknown outcome is. */
  sentAtom: Atom<(slot: string) => Sent<S> | null>
  /** Every slot that this page wrote in. */
  allAtom: Atom<ReadonlyMap<string, Kept<S, T, Own>>>
  /**
   * Sends it, once. Resolves with the state in which it ended; null while another one of its slot is
   * under way. Where the same write had no answer before, a refusal says nothing about that.
   */
  write: (io: Io, of: S) => Promise<Settled<T> | Own | null>
  /**
   * Looks what became of one without an answer; null where there is none. Only reads.
   * @param known what a page that was left could not keep of it
   */
  check: (io: Io, slot: string, known?: Partial<S>) => Promise<Write<T> | Own | null>
  /** Forgets the last one of a slot before the next. */
  forget: (io: Io, slot: string) => void
}

/**
 * Defines a kind of write. Its state lives with the store, so that a screen that is left forgets
 * nothing. It is sent once and never again by itself; nothing is sent while the history of its
 * database is broken, or where this browser only reads it.
 */
export function defineWrite<S extends Sending, T, Own extends { kind: string } = never>(
  kind: WriteKind<S, T, Own>,
): Writer<S, T, Own> {
  const allAtom = atom<ReadonlyMap<string, Kept<S, T, Own>>>(new Map<string, Kept<S, T, Own>>())
  const keptAtom = atom((get) => (slot: string): Kept<S, T, Own> => {
    const kept = get(allAtom).get(slot) ?? { state: idle, sent: null }
    return kept.state.kind === 'idle' ? (kind.lost?.(get, slot) ?? kept) : kept
  })
  const keep = ({ get, set }: Io, slot: string, change: Partial<Kept<S, T, Own>>) =>
    set(allAtom, new Map(get(allAtom)).set(slot, { ...get(keptAtom)(slot), ...change }))
  const placeOf = (io: Io, slot: string): WritePlace<Write<T> | Own> => ({
    read: () => io.get(keptAtom)(slot).state,
    tell: (state) => keep(io, slot, { state }),
  })

  async function write(io: Io, of: S) {
    const slot = kind.slot?.(of) ?? ''
    const before = io.get(keptAtom)(slot)
    if (isBusy(before.state)) return null
    const first = unknownOf(before.state)
    const isAgain =
      first !== null && before.sent !== null && (kind.isSame?.(before.sent, of) ?? true)
    // The first attempt may be committed, and then a check finds that one.
    const txBefore = isAgain && before.sent ? before.sent.txBefore : newestRead(io.get, of)
    const sent: Sent<S> = { ...of, txBefore }
    if (!isAgain) keep(io, slot, { sent })
    const secondReasons = kind.secondReasons?.(of)
    return runWrite<T, Own>(io, placeOf(io, slot), {
      database: of.database,
      isSameAgain: isAgain,
      ...(kind.of && { of: kind.of }),
      ...(kind.confirm && {
        confirm: () => kind.confirm?.(io, sent, isAgain) ?? Promise.resolve(null),
      }),
      ...(secondReasons && { secondReasons }),
      send: () => {
        keep(io, slot, { sent })
        // The page may be left before the answer.
        kind.mark?.(io, slot, sent)
        return kind.send(io, sent)
      },
      settle: async (outcome) => {
        const state = await (kind.settle?.(io, sent, outcome, isAgain) ?? outcome)
        if (isAgain && first && isRefused(state)) {
          keep(io, slot, { sent: before.sent })
          kind.mark?.(io, slot, before.sent)
          return refusedAgain(first, state, kind.done)
        }
        if (state.kind !== 'unknown') kind.mark?.(io, slot, null)
        return state
      },
    })
  }

  async function check(io: Io, slot: string, known?: Partial<S>) {
    const { state, sent: last } = io.get(keptAtom)(slot)
    const { look } = kind
    if (state.kind !== 'unknown' || last === null || !look) return null
    // What a page that was left had sent is this page's now.
    const sent: Sent<S> = { ...last, ...known }
    keep(io, slot, { state, sent })
    const found = await checkWrite<T, Own>(placeOf(io, slot), (isOver) => look(io, sent, isOver))
    if (found && found.kind !== 'unknown') kind.mark?.(io, slot, null)
    return found
  }

  function forget(io: Io, slot: string) {
    if (isBusy(io.get(keptAtom)(slot).state)) return
    kind.mark?.(io, slot, null)
    keep(io, slot, { state: idle, sent: null })
  }

  return {
    stateAtom: atom((get) => (slot) => get(keptAtom)(slot).state),
    sentAtom: atom((get) => (slot) => get(keptAtom)(slot).sent),
    allAtom: atom((get) => get(allAtom)),
    write,
    check,
    forget,
  }
}

const unknownOf = (state: { kind: string }): Unknown | null =>
  state.kind === 'unknown' ? (state as Unknown) : null

const isRefused = (state: { kind: string }): state is Refused => state.kind === 'refused'

/** The parts of a write that is no `WriteKind`, because its state lives elsewhere. */
export type WritePlan<T, Own = never> = Plan<T, Own> & Sending & { of?: WriteOf }

/**
 * Takes a write through the states of `Write`, unless the history of its database is broken or this
 * browser only reads it: then it is refused and not sent. See `takeWrite`.
 */
export function runWrite<T, Own extends { kind: string } = never>(
  io: Io,
  place: WritePlace<Write<T> | Own>,
  { database, of = 'content', ...plan }: WritePlan<T, Own>,
): Promise<Settled<T> | Own | null> {
  const confirm = async () => {
    const held = database === null ? null : await findWriteBlock(io, database, of)
    return held ?? (await plan.confirm?.()) ?? null
  }
  return takeWrite(place, { ...plan, confirm })
}

/** The newest transaction known, by the state, the trusted state and what was seen. */
function newestRead(get: Getter, { database, seen = '0' }: Sending): string {
  if (database === null) return seen
  const trust = get(trustsAtom).get(database)
  // A server that went back, or another one, has yet to come to the transaction of the record.
  const record =
    trust && trust.kind !== 'unchecked' && trust.kind !== 'broken' ? trust.record : null
  return [newestKnown(get, database), record?.point.txId ?? '0', seen].reduce((one, other) =>
    BigInt(one) > BigInt(other) ? one : other,
  )
}
