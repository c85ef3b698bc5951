// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync('src/styles/app.css', 'utf8')

/** A colour as OKLab has it: how much of a colour it is, and which, in degrees of the circle. */
type Tint = { chroma: number; hue: number }

/** Of `#rgb`, `#rrggbb`, `rgb(r g b / a)`, whatever its transparency; null for another notation. */
function tintOf(colour: string): Tint | null {
  const channels = channelsOf(colour)
  if (!channels) return null
  const [r, g, b] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const green = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blue = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { chroma: Math.hypot(green, blue), hue: (Math.atan2(blue, green) * 180) / Math.PI }
}

function channelsOf(colour: string): number[] | null {
  const [, hex = ''] = /^#([0-9a-f]{3,8})$/i.exec(colour) ?? []
  const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
  if (digits.length >= 6)
    return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  const [, ...rgb] = /^rgba?\((\d+)[ ,]+(\d+)[ ,]+(\d+)\b/.exec(colour) ?? []
  return rgb.length === 3 ? rgb.map(Number) : null
}

/** Less is grey to the eye, and its hue is chance. */
const leastChroma = 0.01
/** From yellow-green to cyan: what lies nearer has the name of the same colour. */
const leastAngle = 60

function isLike(colour: string, proof: string): boolean {
  const [one, other] = [tintOf(colour), tintOf(proof)]
  if (!one || !other) throw new Error(`${one ? proof : colour} is written as no other colour is`)
  const angle = Math.abs(one.hue - other.hue)
  return one.chroma >= leastChroma && Math.min(angle, 360 - angle) < leastAngle
}

type Named = readonly [name: string, colour: string]

/** What a block of the style sheet sets, `color-mix` and references to others left out. */
function coloursIn(selector: string): readonly Named[] {
  const start = css.indexOf(selector)
  if (start < 0) throw new Error(`${selector} is not in the style sheet`)
  const block = css.slice(start, css.indexOf('}', start))
  const set = [...block.matchAll(/--([\w-]+): ([^;]+);/g)]
  return set
    .map(([, name = '', value = '']): Named => [name, value])
    .filter(([, value]) => /^(#|[a-z]+\()/.test(value) && !value.startsWith('var('))
}

const lookAlikes = (colours: readonly Named[], proof: string) =>
  colours.filter(([name, colour]) => name !== 'verified' && isLike(colour, proof))

const blocks = {
  dark: '[data-theme="dark"] {',
  light: '[data-theme="light"] {',
  print: '@media print {',
}
const proofs = Object.values(blocks).map(
  (selector) => new Map(coloursIn(selector)).get('verified') ?? '',
)

describe.each(Object.entries(blocks))('in the colours of %s', (_name, selector) => {
  const colours = coloursIn(selector)
  const proof = new Map(colours).get('verified') ?? ''

  test('nothing looks like what is verified', () => {
    expect(colours.length).toBeGreaterThan(8)
    expect(lookAlikes(colours, proof)).toEqual([])
  })

  test.each([
    // What success once looked like, with its tints.
    '#5bd69a',
    '#137a48',
    'rgb(91 214 154 / 0.09)',
    '#e8f6ee',
    // Greens of others, from lime to cyan.
    '#22c55e',
    '#1a7f37',
    '#84cc16',
    '#14b8a6',
    '#06b6d4',
    '#0a0',
  ])('%s would be found', (colour) => {
    expect(lookAlikes([['up', colour]], proof)).toHaveLength(1)
  })
})

test('the mascot, which is the same in both themes, has no colour of proof', () => {
  const art = coloursIn(':root {').filter(([name]) => name.startsWith('art-'))
  expect(art.length).toBeGreaterThan(10)
  expect(proofs.flatMap((proof) => lookAlikes(art, proof))).toEqual([])
})

test('no colour has another name for that of proof', () => {
  expect(css.match(/.*var\(--verified\).*/g)).toEqual(['  --color-verified: var(--verified);'])
  // Nor are there the greens that Tailwind brings.
  expect(css).toContain('--color-*: initial;')
})

test('what is mixed is mixed with nothing, so that no blue and yellow make a green', () => {
  const mixes = allIn('src', /\.(tsx?|css)$/).flatMap(
    ([, text]) => text.match(/color-mix\(.*/g) ?? [],
  )
  expect(mixes.length).toBeGreaterThan(5)
  expect(mixes.filter((mix) => !mix.includes('transparent'))).toEqual([])
})

describe('beside the style sheet', () => {
  const literal =
    /(?<![\w&#/])#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([^)]*\)/gi

  test('no file names a colour by its value', () => {
    const found = allIn('src', /\.tsx?$/).flatMap(([path, text]) =>
      // `#add` is a private method, and a colour too.
      (text.match(literal) ?? []).filter((one) => one !== '#add').map((one) => `${path}: ${one}`),
    )
    expect(found).toEqual([])
  })

  test('the icon of the tab, and the page before the console, have none of proof', () => {
    const found = allIn('static', /\.(svg|html|js)$/).flatMap(
      ([, text]) => text.match(literal) ?? [],
    )
    expect(found.length).toBeGreaterThan(2)
    for (const proof of proofs) expect(found.filter((colour) => isLike(colour, proof))).toEqual([])
  })

  test('no character brings a green of its own', () => {
    const green = /[\u{1F7E2}\u{1F7E9}\u{1F49A}\u{2705}\u{2714}\u{1F6E1}]/u
    const found = allIn('src', /\.tsx?$/).filter(([, text]) => green.test(text))
    expect(found.map(([path]) => path)).toEqual([])
  })
})

/** The files of a folder and their text. */
function allIn(folder: string, names: RegExp): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const)
}
