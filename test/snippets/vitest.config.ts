import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { stamps } from '../support/stamps.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Snippets in their own languages; `test/suites/stages.ts` runs the files whose programs are here. */
export default defineConfig({
  root,
  resolve: { alias: { '~': `${root}src` } },
  define: stamps,
  test: {
    include: ['test/snippets/**/*.snippet.ts'],
    environment: 'node',
    testTimeout: 300_000,
    hookTimeout: 600_000,
    // Each file waits for its own programs and servers.
    maxWorkers: 2,
  },
})
