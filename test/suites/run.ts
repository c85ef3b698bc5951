import { ensureChromium } from '../support/chromium'
import type { Counts } from './counts'
import { stages } from './stages'
import type { Suite, Write } from './suite'

type Result = Counts & { readonly name: string; readonly seconds: number }

process.exitCode = (await main()) ? 0 : 1

/** Runs every suite, prints the table and the line `N passed, N failed`; true when all passed. */
async function main(): Promise<boolean> {
  process.env.CHROMIUM_PATH = ensureChromium()
  const results: Result[] = []
  for (const stage of stages) {
    const blockers = stage.needs.filter((name) =>
      results.some((result) => result.name === name && result.failed > 0),
    )
    results.push(...(await runStage(stage.suites, blockers)))
  }
  const passed = sum(results, 'passed')
  const failed = sum(results, 'failed')
  console.log(`\n${table(results)}\n\n${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0
}

/** Runs suites side by side; the output of each stays together, the first one's is live. */
async function runStage(suites: readonly Suite[], blockers: readonly string[]): Promise<Result[]> {
  const outputs = inTurn(suites.map((suite) => suite.name))
  return Promise.all(
    suites.map(async (suite, index) => {
      const output = outputs[index]
      const started = performance.now()
      const write: Write = (text) => output?.write(text)
      if (blockers.length > 0) write(`Not run, because ${blockers.join(' and ')} failed.\n`)
      const counts =
        blockers.length > 0
          ? { passed: 0, failed: 1 }
          : await suite.run(write).catch((error: unknown) => {
              write(`${error instanceof Error ? error.stack : error}\n`)
              return { passed: 0, failed: 1 }
            })
      output?.end()
      return { name: suite.name, ...counts, seconds: (performance.now() - started) / 1000 }
    }),
  )
}

type TurnOutput = { write: Write; end(): void }

/** Outputs that appear one after the other, although they are written side by side. */
function inTurn(names: readonly string[]): TurnOutput[] {
  const kept = names.map((name) => `\n── ${name} ${'─'.repeat(Math.max(3, 74 - name.length))}\n`)
  const isEnded = names.map(() => false)
  let turn = 0
  const show = () => {
    while (turn < names.length) {
      process.stdout.write(kept[turn] ?? '')
      kept[turn] = ''
      if (!isEnded[turn]) return
      turn += 1
    }
  }
  return names.map((_, index) => ({
    write(text) {
      kept[index] += text
      show()
    },
    end() {
      isEnded[index] = true
      show()
    },
  }))
}

function table(results: readonly Result[]): string {
  const width = Math.max(...results.map((result) => result.name.length), 5)
  const line = (name: string, passed: string, failed: string, seconds: string) =>
    `${name.padEnd(width)}  ${passed.padStart(6)}  ${failed.padStart(6)}  ${seconds.padStart(7)}`
  return [
    line('suite', 'passed', 'failed', 'seconds'),
    ...results.map((one) =>
      line(one.name, String(one.passed), String(one.failed), one.seconds.toFixed(1)),
    ),
  ].join('\n')
}

function sum(results: readonly Result[], field: 'passed' | 'failed'): number {
  return results.reduce((total, result) => total + result[field], 0)
}
