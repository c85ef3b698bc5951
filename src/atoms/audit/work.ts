import type { TrustedPoint } from '~/proof/context'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import { sentence } from '../failure'
import type { Io } from '../io'
import { pointIdAtom } from '../session'
import { checkTrust } from '../trust/check'
import { knownOf } from '../trust/known'
import type { PointId } from '../trust/point-id'
import { isSameId, type TrustRecord } from '../trust/record'
import type { Trust } from '../trust/trust'
import { trustedPointsAtom } from '../trust/trusted-points'
import { begin } from './begin'
import { type AuditChoice, setDeepAuditAtom } from './deep-audit'
import { type Found, findRecord, keepRecord } from './kept'
import { follow, forgetAudit, runningOf, send } from './running'
import { fitOf } from './saved-fit'
import { fail, show, showDamaged } from './show'

/** Reads what is kept of the audits of a database, unless this tab runs one. */
export async function readKept(io: Io, database: string): Promise<void> {
  const id = io.get(pointIdAtom)(database)
  if (runningOf(id)) return
  const { trust, record, isDamaged } = await findRecord(io, id)
  if (runningOf(id)) return
  const { report, resting } = record
  if (isDamaged) {
    showDamaged(io, id)
  } else if (resting) {
    const { progress, at } = resting
    io.set(setDeepAuditAtom, id, { state: { kind: 'paused', progress, at }, report })
  } else {
    io.set(setDeepAuditAtom, id, { state: { kind: report ? 'finished' : 'idle' }, report })
  }
  follow(io, id, trust)
}

/** Begins an audit up to the newest state, which is checked first. */
export async function startAudit(io: Io, database: string, choice: AuditChoice): Promise<void> {
  const ready = await prepared(io, database)
  if (!ready) return
  const { id, found, now, isWanted } = ready
  const { trust, record, isDamaged } = found
  if (isDamaged && choice.from === 'last') return showDamaged(io, id)
  const why = 'why' in now ? now.why : null
  const point = 'record' in now ? now.record?.point : undefined
  if (!point || !trust) return fail(io, id, why ?? 'The newest state could not be checked.', null)
  if (point.txId === '0') {
    return fail(io, id, 'There is nothing to audit yet: the database is empty.', null)
  }
  const { withValues, from } = choice
  const fresh = { target: point, withValues }
  const last = from === 'last' ? record.finished : null
  if (last && !isBehind(record.report?.point, point)) {
    return fail(io, id, 'Nothing was written since the last audit.', null)
  }
  if (last && !(await isFitting(io, id, trust, last))) return
  const order = last ? { since: last, ...fresh } : fresh
  await begin(io, trust, { ...record, resting: null }, order, isWanted)
}

const isBehind = (one: TrustedPoint | undefined, other: TrustedPoint) =>
  one !== undefined && BigInt(one.txId) < BigInt(other.txId)

/** Goes on with an audit that rests. */
export async function resumeAudit(io: Io, database: string): Promise<void> {
  const ready = await prepared(io, database)
  if (!ready) return
  const { id, found, isWanted } = ready
  const { trust, record, isDamaged } = found
  if (isDamaged) return showDamaged(io, id)
  if (!trust || !record.resting) return readKept(io, database)
  if (!(await isFitting(io, id, trust, record.resting.saved))) return
  await begin(io, trust, record, { resume: record.resting.saved }, isWanted)
}

/**
 * Whether a saved audit still stands in the trusted history; shows why when it does not. It is kept
 * then: what it was compared with may be what is wrong.
 */
async function isFitting(
  io: Io,
  id: PointId,
  trust: TrustRecord,
  saved: SavedDeepAudit,
): Promise<boolean> {
  // The trusted state may have moved since the record was read with the saved audit.
  const newest = (await io.get(trustedPointsAtom).read(id)) ?? trust
  const fit = await fitOf(io, newest, saved.chain).catch((error: unknown) => ({
    kind: 'unknown' as const,
    why: sentence(error),
  }))
  if (fit.kind === 'fits') return true
  if (fit.kind === 'unknown') {
    const advice = 'The saved audit is still there. Try again later.'
    fail(io, id, fit.why, null, { advice })
  } else {
    const found = knownOf(io, id.database)
    const broken = 'broken' in fit ? fit.broken : found?.kind === 'broken' ? found.broken : null
    if (broken) {
      io.set(setDeepAuditAtom, id, { state: { kind: 'broken', broken, isBefore: false } })
    } else {
      fail(io, id, 'The saved audit could not be compared with the trusted state.', null)
    }
  }
  return false
}

type Ready = { id: PointId; found: Found; now: Trust; isWanted: () => boolean }

/** Audits that are about to begin, by their databases; one that is paused then does not. */
const preparing = new Map<string, symbol>()

/** Which server answers may not be known yet. */
const placeOf = ({ origin, database }: PointId) => JSON.stringify([origin, database])

/** Checks the newest state; null when no audit can begin, which is shown then. */
async function prepared(io: Io, database: string): Promise<Ready | null> {
  const asked = io.get(pointIdAtom)(database)
  if (runningOf(asked)) return null
  const turn = Symbol()
  preparing.set(placeOf(asked), turn)
  const isWanted = () => preparing.get(placeOf(asked)) === turn
  show(io, asked, { progress: null })
  const now = await checkTrust(io, database)
  if (!isWanted()) return null
  // Which server answers may only be known by now.
  const id = io.get(pointIdAtom)(database)
  if (!isSameId(asked, id)) io.set(setDeepAuditAtom, asked, { state: { kind: 'unread' } })
  if (runningOf(id)) return null
  if (now.kind === 'broken') {
    const state = { kind: 'broken', broken: now.broken, isBefore: true } as const
    io.set(setDeepAuditAtom, id, { state })
    return null
  }
  show(io, id, { progress: null })
  const found = await findRecord(io, id)
  if (!isWanted()) return null
  follow(io, id, found.trust)
  return { id, found, now, isWanted }
}

/** Lets an audit rest where it is, or not begin while the newest state is being checked. */
export async function pauseAudit(io: Io, id: PointId): Promise<void> {
  const audit = runningOf(id)
  if (audit) return send(audit, { kind: 'pause' })
  if (preparing.delete(placeOf(id))) await readKept(io, id.database)
}

/** Forgets an audit that rests; what the last one found out stays. */
export async function dropAudit(io: Io, database: string): Promise<void> {
  const { trust, record } = await findRecord(io, io.get(pointIdAtom)(database))
  if (trust) await keepRecord(io, trust, { ...record, resting: null })
  await readKept(io, database)
}

/** The trusted history is forgotten, and all that audits of it had found. */
export function endAudit(io: Io, id: PointId): void {
  forgetAudit(io, id)
}
