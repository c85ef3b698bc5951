import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const writer = fileURLToPath(new URL('immudb-writer/main.go', import.meta.url))
const module = 'github.com/codenotary/immudb'
const ending = process.platform === 'win32' ? '.exe' : ''

const run = promisify(execFile)

/** Versions of immudb that people run, beside the one in our binary; each walks with the console. */
export const walkedVersions = ['1.9.5', '1.10.0'] as const

/** A version from before: not all works with it, and nothing is called wrong that is right. */
export const olderVersion = '1.5.0'

/** Versions whose servers give no id, so that an upgrade looks like another server. */
export const unnamedVersions = ['1.3.2', '1.4.1'] as const

/**
 * Builds all that the end-to-end tests start, so that none of them waits for it.
 * @public called by the step of the suites that prepares them
 */
export async function ensureVersions(): Promise<void> {
  for (const version of [...walkedVersions, olderVersion, ...unnamedVersions]) {
    await immudbProgram(version)
    await immudbWriter(version)
  }
}

/**
 * The program of a version of immudb, such as `1.9.5`. It is built from Go's module the first time,
 * which takes a minute or two, and kept. A module with replacements cannot be installed by its name,
 * so that it is built where Go keeps its source. It reports its version, as official releases do.
 * @throws when the module proxy does not have that version, or Go fails
 */
export async function immudbProgram(version: string): Promise<string> {
  const program = `${cache}immudb-${version}-release${ending}`
  if (existsSync(program)) return program
  const { Dir: source } = await download(version)
  const stamp = `-X ${module}/cmd/version.Version=${version}`
  return built(program, source, './cmd/immudb', ['-ldflags', stamp])
}

/**
 * A program that fills a server by the Go client of that version. Its module requires what immudb's
 * own does, so that nothing has to be chosen.
 */
export async function immudbWriter(version: string): Promise<string> {
  const code = readFileSync(writer)
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 8)
  const program = `${cache}immudb-writer-${version}-${digest}${ending}`
  if (existsSync(program)) return program
  const { Dir: source, Sum: sum, GoModSum: modSum } = await download(version)
  const folder = mkdtempSync(`${cache}immudb-writer-`)
  try {
    const requires = readFileSync(join(source, 'go.mod'), 'utf8').replace(module, 'writer')
    const sums = readFileSync(join(source, 'go.sum'), 'utf8')
    const own = `${module} v${version}`
    writeFileSync(join(folder, 'go.mod'), `${requires}\nrequire ${own}\n`)
    writeFileSync(join(folder, 'go.sum'), `${sums}${own} ${sum}\n${own}/go.mod ${modSum}\n`)
    writeFileSync(join(folder, 'main.go'), code)
    return await built(program, folder, '.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A store that a version before 1.3.2 wrote in haste, from the tests of immudb itself: behind its
 * transactions 11 to 20 the tree over all transactions lagged.
 */
export async function laggingStore(): Promise<string> {
  const { Dir: source } = await download('1.11.1')
  return join(source, 'test/data_long_linear_proof')
}

/** What Go says of a module that it has fetched. */
type Module = { readonly Dir: string; readonly Sum: string; readonly GoModSum: string }

async function download(version: string): Promise<Module> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`“${version}” is not a version of immudb`)
  mkdirSync(cache, { recursive: true })
  return JSON.parse(await go(cache, 'mod', 'download', '-json', `${module}@v${version}`))
}

/** Builds a package; in one step, so that nobody starts half of it: another process may be as fast. */
async function built(
  program: string,
  folder: string,
  name: string,
  flags: readonly string[] = [],
): Promise<string> {
  const unfinished = `${program}-${process.pid}`
  await go(folder, 'build', '-trimpath', ...flags, '-o', unfinished, name)
  renameSync(unfinished, program)
  return program
}

async function go(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, GOWORK: 'off', CGO_ENABLED: '0' }
  const { stdout } = await run('go', args, { cwd, env, maxBuffer: 1e8 })
  return stdout
}
