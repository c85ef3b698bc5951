import type { KeyboardEvent, RefObject } from 'react'
import { actionOf } from '~/lib/shortcuts'
import { visibleText } from '~/lib/visible-text'
import { nextIndex } from './drawing'

type Props = {
  label: string
  /** The place of the last point, and of the one that is read. */
  last: number
  now: number
  /** What the point says, in words. */
  text: string
  onActive: (index: number | null) => void
  /** Where the drawing goes. */
  place: RefObject<HTMLDivElement | null>
}

/** The room of a drawing; as a slider its points are read one by one. */
export function PointSlider({ label, last, now, text, onActive, place }: Props) {
  const press = (event: KeyboardEvent) => {
    const next = nextIndex(now, last, actionOf('chart', event))
    if (next === undefined) return
    event.preventDefault()
    onActive(next)
  }
  return (
    <div
      aria-label={label}
      aria-valuemax={last}
      aria-valuemin={0}
      aria-valuenow={now}
      aria-valuetext={visibleText(text)}
      className="h-full overflow-hidden rounded -outline-offset-2"
      onBlur={() => onActive(null)}
      onKeyDown={press}
      ref={place}
      role="slider"
      tabIndex={0}
    />
  )
}
