// @vitest-environment node
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'

const script = readFileSync('static/theme.js', 'utf8')
const css = readFileSync('src/styles/app.css', 'utf8')

describe('the script before the first paint', () => {
  const paint = (globals: object) => {
    const documentElement = { dataset: { theme: 'dark' }, style: { colorScheme: '' } }
    const page = { self: {}, document: { documentElement }, addEventListener: () => {} }
    runInNewContext(script, { ...page, ...globals })
    return [documentElement.dataset.theme, documentElement.style.colorScheme]
  }
  const storing = (value: string | null, isLight = false) =>
    paint({
      localStorage: { getItem: (key: string) => (key === 'webconsole-theme' ? value : null) },
      matchMedia: (query: string) => ({ matches: isLight && query.includes('light') }),
    })

  test.each([
    [null, false, 'dark'],
    ['dark', true, 'dark'],
    ['light', false, 'light'],
    ['system', true, 'light'],
    ['system', false, 'dark'],
    ['"light"', false, 'dark'],
    ['purple', true, 'dark'],
  ])('%s, while the system is light: %s, paints %s', (stored, isLight, theme) => {
    expect(storing(stored, isLight)).toEqual([theme, theme])
  })

  test('survives a browser without storage', () => {
    const localStorage = {
      getItem() {
        throw new Error('denied')
      },
    }
    expect(paint({ localStorage })).toEqual(['dark', 'dark'])
  })
})

/** The colours of a theme by name; those with transparency are left out. */
function colours(selector: string): Map<string, string> {
  const block = css.split(selector)[1]?.split('}')[0] ?? ''
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [
      name,
      hex,
    ]),
  )
}

/** Relative luminance as in WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

describe.each(['dark', 'light'])('contrast in the %s theme', (theme) => {
  const of = colours(`[data-theme="${theme}"] {`)
  const ratio = (one: string, other: string) => {
    const [a = 0, b = 0] = [one, other].map((name) => luminance(of.get(name) ?? '#000000'))
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  }
  const texts = 'text muted primary-text verified info success warning error string'.split(' ')
  const surfaces = ['page', 'panel', 'raised', 'input']

  test.each(texts)('%s is readable on every surface', (text) => {
    for (const surface of surfaces) expect(ratio(text, surface)).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['on-primary', 'primary'],
    ['on-primary', 'primary-hover'],
    ['on-danger', 'danger'],
    ['on-danger', 'danger-hover'],
  ])('%s is readable on %s', (text, surface) => {
    expect(ratio(text, surface)).toBeGreaterThanOrEqual(4.5)
  })

  test('edges of inputs and the focus ring can be seen', () => {
    for (const edge of ['field', 'primary']) {
      for (const surface of surfaces) expect(ratio(edge, surface)).toBeGreaterThanOrEqual(3)
    }
  })
})
