import { ApiError } from '~/api/errors'
import { withRetries } from '~/lib/retry'
import type { Context } from '~/proof/context'
import { ProofError } from '~/proof/failure'
import type { Kind } from '~/proof/verify'
import { pinnedFor, pinSeen } from './pins'
import { type Refused, refusedOf, verifyApart } from './proof-worker'
import { pointIdAtom, setTrustAtom, trustsAtom } from './trust'
import { breakOf } from './trust-break'
import { checkTrust, type Io, saysIllegalState } from './trust-check'
import type { PointId, TrustRecord } from './trust-record'
import { trustedPointsAtom } from './trusted-points'
import type { ObjectKind, ObjectToVerify, Outcome, Verification } from './verification'

/** Rounds in which the server may write on, or prove something that must be asked for again. */
const mostRounds = 5

/** See `verifyObjectAtom`. */
export async function verifyObject<K extends ObjectKind>(
  io: Io,
  database: string,
  kind: K,
  wanted: ObjectToVerify,
): Promise<Verification<K>> {
  const known = io.get(trustsAtom).get(database)
  // A first contact that is under way is waited for, or there would be nothing to compare with.
  const isUnmet = known?.kind === 'checking' && known.record === null
  if (!known || known.kind === 'unchecked' || isUnmet) await checkTrust(io, database)
  let isRefused = false
  let isReset = false
  for (let round = 0; round < mostRounds; round += 1) {
    const id = io.get(pointIdAtom)(database)
    const record = await io.get(trustedPointsAtom).read(id)
    const done = await attempted(io, id, record, kind, wanted)
    if (done.kind === 'behind') {
      // The server does not have the trusted transaction, or has newer ones than it.
      if (isReset && done.error) throw done.error
      isReset = done.error !== null
      await checkTrust(io, database)
      continue
    }
    const { verification, refusal } = done
    if (!refusal || !isHistory(refusal)) return verification
    // Never a false alarm: point, state and object are asked for once more.
    if (isRefused) {
      await noteBreak(io, id, record, verification, refusal)
      return verification
    }
    isRefused = true
    await checkTrust(io, database)
  }
  const why = 'The database is written to faster than this could be verified. Try again.'
  const outcome = { kind: 'unproven', why } as const
  return { ...blank(io, database, kind, wanted), outcome }
}

type Done<K extends Kind> =
  | { kind: 'done'; verification: Verification<K>; refusal: Refused | null }
  | { kind: 'behind'; error: unknown }

async function attempted<K extends Kind>(
  io: Io,
  id: PointId,
  record: TrustRecord | null,
  kind: K,
  wanted: ObjectToVerify,
): Promise<Done<K>> {
  const point = record?.point ?? null
  const publicKey = await io.get(trustedPointsAtom).pinnedKey(id.origin, id.server)
  const pinned = pinnedFor(record, kind, wanted)
  const context: Context = { db: id.database, trusted: point, publicKey, ...pinned }
  const asked = { ...blank(io, id.database, kind, wanted), context }
  const done = (
    outcome: Outcome<K>,
    response: unknown,
    refusal: Refused | null = null,
  ): Done<K> => ({ kind: 'done', verification: { ...asked, response, outcome }, refusal })
  let response: unknown
  try {
    response = await patiently(() => wanted.ask(point?.txId ?? '0'))
  } catch (error) {
    if (saysIllegalState(error)) return { kind: 'behind', error }
    if (!isNotFound(error)) throw error
    const why = 'The server finds nothing there, and that something is missing cannot be proven.'
    return done({ kind: 'unproven', why }, null)
  }
  try {
    const verified = await verifyApart(kind, context, wanted.request, response)
    if (isAhead(record, verified.next?.txId ?? '0')) return { kind: 'behind', error: null }
    if (verified.verdict === 'ok') await pinSeen(io, record, kind, wanted, response)
    return done({ kind: 'ok', verified }, response)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    const refusal = refusedOf(error)
    return done({ kind: 'refused', refusal }, response, refusal)
  }
}

/** Only the state transition moves the point; what is newer waits for it. */
function isAhead(record: TrustRecord | null, txId: string): boolean {
  return record !== null && BigInt(txId) > BigInt(record.point.txId)
}

/** The index may be behind for a moment after a write; together this waits less than a second. */
function patiently(ask: () => Promise<unknown>): Promise<unknown> {
  return withRetries(ask, { retries: 3, mayRepeat: isNotFound })
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && /(key|document) not found/i.test(error.message)
}

/** Whether a refusal says something about the history; a changed table or a slip of ours does not. */
function isHistory({ reason, step }: Refused): boolean {
  if (reason === 'schema-changed') return false
  return reason !== 'malformed' || (step !== 'context' && step !== 'request')
}

async function noteBreak(
  io: Io,
  id: PointId,
  known: TrustRecord | null,
  verification: Verification,
  refusal: Refused,
): Promise<void> {
  const broken = breakOf(verification, refusal)
  let record: TrustRecord | null = known && { ...known, break: known.break ?? broken }
  if (known) {
    const noted = await io
      .get(trustedPointsAtom)
      .noteBreak(id, known.point, broken)
      // A finding is shown even if it cannot be kept.
      .catch(() => null)
    if (noted?.record?.break) record = noted.record
  }
  io.set(setTrustAtom, id.database, { kind: 'broken', record, broken: record?.break ?? broken })
}

function blank<K extends Kind>(io: Io, database: string, kind: K, wanted: ObjectToVerify) {
  const { server } = io.get(pointIdAtom)(database)
  const { what, request } = wanted
  return { database, server, kind, what, context: null, request, response: null, at: Date.now() }
}
