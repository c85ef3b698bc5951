// npm run soak [-- --minutes 30 --seed 1 --faults 0.05]: one operator at the console for a long
// time, on a real server that is killed now and then, behind a proxy that breaks one call in
// twenty at random. Ends with 1 if anything happened that must never happen.
// npm run soak -- --polls 10000: so many states asked for and proven back to back, while eight
// clients write and the server is ended twenty times. Ends with 1 if one was said to be broken.
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

async function work(): Promise<boolean> {
  if (values.polls !== undefined) {
    const { soakPolls } = await import('./polls')
    return soakPolls({ polls: Number(values.polls), writers: 8, restarts: 20, say })
  }
  process.env.CHROMIUM_PATH = ensureChromium()
  const { minutes, seed, faults } = values
  return soak({ minutes: Number(minutes), seed: Number(seed), share: Number(faults), say })
}

process.exit((await work()) ? 0 : 1)
