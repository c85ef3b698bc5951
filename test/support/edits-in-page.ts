/** A text for a cell: the row is the grid's, from 0. */
export type StagedText = { readonly row: number; readonly text: string }

/**
 * Runs in the page, on a table that is edited: opens the field of each cell of a column by a double
 * click, puts in the text and leaves by the button of the field, in what is seen alone. The driver's
 * own way for every press is what takes most of the time with hundreds of values. A step that does
 * not come about in 20 s rejects.
 */
export async function stageAll(
  grid: HTMLElement | SVGElement,
  { texts, column, name }: { texts: readonly StagedText[]; column: number; name: string },
): Promise<void> {
  for (const { row, text } of texts) {
    grid.scrollTop = row * 28
    const place = `[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 1}"]`
    const cell = await come(`row ${row}`, () => one(place))
    for (const type of ['mousedown', 'mouseup', 'click', 'dblclick']) {
      cell.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
    }
    const field = await come(`the field of row ${row}`, () => fieldOf(name))
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    const end = text === '' ? 'Empty' : 'Done'
    const leave = await come(`“${end}” of row ${row}`, () => one('button', end))
    leave.click()
    await come(`the end of the field of row ${row}`, () => (field.isConnected ? undefined : true))
  }

  function fieldOf(label: string): HTMLTextAreaElement | undefined {
    const found = one('textarea')
    const isIt = found instanceof HTMLTextAreaElement && !found.readOnly && !found.disabled
    return isIt && found.labels[0]?.textContent === label ? found : undefined
  }

  /** The only visible element that is such; several would leave open which one is meant. */
  function one(selector: string, label?: string): HTMLElement | undefined {
    const found = [...grid.querySelectorAll<HTMLElement>(selector)].filter(
      (box) => (label === undefined || box.textContent?.trim() === label) && box.checkVisibility(),
    )
    return found.length === 1 ? found[0] : undefined
  }

  async function come<T>(what: string, find: () => T | undefined): Promise<T> {
    const deadline = performance.now() + 20_000
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (performance.now() > deadline) throw new Error(`no sight of ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}
