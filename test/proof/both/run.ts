import { writeFileSync } from 'node:fs'
import { type FileReader, wordOf } from '../../support/file-word'
import { randomOf } from '../../support/mutations'
import { attackedWithout } from '../adversary/mutant'
import { runSeries } from '../adversary/series'
import { askBoth, type Counts, Disagreement, noCounts, type Question } from './agree'
import { changed, changedFile, type FileQuestion, recorded } from './questions'
import { buildSecond, SecondVerifier } from './second-verifier'

/** What a run compared, and the first difference, if there was one. */
export type BothRun = Counts & { files: number; series: number; difference: Disagreement | null }

/** Answers that may be on their way to the second verifier at once. */
const ahead = 16

/**
 * Asks both verifiers the same until that is enough, or until they differ: all recorded answers,
 * changes of these, changed files, and the adversary's series.
 * @param isEnough asked after each round, which is a series, 200 changed answers and 20 changed files
 */
export async function runBoth(seed: number, isEnough: (run: BothRun) => boolean): Promise<BothRun> {
  buildSecond()
  const second = new SecondVerifier()
  const random = randomOf(seed)
  const run: BothRun = { ...noCounts(), files: 0, series: 0, difference: null }
  const attacked = await attackedWithout()
  const askedBySeries: Question[] = []
  const overheard = {
    ...attacked,
    verify: (async (kind, context, request, response) => {
      askedBySeries.push({ kind, context, request, response, from: `series ${seed + run.series}` })
      return attacked.verify(kind, context, request, response)
    }) as typeof attacked.verify,
  }
  const pending = new Set<Promise<void>>()
  const ask = async (asked: Promise<void>) => {
    const settled = asked
      .catch((error: unknown) => {
        if (!(error instanceof Disagreement)) throw error
        run.difference ??= error
      })
      .finally(() => pending.delete(settled))
    pending.add(settled)
    if (pending.size >= ahead) await Promise.race(pending)
  }
  try {
    for (const question of recorded) await ask(askBoth(second, question, run))
    while (!run.difference && !isEnough(run)) {
      for (let left = 200; left > 0 && !run.difference; left -= 1) {
        await ask(askBoth(second, changed(random), run))
      }
      for (let left = 20; left > 0 && !run.difference; left -= 1)
        await ask(askFile(second, attacked, changedFile(random), run))
      await runSeries(overheard, seed + run.series)
      run.series += 1
      for (const question of askedBySeries.splice(0)) {
        if (run.difference === null) await ask(askBoth(second, question, run))
      }
    }
    await Promise.all(pending)
  } finally {
    second.close()
  }
  return run
}

/** @throws Disagreement where the two call a file otherwise */
async function askFile(
  second: SecondVerifier,
  reader: FileReader,
  { bytes, states, keys, from }: FileQuestion,
  run: BothRun,
): Promise<void> {
  const line = JSON.stringify({ file: Buffer.from(bytes).toString('base64'), states, keys })
  const [mine, theirs] = await Promise.all([wordOf(reader, bytes, states, keys), second.ask(line)])
  const word = theirs.word?.replaceAll(' ', '-')
  if (word !== mine)
    throw new Disagreement(from, `ours says ${mine}, the other ${word} (${theirs.why})`, line)
  run.files += 1
}

/** `npm run adversary -- --both`: for as long as it is asked to. */
export async function compareBoth(seed: number, minutes: number): Promise<boolean> {
  // Thousands of refusals a second need no trace of calls.
  Error.stackTraceLimit = 0
  const start = performance.now()
  let told = start
  const said = ({ answers, ok, refused, unproven, sameReason, files, series }: BothRun) =>
    `${answers} answers (${ok} ok, ${refused} refused, ${unproven} unproven; one reason for ${sameReason} refusals), ${files} files, ${series} series`
  const run = await runBoth(seed, (soFar) => {
    const now = performance.now()
    if (now - told >= 60_000) {
      told = now
      console.log(`${Math.round((now - start) / 60_000)} min: ${said(soFar)}`)
    }
    return now - start >= minutes * 60_000
  })
  console.log(`seed ${seed}: ${said(run)}`)
  if (!run.difference) return true
  const place = '.cache/difference.json'
  writeFileSync(place, `${run.difference.line}\n`)
  console.log(`${run.difference.message}\nThe question is in ${place}.`)
  return false
}
