import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { stamps } from './support/stamps.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Tests of logic that say they need no document and put nothing in the place of a module: they may
 * share a worker and all that it has loaded.
 */
const pure = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => {
    const text = readFileSync(`${root}${name}`, 'utf8')
    return (
      text.startsWith('// @vitest-environment node') && !/doMock|vi\.mock|resetModules/.test(text)
    )
  })

export default defineConfig({
  root,
  resolve: { alias: { '~': `${root}src` } },
  define: stamps,
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'logic', include: pure, environment: 'node', isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: pure,
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
        },
      },
    ],
    // All of two processors: while it runs, only the Go lane beside it needs some.
    maxWorkers: '100%',
    setupFiles: ['test/setup.ts'],
    // Beside a compiler a test may be slow without being wrong.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
