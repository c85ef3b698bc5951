import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { canDraw, usePaintedTheme } from './drawing'

// Outside React: the drawing and its size.

/** What is drawn, and from where to where the axis at the bottom reaches. */
export type Shown = {
  readonly data: uPlot.AlignedData
  readonly reach: readonly [low: number, high: number]
}

/**
 * Makes a drawing without data in a place; `reach` is asked again with each drawing. It is given here,
 * because uPlot may only be loaded where the browser has a language; see `requireLanguage`.
 */
export type MakePlot = (
  place: HTMLElement,
  size: { readonly width: number; readonly height: number },
  reach: () => uPlot.Range.MinMax,
) => uPlot

/**
 * Keeps a drawing of uPlot, which is outside of React, as large as its place, in the colours of the
 * theme, and with its cursor at the point that is read.
 * @param make another function is another drawing
 * @param active the place of the point in the data; null for none
 */
export function usePlot(
  place: RefObject<HTMLDivElement | null>,
  make: MakePlot,
  shown: Shown,
  active: number | null,
): void {
  const plot = useRef<uPlot | null>(null)
  const reach = useRef<uPlot.Range.MinMax>([0, 0])
  const theme = usePaintedTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read while drawing, so a new theme is a new drawing.
  useEffect(() => {
    const parent = place.current
    if (!parent || !canDraw()) return
    const size = () => ({ width: parent.clientWidth, height: parent.clientHeight })
    const made = make(parent, size(), () => reach.current)
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize(size()))
    observer.observe(parent)
    parent.addEventListener('mousemove', ignoreStill, { capture: true })
    return () => {
      parent.removeEventListener('mousemove', ignoreStill, { capture: true })
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [place, make, theme])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing needs its data as well.
  useEffect(() => {
    reach.current = [...shown.reach]
    plot.current?.setData(shown.data)
  }, [place, make, theme, shown])
  useEffect(() => {
    const made = plot.current
    const at = active === null ? undefined : shown.data[0][active]
    // What the pointer chose is there already.
    if (!made || at === undefined || made.cursor.idx === active) return
    made.setCursor({ left: made.valToPos(at, 'x'), top: 0 }, false)
  }, [active, shown])
}

/** Browsers tell a still pointer that the page moved below it, which would undo what keys chose. */
function ignoreStill(event: MouseEvent) {
  if (event.movementX === 0 && event.movementY === 0) event.stopPropagation()
}
