import { formatSize } from '../../src/lib/size'
import type { Seen } from '../support/fault-proxy'
import { type Intent, type Said, timesSent } from './intent'
import type { Complaints } from './operator'

export type Findings = {
  readonly seconds: number
  /** All requests that reached the proxy. */
  readonly seen: readonly Seen[]
  /** All writes that the console's own code sent. */
  readonly sent: readonly { readonly path: string; readonly body: string }[]
  readonly intents: readonly Intent[]
  readonly reads: { readonly good: number; readonly failed: number }
  readonly restarts: number
  readonly complaints: Complaints
  /** What the watch on every page of these tests found. */
  readonly problems: readonly string[]
  readonly heapAtStart: number
  readonly heapAtEnd: number
  readonly finalState: string
}

const isViolation = (problem: string) => problem.startsWith('policy violation')

/** One line for each minute. */
export function progressLine(findings: Findings, wrong: number): string {
  const { seconds, seen, intents, restarts, complaints } = findings
  const said = (what: Said) => intents.filter((one) => one.said === what).length
  return [
    `${Math.round(seconds / 60)} min`,
    `${seen.length} requests, ${seen.filter(({ fault }) => fault).length} struck`,
    `writes ${intents.length}: ${said('committed')} committed, ${said('refused')} refused, ${said('unknown')} unknown`,
    `${restarts} restarts, ${complaints.logins} logins, ${complaints.reloads} reloads`,
    `wrong so far: ${wrong}`,
  ].join(' · ')
}

/** What must never happen and did, one line each; empty when all is well. */
export function judged({ intents, sent, seen, complaints, problems, ...rest }: Findings): string[] {
  const wrong = problems.map((problem) => `the page: ${problem}`)
  for (const draft of complaints.lostDrafts) wrong.push(`lost draft: ${draft}`)
  for (const stuck of complaints.stuck) wrong.push(`stuck: ${stuck}`)
  const arrived = seen.filter(({ method }) => method === 'POST')
  for (const intent of intents) {
    wrong.push(...wrongWith(intent, timesSent(intent, sent), timesSent(intent, arrived)))
  }
  if (rest.heapAtEnd > 0 && rest.finalState !== 'signed in, as the server') {
    wrong.push(`at the end: ${rest.finalState || 'not signed in'}`)
  }
  return wrong
}

function wrongWith(intent: Intent, sent: number, arrived: number): string[] {
  const { number, kind, said, found, stored = 0, isWarned = false } = intent
  const name = `write ${number} (${kind})`
  const wrong: string[] = []
  if (sent > 1) wrong.push(`${name}: sent ${sent} times by the console itself`)
  if (said === 'committed' && stored === 0)
    wrong.push(`${name}: said to be committed, is not there`)
  if (said === 'refused' && stored > 0) wrong.push(`${name}: said to be refused, is there`)
  if (found === 'stored' && stored === 0) wrong.push(`${name}: found stored, is not there`)
  if (found === 'not-stored' && stored > 0) wrong.push(`${name}: found not stored, is there`)
  // Chromium sends a request again by itself when a used connection breaks; that must be told.
  if (stored > 1 && said === 'committed' && !isWarned) {
    wrong.push(`${name}: stored ${stored} times (${arrived} arrived) without a word`)
  }
  return wrong
}

/** The closing report. */
export function report(findings: Findings): string {
  const { intents, seen, sent, reads, complaints, problems } = findings
  const posts = seen.filter(({ method }) => method === 'POST')
  const count = (passes: (intent: Intent) => boolean) => intents.filter(passes).length
  const wrong = judged(findings)
  return [
    '',
    `requests              ${seen.length}, of the API ${seen.filter(({ path }) => path.includes('/api/')).length}`,
    `struck                ${faultsByKind(seen)}`,
    `server restarts       ${findings.restarts}`,
    `reads                 ${reads.good} answered, ${reads.failed} said to have failed`,
    `writes intended       ${intents.length}`,
    `  committed           ${count(({ said }) => said === 'committed')}`,
    `  refused             ${count(({ said }) => said === 'refused')}`,
    `  unknown             ${count(({ said }) => said === 'unknown')}, of these really stored ${count(({ said, stored }) => said === 'unknown' && stored !== 0)}`,
    `    checks            ${count(({ found }) => found === 'stored')} found stored, ${count(({ found }) => found === 'not-stored')} not stored, ${count(({ found }) => found === 'open')} open`,
    `  without outcome     ${count(({ said }) => said === undefined)}`,
    `sent twice by us      ${count((one) => timesSent(one, sent) > 1)}`,
    `sent twice by browser ${count((one) => timesSent(one, posts) > timesSent(one, sent))}, stored twice ${count(({ stored = 0 }) => stored > 1)}, told ${count(({ stored = 0, isWarned, said }) => stored > 1 && (isWarned === true || said !== 'committed'))}`,
    `lost drafts           ${complaints.lostDrafts.length}`,
    `page errors           ${problems.filter((one) => !isViolation(one)).length}`,
    `policy violations     ${problems.filter(isViolation).length}`,
    `logins, reloads       ${complaints.logins}, ${complaints.reloads} (${complaints.blankPages} of a blank page)`,
    `heap                  ${formatSize(findings.heapAtStart)} at the start, ${formatSize(findings.heapAtEnd)} at the end`,
    `final state           ${findings.finalState}`,
    '',
    wrong.length === 0
      ? 'Nothing went wrong.'
      : `WRONG (${wrong.length}):\n- ${wrong.join('\n- ')}`,
  ].join('\n')
}

function faultsByKind(seen: readonly Seen[]): string {
  const kinds = new Map<string, number>()
  for (const { fault } of seen) if (fault) kinds.set(fault, (kinds.get(fault) ?? 0) + 1)
  const total = [...kinds.values()].reduce((sum, one) => sum + one, 0)
  const each = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, times]) => `${kind} ${times}`)
  return `${total}: ${each.join(', ')}`
}
