import type { EngineName } from '../support/engine'
import { findFirefox } from '../support/firefox'
import { canRun, languageNames } from '../support/languages'
import { findWebKit } from '../support/webkit'
import { type Counts, trusted } from './counts'
import {
  browserTests,
  check,
  execute,
  goTest,
  inOrder,
  npmRun,
  type Suite,
  snippetsIn,
  vitest,
  walksIn,
} from './suite'

/** A suite and the earlier ones without which it makes no sense. */
export type Step = { readonly suite: Suite; readonly needs: readonly string[] }

/** Lanes run side by side, the steps of a lane one after the other. */
export type Stage = readonly (readonly Step[])[]

/** As for a release: static, which is another build of almost every package. */
const isStatic = { CGO_ENABLED: '0' }

/** Tests are compiled as the programs are, so that nothing is compiled twice. */
const goEnv = {
  ...isStatic,
  WEBCONSOLE_REQUIRE_DIST: '1',
  GOFLAGS: `${process.env.GOFLAGS ?? ''} -trimpath`.trim(),
}

function goModule(name: string, folder: string): Suite {
  return inOrder(
    name,
    check('vet', { command: 'go', args: ['vet', './...'], folder, env: goEnv }),
    // Else it vets again what was just vetted, and every module below it.
    goTest('test', { folder, env: goEnv }, '-vet=off', './...'),
  )
}

/** Builds immudb itself around our output and runs the tests it has for its console. */
const dropIn: Suite = {
  name: 'drop-in',
  async run(write) {
    let output = ''
    const args = ['--import', 'tsx', 'embed/pipeline/dropin.ts']
    const code = await execute({ command: process.execPath, args }, (text) => {
      output += text
      write(text)
    })
    const report = output.split('\n').find((line) => line.startsWith('{'))
    const counts: Counts | undefined = report === undefined ? undefined : JSON.parse(report)
    return trusted(counts, code)
  },
}

const serverBinary = check('server', {
  command: 'go',
  args: ['build', '-trimpath', '-o', '../../.cache/webconsole', '.'],
  folder: 'embed/server',
  env: isStatic,
})

/** Looks for what the tests run or installs it, which is mostly waiting for the network and the disk. */
function installed(name: string, ...wanted: readonly string[]): Suite {
  return check(name, {
    command: process.execPath,
    args: ['--import', 'tsx', 'test/suites/install.ts', ...wanted],
  })
}

/** Chromium is needed; without another engine its suite says that it does not run. */
function browsers(...engines: readonly EngineName[]): Suite {
  return installed('browsers', ...engines)
}

/** The versions of immudb that people run, each built from Go's module of it. */
const versions = installed('versions', 'versions')

/** The programs that people put in front, where they can be installed. */
const gateways = installed('gateways', 'gateways')

/** What runs the snippets of other languages, by their own registries. */
const languageTools = installed('languages', 'languages')

/** The snippets of each language against a real server. Java's for immudb4j is not among them. */
const snippets = languageNames.map((name) => snippetsIn(name, () => canRun(name)))

/** Folders of unit tests that say soonest whether the logic still holds. */
const logic = ['test/lib/', 'test/sql/', 'test/api/', 'test/suites/']

/** Where the browser passes through most of the console in the least time. */
const walks = ['test/e2e/smoke.e2e.ts', 'test/e2e/keyboard.e2e.ts', 'test/e2e/watch.e2e.ts']

function step(suite: Suite, ...needs: readonly string[]): Step {
  return { suite, needs }
}

const walksNeed = ['build', 'server', 'drop-in']

export const stages: readonly Stage[] = [
  [[step(check('build', npmRun('build')))], [step(check('types', npmRun('types')))]],
  // Go's tests and fetching the browser wait for clocks and networks, which leaves room for others.
  [
    // One after the other: both install.
    [step(browsers('chromium', 'firefox', 'webkit')), step(gateways), step(languageTools)],
    [step(check('lint', npmRun('lint')))],
    [step(vitest('unit', 'test/vitest.config.ts'), 'build')],
    [
      step(goModule('go embed', 'embed'), 'build'),
      step(goModule('go server', 'embed/server'), 'build'),
      step(serverBinary, 'build'),
      step(dropIn, 'build'),
      step(versions),
    ],
  ],
  // Two lanes, as each waits for logins of its server.
  [
    snippets.slice(0, 3).map((one) => step(one, 'server', 'drop-in', 'languages')),
    snippets.slice(3).map((one) => step(one, 'server', 'drop-in', 'languages')),
  ],
  // These want the machine alone.
  [
    [
      step(browserTests(), 'build', 'server', 'drop-in', 'versions', 'gateways', 'browsers'),
      step(
        walksIn('firefox', () => findFirefox() !== undefined),
        ...walksNeed,
      ),
      step(
        walksIn('webkit', () => findWebKit() !== undefined),
        ...walksNeed,
      ),
    ],
  ],
]

/** Some minutes of work: whether a change stands at all. The rest of the suites say whether it is right. */
export const smoke: readonly Stage[] = [
  [
    [step(check('types', npmRun('types'))), step(check('lint', npmRun('lint')))],
    [step(check('build', npmRun('build'))), step(serverBinary, 'build')],
    [step(browsers('chromium'))],
  ],
  [
    [step(vitest('unit', 'test/vitest.config.ts', 'test/architecture', ...logic), 'build')],
    [step(browserTests(...walks), 'build', 'server', 'browsers')],
  ],
]
