import { parseArgs } from 'node:util'
import { openBrowser } from '../support/browser'
import { Lane, lanesAtOnce } from './lane'
import { search } from './search'
import { readyServer } from './server'
import { walks } from './walks'

/** npm run adversary -- --shown [--minutes N] [--only WALK]: all leaves of all walks. */
export async function runShown(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      shown: { type: 'boolean' },
      minutes: { type: 'string', default: '240' },
      only: { type: 'string' },
      sample: { type: 'string' },
    },
  })
  const { only = '' } = values
  const wanted = walks.filter(({ name }) => name.includes(only))
  if (wanted.length === 0) throw new Error(`no walk has “${only}” in its name`)
  const until = performance.now() + Number(values.minutes) * 60_000
  const readied = await readyServer()
  const browser = await openBrowser('shell')
  const waiting = [...wanted]
  let breaches = 0
  const goOn = async () => {
    const lane = await Lane.open(browser, readied)
    for (let walk = waiting.shift(); walk; walk = waiting.shift()) {
      const { breaches: found, ...figures } = await search(lane, walk, {
        until,
        ...(values.sample === undefined ? {} : { sample: Number(values.sample) }),
        tell: ({ walk: name, lie, why }) => console.log(`BREACH ${name}: ${lie}: ${why}`),
      })
      breaches += found.length
      const { walk: name, known, honest, answers, leaves, drawn, seconds, isCut } = figures
      const said = `${figures.verified} verified, ${figures.contradicted} contradicted, ${figures.inPart} in part, ${figures.nothing} not marked`
      console.log(
        `${name}${known ? ` (${known})` : ''}: honest ${honest}; ${answers} answers, ${leaves} leaves, ${drawn} drawn: ${said}; ${found.length} breaches; ${seconds.toFixed(0)} s${isCut ? ', cut short' : ''}`,
      )
    }
    await lane.close()
  }
  await Promise.all(Array.from({ length: Math.min(lanesAtOnce, wanted.length) }, goOn))
  await browser.close()
  await readied.dispose()
  console.log(`${wanted.length} walks, ${breaches} breaches`)
  return breaches === 0
}
