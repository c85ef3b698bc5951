import { type ComponentType, type ReactNode, use } from 'react'
import { loadOrReload, loadQuietly } from './load-chunk'

const failures = new Set<() => void>()

/** Gives every part that could not be fetched a new chance; the parts themselves are kept. */
export function forgetFailedParts(): void {
  for (const forget of failures) forget()
  failures.clear()
}

/**
 * A component whose code is fetched when it is first shown. Unlike `lazy` of React it can be tried
 * again after a failure, which is what a server that was away for a moment asks for. The page is
 * never loaded again for one that is `unasked`: nobody waits for it.
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<ComponentType<P>>,
  need: 'asked' | 'unasked' = 'asked',
): (props: P) => ReactNode {
  let pending: Promise<ComponentType<P>> | null = null
  const start = () => {
    const started = need === 'asked' ? loadOrReload(load) : loadQuietly(load)
    pending = started
    started.catch(() => failures.add(() => (pending = null)))
    return started
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at the top of a module.
  return function FetchedLater(props: P) {
    const Part = use(pending ?? start())
    return <Part {...props} />
  }
}
