import { type ComponentType, type ReactNode, startTransition, useEffect, useReducer } from 'react'
import { chunkReloadPeriod, leavingPeriod } from '~/lib/constants'
import { tabArea } from '~/lib/storage-areas'

// Outside React: parts that are being fetched.

const key = 'webconsole.reloaded'

/** What must be done before the page goes away, such as keeping drafts. */
const preparations = new Set<() => Promise<unknown>>()

/**
 * Registers work to be done before a reload; returns the function that takes it back. Work that
 * rejects holds the reload back, for instance because the server would not answer it.
 */
export function beforeReload(prepare: () => Promise<unknown>): () => void {
  preparations.add(prepare)
  return () => preparations.delete(prepare)
}

/** Parts that are being fetched. */
const underWay = new Set<Promise<unknown>>()
let asked = 0

/** Resolves once no part is being fetched, with how many were asked for so far. */
export async function partsAtRest(): Promise<number> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
  return asked
}

/**
 * Loads a part of the build. A part that is gone means that the server was upgraded under an open
 * page: drafts are kept, then the page is reloaded, at most once a minute. A second failure within
 * that minute is thrown, because another reload would not help.
 */
export async function loadOrReload<T>(
  load: () => Promise<T>,
  page: Pick<Location, 'reload'> = window.location,
  now: () => number = Date.now,
): Promise<T> {
  try {
    return await loadQuietly(load)
  } catch (error) {
    const isPrepared = await Promise.all([...preparations].map((prepare) => prepare())).then(
      () => true,
      () => false,
    )
    if (!isPrepared || !mayReload(now())) throw error
    page.reload()
    return new Promise(() => {})
  }
}

/** Loads a part that nobody waits for, so that the page stays as it is when it is gone. */
export function loadQuietly<T>(load: () => Promise<T>): Promise<T> {
  const loading = unlessLeft(load)
  asked += 1
  underWay.add(loading)
  // Under way until it has come or failed, whatever is done about it then.
  const end = () => underWay.delete(loading)
  loading.then(end, end)
  return loading
}

/**
 * Loads a part. Of a page that is being left Firefox gives up every part at once, which is no reason
 * to reload the page and to hold it back. If it stays after all, the part is asked for again.
 */
async function unlessLeft<T>(load: () => Promise<T>): Promise<T> {
  let isLeft = false
  const leave = () => {
    isLeft = true
  }
  addEventListener('beforeunload', leave)
  try {
    return await load()
  } catch (error) {
    if (!isLeft) throw error
  } finally {
    removeEventListener('beforeunload', leave)
  }
  await new Promise((resolve) => setTimeout(resolve, leavingPeriod))
  return load()
}

function mayReload(now: number): boolean {
  if (now - Number(tabArea.read(key) ?? 0) < chunkReloadPeriod) return false
  // Without a place to count, reloads could continue for ever.
  return tabArea.write(key, String(now))
}

const failures = new Set<() => void>()

/** Gives every part that could not be fetched a new chance; the parts themselves are kept. */
export function forgetFailedParts(): void {
  for (const forget of failures) forget()
  failures.clear()
}

/** A part that is fetched when it is first shown, or before by `prepare`, which never rejects. */
export type LaterPart<P extends object> = ((props: P) => ReactNode) & {
  prepare: () => Promise<void>
}

type Later = {
  /** What stands in its place until it is here. */
  readonly meanwhile?: ReactNode
  /** Nobody waits for it: the page is never loaded again for it. */
  readonly isUnasked?: boolean
}

/**
 * A component whose code is fetched when it is first shown. Unlike `lazy` of React it can be tried
 * again after a failure, which is what a server that was away for a moment asks for, and it is
 * shown as soon as it is here: React keeps what stands in for a `lazy` for a third of a second.
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { meanwhile, isUnasked }: Later = {},
): LaterPart<P> {
  let Part: ComponentType<P> | null = null
  let failure: { readonly error: unknown } | null = null
  let early: Promise<ComponentType<P>> | null = null
  let pending: Promise<void> | null = null
  const fetchPart = async () => {
    const take = () => early ?? load()
    try {
      Part = await (isUnasked ? loadQuietly(take) : loadOrReload(take))
    } catch (error) {
      failure = { error }
      failures.add(() => {
        failure = pending = null
      })
    }
  }
  const prepare = async () => {
    if (early ?? pending) return
    early = loadQuietly(load)
    try {
      Part = await early
    } catch {
      // The part that shows it asks again and gets the error.
      early = null
    }
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at the top of a module.
  function FetchedLater(props: P) {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0)
    if (failure) throw failure.error
    if (!Part) pending ??= fetchPart()
    const fetched = Part ? null : pending
    useEffect(() => {
      void fetched?.then(() => startTransition(drawAgain))
    }, [fetched])
    return Part ? <Part {...props} /> : meanwhile
  }
  return Object.assign(FetchedLater, { prepare })
}
