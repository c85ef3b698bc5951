import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

// Outside React: measured sizes.

export type MeasuredListProps = {
  /** The accessible name of the scrolling region. */
  label: string
  /** What stands above the list and scrolls with it. */
  head: ReactNode
  count: number
  /** Pixels that a line probably takes; it is measured once it is drawn. */
  estimate: (index: number) => number
  lineKey: (index: number) => string
  /** Lines are drawn again when it is another function. */
  line: (index: number) => ReactNode
  /** The line to begin with; -1 for the start. */
  wanted: number
}

/** Lines that each frame adds at first, so that a screen full of them blocks no input. */
const perFrame = 4

/** A list whose lines are unequally high; only what is seen is in the document. */
export function DrawnList(props: MeasuredListProps) {
  const { label, head, count, estimate, lineKey, line, wanted } = props
  const scroller = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const element = top.current
    if (!element) return
    const observer = new ResizeObserver(() => setMargin(element.offsetHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const lines = useVirtualizer({
    count,
    estimateSize: estimate,
    getItemKey: lineKey,
    getScrollElement: () => scroller.current,
    overscan: 4,
    scrollMargin: margin,
  })
  useLayoutEffect(() => {
    if (wanted >= 0 && margin > 0) lines.scrollToIndex(wanted, { align: 'start' })
  }, [wanted, margin, lines])
  const items = lines.getVirtualItems()
  const filled = useFilled(items.length)
  return (
    <section
      aria-label={label}
      className="h-full overflow-auto bg-panel"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
    >
      <div className="grid gap-4 p-3 xs:px-5" ref={top}>
        {head}
      </div>
      <ul className="relative" style={{ height: lines.getTotalSize() }}>
        {items.slice(0, filled).map((item) => (
          <li
            className="absolute inset-x-0 px-3 xs:px-5"
            data-index={item.index}
            key={item.key}
            ref={lines.measureElement}
            style={{ top: item.start - margin }}
          >
            <Line index={item.index} line={line} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Measuring a line draws the list again; the others need not be. */
const Line = memo(function Line({
  index,
  line,
}: { index: number } & Pick<MeasuredListProps, 'line'>) {
  return line(index)
})

/** How many lines are drawn so far; once the first screen is full, scrolling draws all at once. */
function useFilled(wanted: number): number {
  const [filled, setFilled] = useState(perFrame)
  useEffect(() => {
    if (filled >= wanted) return
    const frame = requestAnimationFrame(() => setFilled(filled + perFrame))
    return () => cancelAnimationFrame(frame)
  }, [filled, wanted])
  return filled
}
