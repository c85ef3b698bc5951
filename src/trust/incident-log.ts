import type { DatabaseId } from '~/core/session/database-id'
import type { Break, Incident, IncidentLog } from './trust-record'

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
