import { type Atom, atom } from 'jotai'
import { type AuditScan, scanAuditLog } from '~/api/audit-log'
import { type Io, mountedAtom } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { AuditEvent } from '~/immudb/audit-event'
import { textToBase64 } from '~/lib/bytes'
import { pageSizes, systemDatabase } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { type AuditRange, keysOf } from './filter'

/** Rows of one list, since no browser draws an endless box; an earlier end shows the rest. */
export const mostRows = 50_000

/** Pages in memory; others are read again when they come into sight. */
const mostPages = 30

/** Reads events with a token of `systemdb`; the open database stays as it is. */
export async function readEvents(io: Io, scan: AuditScan): Promise<AuditEvent[]> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, systemDatabase)
  return scanAuditLog(client, scan)
}

/** The events of a range, newest first, as far as they were scrolled to. */
export type AuditList = {
  readonly state: 'reading' | 'open' | 'failed'
  /** Why the last page could not be read; what was read before stays. */
  readonly failure: unknown
  /** Where each page begins: the first event itself, then the last one of the page before. */
  readonly bounds: readonly string[]
  readonly pages: ReadonlyMap<number, readonly AuditEvent[]>
  /** Rows that are known to exist. */
  readonly count: number
  /** Whether no older event follows. */
  readonly isWhole: boolean
}

const unread: AuditList = {
  state: 'reading',
  failure: null,
  bounds: [],
  pages: new Map(),
  count: 0,
  isWhole: false,
}

/** The events of a range, and the actions that read them. */
export type AuditEvents = {
  readonly listAtom: Atom<AuditList>
  /** Begins again with the event that is the newest now. */
  readonly open: (io: Io) => Promise<void>
  /** Reads what is missing of these rows, and the next ones near the end. */
  readonly readRows: (io: Io, rows: { first: number; last: number }) => Promise<void>
}

/** Returns the events of a range; ends are milliseconds since 1970 or empty. */
export const auditListsAtom = atom(() =>
  memoizeByNames((from = '', to = '') => eventsIn({ from: endOf(from), to: endOf(to) })),
)

const endOf = (text: string) => (text === '' ? null : Number(text))

/**
 * Reading the log adds events, so a list begins with the event that was the newest when it was
 * opened, and each page with the last key of the page before.
 */
function eventsIn(range: AuditRange): AuditEvents {
  const stateAtom = atom(unread)
  const { above, end } = keysOf(range)
  let control = new AbortController()
  const readings = new Set<number>()
  const open = (io: Io) => {
    control.abort()
    control = new AbortController()
    readings.clear()
    io.set(stateAtom, unread)
    const from = above === null ? null : textToBase64(above)
    return read(io, 0, { from, end, limit: pageSizes.events, signal: control.signal })
  }
  const readRows = async (io: Io, rows: { first: number; last: number }) => {
    const wanted = missingPages(io.get(stateAtom), rows).filter((page) => !readings.has(page))
    await Promise.all(
      wanted.map((page) => {
        const from = io.get(stateAtom).bounds[page] ?? ''
        const scan = { from, end, limit: pageSizes.events, signal: control.signal }
        return read(io, page, { ...scan, isInclusive: page === 0 })
      }),
    )
  }
  async function read(io: Io, page: number, scan: AuditScan): Promise<void> {
    readings.add(page)
    try {
      const events = await readEvents(io, scan)
      if (!scan.signal?.aborted) io.set(stateAtom, (now) => withPage(now, page, events))
    } catch (failure) {
      if (scan.signal?.aborted) return
      io.set(stateAtom, (now) => ({ ...now, state: page === 0 ? 'failed' : now.state, failure }))
    } finally {
      if (!scan.signal?.aborted) readings.delete(page)
    }
  }
  const listAtom = mountedAtom(
    (get) => get(stateAtom),
    (io) => {
      void open(io)
      return () => control.abort()
    },
  )
  return { listAtom, open, readRows }
}

/** The pages of rows that are not in memory but can be read. */
function missingPages(
  { bounds, pages, isWhole, count }: AuditList,
  { first, last }: { first: number; last: number },
): number[] {
  const least = Math.floor(Math.max(0, first) / pageSizes.events)
  const most = Math.min(Math.floor(last / pageSizes.events), bounds.length - 1)
  const found: number[] = []
  for (let page = least; page <= most; page += 1) {
    const isBehind = page === bounds.length - 1 && (isWhole || count >= mostRows)
    if (!pages.has(page) && !(isBehind && page * pageSizes.events >= count)) found.push(page)
  }
  return found
}

function withPage(list: AuditList, page: number, events: readonly AuditEvent[]): AuditList {
  const bounds = list.bounds.length > 0 ? [...list.bounds] : [events[0]?.key ?? '']
  let { count, isWhole } = list
  const isLast = page === bounds.length - 1
  if (isLast) {
    count = page * pageSizes.events + events.length
    isWhole = events.length < pageSizes.events
    const last = events.at(-1)
    if (!isWhole && last) bounds.push(last.key)
  }
  const pages = new Map(list.pages).set(page, events)
  const byDistance = [...pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page))
  for (const far of byDistance.slice(0, Math.max(0, pages.size - mostPages))) pages.delete(far)
  return { state: 'open', failure: null, bounds, pages, count, isWhole }
}

/** All events of a list that are in memory. */
export function eventsOf({ pages }: AuditList): readonly AuditEvent[] {
  return [...pages.keys()].sort((a, b) => a - b).flatMap((page) => pages.get(page) ?? [])
}
