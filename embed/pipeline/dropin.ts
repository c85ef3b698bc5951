import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from './output.ts'

/** What the drop-in build gives. */
export type DropIn = {
  /** Absolute path of an immudb whose own file server serves the console. */
  readonly binary: string
  /** immudb's own tests of its console package. */
  readonly passed: number
  readonly failed: number
  /** Output of the failed tests. */
  readonly report: string
}

const module = 'github.com/codenotary/immudb'
const version = 'v1.11.1'

/**
 * Builds immudb itself with `embed/dist` as its console, unchanged: the module is copied out of
 * Go's cache to `.cache/immudb-src`. A build of the same output is reused.
 * @throws when there is no output to drop in, or Go fails
 */
export function dropIn(root: string): DropIn {
  const manifest = join(root, 'embed/dist/manifest.json')
  if (!existsSync(manifest)) throw new Error('embed/dist is not built: npm run build')
  const source = join(root, '.cache/immudb-src')
  const binary = join(root, '.cache/immudb')
  const stamp = join(root, '.cache/immudb.json')
  const digest = sha256(readFileSync(manifest))
  const before = readStamp(stamp)
  if (before?.digest === digest && existsSync(binary)) return { ...before.result, binary }

  copyModule(source)
  replaceConsole(join(root, 'embed/dist'), join(source, 'webconsole/dist'))
  go(source, 'build', '-trimpath', '-tags', 'webconsole', '-o', binary, './cmd/immudb')
  const result = { binary, ...runTests(source) }
  writeFileSync(stamp, `${JSON.stringify({ digest, result })}\n`)
  return result
}

function readStamp(path: string): { digest: string; result: DropIn } | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function copyModule(target: string): void {
  if (existsSync(join(target, 'go.mod'))) return
  const text = go(dirname(dirname(target)), 'mod', 'download', '-json', `${module}@${version}`)
  const { Dir: cached }: { Dir: string } = JSON.parse(text)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(dirname(target), { recursive: true })
  // Go's cache is read-only, and a copy keeps that; `cp` makes folders writable only on the way.
  cpSync(cached, target, { recursive: true })
  execFileSync('chmod', ['-R', 'u+w', target])
}

function replaceConsole(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.gitkeep') })
  chmodSync(to, 0o755)
}

function runTests(source: string): Pick<DropIn, 'passed' | 'failed' | 'report'> {
  const args = ['test', '-json', '-trimpath', '-tags', 'webconsole', './webconsole/...']
  const env = { ...process.env, CGO_ENABLED: '0' }
  const { stdout, stderr, status } = spawnSync('go', args, { cwd: source, env, encoding: 'utf8' })
  const events: { Action: string; Test?: string; Output?: string }[] = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const count = (action: string): number =>
    events.filter((event) => event.Test && event.Action === action).length
  const [passed, failed] = [count('pass'), count('fail')]
  const output = events.map((event) => event.Output ?? '').join('')
  // A package that does not compile reports no tests.
  const broken = status !== 0 && failed === 0
  return { passed, failed: broken ? 1 : failed, report: status === 0 ? '' : `${output}${stderr}` }
}

function go(cwd: string, ...args: string[]): string {
  // Static, as releases are: nothing is then compiled once more for this alone.
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' }
  const result = spawnSync('go', args, { cwd, env, encoding: 'utf8', maxBuffer: 1e8 })
  if (result.status === 0) return result.stdout
  throw new Error(`go ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const result = dropIn(fileURLToPath(new URL('../..', import.meta.url)))
    if (result.report) console.error(result.report)
    console.log(JSON.stringify({ ...result, report: undefined }))
    if (result.failed > 0) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
