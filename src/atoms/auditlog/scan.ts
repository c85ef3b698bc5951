import { listsOf } from '~/core/pages'
import type { AuditEvent } from '~/immudb/audit-event'
import { textToBase64 } from '~/lib/bytes'
import { systemDatabase } from '~/lib/constants'
import { readEvents } from './event-list'
import { type AuditFilter, type AuditRange, fits, keysOf } from './filter'

/** Events that fit a filter, newest first, as far as was looked. */
export type AuditMatches = {
  readonly found: readonly AuditEvent[]
  /** Events looked at. */
  readonly looked: number
  /** The last event looked at; null while there is none. */
  readonly last: AuditEvent | null
  /** Whether no older event is left to look at. */
  readonly isWhole: boolean
}

/** Events looked at in one go, and matches after which it stops. */
const [lookedAtOnce, enough] = [2_000, 200]
const scanPage = 500

/** Matches that one search keeps; an earlier end shows the rest. */
export const mostMatches = 4_000

/** The searches of the audit log by filter and range, both as JSON. Reading the log adds to it. */
export const auditScans = listsOf<AuditMatches>({
  key: (filter, range) => ['audit log', systemDatabase, filter, range],
  start: () => ({ found: [], looked: 0, last: null, isWhole: false }),
  async read(io, known, { signal, tell }, filterText = '', rangeText = '') {
    const filter: AuditFilter = JSON.parse(filterText)
    const range: AuditRange = JSON.parse(rangeText)
    const { above, end } = keysOf(range)
    const start = above === null ? null : textToBase64(above)
    const most = { looked: known.looked + lookedAtOnce, found: known.found.length + enough }
    let now = known
    while (now.looked < most.looked && now.found.length < most.found && !now.isWhole) {
      const from = now.last?.key ?? start
      const events = await readEvents(io, { from, end, limit: scanPage, signal })
      signal.throwIfAborted()
      now = withEvents(now, events, filter)
      tell(now)
    }
    return now
  },
  next: ({ isWhole, looked }) => (isWhole ? null : looked),
  size: () => 0,
  lasts: 'while seen',
})

function withEvents(
  known: AuditMatches,
  events: readonly AuditEvent[],
  filter: AuditFilter,
): AuditMatches {
  return {
    ...known,
    found: [...known.found, ...events.filter((event) => fits(event, filter))],
    looked: known.looked + events.length,
    last: events.at(-1) ?? known.last,
    isWhole: events.length < scanPage,
  }
}
