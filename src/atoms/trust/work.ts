import type { Getter } from 'jotai'
import { ApiError } from '~/api/errors'
import { endArrivalsAtom } from '../audit/arrivals'
import { forgetDeepAuditAtom } from '../audit/deep-audit'
import { sentence } from '../failure'
import type { Io } from '../io'
import { databaseAtom, pointIdAtom } from '../session'
import { checkTrust } from './check'
import type { Decided, Decision } from './decisions'
import { noteStranger } from './incidents'
import { knownOf, strangerOf, trustOf, without } from './known'
import type { PointId } from './point-id'
import {
  isObjectBreak,
  isSamePoint,
  type Records,
  type TrustRecord,
  type Unreadable,
} from './record'
import { dropRefused, withRefused } from './refused-once'
import { noteAnswered, noteSwap } from './server-swap'
import { lateWhy, withKeeping } from './shown'
import { outdateRecordsAtom, setTrustAtom, type Trust, trustsAtom } from './trust'
import { trustedPointsAtom } from './trusted-points'

export async function listRecords(get: Getter): Promise<Records> {
  const points = get(trustedPointsAtom)
  const [records, log, keeping, others] = await Promise.all([
    points.all(),
    points.log(),
    points.keeping(),
    points.others(),
  ])
  return { records, log, keeping, ...others }
}

const changed = ({ set }: Io) => set(outdateRecordsAtom)

export async function forgetPoint(io: Io, id: PointId, reason: string): Promise<void> {
  // First, so that it cannot write any more to what is forgotten.
  await io.set(forgetDeepAuditAtom, id)
  await io.get(trustedPointsAtom).forget(id, reason)
  dropRefused(io, id)
  changed(io)
  const here = io.get(pointIdAtom)(id.database)
  const isHere = here.origin === id.origin && here.server === id.server
  if (isHere && io.get(trustsAtom).has(id.database)) {
    io.set(setTrustAtom, id.database, { kind: 'unchecked', why: null })
  }
  // Last, because the check of what arrives begins by itself while a history is followed.
  await io.set(endArrivalsAtom, id)
}

export async function pinKey(
  io: Io,
  { origin, server }: Pick<PointId, 'origin' | 'server'>,
  publicKey: string | null,
): Promise<void> {
  await io.get(trustedPointsAtom).pinKey(origin, server, publicKey)
  changed(io)
}

export async function removeAside(io: Io, record: Unreadable): Promise<void> {
  await io.get(trustedPointsAtom).removeAside(record)
  changed(io)
}

export async function acceptServer(io: Io, reason: string): Promise<Trust> {
  const database = io.get(databaseAtom) ?? ''
  const { origin, server } = io.get(pointIdAtom)(database)
  await io.get(trustedPointsAtom).acceptServer(origin, server, reason)
  noteAnswered(io, { origin, server })
  changed(io)
  dropAccepted(io, [server])
  return checkTrust(io, database)
}

/** Lets a server answer at an address no more, and says so at once if it does. */
export async function revokeServer(
  io: Io,
  origin: string,
  server: string,
  reason: string,
): Promise<void> {
  await io.get(trustedPointsAtom).revokeServer(origin, server, reason)
  changed(io)
  await showStranger(io)
}

/** Shows of every database looked at that a server answers which is not, or no more, known here. */
async function showStranger(io: Io): Promise<void> {
  for (const database of io.get(trustsAtom).keys()) {
    const id = io.get(pointIdAtom)(database)
    const halt = await noteStranger(io, id).catch(() => null)
    if (!halt) continue
    io.set(setTrustAtom, database, halt)
    await io.set(endArrivalsAtom, id)
  }
}

/** A server that was accepted is wrong for no database any more, whichever was looked at. */
function dropAccepted(io: Io, accepted: readonly string[]): void {
  for (const [database, trust] of io.get(trustsAtom)) {
    if (trust.kind !== 'broken' || trust.broken.kind !== 'other-server') continue
    if (!accepted.includes(trust.broken.received)) continue
    io.set(setTrustAtom, database, { kind: 'unchecked', why: null })
  }
}

/** @throws ApiError when an object was found wrong and cannot be asked for again */
export async function acknowledge(io: Io, decision: Decision, reason: string): Promise<Decided> {
  const database = io.get(databaseAtom) ?? ''
  const points = io.get(trustedPointsAtom)
  const id = io.get(pointIdAtom)(database)
  const isForced = true
  if (decision === 'forget') await forgetPoint(io, id, reason)
  if (decision === 'check') return checkOnceMore(io, database, reason)
  if (decision === 'forget') return checkTrust(io, database, { isForced })
  const now = io.get(trustsAtom).get(database) ?? { kind: 'unchecked', why: null }
  const seen = now.kind === 'broken' ? now.broken : null
  const record = await points.acknowledge(id, reason, seen?.at)
  if (decision === 'end') return checkTrust(io, database, { isForced, ended: seen })
  const broken = now.kind === 'broken' ? { ...now.broken, acknowledgedAt: Date.now() } : null
  const trust: Trust = record?.break
    ? trustOf(record)
    : broken
      ? { kind: 'broken', record, broken }
      : now
  io.set(setTrustAtom, database, trust)
  return trust
}

/** An alarm about an object ends with a proof of that object; the newest state says nothing of it. */
async function checkOnceMore(io: Io, database: string, reason: string): Promise<Decided> {
  const isForced = true
  const now = io.get(trustsAtom).get(database)
  // The object may have been written anew since, so that its proof is newer than the point was.
  const trust = await checkTrust(io, database, { isForced, reason })
  if (now?.kind !== 'broken' || !isObjectBreak(now.broken)) return trust
  const { askAgain } = await import('./ask-again')
  const again = await askAgain(io, now.broken)
  if (again.kind === 'holds') {
    return checkTrust(io, database, { isForced, reason, ended: now.broken })
  }
  const then = io.get(trustsAtom).get(database) ?? trust
  return again.kind === 'unproven' ? { ...then, unproven: again.why } : then
}

const statesSeen = new WeakSet<object>()

/** Whether an answer comes for another time, such as one that is cached for a database. */
function wasSeen(state: unknown): boolean {
  if (typeof state !== 'object' || state === null) return false
  const isOld = statesSeen.has(state)
  statesSeen.add(state)
  return isOld
}

/**
 * Checks a state that was just answered. One that could not be read is asked for once more, since
 * what cannot be read is a finding, while a failure to answer is none.
 */
export function watchState(
  io: Io,
  database: string,
  { data, error }: { data: unknown; error: unknown },
): Promise<Trust> {
  if (!error) return checkTrust(io, database, { seen: data, isOld: wasSeen(data) })
  if (error instanceof ApiError && error.kind === 'bad-answer') return checkTrust(io, database)
  const trust = without(knownOf(io, database), sentence(error))
  io.set(setTrustAtom, database, trust)
  return Promise.resolve(trust)
}

/**
 * Says that another server answers as soon as one does, since its history may only be asked for
 * after a login.
 */
export async function watchServer(io: Io, database: string): Promise<void> {
  const id = io.get(pointIdAtom)(database)
  const halt = await noteStranger(io, id).catch(() => null)
  if (io.get(pointIdAtom)(database).server !== id.server) return
  if (!halt) await noteSwap(io, id)
  // What was found out about another server says nothing about one that is known here, too.
  const isOfOther = io.get(trustsAtom).has(database) && !knownOf(io, database)
  const trust: Trust | null = halt ?? (isOfOther ? { kind: 'unchecked', why: null } : null)
  if (trust) io.set(setTrustAtom, database, trust)
}

/** Follows what other tabs do to the points; returns what stops it. */
export function followPoints(io: Io): () => void {
  void showKnownBreaks(io)
  return io.get(trustedPointsAtom).onChange(() => {
    changed(io)
    for (const [database, trust] of io.get(trustsAtom)) void follow(io, database, trust)
  })
}

async function follow(io: Io, database: string, before: Trust): Promise<void> {
  if (before.kind === 'checking' || knownOf(io, database) !== before) return
  const id = io.get(pointIdAtom)(database)
  const points = io.get(trustedPointsAtom)
  const halt = before.kind === 'broken' ? null : await strangerOf(io, id).catch(() => null)
  if (halt && io.get(trustsAtom).get(database) === before) {
    return void io.set(setTrustAtom, database, halt)
  }
  const record = await points.read(id).catch(() => null)
  const keeping = await points.keeping()
  // Something else was found out meanwhile.
  if (io.get(trustsAtom).get(database) !== before) return
  if (before.kind === 'broken' && !record?.break) {
    const known = await points.servers(id.origin).catch(() => [])
    dropAccepted(
      io,
      known.map(({ server }) => server),
    )
    return void checkTrust(io, database)
  }
  // What storage holds is first seen when it answers after all.
  if (before.kind === 'unchecked' && before.why === lateWhy) return void checkTrust(io, database)
  if (record) {
    if (!isNews(record, before)) return
    const trust = withKeeping(withRefused(io, id, trustOf(record)), keeping)
    io.set(setTrustAtom, database, trust)
  } else if (before.kind !== 'broken' && before.kind !== 'unchecked') {
    io.set(setTrustAtom, database, { kind: 'unchecked', why: null })
  }
}

/** Whether another tab found out something; a change may as well be about another database. */
function isNews(record: TrustRecord, before: Trust): boolean {
  const known = 'record' in before ? before.record : null
  if (!known) return record.break !== null
  const isFindingSame =
    known.break?.at === record.break?.at &&
    known.break?.acknowledgedAt === record.break?.acknowledgedAt
  const isSame = isSamePoint(known.point, record.point) && known.checked === record.checked
  const areOthersSame = known.others?.length === record.others?.length
  const isProof = known.provenAt > 0 === record.provenAt > 0
  const isContact = known.firstContact.at === record.firstContact.at
  return !isSame || !isFindingSame || !areOthersSame || !isProof || !isContact
}

/** What was found wrong before holds for databases that are not open, too. */
async function showKnownBreaks(io: Io): Promise<void> {
  const records = await io
    .get(trustedPointsAtom)
    .all()
    .catch(() => [])
  for (const record of records) {
    const { origin, server, database } = record.id
    const here = io.get(pointIdAtom)(database)
    const isHere = here.origin === origin && here.server === server
    if (!record.break || !isHere || io.get(trustsAtom).has(database)) continue
    io.set(setTrustAtom, database, trustOf(record))
  }
}
