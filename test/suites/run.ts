import { ensureChromium } from '../support/chromium'
import type { Counts } from './counts'
import { type Stage, type Step, stages } from './stages'
import type { Write } from './suite'

type Result = Counts & { readonly name: string; readonly seconds: number }

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.log('\n0 passed, 1 failed')
  process.exitCode = 1
}

/** Runs every suite, prints the table and the line `N passed, N failed`; true when all passed. */
async function main(): Promise<boolean> {
  ensureChromium()
  const results: Result[] = []
  for (const lanes of stages) await runStage(lanes, results)
  const passed = sum(results, 'passed')
  const failed = sum(results, 'failed')
  const failures = results.flatMap(({ name, failures = [] }) =>
    failures.map((failure) => `${name}: ${failure}\n`),
  )
  console.log(`\n${failures.join('')}\n${table(results)}\n\n${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0
}

/** Runs lanes side by side; the output of each suite stays together, the first one's is live. */
async function runStage(lanes: Stage, results: Result[]): Promise<void> {
  const output = inTurn(lanes.flat().map((step) => step.suite.name))
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) {
        const { write, end } = output(step.suite.name)
        results.push(await runStep(step, results, write))
        end()
      }
    }),
  )
}

async function runStep(step: Step, known: readonly Result[], write: Write): Promise<Result> {
  const started = performance.now()
  const { name } = step.suite
  const blockers = step.needs.filter((need) =>
    known.some((result) => result.name === need && result.failed > 0),
  )
  if (blockers.length > 0) {
    write(`Not run, because ${blockers.join(' and ')} failed.\n`)
    return { name, passed: 0, failed: 1, seconds: 0 }
  }
  const counts = await step.suite.run(write).catch((error: unknown) => {
    write(`${error instanceof Error ? error.stack : error}\n`)
    return { passed: 0, failed: 1 }
  })
  return { name, ...counts, seconds: (performance.now() - started) / 1000 }
}

type TurnOutput = { readonly write: Write; end(): void }

/** Outputs that appear one after the other, although they are written side by side. */
function inTurn(names: readonly string[]): (name: string) => TurnOutput {
  const kept = new Map(names.map((name) => [name, title(name)]))
  const ended = new Set<string>()
  const waiting = [...names]
  const show = () => {
    for (let [name] = waiting; name !== undefined; [name] = waiting) {
      process.stdout.write(kept.get(name) ?? '')
      kept.set(name, '')
      if (!ended.has(name)) return
      waiting.shift()
    }
  }
  return (name) => ({
    write(text) {
      kept.set(name, `${kept.get(name)}${text}`)
      show()
    },
    end() {
      ended.add(name)
      show()
    },
  })
}

function title(name: string): string {
  return `\n── ${name} ${'─'.repeat(Math.max(3, 74 - name.length))}\n`
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
