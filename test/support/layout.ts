import type { DetachedWindowAPI } from 'happy-dom'
import { vi } from 'vitest'

/**
 * Gives every element the same size, because happy-dom has no layout, and virtual lists and
 * resizable panes would treat everything as empty. Vitest removes the stubs after each test.
 */
export function stubLayout({ width = 1000, height = 600 } = {}): void {
  const element = HTMLElement.prototype
  vi.spyOn(element, 'offsetWidth', 'get').mockReturnValue(width)
  vi.spyOn(element, 'offsetHeight', 'get').mockReturnValue(height)
  vi.spyOn(element, 'clientWidth', 'get').mockReturnValue(width)
  vi.spyOn(element, 'clientHeight', 'get').mockReturnValue(height)
  vi.spyOn(element, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 0, width, height),
  )
}

/** Makes the window of happy-dom so wide; queries of its width answer anew. */
export function setWindowWidth(width: number): void {
  const page: { readonly happyDOM: DetachedWindowAPI } = Object(window)
  page.happyDOM.setViewport({ width })
}
