import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { mobileWidth } from '~/lib/constants'
import { axeViolations } from './axe'
import type { Theme } from './browser'
import type { ConsolePage } from './console-page'
import { paint } from './paint'
import { shot } from './shots'
import type { ViewName } from './views'

/** The sizes for pictures and checks of every view. */
export const sizes = [
  { size: 'wide', viewport: { width: 1440, height: 900 } },
  { size: 'phone', viewport: { width: 390, height: 844 } },
] as const

export const [wide, phone] = sizes

/** For tests that look at much; axe takes its time where others use the machine as well. */
export const unhurried = { timeout: 400_000 }

/** Resizes the window and waits until the frame is laid out for it, which the console does after 200 ms. */
export async function resize(
  page: Page,
  viewport: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.setViewportSize(viewport)
  const state = viewport.width < mobileWidth ? 'detached' : 'attached'
  // By its attribute: below an open dialog it has no role.
  await page.locator('nav[aria-label=Main]').waitFor({ state })
}

/** Turns a phone and back: what is open stays so. */
export async function staysOpenWhenTurned(page: Page, open: Locator): Promise<void> {
  for (const { size, viewport } of [wide, phone]) {
    await resize(page, viewport)
    expect(await open.count(), size).toBe(1)
  }
}

const themes: readonly Theme[] = ['light', 'dark']

/**
 * Checks in both themes that axe finds nothing, and takes a picture of each if SHOTS=1 is set. The
 * page is painted over as the console itself does it, which is an attribute of the document, so that
 * a view need be reached only once.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const size = sizeOf(page)
  for (const [index, theme] of themes.entries()) {
    await paint(page, theme)
    await shot(page, `${name.replaceAll(' ', '-')}-${theme}-${size}`)
    // The document is the same in both; only the contrast of its colours is not.
    const found = await axeViolations(page, index > 0 ? ['color-contrast'] : undefined)
    expect(found.join('\n'), `${name}, ${theme}, ${size}`).toBe('')
  }
}

/** The same of a view that has come to rest; nothing may be wider than its place either. */
export async function look({ page }: Pick<ConsolePage, 'page'>, name: ViewName): Promise<void> {
  await page.locator('.shimmer').first().waitFor({ state: 'detached' })
  await expectAccessible(page, name)
  await fits(page, `${name}, ${sizeOf(page)}`)
}

/** The same in both sizes, which keep what is open as when a phone is turned; ends in the wide one. */
export async function lookInBoth(console: Pick<ConsolePage, 'page'>, name: ViewName) {
  const dialogs = console.page.getByRole('dialog')
  const open = await dialogs.count()
  for (const { size, viewport } of sizes.toReversed()) {
    await resize(console.page, viewport)
    expect(await dialogs.count(), `${name}, ${size}: open dialogs`).toBe(open)
    await look(console, name)
  }
}

function sizeOf(page: Page) {
  const width = page.viewportSize()?.width
  const found = sizes.find(({ viewport }) => viewport.width === width)
  if (!found) throw new Error(`looks are for one of the sizes, not for a width of ${width}`)
  return found.size
}

/** Nothing that stands on the page may be wider than its place. */
export async function fits(page: Page, what: string): Promise<void> {
  expect(await page.evaluate(tooWide), `${what}: wider than its place`).toEqual([])
}

/**
 * Runs in the page: what can be moved sideways and is no code, table, tree or bar, which may be, and
 * panels that something stands out of.
 */
function tooWide(): string[] {
  const mayBeWide =
    'pre, [role=grid], [role=table], [role=tree], [role=tablist], [data-bar], .cm-scroller'
  const boxes = [document.documentElement, ...document.querySelectorAll('body *')]
  return boxes
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .filter((box) => canMove(box) || isPanel(box) || box === boxes[0])
    .filter((box) => !box.matches(mayBeWide) && !box.querySelector(':scope > pre'))
    .filter((box) => getComputedStyle(box).whiteSpace !== 'pre')
    .map((box) => `${named(box)} for ${culprits(box).map(named).join(', ')}`)

  function canMove(box: Element): boolean {
    return /auto|scroll/.test(getComputedStyle(box).overflowX)
  }

  function isPanel(box: Element): boolean {
    const { overflowX, borderRightWidth } = getComputedStyle(box)
    return overflowX === 'visible' && borderRightWidth !== '0px'
  }

  /** With its name and how far it reaches, which tells one state of a page from another. */
  function named(box: Element): string {
    const { left, right } = box.getBoundingClientRect()
    const name = box.getAttribute('aria-label') ?? box.textContent.slice(0, 40)
    const place = `${Math.round(left)} to ${Math.round(right)}`
    const what = `${box.tagName.toLowerCase()}.${box.className}`.slice(0, 120)
    return `${what} “${name}” ${place}`
  }

  /** The innermost elements that reach beyond it and are not clipped on the way. */
  function culprits(box: Element): Element[] {
    const edge = box.getBoundingClientRect().left + box.clientWidth + 1
    const isClipped = (element: Element | null): boolean =>
      element !== null &&
      element !== box &&
      (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement))
    const beyond = [...box.querySelectorAll('*')].filter(
      (element) =>
        element.getBoundingClientRect().right > edge && !isClipped(element.parentElement),
    )
    return beyond.filter((one) => !beyond.some((other) => one !== other && one.contains(other)))
  }
}
