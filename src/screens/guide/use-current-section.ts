import { useCallback, useSyncExternalStore } from 'react'

/** Pixels below the top of the page at which a heading counts as reached. */
const reached = 120

/** The last of the headings, given by their ids in order, that was scrolled past or to. */
export function useCurrentSection(ids: readonly string[]): string {
  const subscribe = useCallback((changed: () => void) => {
    let frame = 0
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(changed)
    }
    // Not the window scrolls but a part of the page, whose events do not bubble.
    document.addEventListener('scroll', later, { capture: true, passive: true })
    window.addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', later, { capture: true })
      window.removeEventListener('resize', later)
    }
  }, [])
  return useSyncExternalStore(subscribe, () => currentOf(ids))
}

function currentOf(ids: readonly string[]): string {
  let current = ids[0] ?? ''
  for (const id of ids) {
    const top = document.getElementById(id)?.getBoundingClientRect().top
    if (top === undefined) continue
    if (top > reached) break
    current = id
  }
  return current
}
