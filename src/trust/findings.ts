import type { DatabaseId } from '~/core/session/database-id'
import { hexOf } from '~/lib/bytes'
import type { RefusedProof } from '~/proof/evidence'
import { factsAlone } from '~/proof/shown'
import {
  type Break,
  type BreakKind,
  type Incident,
  type IncidentLog,
  isObjectBreak,
  type TrustRecord,
} from './trust-record'
import { isObjectKind, type Verification } from './verification'

/** Findings kept beside the one that is shown, each with its evidence. */
export const mostOthers = 10

/** Characters of an answer that a finding keeps, and of all answers of a record. */
const [mostKept, mostKeptInAll] = [12_582_912, 25_165_824]

const sizeOf = ({ verification }: Break) => JSON.stringify(verification?.response)?.length ?? 0

/**
 * The finding without its answer where that is larger than any of immudb, which are of 4 MiB, or
 * where those of the record would be too large together.
 */
function kept(found: Break, others: readonly Break[]): Break {
  const size = sizeOf(found)
  const all = others.reduce((sum, one) => sum + sizeOf(one), size)
  if (!found.verification || (size <= mostKept && all <= mostKeptInAll)) return found
  return { ...found, verification: { ...found.verification, response: null, isTooLarge: true } }
}

/** Whether two findings are about the same: an object, or the same thing wrong with the state. */
export function isSameFinding(one: Break, other: Break): boolean {
  if (one.kind !== other.kind || one.verification?.kind !== other.verification?.kind) return false
  return !isObjectBreak(one) || (one.what === other.what && isSameQuestion(one, other))
}

/** Two objects can have the same words, such as rows whose long keys begin alike. */
const isSameQuestion = (one: Break, other: Break) =>
  questionOf(one.verification) === questionOf(other.verification)

function questionOf(asked: Verification | null): string {
  return asked && isObjectKind(asked.kind) ? JSON.stringify(asked.request) : ''
}

/**
 * The record with one more finding, or undefined when it already has it. The new one is shown if
 * the operator has seen the old one, or if the old one is about an object and the new one about the
 * whole history. Otherwise it waits behind the old one.
 */
export function withFinding(record: TrustRecord, finding: Break): TrustRecord | undefined {
  const { break: shown, others = [] } = record
  const found = kept(finding, shown ? [shown, ...others] : [])
  if (!shown) return { ...record, break: found }
  if ([shown, ...others].some((one) => isSameFinding(one, found))) return undefined
  const isGraver = isObjectBreak(shown) && !isObjectBreak(found)
  if (shown.acknowledgedAt !== null || isGraver) {
    return { ...record, break: found, others: [...others, shown].slice(-mostOthers) }
  }
  return others.length < mostOthers ? { ...record, others: [...others, found] } : undefined
}

/**
 * The record without the finding shown in `seen`, after a state that agrees with the trusted one;
 * undefined when another finding is now shown. That state proves no other objects, so the last of
 * the other findings is shown next.
 */
export function withoutFinding(record: TrustRecord, seen: TrustRecord): TrustRecord | undefined {
  const { break: shown, others = [] } = record
  if (!shown || shown.at !== seen.break?.at || !isSameFinding(shown, seen.break)) return undefined
  const ended = new Set(seen.others?.map(({ at }) => at))
  const left = others.filter((one) => isObjectBreak(one) || !ended.has(one.at))
  return { ...record, break: left.at(-1) ?? null, others: left.slice(0, -1) }
}

/** What a refused proof means for the history it is about, kept to be shown and saved. */
export function breakOf(verification: Verification, refusal: RefusedProof): Break {
  const { reason, step, part, compared } = refusal
  const state = stateOf(verification.response)
  const isState = verification.kind === 'state'
  const expected = isState ? hexOf(verification.context?.trusted?.txHash ?? '') : ''
  const received = isState && typeof state?.txHash === 'string' ? hexOf(state.txHash) : ''
  return {
    kind: isState ? kindOf(refusal, verification) : 'object',
    reason,
    step,
    part,
    expected: compared.expected ?? expected,
    received: compared.computed ?? received,
    at: verification.at,
    what: verification.what,
    // A finding is about the answer; what a screen showed beside it stays in memory.
    verification: { ...verification, shown: factsAlone },
    acknowledgedAt: null,
  }
}

function kindOf({ reason }: RefusedProof, { context, response }: Verification): BreakKind {
  const state = stateOf(response)
  switch (reason) {
    case 'malformed':
    case 'wrong-database':
      return 'malformed'
    case 'rolled-back':
      return 'rolled-back'
    case 'signature':
      return state?.signature ? 'foreign-signature' : 'unsigned'
    case 'history-changed':
      return state?.txId === context?.trusted?.txId ? 'rewritten' : 'forked'
    default:
      return 'forked'
  }
}

/** The transaction that a hash of a finding is of; null for a hash of anything else. */
export function txOfHash({ verification, part, received }: Break, hash: string): string | null {
  const trusted = verification?.context?.trusted
  const state = stateOf(verification?.response)
  if (trusted && hash === hexOf(trusted.txHash)) return trusted.txId
  if (typeof state?.txHash === 'string' && hash === hexOf(state.txHash)) {
    return typeof state.txId === 'string' && /^\d{1,20}$/.test(state.txId) ? state.txId : '0'
  }
  // The proof's hash for the trusted transaction.
  return trusted && part === 'trusted' && hash === received ? trusted.txId : null
}

type State = { txId?: unknown; txHash?: unknown; signature?: unknown }

function stateOf(response: unknown): State | null {
  if (typeof response !== 'object' || response === null || !('state' in response)) return null
  const { state } = response
  return typeof state === 'object' ? state : null
}

/** Incidents kept of one database: this many of the oldest, and as many of the newest. */
export const keptIncidents = 100

const longestWhat = 300

/** The log with one more incident; a repeated one is only counted. */
export function withIncident(
  id: DatabaseId,
  log: IncidentLog | null,
  incident: Incident,
): IncidentLog {
  const { incidents, dropped }: IncidentLog = log ?? { id, incidents: [], dropped: 0 }
  const at = incidents.findIndex((one) => isSame(one, incident))
  const same = incidents[at]
  if (same) {
    const last = Math.max(same.last, incident.last)
    const again = { ...same, last, times: same.times + incident.times }
    return { id, incidents: incidents.with(at, again), dropped }
  }
  const all = [...incidents, incident]
  if (all.length <= 2 * keptIncidents) return { id, incidents: all, dropped }
  return { id, incidents: all.toSpliced(keptIncidents, 1), dropped: dropped + 1 }
}

const fields = ['kind', 'reason', 'step', 'part', 'what', 'expected', 'received'] as const

const isSame = (one: Incident, other: Incident) => fields.every((name) => one[name] === other[name])

/** A finding as a line of the log, without the answer that showed it. */
export function incidentOf(found: Break): Incident {
  const { kind, reason, step, part, what, expected, received, at } = found
  const isIdentity = kind === 'other-server'
  // A wrong signature has no two hashes to compare: what was signed is the expected one.
  const isSigned = reason === 'signature'
  const hash = (text: string) =>
    isIdentity || (!isSigned && /^[0-9a-f]{64}$/.test(text)) ? text : ''
  return {
    ...newIncident(kind, what, at),
    reason,
    step,
    part,
    expected: hash(expected),
    received: hash(received),
  }
}

/** An incident about which nothing more is known. */
export function newIncident(kind: Incident['kind'], what: string, at = Date.now()): Incident {
  const nothing = { reason: '', step: '', part: '', expected: '', received: '' }
  return { kind, ...nothing, what: what.slice(0, longestWhat), at, last: at, times: 1 }
}
