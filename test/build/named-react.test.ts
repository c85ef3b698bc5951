// @vitest-environment node
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { looksNamesUp, namedReact } from '../../embed/pipeline/named-react.ts'

/** The text of a module and what it exports, bundled as for production. */
async function bundled(contents: string) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), sourcefile: 'src/part.tsx', loader: 'tsx' },
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [namedReact],
  })
  const text = outputFiles[0]?.text ?? ''
  const address = `data:text/javascript,${encodeURIComponent(text)}`
  return { text, exports: await import(/* @vite-ignore */ address) }
}

describe('React in the bundle', () => {
  test('is called by its names', async () => {
    const { text, exports } = await bundled(`
      import { isValidElement, useState } from 'react'
      export const Part = () => <b>{useState(1)}</b>
      export const element = <Part />
      export const is = isValidElement(element)`)
    expect(exports.is).toBe(true)
    expect(exports.element.type).toBe(exports.Part)
    expect(text).toMatch(/[^.\w]jsx\("b"/)
    expect(text).not.toContain('.useState)(')
  })

  test('is one, whether a module asks for names, for all of it or as CommonJS', async () => {
    const { exports } = await bundled(`
      import { createElement } from 'react'
      import React from 'react'
      import * as all from 'react'
      const { createElement: required } = require('react')
      export const same = [React.createElement, all.createElement, required]
        .every((one) => one === createElement)`)
    expect(exports.same).toBe(true)
  })
})

test('a library that looks a name up at run time is recognised', () => {
  expect(looksNamesUp('React[" useId ".trim().toString()]')).toBe(true)
  expect(looksNamesUp('React.useId || fallback')).toBe(false)
})
