import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../src/screens/code/languages'
import { versions } from '../../src/screens/code/versions'
import { installFromDebian, isDebian, isProgram, onPath, run } from './installed'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const ofPython = `${cache}immudb-py-${versions.python}`

/** What immudb’s SDK for Node is installed below, which no snippet uses. */
export const ofNode = `${cache}immudb-node-${versions.node}`

/** The Python that has immudb-py. */
export const python = (): string => `${ofPython}/bin/python`

const isHere = (...names: readonly string[]) =>
  names.every((name) => onPath([name]).some(isProgram))

/** The longest first. */
export const languageNames: readonly Language[] = ['go', 'curl', 'psql', 'python', 'java', 'node']

/** Whether the snippets of a language can be run here. */
export function canRun(language: Language): boolean {
  switch (language) {
    case 'curl':
      return isHere('curl')
    case 'java':
      return isHere('java', 'javac')
    case 'psql':
      return isHere('psql')
    case 'python':
      return existsSync(`${ofPython}/ready`)
    case 'node':
      return existsSync(`${ofNode}/node_modules/immudb-node`)
    case 'go':
      return true
  }
}

const packages = { curl: 'curl', psql: 'postgresql-client', java: 'default-jdk-headless' }

/**
 * Installs what the snippets need, by Debian and by the registries of their languages.
 * @public called by the step of the suites that prepares them
 */
export function ensureLanguages(): void {
  const missing = (['curl', 'psql', 'java'] as const).filter((name) => !canRun(name))
  if (isDebian && missing.length > 0) installFromDebian(...missing.map((name) => packages[name]))
  if (!canRun('python')) installPython()
  if (!canRun('node')) {
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
    run('npm', [...install, '--prefix', ofNode, `immudb-node@${versions.node}`])
  }
}

function installPython(): void {
  const makes = () => spawnSync('python3', ['-m', 'venv', '--clear', ofPython]).status === 0
  if (!makes() && isDebian) installFromDebian('python3-venv')
  if (!existsSync(python()) && !makes()) return
  const wanted = `immudb-py==${versions.python}`
  if (run(python(), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted])) {
    run('touch', [`${ofPython}/ready`])
  }
}
