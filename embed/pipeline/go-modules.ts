import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceOf, licenceText } from './licence-texts.ts'

/** A module with a package that is compiled into the server binary. */
export type GoModule = {
  readonly path: string
  readonly version: string
  /** As in go.sum: `h1:` and the base64 of a SHA-256 over the names and hashes of its files. */
  readonly sum: string
  /** SPDX expression. */
  readonly licence: string
  /** Its licence, and its notice if it has one. */
  readonly text: string
}

/** What is compiled into the server binary beside our own code. */
export type GoParts = {
  readonly modules: readonly GoModule[]
  /** The standard library, whose version is that of the Go that builds. */
  readonly standard: { readonly version: string; readonly licence: string; readonly text: string }
}

/** Modules differ by system; the list covers all systems, wherever it is made. */
const systems = ['linux', 'darwin', 'windows']

const fields = '{{.Path}} {{.Version}} {{.Dir}}'

/** The module itself, or what replaces it; nothing for the standard library and for our own. */
const template = `{{with .Module}}{{with .Replace}}${fields}{{else}}${fields}{{end}}{{end}}`

/**
 * The parts of the server binary, modules by path. Fails without Go, for a module without a hash in
 * go.sum, and for one under a licence that no one has looked at.
 */
export function goParts(root: string): GoParts {
  const folder = join(root, 'embed/server')
  return { modules: goModules(folder), standard: standardLibrary(folder) }
}

function goModules(folder: string): GoModule[] {
  const sums = readSums(readFileSync(join(folder, 'go.sum'), 'utf8'))
  const lines = new Set(systems.flatMap((system) => modulesOn(system, folder)))
  return [...lines].sort().map((line) => {
    const [path = '', version = '', ...rest] = line.split(' ')
    const sum = sums.get(`${path} ${version}`)
    if (!sum) throw new Error(`go.sum has no hash of ${path} ${version}`)
    const text = licenceText(rest.join(' '))
    if (text === null) throw new Error(`${path} ${version} has no licence file`)
    return { path, version, sum, licence: licenceOf(path, text), text }
  })
}

function standardLibrary(folder: string): GoParts['standard'] {
  const output = execFileSync('go', ['env', 'GOVERSION', 'GOROOT'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const [version = '', home = ''] = output.split('\n')
  const text = licenceText(home)
  if (text === null) throw new Error(`${home} has no licence file`)
  return { version: version.replace(/^go/, ''), licence: licenceOf('std', text), text }
}

/** Lines of path, version and folder; modules without a version are part of this repository. */
function modulesOn(system: string, folder: string): string[] {
  const output = execFileSync('go', ['list', '-deps', '-f', template, '.'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      CGO_ENABLED: '0',
      GOARCH: 'amd64',
      GOFLAGS: '-mod=readonly',
      GOOS: system,
      GOWORK: 'off',
    },
  })
  return output.split('\n').filter((line) => /^\S+ v\S+ ./.test(line))
}

function readSums(text: string): ReadonlyMap<string, string> {
  const entries = text.split('\n').map((line) => line.split(' '))
  return new Map(entries.map(([path, version, sum]) => [`${path} ${version}`, sum ?? '']))
}
