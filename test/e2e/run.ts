// npm run e2e [-- --browser firefox|webkit] [-- --immudb 1.9.5] [file-or-name ...]: the end-to-end
// tests alone, on what was built last. In another browser than Chromium those with the tag `walk`, or
// those that are named. With --immudb that version stands behind our handler wherever a test names no
// server.
import { spawnSync } from 'node:child_process'
import { engineNamed } from '../support/engine'
import { ensureEngine } from '../support/engines'
import { immudbProgram } from '../support/immudb-versions'

const config = ['--config', 'test/e2e/vitest.config.ts']
const args = process.argv.slice(2)
const immudb = takeOption('--immudb')
const engine = engineNamed(takeOption('--browser') ?? 'chromium')
if (!ensureEngine(engine)) {
  console.error(`The browser of ${engine} is not here, and only Debian’s root can install it.`)
  process.exit(1)
}
if (immudb !== undefined) await immudbProgram(immudb)
const walks = engine !== 'chromium' && args.length === 0 ? ['--tags-filter', 'walk'] : []
const run = spawnSync(
  process.execPath,
  ['node_modules/.bin/vitest', 'run', ...config, ...walks, ...args],
  {
    stdio: 'inherit',
    env: { ...process.env, ENGINE: engine, ...(immudb !== undefined && { IMMUDB: immudb }) },
  },
)
process.exit(run.status ?? 1)

/** Takes an option and its value, `--name value` or `--name=value`, out of the arguments. */
function takeOption(name: string): string | undefined {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`))
  if (at < 0) return undefined
  const isJoined = args[at] !== name
  const [first, second] = args.splice(at, isJoined ? 1 : 2)
  const value = isJoined ? first?.slice(name.length + 1) : second
  if (!value) throw new Error(`${name} needs a value`)
  return value
}
