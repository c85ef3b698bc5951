import { isMissing } from '~/api/errors'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { factsAlone } from '~/proof/shown'
import { endArrivals } from './audit/arrivals'
import { endDeepAudit } from './audit/deep-audit'
import { strangerOf } from './broken-history'
import { noteStranger } from './incidents'
import { verdictWhenChecked } from './object-verdict'
import { proveUnnoted } from './prove'
import { dropRefused, withRefused } from './refused-before'
import { noteAnswered, noteSwap } from './server-swap'
import { knownOf, setTrust, type Trust, trustOf, trustsAtom, withPersistence } from './trust'
import {
  type Break,
  isObjectBreak,
  isSameState,
  type TrustRecord,
  type Unreadable,
} from './trust-record'
import { outdateRecords } from './trust-records'
import { trustedStatesAtom } from './trusted-states'
import { questionAgain } from './verification'
import { verifyState } from './verify-state'

const changed = (io: Io) => outdateRecords(io)

/** Forgets the trusted state of a database; a line of the log stays. */
export async function forgetState(io: Io, id: DatabaseId, reason: string): Promise<void> {
  // First, so that the audit no longer writes to a forgotten record.
  endDeepAudit(io, id)
  await io.get(trustedStatesAtom).forget(id, reason)
  dropRefused(io, id)
  changed(io)
  const here = io.get(databaseIdAtom)(id.database)
  const isHere = here.origin === id.origin && here.server === id.server
  if (isHere && io.get(trustsAtom).has(id.database)) {
    setTrust(io, id.database, { kind: 'unchecked', why: null })
  }
  // Last, because the check of new transactions restarts while a history is followed.
  await endArrivals(io, id)
}

/** Removes a record that could not be read and was set aside; one that is where it was stays. */
export async function removeAside(io: Io, record: Unreadable): Promise<void> {
  await io.get(trustedStatesAtom).removeAside(record)
  changed(io)
}

/** Accepts the present server at this address. */
export async function acceptServer(io: Io, reason: string): Promise<Trust> {
  const database = io.get(databaseAtom) ?? ''
  const { origin, server } = io.get(databaseIdAtom)(database)
  await io.get(trustedStatesAtom).acceptServer(origin, server, reason)
  noteAnswered(io, { origin, server })
  changed(io)
  dropAccepted(io, [server])
  return verifyState(io, database)
}

/** Revokes a server at an address, and shows the alarm at once if it answers. */
export async function revokeServer(
  io: Io,
  origin: string,
  server: string,
  reason: string,
): Promise<void> {
  await io.get(trustedStatesAtom).revokeServer(origin, server, reason)
  changed(io)
  await showStranger(io)
}

/** Shows on every open history that an unknown or revoked server answers. */
async function showStranger(io: Io): Promise<void> {
  for (const database of io.get(trustsAtom).keys()) {
    const id = io.get(databaseIdAtom)(database)
    const halt = await noteStranger(io, id).catch(() => null)
    if (!halt) continue
    setTrust(io, database, halt)
    await endArrivals(io, id)
  }
}

/** Ends the alarm about an accepted server for all databases. */
function dropAccepted(io: Io, accepted: readonly string[]): void {
  for (const [database, trust] of io.get(trustsAtom)) {
    if (trust.kind !== 'broken' || trust.broken.kind !== 'other-server') continue
    if (!accepted.includes(trust.broken.received)) continue
    setTrust(io, database, { kind: 'unchecked', why: null })
  }
}

/** @throws ApiError when an object was found wrong and cannot be asked for again */
export async function acknowledgeBreak(
  io: Io,
  decision: Decision,
  reason: string,
): Promise<Decided> {
  const database = io.get(databaseAtom) ?? ''
  const points = io.get(trustedStatesAtom)
  const id = io.get(databaseIdAtom)(database)
  const isForced = true
  if (decision === 'forget') await forgetState(io, id, reason)
  if (decision === 'check') return checkOnceMore(io, database, reason)
  if (decision === 'forget') return verifyState(io, database, { isForced })
  const now = io.get(trustsAtom).get(database) ?? { kind: 'unchecked', why: null }
  const seen = now.kind === 'broken' ? now.broken : null
  const record = await points.acknowledge(id, reason, seen?.at)
  if (decision === 'end') return verifyState(io, database, { isForced, ended: seen })
  const broken = now.kind === 'broken' ? { ...now.broken, acknowledgedAt: Date.now() } : null
  const trust: Trust = record?.break
    ? trustOf(record)
    : broken
      ? { kind: 'broken', record, broken }
      : now
  setTrust(io, database, trust)
  return trust
}

/** Only a proof of the same object ends an alarm about it; the newest state does not. */
async function checkOnceMore(io: Io, database: string, reason: string): Promise<Decided> {
  const isForced = true
  const now = io.get(trustsAtom).get(database)
  // The object may have been written again since, so its proof may be newer than the trusted state.
  const trust = await verifyState(io, database, { isForced, reason })
  if (now?.kind !== 'broken' || !isObjectBreak(now.broken)) return trust
  const again = await askAgain(io, now.broken)
  if (again.kind === 'holds') {
    return verifyState(io, database, { isForced, reason, ended: now.broken })
  }
  const then = io.get(trustsAtom).get(database) ?? trust
  return again.kind === 'unproven' ? { ...then, unproven: again.why } : then
}

/**
 * Reports another server as soon as it answers, because its history can be checked only after a
 * login.
 */
export async function watchServer(io: Io, database: string): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  const halt = await noteStranger(io, id).catch(() => null)
  if (io.get(databaseIdAtom)(database).server !== id.server) return
  if (!halt) await noteSwap(io, id)
  // Findings about another server say nothing about one that is also known here.
  const isOfOther = io.get(trustsAtom).has(database) && !knownOf(io, database)
  const trust: Trust | null = halt ?? (isOfOther ? { kind: 'unchecked', why: null } : null)
  if (trust) setTrust(io, database, trust)
}

/** Follows changes of trusted states in other tabs; returns a function that stops it. */
export function followStates(io: Io): () => void {
  void showKnownBreaks(io)
  return io.get(trustedStatesAtom).onChange(() => {
    changed(io)
    for (const [database, trust] of io.get(trustsAtom)) void follow(io, database, trust)
  })
}

async function follow(io: Io, database: string, before: Trust): Promise<void> {
  if (before.kind === 'checking' || knownOf(io, database) !== before) return
  const id = io.get(databaseIdAtom)(database)
  const points = io.get(trustedStatesAtom)
  const halt = before.kind === 'broken' ? null : await strangerOf(io, id).catch(() => null)
  if (halt && io.get(trustsAtom).get(database) === before) {
    return void setTrust(io, database, halt)
  }
  const record = await points.read(id).catch(() => null)
  const keeping = await points.keeping()
  // There was another finding in the meantime.
  if (io.get(trustsAtom).get(database) !== before) return
  if (before.kind === 'broken' && !record?.break) {
    const known = await points.servers(id.origin).catch(() => [])
    dropAccepted(
      io,
      known.map(({ server }) => server),
    )
    return void verifyState(io, database)
  }
  // Storage answers late, so its records are read only now.
  if (before.kind === 'unchecked' && before.cause === 'late') return void verifyState(io, database)
  if (record) {
    if (!isNews(record, before)) return
    const trust = withPersistence(withRefused(io, id, trustOf(record)), keeping)
    setTrust(io, database, trust)
  } else if (before.kind !== 'broken' && before.kind !== 'unchecked') {
    setTrust(io, database, { kind: 'unchecked', why: null })
  }
}

/** Whether another tab found something; a change may also be about another database. */
function isNews(record: TrustRecord, before: Trust): boolean {
  const known = 'record' in before ? before.record : null
  if (!known) return record.break !== null
  const isFindingSame =
    known.break?.at === record.break?.at &&
    known.break?.acknowledgedAt === record.break?.acknowledgedAt
  const isSame = isSameState(known.point, record.point) && known.checked === record.checked
  const areOthersSame = known.others?.length === record.others?.length
  const isProof = known.provenAt > 0 === record.provenAt > 0
  const isContact = known.firstContact.at === record.firstContact.at
  return !isSame || !isFindingSame || !areOthersSame || !isProof || !isContact
}

/** Shows recorded findings, also for databases that are not open. */
async function showKnownBreaks(io: Io): Promise<void> {
  const records = await io
    .get(trustedStatesAtom)
    .all()
    .catch(() => [])
  for (const record of records) {
    const { origin, server, database } = record.id
    const here = io.get(databaseIdAtom)(database)
    const isHere = here.origin === origin && here.server === server
    if (!record.break || !isHere || io.get(trustsAtom).has(database)) continue
    setTrust(io, database, trustOf(record))
  }
}

/**
 * What to do about a finding: `keep` the trusted state and continue, `forget` it, `check` once
 * more, or `end` an alarm by decision when it cannot be checked again.
 */
export type Decision = 'keep' | 'forget' | 'check' | 'end'

/** The resulting trust, and why the object of an alarm could not be proven, if that was tried. */
export type Decided = Trust & { unproven?: string }

/** The result of asking again: the proof holds, is refused as before, or there is none. */
type Again = { kind: 'holds' } | { kind: 'refused' } | { kind: 'unproven'; why: string }

const changedWhy =
  'The server describes the table differently from what this browser recorded. If you know of the change, verify a row of it, accept the new description and check again.'

const nothingWhy = 'There is nothing yet to compare it with.'

/**
 * Requests the object of an alarm again and compares it with the present pins, not with those of
 * that time.
 * @throws ApiError when the server cannot be asked
 */
async function askAgain(io: Io, { verification }: Break): Promise<Again> {
  const question = verification && questionAgain(verification)
  if (!question) return { kind: 'unproven', why: 'It cannot be requested again separately.' }
  await ensureDatabaseToken(io, io.get(clientAtom), question.database)
  try {
    const { verification: again } = await proveUnnoted(io, { ...question, shown: factsAlone })
    const { verdict, cause } = verdictWhenChecked({ verification: again })
    // In a page without storage, the alarm was raised against the same memory.
    const isBack = verdict === 'verified' || verdict === 'verified-in-part' || cause === 'memory'
    if (isBack) return { kind: 'holds' }
    if (cause === 'redescribed') return { kind: 'unproven', why: changedWhy }
    if (verdict === 'failed') return { kind: 'refused' }
    const { outcome } = again
    const why = outcome.kind === 'unproven' ? outcome.why : nothingWhy
    return { kind: 'unproven', why }
  } catch (error) {
    // The table, collection or column was deleted.
    if (!isMissing(error)) throw error
    return { kind: 'unproven', why: sentence(error) }
  }
}
