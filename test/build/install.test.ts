// @vitest-environment node
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'webconsole-install-'))
  mkdirSync(join(folder, 'node_modules'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Packages = Record<
  string,
  {
    version: string
    integrity?: string
    optional?: boolean
    optionalDependencies?: Record<string, string>
  }
>
type Platform = { os: string; cpu: string; libc: 'glibc' | 'musl' | null }

const mac: Platform = { os: 'darwin', cpu: 'arm64', libc: null }
const windows: Platform = { os: 'win32', cpu: 'x64', libc: null }
const linux: Platform = { os: 'linux', cpu: 'x64', libc: 'glibc' }
const alpine: Platform = { os: 'linux', cpu: 'x64', libc: 'musl' }

type Installer = {
  missingNatives(packages: Packages, platform: Platform): string[]
  isInstalled(root: string, platform: Platform): boolean
}
const installer = pathToFileURL('embed/pipeline/install.mjs').href
const { missingNatives, isInstalled }: Installer = await import(/* @vite-ignore */ installer)

/** A package and the native packages for it; those in `locked` are in the lock. */
function withNatives(
  name: string,
  natives: readonly string[],
  locked: readonly string[],
): Packages {
  const optionalDependencies = Object.fromEntries(natives.map((native) => [native, '2.0.0']))
  const entries = locked.map((native) => [
    `node_modules/${native}`,
    { version: '2.0.0', optional: true },
  ])
  return {
    [`node_modules/${name}`]: { version: '2.0.0', integrity: 'sha512-n', optionalDependencies },
    ...Object.fromEntries(entries),
  }
}

describe('which native packages the lock lacks', () => {
  const oxide = [
    'darwin-arm64',
    'linux-x64-gnu',
    'linux-x64-musl',
    'win32-x64-msvc',
    'linux-arm64-gnu',
  ]
  const oxideNames = oxide.map((end) => `@t/oxide-${end}`)
  const lock = withNatives('@t/oxide', oxideNames, ['@t/oxide-linux-x64-gnu'])

  test('a system that the lock holds needs nothing', () => {
    expect(missingNatives(lock, linux)).toEqual([])
  })

  test('the package of another system, processor or C library is named with its version', () => {
    expect(missingNatives(lock, mac)).toEqual(['@t/oxide-darwin-arm64@2.0.0'])
    expect(missingNatives(lock, windows)).toEqual(['@t/oxide-win32-x64-msvc@2.0.0'])
    expect(missingNatives(lock, alpine)).toEqual(['@t/oxide-linux-x64-musl@2.0.0'])
    expect(missingNatives(lock, { ...linux, cpu: 'arm64' })).toEqual([
      '@t/oxide-linux-arm64-gnu@2.0.0',
    ])
  })

  test('one package for every C library serves musl too', () => {
    const names = ['@esbuild/linux-x64', '@esbuild/darwin-arm64']
    const present = withNatives('esbuild', names, ['@esbuild/linux-x64'])
    expect(missingNatives(present, alpine)).toEqual([])
    expect(missingNatives(present, linux)).toEqual([])
    expect(missingNatives(withNatives('esbuild', names, []), alpine)).toEqual([
      '@esbuild/linux-x64@2.0.0',
    ])
  })

  test('a package that is made for neither C library by name is for glibc when musl has its own', () => {
    const names = ['@b/cli-linux-x64', '@b/cli-linux-x64-musl']
    const present = withNatives('@b/cli', names, ['@b/cli-linux-x64'])
    expect(missingNatives(present, linux)).toEqual([])
    expect(missingNatives(present, alpine)).toEqual(['@b/cli-linux-x64-musl@2.0.0'])
  })

  test('a system that no package was made for, and other optional packages, are no gap', () => {
    expect(missingNatives(lock, { os: 'sunos', cpu: 'x64', libc: null })).toEqual([])
    const vite = withNatives('vite', ['fsevents'], [])
    expect(missingNatives(vite, mac)).toEqual([])
  })

  test('the lock of this repository is complete for Linux on x64 and arm64', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    for (const cpu of ['x64', 'arm64']) {
      expect(missingNatives(packages, { ...linux, cpu })).toEqual([])
    }
  })
})

describe('whether the packages are there', () => {
  const locked: Packages = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/other-system': { version: '1.0.0', integrity: 'sha512-o', optional: true },
  }
  const { '': _, 'node_modules/other-system': other, ...needed } = locked

  function judge(lock: Packages, present: Packages | undefined, platform = linux): boolean {
    const write = (name: string, content: object) =>
      writeFileSync(join(folder, name), JSON.stringify(content))
    write('package.json', { dependencies: { a: '1.0.0' } })
    write('package-lock.json', { packages: lock })
    if (present) write('node_modules/.package-lock.json', { packages: present })
    return isInstalled(folder, platform)
  }

  test('packages of other systems may be missing', () => {
    expect(other?.optional).toBe(true)
    expect(judge(locked, needed)).toBe(true)
  })

  test('without packages, or without what npm notes about them, they are installed', () => {
    expect(judge(locked, undefined)).toBe(false)
  })

  test('a missing package or another version of one is noticed', () => {
    expect(judge(locked, {})).toBe(false)
    const changed = { version: '1.0.1', integrity: 'sha512-a' }
    expect(judge(locked, { 'node_modules/a': changed })).toBe(false)
    const replaced = { version: '1.0.0', integrity: 'sha512-b' }
    expect(judge(locked, { 'node_modules/a': replaced })).toBe(false)
  })

  test('without native packages in the lock, those and the versions of package.json count', () => {
    const names = ['n-darwin-arm64', 'n-linux-x64-gnu']
    const lock = { ...locked, ...withNatives('n', names, ['n-linux-x64-gnu']) }
    const below = { 'node_modules/below-a': { version: '9.0.0', integrity: 'sha512-x' } }
    const onMac = { ...needed, ...below, ...withNatives('n', names, ['n-darwin-arm64']) }
    expect(judge(lock, onMac, mac)).toBe(true)
    expect(judge(lock, { ...onMac, ...locked }, linux)).toBe(false)
    expect(judge(lock, { ...needed, ...withNatives('n', names, []) }, mac)).toBe(false)
    const older = { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } }
    expect(judge(lock, { ...onMac, ...older }, mac)).toBe(false)
  })
})

describe('what npm is asked for', () => {
  /** What is told when packages are installed by an npm that only tells how it was called. */
  function installed(platform: Platform, exitCode: 0 | 1): string {
    const names = ['n-darwin-arm64', 'n-linux-x64-gnu']
    const lock = { '': { version: '0.1.0' }, ...withNatives('n', names, ['n-linux-x64-gnu']) }
    const record = JSON.stringify({ packages: withNatives('n', names, []) })
    const npm = `#!/bin/sh
echo '${record}' > node_modules/.package-lock.json
echo "npm $*" | tee called; exit ${exitCode}
`
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { n: '2.0.0' } }))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }))
    writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
    const code = `const { install } = await import(${JSON.stringify(installer)})
      console.warn = console.log
      try { install(${JSON.stringify(folder)}, ${JSON.stringify(platform)}) }
      catch (error) { console.log(error.message) }`
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    const args = ['--input-type=module', '-e', code]
    const told = execFileSync(process.execPath, args, { encoding: 'utf8', env })
    return `${told}\n${readFileSync(join(folder, 'called'), 'utf8')}`
  }

  test('the lock where it is complete', () => {
    const told = installed(linux, 0)
    expect(told).toContain('Installing the locked packages …')
    expect(told).toMatch(/npm install .*--ignore-scripts/)
    expect(told).not.toContain('--no-package-lock')
  })

  test('package.json where it is not, with what the lock and then the registry lacked', () => {
    const told = installed(mac, 0)
    expect(told).toContain('The lock file lacks packages for darwin arm64: n-darwin-arm64@2.0.0.')
    expect(told).toContain('Installing the versions of package.json without it')
    expect(told).toMatch(/npm install .*--ignore-scripts.*--no-package-lock/)
    expect(told).toContain('The registry did not provide n-darwin-arm64@2.0.0.')
  })

  test('what npm said is told when it fails', () => {
    expect(installed(mac, 1)).toMatch(/npm install failed:\nnpm install --no-save/)
  })
})

test('each command of README for operators and release engineers installs what it needs', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const name of ['dev', 'build', 'pack', 'release', 'dropin']) {
    expect(scripts[name]).toMatch(/^node embed\/pipeline\/install\.mjs && /)
  }
})

test('`npm start -- --help` answers before anything is installed or built, without Go', () => {
  for (const file of [
    'embed/pipeline/start.mjs',
    'embed/pipeline/install.mjs',
    'embed/server/usage.txt',
  ]) {
    cpSync(file, join(folder, file))
  }
  const before = readdirSync(folder, { recursive: true })
  const start = join(folder, 'embed/pipeline/start.mjs')
  for (const flag of ['--help', '-h']) {
    const env = { PATH: '' }
    const told = execFileSync(process.execPath, [start, flag], { encoding: 'utf8', env })
    for (const line of ['--address ADDR', '--server NAME=URL', '--servers FILE', '--replicas N']) {
      expect(told).toContain(line)
    }
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
})
