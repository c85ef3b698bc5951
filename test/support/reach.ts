import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Everything in a box that can be pressed or typed in must be whole in the window, or come there by
 * scrolling what a user can scroll, and must then be what a press at its place hits. Neither the page
 * nor a panel in the box may be moved sideways for a name.
 */
export async function expectInReach(page: Page, box: Locator, what: string): Promise<void> {
  await page.evaluate(ended)
  const found = await box.evaluate(outOfReach)
  expect(found, `${what}, ${page.viewportSize()?.width} wide: out of reach`).toEqual([])
}

/** Runs in the page: what slides in has come to rest. */
async function ended(): Promise<void> {
  const moving = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
  await Promise.allSettled(moving.map(({ finished }) => finished))
}

/** Runs in the page. */
function outOfReach(box: Element): string[] {
  const found = [document.documentElement, ...box.querySelectorAll('*')].filter(isTooWide)
  const controls = 'button, a[href], input, select, textarea, [role=tab], [role=combobox]'
  const lost = [...box.querySelectorAll(controls)].filter((one) => isSeen(one) && !isReached(one))
  return [
    ...found.map((one) => `moved sideways: ${named(one)} ${one.scrollWidth} > ${one.clientWidth}`),
    ...lost.map(named),
  ]

  function named(one: Element): string {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const place = [left, right, top, bottom].map(Math.round).join(' ')
    const name = (one.getAttribute('aria-label') ?? one.textContent).slice(0, 50)
    return `${one.tagName.toLowerCase()} “${name}” ${place}`
  }

  /** Code, tables, trees and bars may be wide, and are scrolled by themselves. */
  function isTooWide(one: Element): boolean {
    const mayBe =
      'pre, [role=grid], [role=table], [role=tree], [role=tablist], [data-bar], .cm-scroller, input, textarea'
    if (one.scrollWidth <= one.clientWidth + 1 || one.matches(mayBe)) return false
    const { overflowX, whiteSpace } = getComputedStyle(one)
    if (whiteSpace === 'pre' || one.querySelector(':scope > pre, :scope > table')) return false
    return one === document.documentElement || /auto|scroll/.test(overflowX)
  }

  function isSeen(one: Element): boolean {
    const { width, height } = one.getBoundingClientRect()
    // What a grid shows of a cell that is wider than the window is scrolled by the keyboard.
    if (width < 2 || height < 2 || one.closest('.sr-only, [role=grid], [aria-hidden=true]'))
      return false
    return one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }

  function isReached(one: Element): boolean {
    const fixed: (() => void)[] = []
    for (let up = one.parentElement; up; up = up.parentElement) {
      const pane = up
      const { overflowX, overflowY } = getComputedStyle(pane)
      const { scrollLeft, scrollTop } = pane
      // A script can scroll what a user cannot.
      if (/hidden|clip/.test(overflowX)) fixed.push(() => pane.scrollTo({ left: scrollLeft }))
      if (/hidden|clip/.test(overflowY)) fixed.push(() => pane.scrollTo({ top: scrollTop }))
    }
    one.scrollIntoView({ block: 'center', inline: 'nearest' })
    for (const back of fixed) back()
    const { left, right, top, bottom, height } = one.getBoundingClientRect()
    const isWhole =
      left >= -1 &&
      right <= innerWidth + 1 &&
      top >= -1 &&
      (bottom <= innerHeight + 1 || height > innerHeight)
    const hit = document.elementFromPoint((left + right) / 2, top + Math.min(height / 2, 20))
    const label =
      one.closest('label') ?? document.querySelector(`label[for="${CSS.escape(one.id)}"]`)
    return (
      isWhole &&
      hit !== null &&
      (one.contains(hit) || hit.contains(one) || Boolean(label?.contains(hit)))
    )
  }
}
