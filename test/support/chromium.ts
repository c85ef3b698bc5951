import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { installFromDebian, isDebian, isProgram, onPath, run } from './installed'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const shellName = 'chromium-headless-shell'

/**
 * A headless shell from the npm registry that is compiled as users' browsers are, by profiles of
 * real pages, which Debian's is not: the same tests take an eighth less of the processor. Of links
 * that are opened in another tab it loses one of ten beside busy programs, 153.0.0 one of four; a test
 * with such a link needs the whole browser.
 */
const packed = {
  name: '@sparticuz/chromium',
  version: '152.0.0',
  sha512:
    'ULl8f7LgwR9SaFRq7YqXEjZQoVlt+N1DAl5QgUiXDTtkqyNyLdSsbHAlSx+aya09xiv+EbBNyyok4+r2n4iQ6g==',
  isForThisMachine: process.platform === 'linux' && process.arch === 'x64',
}

/** Where it is unpacked. It brings no sandbox for users who may not make one. */
export const packedShell = join(cache, `chromium-shell-${packed.version}`, 'chromium')

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
  return named() ?? foundShell() ?? findChromium()
}

/** Finds Chromium and its headless shell or installs them; throws with advice when it cannot. */
export function ensureChromium(): void {
  if (isDebian && !findChromium()) installFromDebian('chromium')
  if (packed.isForThisMachine && !named() && !isProgram(packedShell)) unpackShell()
  if (isDebian && !named() && !foundShell()) installFromDebian(shellName)
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

function foundShell(): string | undefined {
  return [packedShell, ...onPath([shellName])].find(isProgram)
}

/** Fetches the packed shell; without it, the tests run with another one and take longer. */
function unpackShell(): void {
  console.log(`Fetching Chromium’s headless shell ${packed.version} from the npm registry.`)
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'unpack-'))
  try {
    const what = `${packed.name}@${packed.version}`
    const args = ['pack', what, '--silent', '--fetch-retries=1', '--pack-destination', folder]
    if (!run('npm', args)) throw new Error('npm could not fetch it')
    const archive = join(folder, `sparticuz-chromium-${packed.version}.tgz`)
    const sha512 = createHash('sha512').update(readFileSync(archive)).digest('base64')
    if (sha512 !== packed.sha512) throw new Error(`its SHA-512 is ${sha512}`)
    const member = 'package/bin/chromium.br'
    if (!run('tar', ['-xzf', archive, '-C', folder, '--strip-components=2', member])) {
      throw new Error('tar could not unpack it')
    }
    const whole = join(folder, 'whole')
    mkdirSync(whole)
    const program = join(whole, 'chromium')
    const bytes = brotliDecompressSync(readFileSync(join(folder, 'chromium.br')))
    writeFileSync(program, bytes, { mode: 0o755 })
    const trial = spawnSync(program, ['--version'], { encoding: 'utf8' })
    if (trial.status !== 0) throw new Error(`it does not start: ${trial.stderr || trial.error}`)
    // In one step, so that nobody finds half of it; another run may have been first.
    if (!isProgram(packedShell)) renameSync(whole, join(packedShell, '..'))
  } catch (error) {
    console.log(`Going on without it: ${error instanceof Error ? error.message : error}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function named(): string | undefined {
  const path = process.env.CHROMIUM_PATH
  if (path && !isProgram(path)) throw new Error(`CHROMIUM_PATH is ${path}, which is not a program`)
  return path || undefined
}
