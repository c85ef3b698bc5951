import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs where nothing is installed yet: plain JavaScript, nothing but Node itself.

/** The machine that packages are installed for; `libc` is null except on Linux. */
export function thisPlatform() {
  const { platform: os, arch: cpu } = process
  if (os !== 'linux') return { os, cpu, libc: null }
  process.report.excludeNetwork = true
  const { glibcVersionRuntime } = process.report.getReport().header
  return { os, cpu, libc: glibcVersionRuntime ? 'glibc' : 'musl' }
}

/**
 * The native packages for this platform that `packages` lacks, as `name@version`. `packages` is that
 * part of a lock file, or of npm's record in `node_modules`. A registry that does not hold every
 * native package leaves gaps in the lock files that are made from it.
 */
export function missingNatives(packages, platform) {
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  return Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => nativesFor(optionalDependencies, platform))
    .filter(([name]) => !names.has(name))
    .map(([name, version]) => `${name}@${version}`)
}

/**
 * A package's native packages that fit this platform, by name, because absent ones have no fields.
 */
function nativesFor(optional, { os, cpu, libc }) {
  const ending = new RegExp(`[-/]${os}-${cpu}(?:-([a-z]+))?$`)
  const found = Object.entries(optional).flatMap(([name, version]) => {
    const match = ending.exec(name)
    return match ? [{ native: [name, version], abi: match[1] ?? '' }] : []
  })
  if (libc === null) return found.map(({ native }) => native)
  // Without a name for a C library, a package runs with glibc, and with musl if there is no other.
  const wanted = libc === 'musl' ? /^musl/ : /^(gnu.*)?$/
  const named = found.filter(({ abi }) => wanted.test(abi))
  return (named.length > 0 ? named : found.filter(({ abi }) => abi === '')).map((it) => it.native)
}

/**
 * Whether `node_modules` matches the lock file, by npm's own record. If the lock lacks native
 * packages: whether it has these and the versions of `package.json`.
 */
export function isInstalled(root, platform = thisPlatform()) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = packages(join(root, 'package-lock.json'))
  const present = packages(record)
  if (missingNatives(present, platform).length > 0) return false
  if (missingNatives(wanted, platform).length > 0) {
    const { dependencies, devDependencies } = read(join(root, 'package.json'))
    const pinned = Object.entries({ ...dependencies, ...devDependencies })
    return pinned.every(([name, version]) => present[`node_modules/${name}`]?.version === version)
  }
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const item = present[path]
    // npm leaves out optional packages for other systems, such as other machines' binaries.
    if (!item) return path === '' || optional === true
    return item.version === version && item.integrity === integrity
  })
}

function packages(lock) {
  return read(lock).packages
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * Installs the locked packages unless they are there, without running their install scripts. Where
 * the lock lacks native packages of this platform, installs the versions of `package.json` without
 * the lock. Throws with npm's output when that fails.
 */
export function install(root, platform = thisPlatform()) {
  if (isInstalled(root, platform)) return
  const missing = missingNatives(packages(join(root, 'package-lock.json')), platform)
  if (missing.length === 0) {
    console.log('Installing the locked packages …')
    // Not `npm ci`: it refuses a lock file that lacks the optional packages of other systems. This
    // installs the locked versions too and leaves the file alone.
    runNpm(root, [])
    return
  }
  const system = [platform.os, platform.cpu, platform.libc].filter(Boolean).join(' ')
  console.log(
    `The lock file lacks packages for ${system}: ${missing.join(', ')}.\n` +
      'Installing the versions of package.json without it; their dependencies may be newer …',
  )
  runNpm(root, ['--no-package-lock'])
  const absent = missingNatives(packages(join(root, 'node_modules/.package-lock.json')), platform)
  if (absent.length === 0) return
  console.warn(`The registry did not provide ${absent.join(', ')}. Steps that need them will fail.`)
}

function runNpm(root, extra) {
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...extra]
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
