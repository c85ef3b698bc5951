import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { areGatewaysHere } from '../support/gateway-programs.ts'
import { isDebian } from '../support/installed.ts'
import { patience } from '../support/slow.ts'
import { stamps } from '../support/stamps.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Files whose tests mostly wait. Vitest begins small files last, where all would wait for them; begun
 * together they would leave the processors idle.
 */
const waiting = ['session-life', 'faults-disk', 'axe', 'roles-screens']

/** Files of few lines that take long, which would else be what all wait for at the end. */
const long = [
  'shown',
  'smoke',
  'looks',
  'query-looks',
  'users-looks',
  'documents-looks',
  'databases-looks',
  'keys-looks',
  'faults-empty',
]

/** Enough to keep two processors busy; more make each test slower and the run no shorter. */
const maxWorkers = 4

/** Begins a file that waits with as many others as there are workers left for them, and so on. */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isOf = (names: readonly string[], { moduleId }: TestSpecification) =>
      names.some((name) => moduleId.endsWith(`/${name}.e2e.ts`))
    const waiters = sorted.filter((file) => isOf(waiting, file))
    const rest = sorted.filter((file) => !isOf(waiting, file))
    const others = [
      ...rest.filter((file) => isOf(long, file)),
      ...rest.filter((file) => !isOf(long, file)),
    ]
    const beside = maxWorkers - 1
    return [
      ...waiters.flatMap((waiter, at) => [waiter, ...others.slice(beside * at, beside * (at + 1))]),
      ...others.slice(beside * waiters.length),
    ]
  }
}

if (!isDebian) {
  process.stdout.write('not run: scripts-real, whose scripts only Debian fetches\n')
}

export default defineConfig({
  root,
  // For tests that run parts of the console themselves, without a browser.
  resolve: { alias: { '~': `${root}/src` } },
  define: stamps,
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    // Its programs are installed where that is possible; elsewhere the run says that it was not tried.
    exclude: [
      ...(areGatewaysHere() ? [] : ['test/e2e/gateways.e2e.ts']),
      // Its scripts are in packages that only Debian fetches.
      ...(isDebian ? [] : ['test/e2e/scripts-real.e2e.ts']),
    ],
    environment: 'node',
    tags: [
      {
        name: 'walk',
        description: 'runs in Firefox and in WebKit too; together they pass through everything',
      },
    ],
    testTimeout: 120_000 * patience,
    hookTimeout: 60_000 * patience,
    pool: 'forks',
    // A worker keeps its modules and its browser from file to file; state is in servers and profiles.
    isolate: false,
    maxWorkers,
    maxConcurrency: 6,
    sequence: { sequencer: Mixed },
    expect: { poll: { timeout: 20_000 * patience } },
  },
})
