import { atom, type Getter } from 'jotai'
import { type Io, mountedAtom } from '~/core/act'
import { type RangeRead, type ReadProgress, readRange } from '~/core/history/transaction-reader'
import { sentence } from '~/core/session/failure-words'
import { generationAtom } from '~/core/session/renewed-databases'
import { memoizeByNames } from '~/lib/memoize-by-names'

/** The transactions to read, both included. */
export type Span = { readonly database: string; readonly from: bigint; readonly to: bigint }

/** Reading what some transactions wrote, or its result. */
export type Reading = {
  readonly state: 'running' | 'stopped' | 'failed' | 'done'
  readonly progress: ReadProgress
  /** Null until all of it was read. */
  readonly range: RangeRead | null
  /** Why it failed, a sentence. */
  readonly problem: string | null
}

/** Results that are kept; the pages behind others are remembered too, but not put together. */
const mostKept = 4

/** By the names of their spans. */
const readingsAtom = atom<ReadonlyMap<string, Reading>>(new Map())
const controlsAtom = atom<ReadonlyMap<string, AbortController>>(new Map())

const nameOf = (get: Getter, { database, from, to }: Span) =>
  JSON.stringify([get(generationAtom)(database), `${from}`, `${to}`])

/**
 * Gives the reading of a span, the same atom each time it is asked; null while it was not begun. With
 * `auto` it begins as soon as someone looks.
 */
export const readingAtom = atom(() =>
  memoizeByNames((database = '', from = '', to = '', auto = '') => {
    const span = { database, from: BigInt(from || 0), to: BigInt(to || 0) }
    return mountedAtom(
      (get) => get(readingsAtom).get(nameOf(get, span)) ?? null,
      (io) => {
        if (auto !== '') void readSpan(io, span)
        return undefined
      },
    )
  }),
)

export function stopReading({ get }: Io, span: Span) {
  return get(controlsAtom).get(nameOf(get, span))?.abort()
}

/** Reads what a span of transactions wrote. After a stop it continues where it was. */
export async function readSpan(io: Io, span: Span): Promise<void> {
  const { get, set } = io
  const name = nameOf(get, span)
  const known = get(readingsAtom).get(name)
  if (known?.state === 'running' || known?.state === 'done') return
  const control = new AbortController()
  set(controlsAtom, new Map(get(controlsAtom)).set(name, control))
  let progress: ReadProgress = known?.progress ?? { read: 0, of: Number(span.to - span.from) + 1 }
  const tell = (state: Reading['state'], more: Partial<Reading> = {}) => {
    const others = [...get(readingsAtom)].filter(([other]) => other !== name).slice(1 - mostKept)
    const reading = { state, progress, range: null, problem: null, ...more }
    set(readingsAtom, new Map([...others, [name, reading]]))
  }
  tell('running')

  try {
    const range = await readRange(io, span.database, span, {
      signal: control.signal,
      onProgress: (now) => {
        progress = now
        tell('running')
      },
    })
    tell('done', { range })
  } catch (error) {
    if (control.signal.aborted) tell('stopped')
    else tell('failed', { problem: sentence(error) })
  }
}
