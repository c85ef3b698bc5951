import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * No text and no name on the page holds a character that hides, turns the direction of others or
 * breaks a line unseen. Fields hold what was typed, and are left alone.
 */
export async function expectMarked(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(unmarked)
  expect.soft(found, `${where}: hidden characters without a mark`).toEqual([])
}

/** Buttons and fields that are shown stand within the width of the page. */
export async function expectInReach(page: Page, where: string): Promise<void> {
  expect.soft(await page.evaluate(outside), `${where}: beside the page`).toEqual([])
}

/** Invisible characters on this page, with their places. Runs in the page. */
export function unmarked(): string[] {
  const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]/u
  const names = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'alt']
  const found: string[] = []
  const look = (text: string | null, place: string) => {
    if (text === null || !hidden.test(text)) return
    const code = hidden.exec(text)?.[0].codePointAt(0)?.toString(16)
    found.push(`${place}: U+${code} in ${JSON.stringify(text.slice(0, 80))}`)
  }
  look(document.title, 'the title of the page')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent?.closest('script, style, textarea')) continue
    look(node.nodeValue, `<${parent?.tagName.toLowerCase()} class="${parent?.className}">`)
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of names) {
      look(element.getAttribute(name), `${element.tagName.toLowerCase()} ${name}`)
    }
  }
  return [...new Set(found)].slice(0, 12)
}

/** Runs in the page: controls that can be seen and lie beside it; what scrolls may hold wider ones. */
async function outside(): Promise<string[]> {
  // A drawer stands beside the page until the first frame of its way in.
  await Promise.allSettled(document.getAnimations().map((one) => one.finished))
  const width = document.documentElement.clientWidth
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
      ? element.getBoundingClientRect().right <= width + 1
      : scrolls(element.parentElement))
  return [...document.querySelectorAll('button, input, textarea, [role=button], [role=combobox]')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return right > left && (right > width + 1 || left < -1) && !scrolls(element.parentElement)
    })
    .map((element) => `${element.tagName.toLowerCase()} ${element.textContent}`.slice(0, 80))
}
