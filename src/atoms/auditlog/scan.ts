import { atom, type WritableAtom } from 'jotai'
import type { Io } from '~/core/act'
import type { AuditEvent } from '~/immudb/audit-event'
import { textToBase64 } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { readEvents } from './event-list'
import { type AuditFilter, type AuditRange, fits, keysOf } from './filter'

/** Events that fit a filter, newest first, as far as was looked. */
export type AuditMatches = {
  readonly isBusy: boolean
  readonly failure: unknown
  readonly found: readonly AuditEvent[]
  /** Events looked at. */
  readonly looked: number
  /** The last event looked at; null while there is none. */
  readonly last: AuditEvent | null
  /** Whether no older event is left to look at. */
  readonly isWhole: boolean
}

const nothing: AuditMatches = {
  isBusy: true,
  failure: null,
  found: [],
  looked: 0,
  last: null,
  isWhole: false,
}

/** Events looked at in one go, and matches after which it stops. */
const [lookedAtOnce, enough] = [2_000, 200]
const scanPage = 500

/** Matches that one search keeps; an earlier end shows the rest. */
export const mostMatches = 4_000

type ScanAtom = WritableAtom<AuditMatches, ['open' | 'further' | 'stop' | 'close'], Promise<void>>

/** Returns the atom of a search; filter and range as JSON. It looks further when it is told to. */
export const auditScansAtom = atom(() =>
  memoizeByNames((filter = '', range = '') => scanOf(JSON.parse(filter), JSON.parse(range))),
)

function scanOf(filter: AuditFilter, range: AuditRange): ScanAtom {
  const state = atom(nothing)
  let control = new AbortController()
  const scan: ScanAtom = atom(
    (get) => get(state),
    async (get, set, action) => {
      control.abort()
      if (action === 'close') return
      if (action === 'stop') return set(state, (now) => ({ ...now, isBusy: false }))
      control = new AbortController()
      const before = action === 'open' ? nothing : get(state)
      set(state, { ...before, isBusy: true, failure: null })
      await look({ get, set }, control.signal)
    },
  )
  async function look(io: Io, signal: AbortSignal): Promise<void> {
    const { above, end } = keysOf(range)
    const start = above === null ? null : textToBase64(above)
    const { looked, found } = io.get(state)
    const most = { looked: looked + lookedAtOnce, found: found.length + enough }
    try {
      for (;;) {
        const now = io.get(state)
        const isEnough = now.looked >= most.looked || now.found.length >= most.found
        if (isEnough || now.isWhole) return io.set(state, { ...now, isBusy: false })
        const from = now.last?.key ?? start
        const events = await readEvents(io, { from, end, limit: scanPage, signal })
        if (signal.aborted) return
        io.set(state, (known) => withEvents(known, events, filter))
      }
    } catch (failure) {
      if (!signal.aborted) io.set(state, (now) => ({ ...now, isBusy: false, failure }))
    }
  }
  scan.onMount = (send) => {
    void send('open')
    return () => void send('close')
  }
  return scan
}

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
