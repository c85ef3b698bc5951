import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, requireNode } from './install.mjs'

// `npm start`: from a fresh clone to a running console. Plain JavaScript, because it installs
// what everything else needs.

const root = fileURLToPath(new URL('../..', import.meta.url))
const binary = join(root, '.cache', process.platform === 'win32' ? 'webconsole.exe' : 'webconsole')

/** Everything the output depends on. */
const sources = [
  'src',
  'static',
  'embed/pipeline',
  'build.ts',
  'tailwind.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/** Throws unless a Go that can build the server is there. */
function requireGo() {
  const result = spawnSync('go', ['version'], { encoding: 'utf8' })
  if (result.error) throw new Error('Go 1.25 or later is needed, and no `go` is in the path')
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(result.stdout) ?? []
  if (Number(major) > 1 || Number(minor) >= 25) return
  throw new Error(`Go 1.25 or later is needed; this is ${result.stdout.trim()}`)
}

function run(step, command, args, cwd) {
  console.log(step)
  const result = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (result.status === 0) return
  const output = result.error?.message ?? `${result.stdout}${result.stderr}`
  throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
}

/** Whether the output is complete and younger than all it was made from. */
function isBuilt() {
  const manifest = join(root, 'embed/dist/manifest.json')
  if (!existsSync(manifest)) return false
  const made = statSync(manifest).mtimeMs
  return commitOf(manifest) === currentCommit() && sources.every((path) => newest(path) <= made)
}

function commitOf(manifest) {
  return JSON.parse(readFileSync(manifest, 'utf8')).commit
}

function currentCommit() {
  const args = ['-C', root, 'rev-parse', '--short=12', 'HEAD']
  const result = spawnSync('git', args, { encoding: 'utf8' })
  return result.status === 0 ? result.stdout.trim() : 'dev'
}

/** The latest change of a file, or of anything in a folder including what was removed from it. */
function newest(path) {
  const full = join(root, path)
  const stat = statSync(full, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0
  const inside = readdirSync(full).map((name) => newest(join(path, name)))
  return Math.max(stat.mtimeMs, ...inside)
}

function buildConsole() {
  if (isBuilt()) return
  run('Building the console …', process.execPath, ['--import', 'tsx', 'build.ts'], root)
}

function buildServer() {
  const step = existsSync(binary)
    ? 'Building the server …'
    : 'Building the server; the first time this takes a few minutes …'
  run(step, 'go', ['build', '-trimpath', '-o', binary, '.'], join(root, 'embed/server'))
}

/** Runs the server until it ends; our exit code is its exit code. */
function serve(args) {
  const child = spawn(binary, args, { cwd: root, stdio: 'inherit' })
  child.on('error', fail)
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
  // On a terminal Ctrl-C reaches the server by itself; sending it on would make two.
  const terminal = process.stdin.isTTY === true
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !terminal) child.kill(signal)
    })
  }
  if (process.env.npm_lifecycle_event === 'start') endWithNpm(child)
}

/**
 * npm passes signals only to the shell between it and us, and that shell keeps them to itself:
 * without a look at who our parent is, a stopped `npm start` would leave the server running.
 */
function endWithNpm(child) {
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== shell) child.kill('SIGTERM')
  }, 500)
  child.on('exit', () => clearInterval(timer))
}

function fail(error) {
  console.error(error.message)
  process.exitCode = 1
}

function main(args) {
  if (args.some((arg) => /^--?h(elp)?$/.test(arg))) {
    process.stdout.write(readFileSync(join(root, 'embed/server/usage.txt'), 'utf8'))
    return
  }
  requireNode()
  requireGo()
  install(root)
  buildConsole()
  buildServer()
  serve(args)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  fail(error)
}
