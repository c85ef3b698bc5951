import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { patience } from '../support/slow.ts'
import { stamps } from '../support/stamps.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Small files that take long. Vitest begins small ones last, and all would wait for them. */
const long = ['session-life', 'axe', 'faults-disk', 'roles-screens']

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      long.some((name) => moduleId.endsWith(`/${name}.e2e.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

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
    sequence: { sequencer: LongFirst },
    expect: { poll: { timeout: 20_000 * patience } },
  },
})
