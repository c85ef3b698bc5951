// @vitest-environment node
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { production } from '../../embed/pipeline/bundle.ts'

test('production has none of the checks that Jotai makes for developers', async () => {
  const text = async (define: Record<string, string>) => {
    const { outputFiles } = await build({
      stdin: { contents: `export { getDefaultStore } from 'jotai'`, resolveDir: process.cwd() },
      bundle: true,
      format: 'esm',
      write: false,
      minifySyntax: true,
      external: ['react'],
      define,
    })
    return outputFiles[0]?.text ?? ''
  }
  expect(await text({})).toContain('Detected multiple Jotai instances')
  expect(await text(production)).not.toMatch(/Detected|debugLabel|import\.meta/)
})
