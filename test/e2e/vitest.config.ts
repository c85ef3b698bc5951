import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { patience } from '../support/slow.ts'
import { stamps } from '../support/stamps.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export default defineConfig({
  root,
  // For tests that run parts of the console themselves, without a browser.
  resolve: { alias: { '~': `${root}/src` } },
  define: stamps,
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    environment: 'node',
    testTimeout: 120_000 * patience,
    hookTimeout: 60_000 * patience,
    pool: 'forks',
    // A worker keeps its modules and its browser from file to file; state is in servers and profiles.
    isolate: false,
    // Enough to keep two processors busy; more make each test slower and the run no shorter.
    maxWorkers: 4,
    maxConcurrency: 6,
    expect: { poll: { timeout: 20_000 * patience } },
  },
})
