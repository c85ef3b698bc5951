/** Pixels between a field and the edge of its grid. */
const margin = 2
/** Pixels right of the middle of a cell that its buttons leave free for a press on the cell above. */
const free = 24

/**
 * Keeps what stands in the place of a cell within what is seen of the grid. For a `ref`; the element
 * is placed absolutely in its cell and is as wide at least. In it, what has `data-buttons` stands
 * above the field, and what has `data-note` below it, as far as there is room.
 */
export function keepInGrid(box: HTMLElement | null) {
  const cell = box?.closest('[role=gridcell]')
  const grid = box?.closest('[role=grid]')
  if (!box || !cell || !grid) return
  const place = () => {
    const [around, own] = [grid.getBoundingClientRect(), cell.getBoundingClientRect()]
    const number = grid.querySelector('[role=rowheader]')?.getBoundingClientRect()
    const left = (number?.right ?? around.left) + margin
    const right = around.left + grid.clientWidth - margin
    const bottom = Math.min(around.top + grid.clientHeight, window.innerHeight) - margin
    const within = (from: number, width: number) => Math.max(left, Math.min(from, right - width))
    box.style.minWidth = `${Math.min(own.width, right - left)}px`
    box.style.maxWidth = `${right - left}px`
    const { offsetWidth: width, offsetHeight: height } = box
    const [x, y] = [within(own.left, width), Math.min(own.top, bottom - height)]
    move(box, x - own.left, y - own.top)
    const buttons = box.querySelector<HTMLElement>('[data-buttons]')
    const note = box.querySelector<HTMLElement>('[data-note]')
    for (const one of [buttons, note]) one?.style.setProperty('max-width', `${right - left}px`)
    const isAbove = !buttons || y - buttons.offsetHeight >= around.top
    let [above, below] = [y, y + height]
    if (buttons) {
      const wish = Math.max(x + width - buttons.offsetWidth, x + width / 2 + free)
      const top = isAbove ? above - buttons.offsetHeight : below
      move(buttons, within(wish, buttons.offsetWidth) - x, top - y)
      if (isAbove) above = top
      else below = top + buttons.offsetHeight
    }
    if (note) {
      const isBelow = below + note.offsetHeight <= bottom
      const top = isBelow ? below : above - note.offsetHeight
      move(note, within(x, note.offsetWidth) - x, top - y)
    }
  }
  place()
  const sizes = new ResizeObserver(place)
  for (const one of [box, grid, ...box.querySelectorAll('[data-buttons], [data-note]')])
    sizes.observe(one)
  grid.addEventListener('scroll', place, { passive: true })
  return () => {
    sizes.disconnect()
    grid.removeEventListener('scroll', place)
  }
}

function move({ style }: HTMLElement, left: number, top: number) {
  style.left = `${left}px`
  style.top = `${top}px`
}
