import { type Counts, trusted } from './counts'
import { check, execute, goTest, inOrder, npmRun, type Suite, vitest } from './suite'

/** Suites that may run side by side, and the earlier ones without which they make no sense. */
export type Stage = { readonly needs: readonly string[]; readonly suites: readonly Suite[] }

const withDist = { WEBCONSOLE_REQUIRE_DIST: '1' }

function goModule(name: string, folder: string): Suite {
  return inOrder(
    name,
    check('vet', { command: 'go', args: ['vet', './...'], folder }),
    goTest('test', { folder, env: withDist }, './...'),
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
})

export const stages: readonly Stage[] = [
  { needs: [], suites: [check('types', npmRun('types'))] },
  { needs: [], suites: [check('lint', npmRun('lint'))] },
  { needs: [], suites: [check('build', npmRun('build'))] },
  { needs: [], suites: [vitest('unit', 'test/vitest.config.ts')] },
  { needs: ['build'], suites: [goModule('go embed', 'embed')] },
  { needs: ['build'], suites: [goModule('go server', 'embed/server')] },
  { needs: ['build'], suites: [serverBinary] },
  { needs: ['build'], suites: [dropIn] },
  { needs: ['build', 'server', 'drop-in'], suites: [vitest('e2e', 'test/e2e/vitest.config.ts')] },
]
