/** A rectangle in the window, in CSS pixels. */
export type Box = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Where messages begin: their distances from the top and the right edge of the window. */
export type Room = { readonly top: number; readonly right: number }

type View = { readonly width: number; readonly height: number; readonly start: number }

/** Between messages and the edges of the window or the top bar. */
const gap = 8
const step = 8
/** Messages stay in the upper part of the window. */
const part = 0.4

/**
 * The place nearest to the top right, below `start`, where a box of this size covers nothing that
 * is taken; null when there is none.
 */
export function findRoom(
  size: { readonly width: number; readonly height: number },
  view: View,
  taken: readonly Box[],
): Room | null {
  const lowest = view.height * part
  const furthest = view.width - size.width - gap
  for (let away = 0; away <= lowest + furthest; away += step) {
    for (let down = 0; down <= away; down += step) {
      const room = { top: view.start + gap + down, right: gap + away - down }
      if (room.top + size.height > lowest || room.right > furthest) continue
      if (isFree(room, size, view, taken)) return room
    }
  }
  return null
}

/** Whether a box at a place covers nothing that is taken. */
export function isFree(
  { top, right: fromRight }: Room,
  size: { readonly width: number; readonly height: number },
  view: View,
  taken: readonly Box[],
): boolean {
  const right = view.width - fromRight
  const left = right - size.width
  const bottom = top + size.height
  return taken.every(
    (box) => box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom,
  )
}

const controls =
  'a[href], button, input, select, textarea, summary, [contenteditable=true], [role=row], [role=treeitem], [role=option], [role=tab], [role=separator], [tabindex="0"]'
const headings = 'h1, h2, h3'
const titles = `${headings}, thead, [role=columnheader]`

/** Titles, and what can be pressed or typed in at present; behind a dialog nothing can. */
export function takenBy(messages: HTMLElement): Box[] {
  const dialogs = document.querySelectorAll('[aria-modal=true]')
  const root = dialogs[dialogs.length - 1] ?? document.body
  return [...root.querySelectorAll(`${controls}, ${titles}`)]
    .filter((control) => !messages.contains(control))
    .map(extentOf)
    .filter(({ width, height }) => width > 0 && height > 0)
}

/** A heading is as wide as its text: its box reaches over the free place beside it. */
function extentOf(element: Element): DOMRect {
  if (!element.matches(headings)) return element.getBoundingClientRect()
  const text = document.createRange()
  text.selectNodeContents(element)
  return text.getBoundingClientRect()
}
