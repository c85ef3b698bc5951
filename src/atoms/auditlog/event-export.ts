import type { Io } from '~/core/act'
import type { Exportable, ExportPage } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { sentence } from '~/core/session/failure-words'
import { type AuditEvent, eventInstant, hiddenSession, splitAddress } from '~/immudb/audit-event'
import { base64ToText, textToBase64 } from '~/lib/bytes'
import { counted, formatCount } from '~/lib/text'
import { csvField } from '~/sql/result-text'
import { readEvents } from './event-list'
import { type AuditFilter, type AuditRange, fits, keysOf } from './filter'

type AuditFormat = 'csv' | 'ndjson'

const exportPage = 1_000

const columns = [
  'time',
  'user',
  'kind',
  'method',
  'outcome',
  'error',
  'duration_ms',
  'address_claimed',
  'address_seen',
  'address_noted',
  'database',
  'session',
  'tx',
  'key',
] as const

type Line = Readonly<Record<(typeof columns)[number], string | number | null>>

/**
 * The events of a range that fit a filter, newest first. Each page goes to the browser as it comes, so
 * memory does not grow with the log.
 */
export const eventExport = (filter: AuditFilter, range: AuditRange): Exportable<AuditFormat> => ({
  kind: 'audit log',
  // The message stays when the filter is changed.
  name: '',
  begin: (io, format) => ({
    what: 'event',
    kept: 'the newest',
    type: format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson',
    pages: (signal) => linesOf(pagesOf(io, range, signal), filter, format),
    nameOf: (count, isComplete) =>
      `audit-log-${count}-events${isComplete ? '' : '-incomplete'}.${format}`,
    sentence,
  }),
})

async function* linesOf(
  pages: ReturnType<typeof pagesOf>,
  filter: AuditFilter,
  format: AuditFormat,
): AsyncGenerator<ExportPage> {
  let [written, looked] = [0, 0]
  for await (const { events } of pages) {
    const lines = events.filter((event) => fits(event, filter)).map(lineOf)
    const head = looked === 0 && format === 'csv' ? `${columns.join(',')}\r\n` : ''
    const text = lines.map(format === 'csv' ? asCsv : asJson).join('')
    written += lines.length
    looked += events.length
    const soFar = `${counted(written, 'event')} of ${formatCount(looked)} looked at…`
    yield { parts: [new Blob([head + text])], count: lines.length, soFar }
  }
}

function pagesOf(io: Io, range: AuditRange, signal: AbortSignal) {
  const { above, end } = keysOf(range)
  const start = { from: above === null ? null : textToBase64(above) }
  return everyPage(start, async ({ from }: { from: string | null }) => {
    const events = await readEvents(io, { from, end, limit: exportPage, signal })
    if (signal.aborted) throw new Error('stopped')
    const isLast = events.length < exportPage
    return { events, next: isLast ? null : { from: events.at(-1)?.key ?? from } }
  })
}

function lineOf(event: AuditEvent): Line {
  const { content, tx } = event
  const always = { ...unreadable, time: eventInstant(event), tx, key: textOf(event.key) }
  if (content === null) return always
  const { claimed, seen } = splitAddress(content.address)
  return {
    ...always,
    user: content.user,
    kind: content.kind,
    method: content.path,
    outcome: content.isOk ? 'succeeded' : 'failed',
    error: content.error,
    duration_ms: content.duration,
    address_claimed: claimed.join(', '),
    address_seen: seen,
    address_noted: content.address,
    database: content.database,
    session: content.hasSession ? hiddenSession : '',
  }
}

const unreadable: Line = {
  time: null,
  user: null,
  kind: null,
  method: null,
  outcome: 'unreadable',
  error: null,
  duration_ms: null,
  address_claimed: null,
  address_seen: null,
  address_noted: null,
  database: null,
  session: null,
  tx: null,
  key: null,
}

function textOf(base64: string): string {
  try {
    return base64ToText(base64)
  } catch {
    return base64
  }
}

function asCsv(line: Line): string {
  const fields = columns.map((column) => {
    const value = line[column]
    return typeof value === 'number' ? String(value) : csvField('VARCHAR', value, true)
  })
  return `${fields.join(',')}\r\n`
}

const asJson = (line: Line) => `${JSON.stringify(line)}\n`
