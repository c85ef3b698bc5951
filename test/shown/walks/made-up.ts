import type { Page } from 'playwright-core'
import type { Walk } from '../walk'
import { reads } from './read'

/**
 * Screens as nobody should build them, to see whether the judge notices. Each goes a real walk, and
 * in the place of the check it draws a mark that has compared nothing.
 */
function withoutCheck(name: string, words: string, tone: string): Walk {
  const real = reads.find((walk) => walk.name === 'keys/value')
  if (!real) throw new Error('there is no walk to make a bad copy of')
  return {
    ...real,
    name: `made up/${name}`,
    press: ({ page }) => page.evaluate(drawMark, { words, tone }),
    mark: (page: Page) => page.locator('#made-up'),
  }
}

/** Runs in the page. */
function drawMark({ words, tone }: { words: string; tone: string }) {
  const mark = document.createElement('p')
  mark.id = 'made-up'
  mark.style.color = `var(--${tone})`
  mark.textContent = words
  document.querySelector('main')?.append(mark)
}

/** A mark in the colour of proof, whatever is shown. */
export const blindMark = withoutCheck('a blind mark', 'Verified in this browser', 'verified')

/** One that leaves something open, but not what is wrong. */
export const vagueMark = withoutCheck('a vague mark', 'Verified in part: see the proof', 'muted')

/** One that never says anything good, not even of an honest server. */
export const deafMark = withoutCheck('a deaf mark', 'Not what was shown', 'warning')
