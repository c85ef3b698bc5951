import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { render } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { radixSelectStyle as hash, headerPolicy } from '../../embed/pipeline/csp'
import { radixSelectStyle as allowed } from '../../src/app/policy'
import * as shim from '../../src/ui/shims/react-style-singleton'

// Packages of packages: not ours to import, but what they do decides about the policy.
const load = createRequire(import.meta.url)
const modules = `${process.cwd()}/node_modules`

const css = '.a20 { color: red }'

function styleElements(): number {
  return document.querySelectorAll('style').length
}

afterEach(() => {
  for (const element of document.querySelectorAll('style')) element.remove()
  document.adoptedStyleSheets = []
})

describe('A20 the style of Radix Select', () => {
  const source = readFileSync(`${modules}/@radix-ui/react-select/dist/index.mjs`, 'utf8')
  const texts = [...source.matchAll(/dangerouslySetInnerHTML:\s*\{\s*__html:\s*`([^`]*)`/g)]

  test('A20 is one constant, and its hash is in the policy', () => {
    expect(texts).toHaveLength(1)
    const [, text = ''] = texts[0] ?? []
    expect(text).not.toContain('${')
    const computed = `sha256-${createHash('sha256').update(text).digest('base64')}`
    expect(computed).toBe(hash)
    expect(headerPolicy()).toContain(`style-src 'self' '${computed}'`)
  })

  test('A20 is the only markup that Trusted Types let through', () => {
    expect(texts[0]?.[1]).toBe(allowed)
  })
})

describe('A20 react-style-singleton', () => {
  const original: typeof shim = load(`${modules}/react-style-singleton`)

  test('A20 still adds a style element, so the shim is needed', () => {
    const Original = original.styleSingleton()
    render(<Original styles={css} />)
    expect(styleElements()).toBe(1)
  })

  test('A20 has no export that the shim lacks', () => {
    expect(Object.keys(shim).sort()).toEqual(Object.keys(original).sort())
  })

  test('A20 shim: adopts one sheet for all users and drops it with the last', () => {
    const Style = shim.styleSingleton()
    const one = render(<Style styles={css} />)
    const two = render(<Style styles=".other { color: blue }" />)
    expect(document.adoptedStyleSheets).toHaveLength(1)
    expect(document.adoptedStyleSheets[0]?.cssRules[0]?.cssText).toContain('.a20')
    one.unmount()
    expect(document.adoptedStyleSheets).toHaveLength(1)
    two.unmount()
    expect(document.adoptedStyleSheets).toHaveLength(0)
    expect(styleElements()).toBe(0)
  })

  test('A20 shim: can be used again, and follows the text only when dynamic', () => {
    const Style = shim.styleSingleton()
    const rule = (): string | undefined => document.adoptedStyleSheets[0]?.cssRules[0]?.cssText
    const { rerender, unmount } = render(<Style styles=".one { color: red }" />)
    rerender(<Style styles=".two { color: red }" />)
    expect(rule()).toContain('.one')
    unmount()
    const again = render(<Style styles=".three { color: red }" dynamic />)
    again.rerender(<Style styles=".four { color: red }" dynamic />)
    expect(rule()).toContain('.four')
  })
})

describe('A20 style-mod', () => {
  type StyleMod = {
    StyleModule: {
      new (spec: object): object
      mount(root: object, style: object): void
    }
  }
  const { StyleModule }: StyleMod = load(`${modules}/style-mod`)
  const style = new StyleModule({ '.a20': { color: 'red' } })

  test('A20 still adds a style element to a document, so the shim is needed', () => {
    StyleModule.mount(document, style)
    expect(styleElements()).toBe(1)
    expect(document.adoptedStyleSheets).toHaveLength(0)
  })

  test('A20 still adopts a sheet for a root without a head, so the shim can work', () => {
    const root = { ownerDocument: document, adoptedStyleSheets: [] as CSSStyleSheet[] }
    StyleModule.mount(root, style)
    expect(root.adoptedStyleSheets).toHaveLength(1)
    expect(styleElements()).toBe(0)
  })
})
