import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const shellName = 'chromium-headless-shell'
const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser named by CHROMIUM_PATH, else one on the PATH, else Playwright's own copy. */
export function findChromium(): string | undefined {
  return (
    named() ?? [...onPath(names), ...macApplications, chromium.executablePath()].find(isProgram)
  )
}

/**
 * The same engine without the window around it, which takes a third less of the processor: the
 * window is drawn even when no one sees it. Without a headless shell, the whole browser is used.
 */
export function findHeadlessShell(): string | undefined {
  return named() ?? onPath([shellName]).find(isProgram) ?? findChromium()
}

/** Finds Chromium and its headless shell or installs them; throws with advice when it cannot. */
export function ensureChromium(): void {
  const debian = existsSync('/etc/debian_version') && process.getuid?.() === 0
  const missing = [
    ...(findChromium() ? [] : ['chromium']),
    ...((named() ?? onPath([shellName]).find(isProgram)) ? [] : [shellName]),
  ]
  if (debian && missing.length > 0) {
    console.log(`Installing Debian’s ${missing.join(' and ')}.`)
    run('apt-get', ['update', '-qq'])
    // One by one: a release without the shell still gets the browser.
    for (const name of missing) {
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
    }
  }
  if (!findChromium()) {
    console.log('No Chromium found: asking Playwright to install one.')
    run('npx', ['playwright-core', 'install', 'chromium'])
  }
  if (findChromium()) return
  throw new Error(
    'The end-to-end tests need Chromium and it could not be installed here. Install it (Debian: ' +
      'apt-get install chromium) or set CHROMIUM_PATH to its program.',
  )
}

function named(): string | undefined {
  const path = process.env.CHROMIUM_PATH
  if (path && !isProgram(path)) throw new Error(`CHROMIUM_PATH is ${path}, which is not a program`)
  return path || undefined
}

function onPath(programs: readonly string[]): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)))
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
