import type { ComponentType } from 'react'
import { type LaterPart, lazyWithRetry } from './lazy-with-retry'
import { Skeleton } from './Skeleton'

type Windowed = typeof import('./windowed')['windowed']

/** A grid, list or tree; its code is fetched with the first of them, or before by `prepare`. */
export function windowedPart<P extends object>(
  choose: (parts: Windowed) => ComponentType<P>,
): LaterPart<P> {
  return lazyWithRetry(() => import('./windowed').then((part) => choose(part.windowed)), {
    meanwhile: <Skeleton lines={4} />,
  })
}
