/**
 * The half of Playwright that speaks to a browser, behind an object of its interface, where what it
 * lacks for an engine is filled in. Its version is pinned in package.json, because this half changes.
 */
export function insideOf<T>(outside: object): T {
  const { toImpl } = Reflect.get(outside, '_connection')
  return toImpl(outside)
}

/** A page's half of it, as far as it is alike in all engines. */
export type InsidePage = {
  readonly delegate: object
  mainFrame(): {
    mainContext(): Promise<{
      evaluate<A, R>(run: (given: A) => R, given: A): Promise<R>
    }>
  }
}

/** Writes a text where the focus is, as its own keys would: React learns of nothing less. */
export async function writeText(page: InsidePage, text: string): Promise<void> {
  const context = await page.mainFrame().mainContext()
  await context.evaluate(insertText, text)
}

/** Runs in the page. */
function insertText(text: string) {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !focused.isContentEditable) {
    document.execCommand('insertText', false, text)
    return
  }
  // An editor reads a paste itself; typed line ends come to it as elements, in each engine as others.
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
  // Firefox takes none at the making of an event.
  Object.defineProperty(event, 'clipboardData', { value: clipboardData })
  focused.dispatchEvent(event)
}

/**
 * Performs what is asked for in one turn as one series: an engine counts two presses as a double
 * click only within a series.
 */
export function inSeries<A>(perform: (all: readonly A[]) => Promise<unknown>) {
  let waiting: A[] = []
  let performed: Promise<void> = Promise.resolve()
  return (...some: readonly A[]): Promise<void> => {
    const isFirst = waiting.length === 0
    waiting.push(...some)
    if (isFirst) {
      performed = performed
        .catch(() => undefined)
        .then(async () => {
          const all = waiting
          waiting = []
          await perform(all)
        })
    }
    return performed
  }
}
