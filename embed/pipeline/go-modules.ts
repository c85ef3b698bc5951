import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A module with a package that is compiled into the server binary. */
export type GoModule = {
  readonly path: string
  readonly version: string
  /** As in go.sum: `h1:` and the base64 of a SHA-256 over the names and hashes of its files. */
  readonly sum: string
}

/** Modules differ by system; the list covers all systems, wherever it is made. */
const systems = ['linux', 'darwin', 'windows']

/** The module itself, or what replaces it; nothing for the standard library and for our own. */
const template =
  '{{with .Module}}{{with .Replace}}{{.Path}} {{.Version}}{{else}}{{.Path}} {{.Version}}{{end}}{{end}}'

/**
 * The modules of the server binary, by path. Fails without Go, and for a module without a hash in
 * go.sum.
 */
export function goModules(root: string): GoModule[] {
  const folder = join(root, 'embed/server')
  const sums = readSums(readFileSync(join(folder, 'go.sum'), 'utf8'))
  const lines = new Set(systems.flatMap((system) => modulesOn(system, folder)))
  return [...lines].sort().map((line) => {
    const [path = '', version = ''] = line.split(' ')
    const sum = sums.get(line)
    if (!sum) throw new Error(`go.sum has no hash of ${path} ${version}`)
    return { path, version, sum }
  })
}

/** Lines of path and version; modules without a version are part of this repository. */
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
  return output.split('\n').filter((line) => /^\S+ v\S+$/.test(line))
}

function readSums(text: string): ReadonlyMap<string, string> {
  const entries = text.split('\n').map((line) => line.split(' '))
  return new Map(entries.map(([path, version, sum]) => [`${path} ${version}`, sum ?? '']))
}
