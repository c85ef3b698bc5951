import { useCallback, useRef, useState } from 'react'

/** What a scrolling box shows: the top edge and the height of the visible part, in pixels. */
export type Viewport = { readonly top: number; readonly height: number }

/** Lines beyond the edges that are drawn as well, so that quick scrolling finds them there. */
const beyond = 8

/**
 * The lines to draw of `count` lines that are all `height` pixels high, each with its place. With
 * equal heights this is all a virtual list needs; the library for unequal ones, which comes with the
 * first grid only, would add 9 kB to the frame (brotli).
 */
export function visibleRowRange(
  sight: Viewport,
  count: number,
  height: number,
): readonly { index: number; start: number }[] {
  const first = Math.max(0, Math.floor(sight.top / height) - beyond)
  const last = Math.min(count, Math.ceil((sight.top + sight.height) / height) + beyond)
  return Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const index = first + offset
    return { index, start: index * height }
  })
}

/** Tells what the box shows now and whenever that changes; returns the function that stops it. */
export function watchViewport(
  box: HTMLElement | null,
  tell: (sight: Viewport) => void,
): () => void {
  if (!box) return () => {}
  const look = () => tell({ top: box.scrollTop, height: box.clientHeight })
  look()
  const observer = new ResizeObserver(look)
  observer.observe(box)
  box.addEventListener('scroll', look, { passive: true })
  return () => {
    observer.disconnect()
    box.removeEventListener('scroll', look)
  }
}

/** Scrolls just as far as is needed to bring a line fully into sight. */
export function revealRow(box: HTMLElement | null, top: number, height: number): void {
  if (!box) return
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + height > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + height - box.clientHeight
  }
}

/**
 * What a scrolling box shows. Hand `attach` to the box as its `ref`; until its size is known a
 * window's height is assumed, so that the first lines are there at once.
 */
export function useSight() {
  const element = useRef<HTMLElement | null>(null)
  const [seen, setSeen] = useState<Viewport>({ top: 0, height: 600 })
  const attach = useCallback((box: HTMLElement | null) => {
    element.current = box
    return watchViewport(box, setSeen)
  }, [])
  return { sight: { ...seen, box: () => element.current }, attach }
}
