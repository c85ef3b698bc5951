import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { noOptions } from '../embed/pipeline/build-options.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  resolve: { alias: { '~': `${root}src` } },
  define: {
    __VERSION__: '"test"',
    __COMMIT__: '"test"',
    __OPTIONS__: JSON.stringify(noOptions),
    __WORKERS__: '{}',
  },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
    // All of two processors: while it runs, only the Go lane beside it needs some.
    maxWorkers: '100%',
    setupFiles: ['test/setup.ts'],
    // Beside a compiler a test may be slow without being wrong.
    testTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
