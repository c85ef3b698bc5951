// @vitest-environment node
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync('src/styles/app.css', 'utf8')

/** The colours that a theme sets, by their names. */
function colours(theme: 'dark' | 'light'): ReadonlyMap<string, string> {
  const start = css.indexOf(`[data-theme="${theme}"] {`)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** What the specification calls a colour, and what it is called here. */
const roles = {
  primary: ['primary'],
  secondary: ['chart-2'],
  accent: ['chart-3'],
  error: ['error'],
  info: ['info'],
  success: ['success'],
  warning: ['warning'],
  background: ['page', 'panel', 'raised', 'input'],
}

test.each(Object.entries(roles))('both themes have colours of their own for %s', (_role, names) => {
  const [dark, light] = [colours('dark'), colours('light')]
  for (const name of names) {
    expect(dark.get(name)).toMatch(/^#[0-9a-f]{6}$/)
    expect(light.get(name)).toMatch(/^#[0-9a-f]{6}$/)
    expect(light.get(name)).not.toBe(dark.get(name))
  }
})

test('both themes set the same names', () => {
  expect([...colours('light').keys()].sort()).toEqual([...colours('dark').keys()].sort())
})

test('the primary colour of the light theme is #1976D2', () => {
  expect(colours('light').get('primary')?.toUpperCase()).toBe('#1976D2')
})
