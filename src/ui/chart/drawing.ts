import { useSyncExternalStore } from 'react'
import type { Action } from '~/lib/shortcuts'

// Outside React: the page's theme and its canvas.

const pages = 10

/** The point that a key leads to; undefined for a key that leads nowhere. */
export function nextIndex(
  now: number,
  last: number,
  action: Action<'chart'> | undefined,
): number | undefined {
  if (action === undefined) return undefined
  const steps: Record<Action<'chart'>, number> = {
    before: now - 1,
    after: now + 1,
    farBefore: now - pages,
    farAfter: now + pages,
    first: 0,
    last,
  }
  return Math.max(0, Math.min(last, steps[action]))
}

/** Without a canvas there is still the table. */
export function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}

const isForced = () => matchMedia('(forced-colors: active)')

function subscribeTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const forced = isForced()
  forced.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    forced.removeEventListener('change', changed)
  }
}

/** Differs when the colours do. */
export function usePaintedTheme(): string {
  return useSyncExternalStore(
    subscribeTheme,
    () => `${document.documentElement.dataset.theme} ${isForced().matches}`,
  )
}

/** The colour behind a variable of the theme, as a canvas takes it. */
export function colour(name: string): string {
  const root = document.documentElement
  if (!isForced().matches) return getComputedStyle(root).getPropertyValue(name)
  // In a canvas a name of the system's palette may stand for another colour.
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
