// npm run soak [-- --minutes 30 --seed 1 --faults 0.05]: one operator at the console for a long
// time, on a real server that is killed now and then, behind a proxy that breaks one call in
// twenty at random. `-- --polls 10000` checks the history that often instead, while eight clients
// write. Ends with 1 if anything happened that must never happen.
import { parseArgs } from 'node:util'
import { ensureChromium } from '../support/chromium'
import { soak } from './soak'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: '0.05' },
    polls: { type: 'string' },
  },
})

const say = (line: string) => console.log(line)

async function operate(): Promise<boolean> {
  ensureChromium()
  const [minutes, seed, share] = [values.minutes, values.seed, values.faults].map(Number)
  return soak({ minutes: minutes ?? 0, seed: seed ?? 0, share: share ?? 0, say })
}

async function poll(count: number): Promise<boolean> {
  // What a build puts in their place.
  Object.assign(globalThis, { __VERSION__: 'soak', __COMMIT__: 'soak', __WORKERS__: '{}' })
  const { polls } = await import('./polls')
  return polls({ polls: count, writers: 8, restartEvery: 1_000, say })
}

const isGood = await (values.polls ? poll(Number(values.polls)) : operate())
process.exit(isGood ? 0 : 1)
