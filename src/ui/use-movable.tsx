import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * A part that two layouts show in turn. Drawn by React in one place and shown in another, it is not
 * built anew when the layout changes: what is open and typed in it stays.
 */
export type Movable = {
  /** What a layout shows; in one place at a time. */
  readonly here: ReactNode
  /** The part itself; it stands after the layout, so that it is in the page when it begins. */
  readonly drawn: ReactNode
}

export function useMovable(content: ReactNode): Movable {
  const [{ box, here }] = useState(newBox)
  return { here, drawn: createPortal(content, box) }
}

function newBox() {
  const box = document.createElement('div')
  box.className = 'h-full'
  let giveBack: (() => void) | null = null
  const takeIn = (place: HTMLElement | null) => {
    place?.append(box)
    giveBack?.()
    giveBack = null
    return () => {
      giveBack = keepPlace(box)
    }
  }
  return { box, here: <div className="h-full" ref={takeIn} /> }
}

/** What leaves the page loses the focus and how far it is scrolled; the answer gives back what is in sight. */
function keepPlace(box: HTMLElement): () => void {
  const { activeElement: focused } = document
  const hadFocus = box.contains(focused)
  const scrolled = [...box.querySelectorAll('*')]
    .filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0)
    .map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }))
  return () => {
    for (const { element, top, left } of scrolled) element.scrollTo(left, top)
    if (hadFocus && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
