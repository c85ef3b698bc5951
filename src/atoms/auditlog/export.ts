import { atom } from 'jotai'
import { type AuditEvent, eventInstant, hiddenSession, splitAddress } from '~/immudb/audit-event'
import { base64ToText, textToBase64 } from '~/lib/bytes'
import { counted, formatCount } from '~/lib/text'
import { csvField } from '~/sql/export'
import { sentence } from '../session/failure'
import type { StoreAccess } from '../storage/storage'
import { type AuditFilter, type AuditRange, fits, keysOf } from './filter'
import { readEvents } from './list'

export type AuditFormat = 'csv' | 'ndjson'

/** An export in progress, or its result. */
export type AuditExport = {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed'
  readonly text: string
}

type File = { readonly name: string; readonly parts: readonly Blob[]; readonly type: string }

const statedAtom = atom<AuditExport | null>(null)
const controlAtom = atom<AbortController | null>(null)

/** The newest export of the audit log; null while none was asked for. */
export const auditExportAtom = atom((get) => get(statedAtom))

export const stopAuditExportAtom = atom(null, (get) => get(controlAtom)?.abort())

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
 * Writes the events of a range that fit a filter to a file, newest first. Each page goes to the
 * browser as it comes, so memory does not grow with the log. Null when nothing was written.
 */
export const exportAuditAtom = atom(
  null,
  async (
    get,
    set,
    filter: AuditFilter,
    range: AuditRange,
    format: AuditFormat,
  ): Promise<File | null> => {
    if (get(statedAtom)?.state === 'running') return null
    const control = new AbortController()
    set(controlAtom, control)
    const tell = (state: AuditExport['state'], text: string) => set(statedAtom, { state, text })
    tell('running', 'Reading…')
    const head = format === 'csv' ? `${columns.join(',')}\r\n` : ''
    const parts = [new Blob([head])]
    let [written, looked, isComplete, problem] = [0, 0, false, '']
    try {
      for await (const events of pagesOf({ get, set }, range, control.signal)) {
        const lines = events.filter((event) => fits(event, filter)).map(lineOf)
        parts.push(new Blob([lines.map(format === 'csv' ? asCsv : asJson).join('')]))
        written += lines.length
        looked += events.length
        tell('running', `${counted(written, 'event')} of ${formatCount(looked)} looked at…`)
      }
      isComplete = true
    } catch (error) {
      problem = control.signal.aborted ? 'It was stopped.' : sentence(error)
    }
    const state = isComplete ? 'complete' : control.signal.aborted ? 'stopped' : 'failed'
    if (looked === 0 && !isComplete) {
      tell(state, `No file was written. ${problem}`)
      return null
    }
    const name = fileNameOf(written, isComplete, format)
    const kept = counted(written, 'event')
    tell(
      state,
      isComplete
        ? `Complete: ${kept} in ${name}.`
        : `Not complete: only the newest ${kept} are in ${name}. ${problem}`,
    )
    const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson'
    return { name, parts, type }
  },
)

function fileNameOf(count: number, isComplete: boolean, format: AuditFormat): string {
  return `audit-log-${count}-events${isComplete ? '' : '-incomplete'}.${format}`
}

async function* pagesOf(
  io: StoreAccess,
  range: AuditRange,
  signal: AbortSignal,
): AsyncGenerator<readonly AuditEvent[]> {
  const { above, end } = keysOf(range)
  let from = above === null ? null : textToBase64(above)
  for (;;) {
    const events = await readEvents(io, { from, end, limit: exportPage, signal })
    if (signal.aborted) throw new Error('stopped')
    yield events
    if (events.length < exportPage) return
    from = events.at(-1)?.key ?? from
  }
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
