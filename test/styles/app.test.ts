// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shortHeight, toastAnimation } from '~/lib/constants'
import { compileStyles } from '../../embed/pipeline/css'

describe('a class behind', () => {
  const breakpoints = [
    ['xs', 600],
    ['sm', 960],
    ['ui', 1_264],
    ['md', 1_280],
    ['lg', 1_920],
  ] as const

  /** Where classes behind a width begin to count, in the order of the style sheet. */
  async function widths(): Promise<string[]> {
    const css = await compileStyles(process.cwd(), { minify: false })
    const blocks = css.matchAll(/@media \(min-width: (\d+)px\) \{\s*\.(\w+)\\:/g)
    return [...blocks].map(([, width, name]) => `${name} ${width}`)
  }
  const found = widths()

  test.each(breakpoints)('%s: counts from %i px on', async (name, width) => {
    expect(await found).toContain(`${name} ${width}`)
  })

  test('a wider window overrules one behind a narrower window', async () => {
    expect(await found).toEqual(breakpoints.map(([name, width]) => `${name} ${width}`))
  })
})

test('low windows begin where scripts say that they do', async () => {
  const css = await compileStyles(process.cwd(), { minify: false })
  const heights = [...css.matchAll(/@media not all and \(min-height: (\d+)px\) \{\s*\.short/g)]
  expect(heights.map(([, height]) => Number(height))).toEqual([shortHeight])
})

describe('movements', () => {
  test('nothing moves where the system asks for less of it', () => {
    const [, block = ''] = /@media \(prefers-reduced-motion: reduce\) \{(.*?)\n\}/s.exec(css) ?? []
    expect(block).toMatch(/^\s*\*,\s*::before,\s*::after \{/)
    for (const rule of [
      'animation-duration: 1ms',
      'animation-iteration-count: 1',
      'transition: none',
    ]) {
      expect(block).toContain(rule)
    }
  })

  const css = readFileSync('src/styles/app.css', 'utf8')

  test('content on its way is held back for 200 ms', () => {
    const [, ms] = /\.late \{\s*animation: appear \d+ms linear (\d+)ms both/.exec(css) ?? []
    expect(ms).toBe('200')
  })

  test('the bar of progress is held back for 200 ms and creeps for 5 s', () => {
    const [, seconds, ms] = /animation: progress (\d+)s .* (\d+)ms both/.exec(css) ?? []
    expect([ms, seconds]).toEqual(['200', '5'])
  })

  test('messages come and go in 300 ms, and are taken away no sooner', () => {
    const times = [...css.matchAll(/animation: toast-(?:in|out) (\d+)ms/g)].map(([, ms]) => ms)
    expect(times).toEqual(['300', '300'])
    expect(toastAnimation).toBe(300)
  })
})
