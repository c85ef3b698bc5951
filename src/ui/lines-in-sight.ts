import { useCallback, useRef, useState } from 'react'

/**
 * What a scrolling box shows of its lines: the top edge and the height of the visible part. `shift`:
 * how much higher than their place lines are drawn. Pixels.
 */
export type Viewport = { readonly top: number; readonly height: number; readonly shift: number }

/** The same with what it shows of wide lines: the left edge and the width of the visible part. */
type Seen = Viewport & { readonly left: number; readonly width: number }

/** Lines beyond the edges that are drawn as well, so that quick scrolling finds them there. */
const beyond = 8

/**
 * Pixels of the highest box. Firefox draws none over 17.8 million and Chromium none over 33.5
 * million, and fewer by the factor of a zoom; 3 million are left at 500 %.
 */
export const tallestBox = 3_000_000
/** Near its ends the bar moves lines pixel by pixel, so that a wheel reaches the first and the last. */
const edge = 100_000
/** How far the bar may be from its place before it is put right. */
const drift = 20_000
/** A greater step is the hand on the bar. */
const leastJump = 2_000

/** Where a box is scrolled to, and how much higher than their place its lines are drawn. */
export type Slid = Pick<Viewport, 'top' | 'shift'>
/** The height of all lines and that of the visible part, in pixels. */
type Heights = { readonly total: number; readonly seen: number }

const spareOf = ({ total }: Heights) => Math.max(0, total - tallestBox)

/** Where the bar stands for a place among the lines. */
function barAt(place: number, of: Heights): number {
  const spare = spareOf(of)
  const end = tallestBox - of.seen
  if (spare === 0 || place <= edge) return place
  if (place >= end + spare - edge) return place - spare
  const middle = end - 2 * edge
  return Math.round(edge + ((place - edge) * middle) / (middle + spare))
}

/** The place among the lines for which a bar stands, less where it stands. */
function shiftAt(top: number, of: Heights): number {
  const spare = spareOf(of)
  const end = tallestBox - of.seen
  if (spare === 0 || top <= edge) return 0
  if (top >= end - edge) return spare
  return Math.round((spare * (top - edge)) / (end - 2 * edge))
}

/**
 * What a box shows that was scrolled to `top`. Lines that are higher than the highest box slide past
 * it: the bar covers all of them, and small steps move them as far as in any box.
 * @returns another `top` when the box must be scrolled there
 */
export function slid(before: Slid, top: number, of: Heights): Slid {
  if (spareOf(of) === 0) return { top, shift: 0 }
  const isJump = Math.abs(top - before.top) > Math.max(leastJump, 2 * of.seen)
  if (isJump) return { top, shift: shiftAt(top, of) }
  const place = top + before.shift
  const bar = barAt(place, of)
  const isEdge = bar <= edge || bar >= tallestBox - of.seen - edge
  const isRight = isEdge ? before.shift === place - bar : Math.abs(bar - top) <= drift
  return isRight ? { top, shift: before.shift } : { top: bar, shift: place - bar }
}

/** The lines to draw of `count` lines that are all `height` pixels high, each with its place. */
export function linesInSight(
  { top, height: seen, shift }: Viewport,
  count: number,
  height: number,
): readonly { index: number; start: number }[] {
  const first = Math.max(0, Math.floor(top / height) - beyond)
  const last = Math.min(count, Math.ceil((top + seen) / height) + beyond)
  return Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const index = first + offset
    return { index, start: index * height - shift }
  })
}

/** A box that scrolls, and what it tells whenever it shows something else. */
class Scroller {
  /** The height of all lines. */
  total = 0
  #now: Slid = { top: 0, shift: 0 }
  #box: HTMLElement | null = null
  readonly #tell: (sight: Seen) => void

  constructor(tell: (sight: Seen) => void) {
    this.#tell = tell
  }

  watch(box: HTMLElement | null): () => void {
    this.#box = box
    if (!box) return () => {}
    const look = () => this.#look()
    look()
    const observer = new ResizeObserver(look)
    observer.observe(box)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', look)
    }
  }

  /** Puts a place among the lines at the top. */
  moveTo(place: number): void {
    const box = this.#box
    if (!box) return
    box.scrollTop = barAt(place, this.#heights(box))
    const isSlid = this.total > tallestBox
    this.#now = { top: box.scrollTop, shift: isSlid ? Math.max(0, place - box.scrollTop) : 0 }
    this.#say(box)
  }

  /** Scrolls just as far as is needed to bring a line fully into sight, below a head that stays. */
  reveal(place: number, height: number, head: number): void {
    const box = this.#box
    if (!box) return
    const top = box.scrollTop + this.#now.shift
    const bottom = place + height + head
    if (place < top) this.moveTo(place)
    else if (bottom > top + box.clientHeight) this.moveTo(bottom - box.clientHeight)
  }

  /** The same for a stretch of wide lines; its beginning where it is wider than the box. */
  revealAcross(from: number, to: number, head: number): void {
    const box = this.#box
    if (!box) return
    const end = to + head - box.clientWidth
    if (from < box.scrollLeft || end > from) box.scrollLeft = from
    else if (end > box.scrollLeft) box.scrollLeft = end
    this.#say(box)
  }

  #look(): void {
    const box = this.#box
    if (!box) return
    this.#now = slid(this.#now, box.scrollTop, this.#heights(box))
    if (box.scrollTop !== this.#now.top) box.scrollTop = this.#now.top
    this.#say(box)
  }

  #say(box: HTMLElement): void {
    const { top, shift } = this.#now
    const { clientHeight: height, scrollLeft: left, clientWidth: width } = box
    this.#tell({ top: top + shift, height, shift, left, width })
  }

  #heights(box: HTMLElement): Heights {
    return { total: this.total, seen: box.clientHeight }
  }
}

/**
 * The lines in sight of `count` lines that are all `height` pixels high. Hand `attach` to the
 * scrolling box as its `ref`, and `boxHeight` to what is in it. Until the size of the box is known a
 * window's is assumed, so that the first lines are there at once.
 */
export function useLinesInSight(count: number, height: number) {
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 600, shift: 0, left: 0, width: 1_000 })
  const total = count * height
  const scroller = useRef<Scroller | null>(null)
  scroller.current ??= new Scroller(setSeen)
  scroller.current.total = total
  const attach = useCallback((box: HTMLElement | null) => scroller.current?.watch(box), [])
  const shift = Math.min(seen.shift, Math.max(0, total - tallestBox))
  return {
    count,
    height,
    attach,
    boxHeight: Math.min(total, tallestBox),
    /** The lines to draw. */
    lines: linesInSight({ ...seen, shift }, count, height),
    /** The first line that is wholly in sight. */
    top: Math.min(count - 1, Math.max(0, Math.ceil(seen.top / height))),
    /** Lines that a page key moves by, below a head that stays. */
    page: (head = 0) => Math.max(1, Math.floor((seen.height - head) / height) - 1),
    reveal: (index: number, head = 0) => scroller.current?.reveal(index * height, height, head),
    moveTo: (index: number) => scroller.current?.moveTo(index * height),
    /** What is seen of wide lines, in pixels. */
    left: seen.left,
    width: seen.width,
    /** Brings a stretch of wide lines into sight, beside a head that stays. */
    revealAcross: (from: number, to: number, head: number) =>
      scroller.current?.revealAcross(from, to, head),
  }
}

export type LinesInSight = ReturnType<typeof useLinesInSight>
