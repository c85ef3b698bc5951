import type { QueryClient, QueryKey, QueryObserverResult } from '@tanstack/query-core'
import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { askForFewer } from '~/api/ask-for-fewer'
import { mostListed } from '~/api/errors'
import { pageSizes, serverRowLimit } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { rounds } from '~/lib/rounds'
import { type Io, ioAtom } from './act'
import { askOnGrowth } from './history/newest-state'
import { type Unreadable, unreadable, whyUnreadable } from './unreadable'

/** A list that is read page by page. `P` is what was read of it, from its beginning on. */
type ListKind<P> = {
  /** The key of its query, which has the database in the second place. */
  readonly key: (...names: string[]) => QueryKey
  /** What there is before anything is read; `before` is what a list had that is read again. */
  readonly start: (before: P | undefined, ...names: string[]) => P
  /** Reads on, and gives what there was with what came. */
  readonly read: (io: Io, known: P, load: Load<P>, ...names: string[]) => Promise<P>
  /** Where more may follow; null at the end. */
  readonly next: (page: P) => unknown
  /** How much was read: a list that is read again gets as long as it was. */
  readonly size: (page: P) => number
  /**
   * How long it stays as it was read: until the database, its first name, has grown by the time that
   * it is seen again; until the server was away; or no longer than it is seen.
   */
  readonly lasts: 'until growth' | 'until an outage' | 'while seen'
}

/** One load of a list. */
export type Load<P> = {
  readonly signal: AbortSignal
  /** Shows what there is so far. It stays when the load is stopped or fails. */
  readonly tell: (part: P) => void
}

/** A list as far as it was read. */
export type List<P> = Pick<
  QueryObserverResult<P>,
  'error' | 'isFetching' | 'dataUpdatedAt' | 'refetch'
> & {
  readonly data: P | undefined
  readonly isPending: boolean
  /** Whether more of it is being read. */
  readonly isAdding: boolean
  /** Why the last load ended early; null if it did not. What was read stays. */
  readonly problem: unknown
}

/** What is known of the load that is under way, and of the end of the last one. */
type Going<P> = {
  readonly part: P | null
  readonly isAdding: boolean
  readonly problem: unknown
  /** Stops what is under way or waits for that. */
  readonly stop: AbortController | null
}

/**
 * The lists of one kind, each by its names: its atom, what reads on in it, and what stops that.
 *
 * A part of a load is never the answer of the query: when a query is left, it goes back to what was
 * set while it ran, and would take a part for the whole. The first load of a list that is left is
 * forgotten; one that fails half-way is a short one.
 */
export function listsOf<P>(kind: ListKind<P>) {
  const still: Going<P> = { part: null, isAdding: false, problem: null, stop: null }
  const goingKey = (names: readonly string[]) => {
    const [noun, ...rest] = kind.key(...names)
    return [`going ${noun}`, ...rest]
  }
  const change = (cache: QueryClient, names: readonly string[], to: Partial<Going<P>>) =>
    cache.setQueryData<Going<P>>(goingKey(names), (now) => ({ ...still, ...now, ...to }))

  function stopOf(cache: QueryClient, names: readonly string[]): AbortSignal {
    const known = cache.getQueryData<Going<P>>(goingKey(names))?.stop
    if (known && !known.signal.aborted) return known.signal
    const stop = new AbortController()
    change(cache, names, { stop })
    return stop.signal
  }

  /** Reads on from a page. What was told before a stop or a failure counts. */
  async function load(
    io: Io,
    names: readonly string[],
    known: P,
    stop: AbortSignal,
    { left, least = 0, isShown = true }: { left?: AbortSignal; least?: number; isShown?: boolean },
  ): Promise<{ page: P; problem: unknown }> {
    const cache = io.get(queryClientAtom)
    const signal = left ? AbortSignal.any([left, stop]) : stop
    let page = known
    const tell = (part: P) => {
      if (signal.aborted) return
      page = part
      if (isShown) change(cache, names, { part })
    }
    try {
      const round = rounds()
      do {
        round(kind.next(page))
        page = await kind.read(io, page, { signal, tell }, ...names)
      } while (kind.size(page) < least && kind.next(page) !== null)
      return { page, problem: null }
    } catch (problem) {
      if (left?.aborted || (!stop.aborted && page === known)) throw problem
      return { page, problem: stop.aborted ? null : problem }
    }
  }

  function queryOf(names: readonly string[]) {
    const growth = askOnGrowth(names[0] ?? '')
    return atomWithQuery<P>((get) => {
      const answers = get(queryClientAtom)
      const io = get(ioAtom)
      return {
        queryKey: kind.key(...names),
        enabled: names[0] !== '',
        structuralSharing: kind.lasts === 'until growth',
        ...(kind.lasts === 'until growth'
          ? { refetchOnMount: () => growth.refetchOnMount(answers) }
          : // What failed waits until it is asked to go on.
            { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }),
        ...(kind.lasts === 'while seen' && { staleTime: 'static' }),
        queryFn: async ({ signal: left, queryKey, client: cache }) => {
          if (io === null) throw new Error('no store')
          growth.note(cache)
          change(cache, names, { part: null, problem: null })
          const before = cache.getQueryData<P>(queryKey)
          const isShown = before === undefined
          const least = isShown ? 0 : kind.size(before)
          const start = kind.start(before, ...names)
          const stop = stopOf(cache, names)
          const { page, problem } = await load(io, names, start, stop, { left, least, isShown })
          // What was read before is more than a part of it.
          if (problem !== null && !isShown) throw problem
          change(cache, names, { problem })
          return page
        },
      }
    })
  }

  function listOf(names: readonly string[]) {
    const queryAtom = queryOf(names)
    const goingAtom = atomWithQuery<Going<P>>(() => ({
      queryKey: goingKey(names),
      enabled: false,
      structuralSharing: false,
      queryFn: () => still,
    }))
    const listAtom = atom(
      (get): List<P> => {
        const query = get(queryAtom)
        const { part, isAdding, problem } = get(goingAtom).data ?? still
        const first = query.data ?? (query.isFetching ? part : null) ?? undefined
        const data = isAdding ? (part ?? first) : first
        const isPending = query.isPending && data === undefined
        return { ...query, data, isPending, isAdding, problem }
      },
      (get) => {
        const queries = get(queryClientAtom).getQueryCache()
        const query = queries.find({ queryKey: kind.key(...names), exact: true })
        // What observes a query keeps it, so it is emptied too.
        query?.reset()
        if (query) queries.remove(query)
      },
    )
    if (kind.lasts === 'while seen') listAtom.onMount = (forget) => () => forget()
    return listAtom
  }

  return {
    /** Returns the atom of a list by its names, the same one each time it is asked. */
    listsAtom: atom(() => memoizeByNames((...names) => listOf(names))),

    /**
     * Reads on in a list, unless that is under way. One that could not be read again begins again:
     * what answers now may be of another history.
     * @returns whether it went well and more may follow
     */
    async more(io: Io, ...names: string[]): Promise<boolean> {
      const cache = io.get(queryClientAtom)
      const queryKey = kind.key(...names)
      const query = cache.getQueryCache().find<P>({ queryKey, exact: true })
      const going = cache.getQueryData<Going<P>>(goingKey(names))
      if (query?.state.data === undefined || going?.isAdding) return false
      change(cache, names, { isAdding: true, part: null, problem: null })
      const stop = stopOf(cache, names)
      let problem: unknown = null
      try {
        await query.promise?.catch(() => {})
        const known = query.state.data
        if (stop.aborted) return false
        if (query.state.status === 'error') await query.observers[0]?.refetch()
        else if (known !== undefined && kind.next(known) !== null) {
          const longer = await load(io, names, known, stop, {})
          cache.setQueryData<P>(queryKey, (now) => (now === known ? longer.page : now))
          problem = longer.problem
        }
      } catch (failure) {
        problem = failure
      } finally {
        change(cache, names, { isAdding: false, part: null, problem })
      }
      const { data, status } = query.state
      const isWell = status === 'success' && problem === null && !stop.aborted
      return isWell && data !== undefined && kind.next(data) !== null
    },

    /** Ends the load that is under way in a list. It can go on from there. */
    stop({ get }: Io, ...names: string[]): void {
      get(queryClientAtom).getQueryData<Going<P>>(goingKey(names))?.stop?.abort()
    },
  }
}

/**
 * Every page of a list from a place on, in order.
 * @param nameOf what of a place no two pages have in common
 * @throws NoProgress
 */
export async function* everyPage<N, P extends { readonly next: N | null }>(
  first: N,
  read: (place: N) => Promise<P>,
  nameOf: (place: N) => unknown = (place) => place,
): AsyncGenerator<P> {
  const round = rounds()
  for (let place: N | null = first; place !== null; ) {
    round(nameOf(place))
    const page: P = await read(place)
    yield page
    place = page.next
  }
}

/** Where a list continues: after something, skipping some that cannot be read. */
export type PlaceIn<K> = { after: K | null; offset: number }

/** Requests that one page may take when its values are large. */
const callLimit = 12

/**
 * About a page of a list whose answers bring whole values. In the place of one that cannot be read
 * stands why not.
 */
export async function readInParts<T, K>(
  ask: (from: PlaceIn<K>, limit: number) => Promise<readonly T[]>,
  placeOf: (item: T) => K,
  from: PlaceIn<K>,
): Promise<{ found: (T | Unreadable)[]; next: PlaceIn<K> | null }> {
  const found: (T | Unreadable)[] = []
  let next: PlaceIn<K> | null = from
  let limit: number = pageSizes.keys
  let calls = 0
  while (next && calls < callLimit && found.length < pageSizes.keys) {
    const asked: PlaceIn<K> = next
    const asOne = await readPart(limit, (some) => {
      calls += 1
      return ask(asked, some)
    })
    const { part, size } = asOne
    if (typeof part === 'string') {
      found.push(part)
      next = { ...asked, offset: asked.offset + 1 }
      limit = 64
    } else {
      found.push(...part)
      const last = part.at(-1)
      next = last ? { after: placeOf(last), offset: 0 } : behindNothing(asked, asOne)
      limit = part.length < size ? serverRowLimit : Math.min(pageSizes.keys, size * 2)
    }
  }
  return { found, next }
}

/**
 * As many as one answer holds, and how many were asked for then; or why a single one is unreadable.
 * `isMost`: it is as many as the server lists at once.
 */
export async function readPart<T>(
  most: number,
  ask: (size: number) => Promise<readonly T[]>,
): Promise<{ part: readonly T[] | Unreadable; size: number; isMost: boolean }> {
  let size = most
  let listed: number = serverRowLimit
  const attempt = async (some: number) => {
    size = some
    return ask(some).catch((error: unknown) => {
      listed = mostListed(error) ?? listed
      throw error
    })
  }
  const isTooMuch = (error: unknown) => unreadable(error) !== null
  const part = await askForFewer(most, attempt, isTooMuch).catch(whyUnreadable)
  return { part, size, isMost: size >= listed }
}

/**
 * The server leaves out references to nothing but counts them. So nothing is the end only if as many
 * were asked for as the server lists at once: that many in a row are not looked behind.
 */
export function behindNothing<P extends { offset: number }>(
  asked: P,
  { size, isMost }: { size: number; isMost: boolean },
): P | null {
  return isMost ? null : { ...asked, offset: asked.offset + size }
}
