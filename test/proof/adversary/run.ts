// npm run adversary [-- --minutes N] [-- --seed N]: lies in series, for as long as it is asked to.
// npm run adversary -- --both [--minutes N] [--seed N]: the same answers to both verifiers, until they
// differ.
// npm run adversary -- --shown [--minutes N] [--only WALK]: lies on the screens of the last build.
import { parseArgs } from 'node:util'
import { runShown } from '../../shown/run'
import { compareBoth } from '../both/run'
import { attackedWithout } from './mutant'
import { runSeries } from './series'

if (process.argv.includes('--shown')) process.exitCode = (await runShown()) ? 0 : 1
else {
  const { values } = parseArgs({
    options: {
      both: { type: 'boolean' },
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string' },
    },
  })
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
  const minutes = Number(values.minutes)
  if (values.both) process.exitCode = (await compareBoth(seed, minutes)) ? 0 : 1
  else await lieInSeries(seed, minutes)
}

async function lieInSeries(first: number, minutes: number): Promise<void> {
  const end = performance.now() + minutes * 60_000
  const counts = { series: 0, answers: 0, verified: 0, refused: 0, unproven: 0, breaches: 0 }
  const attacked = await attackedWithout()

  do {
    const seed = first + counts.series
    const series = await runSeries(attacked, seed)
    counts.series += 1
    for (const name of ['answers', 'verified', 'refused', 'unproven'] as const)
      counts[name] += series[name]
    if (series.breach) {
      counts.breaches += 1
      console.log(`seed ${seed}: ${series.breach}`)
    }
  } while (performance.now() < end)

  const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  console.log(`seeds ${first} to ${first + counts.series - 1}: ${figures.join(', ')}`)
  process.exitCode = counts.breaches > 0 ? 1 : 0
}
