import { vi } from 'vitest'

/**
 * Gives every element the same size, since happy-dom lays nothing out and virtual lists and
 * resizable panes would take everything for empty. Vitest takes the stubs back after each test.
 */
export function stubLayout({ width = 1000, height = 600 } = {}): void {
  const sizes = { offsetWidth: width, offsetHeight: height } as const
  for (const [name, value] of Object.entries(sizes)) {
    vi.spyOn(HTMLElement.prototype, name as keyof typeof sizes, 'get').mockReturnValue(value)
  }
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(width)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(height)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 0, width, height),
  )
}
