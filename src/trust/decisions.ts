import { isMissing } from '~/api/errors'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { factsAlone } from '~/proof/shown'
import { endArrivals } from './audit/arrivals'
import { endDeepAudit } from './audit/deep-audit'
import { noteAnswered, noteStranger } from './incidents'
import { verdictWhenChecked } from './object-verdict'
import { proveUnnoted } from './prove'
import { dropRefused } from './refused-before'
import { setTrust, type Trust, trustOf, trustsAtom } from './trust'
import { type Break, isObjectBreak, isSameId, type Unreadable } from './trust-record'
import { outdateRecords, trustedStatesAtom } from './trusted-states'
import { questionAgain } from './verification'
import { verifyState } from './verify-state'
import { dropSightings } from './witnesses'

/** Forgets the trusted state of a database; a line of the log stays. */
export async function forgetState(io: Io, id: DatabaseId, reason: string): Promise<void> {
  // First, so that the audit no longer writes to a forgotten record.
  endDeepAudit(io, id)
  await io.get(trustedStatesAtom).forget(id, reason)
  await dropSightings(io, (one) => isSameId(one.id, id))
  dropRefused(io, id)
  outdateRecords(io)
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
  outdateRecords(io)
}

/** Accepts the present server at this address. */
export async function acceptServer(io: Io, reason: string): Promise<Trust> {
  const database = io.get(databaseAtom) ?? ''
  const { origin, server } = io.get(databaseIdAtom)(database)
  await io.get(trustedStatesAtom).acceptServer(origin, server, reason)
  noteAnswered(io, { origin, server })
  outdateRecords(io)
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
  outdateRecords(io)
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
export function dropAccepted(io: Io, accepted: readonly string[]): void {
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
