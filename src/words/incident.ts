import { counted } from '~/lib/text'
import { exceptionWords } from './audit'
import { findingWords } from './broken-history'

/** A line of the log of incidents; times in milliseconds since 1970. */
export type ShownIncident = {
  kind: string
  reason: string
  step: string
  part: string
  what: string
  expected: string
  received: string
  at: number
  last: number
  times: number
}

type ShownLog = {
  id: { origin: string; server: string; database: string }
  incidents: readonly ShownIncident[]
  dropped: number
}

/** What happened, as a sentence. */
export function incidentWords({ kind, reason, part }: ShownIncident): string {
  if (kind === 'server-swapped') return 'Another accepted server answered.'
  if (kind !== 'contradicted') return findingWords({ kind, reason }).what
  if (reason === 'not-new') {
    return 'The server answered a write with a transaction that is older than the write.'
  }
  if (reason === 'witness') return 'A witness signed another hash for this transaction.'
  const ofAudit = auditWords(reason, part)
  if (ofAudit) return ofAudit
  // A column may have this name as well.
  return part === 'txHash' && reason === ''
    ? 'A state from elsewhere has another hash for this transaction.'
    : 'What this page showed differs from the proof.'
}

/** The names of what differs, which may be any words of the server; empty when there are none. */
export function differingPart({ kind, reason, part }: ShownIncident): string {
  return kind === 'contradicted' && reason === 'not-as-shown' ? part : ''
}

/** What a deep audit found; null for what is not of one. */
function auditWords(reason: string, part: string): string | null {
  if (reason === 'audit-reason') return `A deep audit reported “${exceptionWords(part).title}”.`
  if (reason === 'audit-table') return tableWords.get(part) ?? oddTable
  if (reason === 'audit-collection') {
    return 'A deep audit found a collection with another number than this browser recorded.'
  }
  return reason === 'audit-more' ? 'A deep audit found more than this list names one by one.' : null
}

const oddTable = 'A deep audit found a table that differs from the history.'

const tableWords: ReadonlyMap<string, string> = new Map([
  ['differs', 'A deep audit found that the server describes a table differently from the history.'],
  ['missing', 'A deep audit found a table that the server does not list.'],
  ['surplus', 'A deep audit found that the server lists a table that is not in the history.'],
])

/** Which incidents are left out, as a sentence; empty when all are there. */
export function droppedWords(dropped: number): string {
  if (dropped === 0) return ''
  return `${counted(dropped, 'incident')} between the oldest and the newest ${dropped === 1 ? 'was' : 'were'} not kept.`
}

/** The logs as text, for a mail or a ticket. */
export function writeIncidents(logs: readonly ShownLog[]): string {
  return logs.map(writeLog).join('\n')
}

function writeLog({ id, incidents, dropped }: ShownLog): string {
  const heading = [
    'immudb incidents',
    ...named([
      ['database', id.database],
      ['server', id.server],
      ['address', id.origin],
    ]),
    ...named([['left out', droppedWords(dropped)]]),
  ]
  return [...heading, '', ...incidents.flatMap((one) => [...writeIncident(one), ''])].join('\n')
}

function writeIncident(incident: ShownIncident): string[] {
  const { what, expected, received, reason, step, part, at, last, times } = incident
  const place = step === '' ? '' : [reason, step, part].filter((text) => text !== '').join(', ')
  return named([
    ['time', iso(at)],
    ['again', times > 1 ? `${times} times in all, last ${iso(last)}` : ''],
    ['incident', incidentWords(incident)],
    ['object', what],
    ['differs', differingPart(incident)],
    ['expected', expected],
    ['received', received],
    ['failed', place],
  ])
}

const iso = (at: number) => new Date(at).toISOString()

/** Names and values in lines; nothing in a value can begin a line. */
function named(lines: readonly (readonly [string, string])[]): string[] {
  return lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value.replaceAll(/\s+/g, ' ')}`)
}
