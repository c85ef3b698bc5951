import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { databaseIdAtom } from '~/core/session/session'
import { bisect } from '~/lib/bisection'
import { decodeUtf8, hexOf } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import type { Checkpoint } from '~/proof/checkpoint'
import type { TrustedState } from '~/proof/kernel/context'
import { type Comparison, compareWithKnown } from './compared-state'
import { newIncident } from './findings'
import { noteIncident } from './incidents'
import { isCurrent, type Trust, trustsAtom } from './trust'
import { isSameContact, type Sighting, type TrustRecord, type WitnessFinding } from './trust-record'
import { trustedStatesAtom } from './trusted-states'
import type { Verification } from './verification'
import { verifyState } from './verify-state'
import { nameOfWitness } from './witness-record'
import { noteSighting } from './witnesses'

/** What a witness signed about one database of this server, rising. */
export type Signed = {
  /** The key of the witness. */
  witness: string
  id: DatabaseId
  points: readonly Checkpoint[]
  /** Two that contradict each other; null for none. */
  conflict: Conflict | null
}

/**
 * A checkpoint, and what its witness signed before: another hash of the same transaction, or a newer
 * transaction.
 */
export type Conflict = { one: Checkpoint; before: TrustedState & { note: Uint8Array | null } }

/** What became of the checkpoints of one witness and database. */
export type Proved = Pick<Signed, 'witness' | 'id'> & {
  /** How many were given, and how many of them lie in the history. */
  given: number
  proven: number
  /** The first and the last of those; null where there is none. */
  span: { first: string; last: string } | null
  end: Ending
}

export type Ending =
  | { kind: 'all' }
  /** All but those that are newer than the newest transaction of the server. */
  | { kind: 'ahead'; newest: string; count: number }
  | { kind: 'found'; finding: WitnessFinding }
  /** The server's proof of a transaction was refused, which is a finding of its own. */
  | { kind: 'refused'; txId: string }
  /** Something else came between; `why` in sentences. */
  | { kind: 'stopped'; why: string }

type Watch = { signal: AbortSignal; tell: (done: number) => void }

/** Requests at once; each is answered within milliseconds, and the server has others to serve. */
const lanes = 4
/** Proofs until what was proven is saved. */
const saveEach = 250

/**
 * Proves that checkpoints lie in the history that this browser follows: the newest, the oldest, and
 * then each. Where the newest does not, the first that does not is found by halves.
 * @param known what was proven of the same witness before
 */
export async function proveSigned(
  io: Io,
  signed: Signed,
  known: Sighting | null,
  watch: Watch,
): Promise<Proved> {
  const { witness, id, points, conflict } = signed
  const trust = await verifyState(io, id.database)
  const record = await io
    .get(trustedStatesAtom)
    .read(id)
    .catch(() => null)
  const here = io.get(databaseIdAtom)(id.database)
  const none = { witness, id, given: points.length, proven: 0, span: null }
  if (!record || record.point.txId === '0' || here.server !== id.server) {
    return { ...none, end: { kind: 'stopped', why: nothingWhy } }
  }
  const kept = known && isSameContact(record, known) ? known.seen : []
  const work = new Work(io, signed, { record, trust, kept }, watch)
  const end = conflict ? await work.contradictsItself(conflict) : await work.run()
  await work.save()
  const now = await io
    .get(trustedStatesAtom)
    .read(id)
    .catch(() => null)
  if (!now || !isSameContact(record, now)) {
    return { ...none, end: { kind: 'stopped', why: forgottenWhy } }
  }
  const seen = work.seen()
  const [first, last] = [seen[0], seen.at(-1)]
  const span = first && last ? { first: first.txId, last: last.txId } : null
  return { ...none, proven: seen.length, span, end }
}

const nothingWhy =
  'This browser has no trusted state of the database yet, so there is no history to compare with.'
const cancelledWhy = 'You cancelled. What was proven until then is kept.'
const beforeWhy = 'That was proven before, and not now.'
const brokenWhy = 'The history is broken, so nothing more was compared. Look at the red bar.'
const forgottenWhy = 'The trusted state was forgotten in the meantime.'

type Ground = { record: TrustRecord; trust: Trust; kept: readonly TrustedState[] }

class Work {
  readonly #io: Io
  readonly #signed: Signed
  readonly #ground: Ground
  readonly #watch: Watch
  /** Those that are no newer than the trusted state. */
  readonly #within: readonly Checkpoint[]
  readonly #proven: boolean[]
  #unsaved: TrustedState[] = []
  #saving: Promise<unknown> = Promise.resolve()

  constructor(io: Io, signed: Signed, ground: Ground, watch: Watch) {
    this.#io = io
    this.#signed = signed
    this.#ground = ground
    this.#watch = watch
    const newest = BigInt(ground.record.point.txId)
    this.#within = signed.points.filter(({ txId }) => BigInt(txId) <= newest)
    const kept = new Set(ground.kept.map(({ txId, txHash }) => `${txId} ${txHash}`))
    this.#proven = this.#within.map(({ txId, txHash }) => kept.has(`${txId} ${txHash}`))
  }

  seen(): readonly Checkpoint[] {
    return this.#within.filter((_, at) => this.#proven[at])
  }

  async run(): Promise<Ending> {
    const ahead = this.#signed.points.slice(this.#within.length)
    const beyond = ahead.length > 0 ? await this.#beyond(ahead) : null
    const last = this.#within.length - 1
    if (last < 0) return beyond ?? { kind: 'all' }
    const newest = await this.#prove(last)
    if (newest?.kind === 'found') return this.#firstThatDiffers(newest)
    const end = newest ?? (await this.#prove(0)) ?? (await this.#proveEach())
    return end ?? beyond ?? this.#onlyBefore() ?? { kind: 'all' }
  }

  /** What was proven before says nothing about what the server shows now; null where it was asked. */
  #onlyBefore(): Ending | null {
    const { trust } = this.#ground
    const now = this.#io.get(trustsAtom).get(this.#signed.id.database)
    if (trust.kind === 'broken' || now?.kind === 'broken') {
      return {
        kind: 'stopped',
        why: `${beforeWhy} The history is broken now: look at the red bar.`,
      }
    }
    if (isCurrent(trust)) return null
    const why =
      ('why' in trust && trust.why) || 'The newest state of the server could not be checked.'
    return { kind: 'stopped', why: `${beforeWhy} ${why}` }
  }

  /** What is said about those that are newer than the trusted state. */
  async #beyond(ahead: readonly Checkpoint[]): Promise<Ending> {
    const [first] = ahead
    const { id } = this.#signed
    const { trust } = this.#ground
    const found = first && (await compareWithKnown(this.#io, id, first, trust))
    if (found?.kind === 'ahead') {
      return { kind: 'ahead', newest: found.newest, count: ahead.length }
    }
    return { kind: 'stopped', why: found?.kind === 'unknown' ? found.why : '' }
  }

  /** Those between the first and the last, several at once; null when all of them lie there. */
  async #proveEach(): Promise<Ending | null> {
    let next = 1
    const ends: [at: number, end: Ending][] = []
    const lane = async () => {
      while (next < this.#within.length - 1 && ends.length === 0) {
        const at = next
        next += 1
        const end = await this.#prove(at)
        if (end) ends.push([at, end])
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    // Each below the first that ended was asked for, too.
    const [first] = ends.sort(([one], [other]) => one - other)
    if (!first) return null
    const [at, end] = first
    return end.kind === 'found' ? this.#contradicted(at, end.finding) : end
  }

  /** The newest differs: the first that does, as if none after it could lie in the history. */
  async #firstThatDiffers(newest: Ending & { kind: 'found' }): Promise<Ending> {
    let found = newest
    const last = this.#within.length - 1
    let stopped: Ending | null = null
    const holds = async (at: bigint) => {
      if (stopped) return false
      const end = await this.#prove(Number(at))
      if (end?.kind === 'found') found = end
      else if (end) stopped = end
      return end === null
    }
    const [, first] = await bisect(-1n, BigInt(last), holds)
    // A finding stands, however far the search came.
    const at = stopped ? this.#within.findIndex(({ txId }) => txId === found.finding.txId) : first
    return this.#contradicted(Number(at), found.finding)
  }

  /** Proves one, unless that was done before; null when it lies in the history. */
  async #prove(at: number): Promise<Ending | null> {
    const one = this.#within[at]
    if (!one || this.#proven[at]) return null
    if (this.#watch.signal.aborted) return { kind: 'stopped', why: cancelledWhy }
    const { id } = this.#signed
    if (this.#io.get(trustsAtom).get(id.database)?.kind === 'broken') {
      return { kind: 'stopped', why: brokenWhy }
    }
    const point = { txId: one.txId, txHash: one.txHash }
    const found = await compareWithKnown(this.#io, id, point, this.#ground.trust).catch(
      (error: unknown): Comparison => ({ kind: 'unknown', why: sentence(error) }),
    )
    switch (found.kind) {
      case 'same':
      case 'agrees':
        return this.#noteProven(at, point)
      case 'differs':
        return { kind: 'found', finding: this.#differs(one, found) }
      case 'refused':
        return { kind: 'refused', txId: one.txId }
      default:
        return { kind: 'stopped', why: 'why' in found ? (found.why ?? '') : '' }
    }
  }

  async #noteProven(at: number, point: TrustedState): Promise<null> {
    this.#proven[at] = true
    this.#unsaved.push(point)
    this.#watch.tell(this.#proven.filter(Boolean).length)
    if (this.#unsaved.length >= saveEach) await this.save()
    return null
  }

  #differs(one: Checkpoint, { expected, received, verification }: Differing): WitnessFinding {
    return {
      kind: 'differs',
      txId: one.txId,
      signed: expected,
      other: received,
      before: null,
      at: Date.now(),
      notes: [textOf(one.note)],
      verification,
    }
  }

  /** Notes that the history has another hash for the checkpoint at a place. */
  async #contradicted(at: number, of: WitnessFinding): Promise<Ending> {
    const before = this.#within.slice(0, at).findLast((_, index) => this.#proven[index])
    const finding = { ...of, before: before?.txId ?? null }
    const { id, witness } = this.#signed
    const what = `tx ${formatTx(of.txId)} as signed by ${nameOfWitness(witness)}`
    await noteIncident(this.#io, id, {
      ...newIncident('contradicted', what),
      ...{ reason: 'witness', part: 'txHash', expected: of.signed, received: of.other },
    })
    await this.save(finding)
    return { kind: 'found', finding }
  }

  /** The witness contradicts itself: that says nothing about the server. */
  async contradictsItself({ one, before }: Conflict): Promise<Ending> {
    const isSame = one.txId === before.txId
    const finding: WitnessFinding = {
      kind: isSame ? 'itself' : 'falls',
      txId: one.txId,
      signed: hexOf(one.txHash),
      other: hexOf(before.txHash),
      before: isSame ? null : before.txId,
      at: Date.now(),
      notes: [...(before.note ? [before.note] : []), one.note].map(textOf),
      verification: null,
    }
    await this.save(finding)
    return { kind: 'found', finding }
  }

  /** Saves what was proven, one save after the other. What cannot be kept is proven again. */
  save(found: WitnessFinding | null = null): Promise<unknown> {
    const seen = this.#unsaved
    if (seen.length === 0 && !found) return this.#saving
    this.#unsaved = []
    this.#saving = this.#saving.then(() => this.#saved(seen, found)).catch(() => {})
    return this.#saving
  }

  async #saved(seen: readonly TrustedState[], found: WitnessFinding | null): Promise<void> {
    const points = this.#io.get(trustedStatesAtom)
    const { witness, id } = this.#signed
    const { record } = this.#ground
    const now = await points.read(id)
    // It was forgotten in the meantime.
    if (!now || !isSameContact(record, now)) return
    const { firstContact } = now
    const rising = seen.toSorted((a, b) => (BigInt(a.txId) < BigInt(b.txId) ? -1 : 1))
    const at = Date.now()
    await noteSighting(this.#io, { witness, id, firstContact, at, seen: rising, found })
  }
}

type Differing = { expected: string; received: string; verification: Verification | null }

const textOf = (note: Uint8Array) => decodeUtf8(note) ?? ''
