import { type ComponentType, type ReactNode, use } from 'react'
import { loadOrReload, loadQuietly } from './load-chunk'

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

/**
 * A component whose code is fetched when it is first shown. Unlike `lazy` of React it can be tried
 * again after a failure, which is what a server that was away for a moment asks for, and one that
 * is here already never shows what stands in for it, which React keeps for a third of a second.
 * The page is never loaded again for one that is `unasked`: nobody waits for it.
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<ComponentType<P>>,
  need: 'asked' | 'unasked' = 'asked',
): LaterPart<P> {
  let early: Promise<ComponentType<P>> | null = null
  let pending: Promise<ComponentType<P>> | null = null
  const start = () => {
    const take = () => early ?? load()
    const started = need === 'asked' ? loadOrReload(take) : loadQuietly(take)
    pending = started
    started.catch(() => failures.add(() => (pending = null)))
    return started
  }
  const prepare = async () => {
    if (early ?? pending) return
    early = loadQuietly(load)
    try {
      // As `use` marks what it has waited for, so that it does not wait.
      const here = { status: 'fulfilled', value: await early }
      pending ??= Object.assign(early, here)
    } catch {
      // Whoever shows it asks again, and is told.
      early = null
    }
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at the top of a module.
  function FetchedLater(props: P) {
    const Part = use(pending ?? start())
    return <Part {...props} />
  }
  return Object.assign(FetchedLater, { prepare })
}
