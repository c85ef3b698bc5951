import { type ComponentType, Suspense } from 'react'
import { type LaterPart, lazyWithRetry } from './lazy-with-retry'
import { Skeleton } from './Skeleton'

type Windowed = typeof import('./windowed')['windowed']

/** A grid, list or tree; its code is fetched with the first of them, or before by `prepare`. */
export function windowedPart<P extends object>(
  choose: (parts: Windowed) => ComponentType<P>,
): LaterPart<P> {
  const Drawn = lazyWithRetry(() => import('./windowed').then((part) => choose(part.windowed)))
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at the top of a module.
  function Windowed(props: P) {
    return (
      <Suspense fallback={<Skeleton lines={4} />}>
        <Drawn {...props} />
      </Suspense>
    )
  }
  return Object.assign(Windowed, { prepare: Drawn.prepare })
}
