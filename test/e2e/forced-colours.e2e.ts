import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { axeViolations } from '../support/axe'
import { test } from '../support/e2e'
import { unhurried } from '../support/looks'
import { paint } from '../support/paint'
import { shot } from '../support/shots'

type Colour = readonly [red: number, green: number, blue: number]

function rgb(text: string): Colour {
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue]
}

/** By WCAG, 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const light = (colour: Colour) => {
    const [r = 0, g = 0, b = 0] = colour.map((channel) => {
      const share = channel / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [low = 0, high = 0] = [light(one), light(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const styleOf = async (part: Locator, name: string) =>
  part.evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), name)

const pageColour = async (page: Page) =>
  rgb(await styleOf(page.locator('html'), 'background-color'))

/** What can be told apart needs 3 to 1, text 4.5 to 1. */
const [apart, readable] = [3, 4.5]

async function force(page: Page, theme: 'dark' | 'light') {
  await page.emulateMedia({ forcedColors: 'active' })
  await paint(page, theme)
}

describe.for(['dark', 'light'] as const)(
  'colours that the system forces, theme %s',
  unhurried,
  (theme) => {
    test('a switch that is on differs from one that is off, and so do boxes and choices', async ({
      server,
      open,
    }) => {
      const console = await open(server.url)
      const { page } = console
      await console.enter('/settings')
      await force(page, theme)
      for (const role of ['switch', 'radio'] as const) {
        const all = await page.getByRole(role).all()
        const isOn = await Promise.all(all.map((one) => one.isChecked()))
        const on = all[isOn.indexOf(true)]
        const off = all[isOn.indexOf(false)]
        if (!on || !off) throw new Error(`Settings has no ${role} of both kinds`)
        const edge = async (one: Locator) => rgb(await styleOf(one, 'border-top-color'))
        expect(contrast(await edge(on), await pageColour(page)), role).toBeGreaterThanOrEqual(apart)
        expect(contrast(await edge(off), await pageColour(page)), role).toBeGreaterThanOrEqual(
          apart,
        )
      }
      const track = async (isOn: boolean) => {
        const found = page.getByRole('switch', { checked: isOn }).first()
        const knob = found.locator('xpath=following-sibling::span')
        return [
          rgb(await styleOf(found, 'background-color')),
          rgb(await styleOf(knob, 'background-color')),
        ] as const
      }
      const [on, off] = [await track(true), await track(false)]
      expect(contrast(...on)).toBeGreaterThanOrEqual(apart)
      expect(contrast(...off)).toBeGreaterThanOrEqual(apart)
      expect(contrast(on[0], off[0])).toBeGreaterThanOrEqual(apart)
      await shot(page, `forced-settings-${theme}`)
      expect(await axeViolations(page, ['color-contrast'])).toEqual([])
    })

    test('the chosen tab, the page that is shown and what is pressed are marked', async ({
      server,
      open,
    }) => {
      const console = await open(server.url)
      const { page } = console
      await console.enter('/verify')
      await force(page, theme)
      const lineBelow = (tab: Locator) => styleOf(tab, 'border-bottom-color')
      const chosen = page.getByRole('tab', { selected: true })
      const other = page.getByRole('tab', { selected: false }).first()
      const behind = await pageColour(page)
      expect(contrast(rgb(await lineBelow(chosen)), behind)).toBeGreaterThanOrEqual(apart)
      expect(await lineBelow(other)).toBe('rgba(0, 0, 0, 0)')
      const outlineOf = async (part: Locator) =>
        (await styleOf(part, 'outline-style')) === 'none' ? null : styleOf(part, 'outline-color')
      expect(await outlineOf(console.link('Verify'))).not.toBeNull()
      expect(await outlineOf(console.link('Users'))).toBeNull()
      expect(await axeViolations(page, ['color-contrast'])).toEqual([])
      await shot(page, `forced-verify-${theme}`)
      await console.goTo('/keys')
      const parts = page.getByRole('main').locator('[aria-pressed]')
      const pressed = page.getByRole('main').locator('[aria-pressed=true]').first()
      await pressed.waitFor()
      expect(contrast(rgb((await outlineOf(pressed)) ?? ''), behind)).toBeGreaterThanOrEqual(apart)
      expect(await outlineOf(parts.and(page.locator('[aria-pressed=false]')).first())).toBeNull()
      await shot(page, `forced-keys-${theme}`)
    })
  },
)

test(
  'colours that the system forces: the logo and the axes of a chart can be read',
  async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await console.enter('/')
    await force(page, 'light')
    const behind = await pageColour(page)
    const lines = await page
      .getByRole('link', { name: 'Home' })
      .locator('[stroke]:not(g), rect')
      .evaluateAll((all) =>
        all.map((one) => {
          const { stroke, fill } = getComputedStyle(one)
          return stroke === 'none' ? fill : stroke
        }),
      )
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(contrast(rgb(line), behind)).toBeGreaterThanOrEqual(apart)
    const canvas = page.locator('.uplot canvas').first()
    await canvas.scrollIntoViewIfNeeded({ timeout: 60_000 })
    const labels = await canvas.evaluate((drawing: HTMLCanvasElement) => {
      // The labels of the left axis stand in the first 60 pixels.
      const pixels = drawing.getContext('2d')?.getImageData(0, 0, 60, drawing.height).data ?? []
      const seen: number[][] = []
      for (let at = 0; at < pixels.length; at += 4)
        if ((pixels[at + 3] ?? 0) > 240) seen.push([...pixels.slice(at, at + 3)])
      return seen
    })
    expect(labels.length).toBeGreaterThan(20)
    for (const [red = 0, green = 0, blue = 0] of labels) {
      expect(contrast([red, green, blue], behind)).toBeGreaterThanOrEqual(readable)
    }
    await shot(page, 'forced-overview')
    expect(await axeViolations(page, ['color-contrast'])).toEqual([])
  },
  unhurried.timeout,
)
