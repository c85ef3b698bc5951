import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser named by CHROMIUM_PATH, else one on the PATH, else Playwright's own copy. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!isProgram(named)) throw new Error(`CHROMIUM_PATH is ${named}, which is not a program`)
    return named
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...macApplications, chromium.executablePath()].find(isProgram)
}

/** Finds a Chromium or installs one; throws with advice when neither works. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (isDebianRoot) {
    console.log('No Chromium found: installing Debian’s package.')
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
  }
  if (!findChromium()) {
    console.log('No Chromium found: asking Playwright to install one.')
    run('npx', ['playwright-core', 'install', 'chromium'])
  }
  const installed = findChromium()
  if (installed) return installed
  throw new Error(
    'The end-to-end tests need Chromium and it could not be installed here. Install it (Debian: ' +
      'apt-get install chromium) or set CHROMIUM_PATH to its program.',
  )
}

function run(command: string, args: readonly string[]) {
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
