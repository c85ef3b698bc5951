import { base64ToBytes, bytesToHex } from '~/lib/bytes'
import type { Context, TrustedState } from './kernel/context'
import { ProofError } from './kernel/steps'
import type { FactsOf, Verified } from './kernel/verify'

/** A database on one server: where its proofs are read. Each call rejects as the caller's calls do. */
export type Source = {
  db: string
  /** `GET /db/state` as it came. */
  readState: () => Promise<unknown>
  /** `GET /db/verifiable/tx/{tx}?proveSinceTx={since}` without entries, as it came. */
  readTx: (tx: string, since: string) => Promise<unknown>
}

/** The state of a source, in its right form and with a right signature if it has one. */
export type SourceState = { point: TrustedState; key: string | null; answer: unknown }

/** Which of the two that are compared. */
export type Side = 0 | 1

/**
 * Why nothing could be shown. `failed`: a call failed, or the engine could not be loaded.
 * `refused`: an answer does not prove what it says. `empty`: there is no transaction. `lags`: the
 * tree of the newer state does not reach the older one. `torn`: the headers of one server do not
 * continue one another.
 */
export type Unproven =
  | { why: 'failed'; side: Side; error: unknown }
  | { why: 'refused'; side: Side; refusal: ProofError }
  | { why: 'empty'; side: Side | null }
  | { why: 'lags' | 'torn'; side: Side }

/** Two histories that part, with what a file needs to show it again. */
export type Fork = {
  /** The last transaction of both; 0 when they have none in common. */
  after: string
  /** Its hash, and that of the first transaction of each side's own; in hex digits. */
  prevAlh: string
  alhs: readonly [string, string]
  /** The answer of each side about the first transaction of its own. */
  proofs: readonly [unknown, unknown]
}

/** How the histories of two servers are related, at the states that were read. */
export type Relation =
  /** Both states are of one transaction, and each server proved it. */
  | { kind: 'same'; tx: string }
  /**
   * The state of `side` is part of the history of the other: of its tree alone, which a server may
   * keep apart from its chain, or of its chain, too.
   */
  | { kind: 'behind'; side: Side; by: string; tx: string; isTreeOnly: boolean }
  | ({ kind: 'forked' } & Fork)
  | ({ kind: 'unproven' } & Unproven)

/** `verify` of the engine, here or in a worker. */
export type Verify = <K extends 'state' | 'tx' | 'fork'>(
  kind: K,
  context: Context,
  request: unknown,
  response: unknown,
) => Promise<Verified<FactsOf[K]>>

/** The transactions among which the last common one is looked for. */
export type Tell = (from: string, to: string) => void

/** Ends a comparison, from however deep. */
class Stop extends Error {
  readonly found: Unproven

  constructor(found: Unproven) {
    super(found.why)
    this.found = found
  }
}

/**
 * Reads and checks the state of a source. A signature is checked with the key that came with it,
 * which shows only that its holder signed.
 */
export async function readSourceState(
  verify: Verify,
  source: Source,
  side: Side = 0,
): Promise<SourceState | Unproven> {
  try {
    return await stateOf(verify, source, side)
  } catch (error) {
    return foundIn(error)
  }
}

async function stateOf(verify: Verify, source: Source, side: Side): Promise<SourceState> {
  const answer = await asked(side, source.readState())
  const key = keyOf(answer)
  const context = { db: source.db, trusted: null, publicKey: key }
  const { next } = await checked(side, verify('state', context, {}, { state: answer }))
  // The engine always returns the state of a first contact.
  return { point: next ?? { txId: '0', txHash: '' }, key, answer }
}

/** The key in an answer; of any shape, because the engine reads it again. */
function keyOf(answer: unknown): string | null {
  const { signature } = (answer ?? {}) as { signature?: { publicKey?: unknown } | null }
  const key = signature?.publicKey
  return typeof key === 'string' && key !== '' ? key : null
}

/**
 * Compares two histories at two of their states, by proofs alone. A server can answer with headers
 * that are not of its history. So each one counts only when a proof links it to the state of its own
 * server. It takes two requests for both states and, for histories of n transactions, at most
 * 2·log₂ n + 3 more: see VERIFY.md 7.9.
 */
export async function compareHistories(
  verify: Verify,
  sources: readonly [Source, Source],
  states: readonly [SourceState, SourceState],
  tell: Tell = () => {},
): Promise<Relation> {
  const pair = [0, 1].map((side) => new Prover(verify, sources, states, side as Side))
  const [one, other] = pair as [Prover, Prover]
  try {
    const empty = emptyOf(one, other)
    if (empty) return empty
    if (one.tx === other.tx) return await compareEqual(one, other, tell)
    return one.tx < other.tx
      ? await compareUnequal(one, other, tell)
      : await compareUnequal(other, one, tell)
  } catch (error) {
    return { kind: 'unproven', ...foundIn(error) }
  }
}

function foundIn(error: unknown): Unproven {
  if (error instanceof Stop) return error.found
  throw error
}

function emptyOf(one: Prover, other: Prover): Relation | null {
  const empty = [one, other].filter(({ tx }) => tx === 0n)
  const [first] = empty
  if (!first) return null
  return { kind: 'unproven', why: 'empty', side: empty.length === 2 ? null : first.side }
}

/** A header that is linked to the state of its own server; hashes are hex digits. */
type Header = { alh: string; prevAlh: string; isTreeOnly: boolean; answer: unknown }

/** One of the two servers, which proves what it answers against its own state. */
class Prover {
  readonly side: Side
  readonly tx: bigint
  readonly state: SourceState
  readonly #verify: Verify
  readonly #source: Source

  constructor(
    verify: Verify,
    sources: readonly [Source, Source],
    states: readonly [SourceState, SourceState],
    side: Side,
  ) {
    this.side = side
    this.state = states[side]
    this.tx = BigInt(this.state.point.txId)
    this.#verify = verify
    this.#source = sources[side]
  }

  /** The header of a transaction up to the state. */
  async header(tx: bigint): Promise<Header> {
    const { point } = this.state
    const answer = await asked(this.side, this.#source.readTx(String(tx), point.txId))
    const context = this.#context(point)
    const { facts, open } = await checked(
      this.side,
      this.#verify('tx', context, { tx: String(tx) }, answer),
    )
    if (!facts) throw new Stop({ why: 'lags', side: this.side })
    const isTreeOnly = open.includes('tree')
    return { alh: facts.alh, prevAlh: facts.prevAlh, isTreeOnly, answer }
  }

  /** That the own state continues another one. */
  async continues({ point }: SourceState): Promise<void> {
    const proof = await asked(this.side, this.#source.readTx(this.state.point.txId, point.txId))
    const response = { state: this.state.answer, proof }
    const { facts } = await checked(
      this.side,
      this.#verify('state', this.#context(point), {}, response),
    )
    if (!facts) throw new Stop({ why: 'lags', side: this.side })
  }

  #context(trusted: TrustedState): Context {
    return { db: this.#source.db, trusted, publicKey: null }
  }
}

/** States of one transaction. */
async function compareEqual(one: Prover, other: Prover, tell: Tell): Promise<Relation> {
  if (one.state.point.txHash === other.state.point.txHash) {
    // Each could have copied the hash from the other: both have to show what it is made of.
    await Promise.all([one.continues(other.state), other.continues(one.state)])
    return { kind: 'same', tx: String(one.tx) }
  }
  return findFork(one, other, null, tell)
}

/** A state and a newer one. */
async function compareUnequal(older: Prover, newer: Prover, tell: Tell): Promise<Relation> {
  const there = await newer.header(older.tx)
  if (there.alh !== hexOf(older.state.point.txHash)) return findFork(older, newer, there, tell)
  await newer.continues(older.state)
  const { side, tx } = older
  const { isTreeOnly } = there
  return { kind: 'behind', side, by: String(newer.tx - tx), tx: String(tx), isTreeOnly }
}

const hexOf = (base64: string) => bytesToHex(base64ToBytes(base64))

/** SHA-256 of nothing, which transaction 1 continues. */
const beginning = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * The first transaction that differs. Transaction `shorter.tx` is known to differ, so the others
 * before it are searched by halves. A header also has the hash of the one before it. Two that
 * differ and continue the same one end the search, and are all that a fork needs to be shown.
 * @param last the header of the longer one at `shorter.tx`, if it is known
 */
async function findFork(
  shorter: Prover,
  longer: Prover,
  last: Header | null,
  tell: Tell,
): Promise<Relation> {
  const ask = (tx: bigint) => Promise.all([shorter.header(tx), longer.header(tx)])
  const found = ([own, other]: Pair, tx: bigint): Relation => {
    const [first, second] = shorter.side === 0 ? [own, other] : [other, own]
    return {
      kind: 'forked',
      after: String(tx - 1n),
      prevAlh: own.prevAlh,
      alhs: [first.alh, second.alh],
      proofs: [first.answer, second.answer],
    }
  }
  let [low, high] = [1n, shorter.tx - 1n]
  let [same, different]: [string, Pair | null] = [beginning, null]
  while (low <= high) {
    tell(String(low - 1n), String(high))
    const tx = low + leftOf(high - low + 1n)
    const pair = await ask(tx)
    const [own, other] = pair
    if (own.alh === other.alh) {
      same = own.alh
      low = tx + 1n
    } else if (isParting(pair, tx)) {
      return found(pair, tx)
    } else {
      different = pair
      high = tx - 1n
    }
  }
  const pair =
    different ?? (last ? ([await shorter.header(shorter.tx), last] satisfies Pair) : await ask(low))
  if (pair[0].prevAlh === same && pair[1].prevAlh === same) return found(pair, low)
  const { side } = pair[0].prevAlh === same ? longer : shorter
  return { kind: 'unproven', why: 'torn', side }
}

type Pair = [Header, Header]

/** Whether two headers that differ continue the same one. */
function isParting([own, other]: Pair, tx: bigint): boolean {
  return own.prevAlh === other.prevAlh && (tx > 1n || own.prevAlh === beginning)
}

/**
 * How many of some transactions are left of the one to ask for, so that the longest way is on the
 * left: the last transaction of all takes one more request.
 */
function leftOf(count: bigint): bigint {
  const whole = 2n ** BigInt(count.toString(2).length - 1)
  const half = whole / 2n
  if (half === 0n) return 0n
  const inLastRow = count - (whole - 1n)
  return half - 1n + (inLastRow < half ? inLastRow : half)
}

async function asked<T>(side: Side, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw new Stop({ why: 'failed', side, error })
  })
}

async function checked<T>(side: Side, outcome: Promise<T>): Promise<T> {
  return outcome.catch((error: unknown) => {
    if (error instanceof ProofError) throw new Stop({ why: 'refused', side, refusal: error })
    // The engine could not be loaded.
    throw new Stop({ why: 'failed', side, error })
  })
}
