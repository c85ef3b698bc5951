// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'webconsole-install-'))
  mkdirSync(join(folder, 'node_modules'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Packages = Record<string, { version: string; integrity?: string; optional?: boolean }>

const locked: Packages = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/other-system': { version: '1.0.0', integrity: 'sha512-o', optional: true },
}

/** What the starter itself says, run as it is. */
function isInstalled(lock: Packages, present: Packages | undefined): boolean {
  const write = (name: string, packages: Packages) =>
    writeFileSync(join(folder, name), JSON.stringify({ packages }))
  write('package-lock.json', lock)
  if (present) write('node_modules/.package-lock.json', present)
  const starter = pathToFileURL('embed/pipeline/install.mjs').href
  const code = `const { isInstalled } = await import(${JSON.stringify(starter)})
    console.log(isInstalled(${JSON.stringify(folder)}))`
  const args = ['--input-type=module', '-e', code]
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim() === 'true'
}

const { '': _, 'node_modules/other-system': other, ...needed } = locked

test('packages of other systems may be missing', () => {
  expect(other?.optional).toBe(true)
  expect(isInstalled(locked, needed)).toBe(true)
})

test('without packages, or without what npm notes about them, they are installed', () => {
  expect(isInstalled(locked, undefined)).toBe(false)
})

test('a missing package or another version of one is noticed', () => {
  expect(isInstalled(locked, {})).toBe(false)
  expect(
    isInstalled(locked, { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }),
  ).toBe(false)
  expect(
    isInstalled(locked, { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }),
  ).toBe(false)
})
