// @vitest-environment node
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { unnamed, unnamedFunctions } from '../../embed/pipeline/unnamed-functions.ts'

/** What production would load of a module, as text. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    write: false,
    minifySyntax: true,
    external: ['react', 'react/*', 'react-dom'],
    plugins: [unnamedFunctions],
  })
  return outputFiles[0]?.text ?? ''
}

describe('names of functions in Radix', () => {
  test('are left out, so that unused functions are too', async () => {
    const text = await bundled(`
      import { createCollection } from '@radix-ui/react-collection'
      export const collection = createCollection('Tab')`)
    expect(text).toContain('createCollection(')
    expect(text).not.toContain('unstable_createCollection')
    expect(text).not.toContain('OrderedDict')
    expect(text).not.toContain('defineProperty')
  })

  test('stay where they are arguments, and the function is the same', () => {
    const run = new Function(
      `const __defProp = Object.defineProperty;\n${unnamed(
        'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });\n' +
          'function add(a, b) { return a + b }\n__name(add, "add");\n' +
          'const twice = /* @__PURE__ */ __name((a) => add(a, a), "twice");\n',
      )}return twice(21)`,
    )
    expect(run()).toBe(42)
  })

  test('are missed when the library names functions by other means', () => {
    expect(() => unnamed('const __name = name;\n__name(add, "add");\n')).toThrow('other means')
    expect(unnamed('const add = (a, b) => a + b')).toBe('const add = (a, b) => a + b')
  })
})
