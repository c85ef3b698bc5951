import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs where nothing is installed yet: plain JavaScript, nothing but Node itself.

/** Whether `node_modules` holds what the lock file says, as far as npm's own record of it tells. */
export function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = packages(join(root, 'package-lock.json'))
  const present = packages(record)
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const item = present[path]
    // npm leaves out optional packages for other systems, such as other machines' binaries.
    if (!item) return path === '' || optional === true
    return item.version === version && item.integrity === integrity
  })
}

function packages(lock) {
  return JSON.parse(readFileSync(lock, 'utf8')).packages
}

/**
 * Installs the locked packages unless they are there, without running their install scripts.
 * Throws with npm's output when that fails.
 */
export function install(root) {
  if (isInstalled(root)) return
  console.log('Installing the locked packages …')
  // Not `npm ci`: it refuses a lock file that lacks the optional packages of other systems, which
  // not every registry holds. This installs the locked versions too and leaves the file alone.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const result = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    const output = result.error?.message ?? `${result.stdout}${result.stderr}`
    throw new Error(`npm install failed:\n${output}`)
  }
}

/** Throws unless this Node can run the build. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`Node 20.19 or later is needed; this is ${process.versions.node}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    requireNode()
    install(fileURLToPath(new URL('../..', import.meta.url)))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
