import type { Counts } from './counts'
import { type Stage, type Step, smoke, stages } from './stages'

const isSmoke = process.argv.includes('--smoke')
if (isSmoke) process.env.SMOKE = '1'

type Result = Counts & { readonly name: string; readonly seconds: number }

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.log('\n0 passed, 1 failed')
  process.exitCode = 1
}

/** Runs every suite, ends with the line `N passed, N failed`; true when all passed. */
async function main(): Promise<boolean> {
  const results: Result[] = []
  for (const lanes of isSmoke ? smoke : stages) await runStage(lanes, results)
  const passed = sum(results, 'passed')
  const failed = sum(results, 'failed')
  const failures = results.flatMap(({ name, failures = [] }) =>
    failures.map((failure) => `${name}: ${failure}\n`),
  )
  console.log(`\n${failures.join('')}${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0
}

/** Runs lanes side by side, the steps of a lane one after the other. */
async function runStage(lanes: Stage, results: Result[]): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) results.push(await runStep(step, results))
    }),
  )
}

/** Runs a suite and says what came of it; what the suite printed is shown only if it failed. */
async function runStep(step: Step, known: readonly Result[]): Promise<Result> {
  const started = performance.now()
  const { name } = step.suite
  const blockers = step.needs.filter((need) =>
    known.some((result) => result.name === need && result.failed > 0),
  )
  let output = ''
  const counts =
    blockers.length > 0
      ? { passed: 0, failed: 1, failures: [`not run, because ${blockers.join(' and ')} failed`] }
      : await step.suite
          .run((text) => {
            output += text
          })
          .catch((error: unknown) => {
            output += `${error instanceof Error ? error.stack : error}\n`
            return { passed: 0, failed: 1 }
          })
  const result = { name, ...counts, seconds: (performance.now() - started) / 1000 }
  console.log(lineOf(result))
  if (result.failed > 0) console.log(output)
  return result
}

function lineOf({ name, passed, failed, seconds, notRun }: Result): string {
  if (notRun) return `${name.padEnd(10)}${notRun}`
  const counts = `${String(passed).padStart(6)} passed  ${String(failed).padStart(3)} failed`
  return `${name.padEnd(10)}${counts}  ${seconds.toFixed(1).padStart(7)} s`
}

function sum(results: readonly Result[], field: 'passed' | 'failed'): number {
  return results.reduce((total, result) => total + result[field], 0)
}
