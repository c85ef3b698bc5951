import { useSyncExternalStore } from 'react'

const moves = ['hashchange', 'popstate', 'pushState', 'replaceState'] as const

function onMove(changed: () => void): () => void {
  for (const move of moves) window.addEventListener(move, changed)
  return () => {
    for (const move of moves) window.removeEventListener(move, changed)
  }
}

/** The anchor in the address, without its sign. The router does not follow it. */
export function useAnchor(): string {
  return useSyncExternalStore(onMove, () => window.location.hash.slice(1))
}

/** Brings a part of the page to the top and gives it the focus; false when it is not shown. */
export function reveal(id: string): boolean {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'start' })
  part?.focus({ preventScroll: true })
  return part !== null
}
