// npm run soak [-- --minutes 30 --seed 1 --faults 0.05]: one operator at the console for a long
// time, on a real server that is killed now and then, behind a proxy that breaks one call in
// twenty at random. Ends with 1 if anything happened that must never happen.
import { parseArgs } from 'node:util'
import { ensureChromium } from '../support/chromium'
import { soak } from './soak'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: '0.05' },
  },
})

process.env.CHROMIUM_PATH = ensureChromium()
const isGood = await soak({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  share: Number(values.faults),
  say: (line) => console.log(line),
})
process.exit(isGood ? 0 : 1)
