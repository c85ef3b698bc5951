// Plain Node, because nothing is installed yet when this starts on a fresh machine.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

requireNode(20, 19)
requireGo(1, 25)
await installPackages()
const suites = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'test/suites/run.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exit(suites.status ?? 1)

function requireNode(major, minor) {
  const [have = 0, haveMinor = 0] = process.versions.node.split('.').map(Number)
  if (have > major || (have === major && haveMinor >= minor)) return
  stop(
    `Node ${major}.${minor} or newer is needed, this is ${process.versions.node}: see https://nodejs.org`,
  )
}

function requireGo(major, minor) {
  const answer = spawnSync('go', ['env', 'GOVERSION'], { cwd: root, encoding: 'utf8' })
  const found = /^go(\d+)\.(\d+)/.exec(answer.stdout?.trim() ?? '')
  const isEnough =
    found && (Number(found[1]) > major || (Number(found[1]) === major && Number(found[2]) >= minor))
  if (isEnough) return
  const have = found ? `this is ${found[0]}` : 'none was found on the PATH'
  stop(`Go ${major}.${minor} or newer is needed, ${have}: see https://go.dev/dl`)
}

async function installPackages() {
  try {
    const { install } = await import('../embed/pipeline/install.mjs')
    await install(root)
  } catch (error) {
    stop(error.message)
  }
}

function stop(why) {
  console.error(why)
  console.log('0 passed, 1 failed')
  process.exit(1)
}
