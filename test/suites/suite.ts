import { spawn, spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type EngineName, nameOf } from '../support/engine'
import { type Counts, goReport, trusted, vitestCounts } from './counts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Write = (text: string) => void

/** Something that checks the project and says how many of its checks passed. */
export type Suite = { readonly name: string; run(write: Write): Promise<Counts> }

export type Command = {
  readonly command: string
  readonly args: readonly string[]
  /** Below the root; the root itself if absent. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A command that counts as one check. */
export function check(name: string, ...commands: readonly Command[]): Suite {
  return {
    name,
    async run(write) {
      for (const command of commands) {
        if ((await execute(command, write)) !== 0) return { passed: 0, failed: 1 }
      }
      return { passed: 1, failed: 0 }
    },
  }
}

/** A Vitest run of all files or of those named; each test counts. */
export function vitest(name: string, config: string, ...files: readonly string[]): Suite {
  return vitestRun({ name, config, args: files })
}

/** The browser tests, or those of the files named. */
export function browserTests(...files: readonly string[]): Suite {
  return vitestRun({ ...inBrowser, name: 'e2e', args: files })
}

/** The browser tests that run in other engines too, in one of those, where its browser is to be had. */
export function walksIn(engine: EngineName, isHere: () => boolean): Suite {
  const args = ['--tags-filter', walk]
  const env = { ENGINE: engine }
  const { run } = vitestRun({ ...inBrowser, name: engine, args, env, tag: walk })
  const notRun = `not run: ${nameOf[engine]} is not here and could not be installed`
  return {
    name: engine,
    run: async (write) => (isHere() ? run(write) : { passed: 0, failed: 0, notRun }),
  }
}

/** The tag of the tests that pass through the whole console, in each engine. */
const walk = 'walk'

/** The snippets of a language, in that language, where its programs are to be had. */
export function snippetsIn(language: string, canRun: () => boolean): Suite {
  const name = `code ${language}`
  const args = [`test/snippets/${language}.snippet.ts`]
  const { run } = vitestRun({ name, config: 'test/snippets/vitest.config.ts', args })
  const notRun = `not run: what runs ${language} is not here and could not be installed`
  return {
    name,
    run: async (write) => (canRun() ? run(write) : { passed: 0, failed: 0, notRun }),
  }
}

const inBrowser = {
  config: 'test/e2e/vitest.config.ts',
  scheduled: inWholeTurns,
}

type VitestRun = {
  readonly name: string
  readonly config: string
  readonly args: readonly string[]
  readonly env?: Command['env']
  /** The only tests that count, of a run of those. */
  readonly tag?: string
  readonly scheduled?: (command: Command) => Command
}

function vitestRun({ name, config, args, env, tag, scheduled = (one) => one }: VitestRun): Suite {
  return {
    name,
    async run(write) {
      const report = `.cache/reports/${name}.json`
      await rm(`${root}${report}`, { force: true })
      const command = npx(
        'vitest',
        'run',
        '--config',
        config,
        '--reporter=dot',
        '--silent=passed-only',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...args,
      )
      const code = await execute(scheduled({ ...command, ...(env && { env }) }), write)
      const text = await readFile(`${root}${report}`, 'utf8').catch(() => undefined)
      return trusted(text === undefined ? undefined : vitestCounts(text, tag), code)
    },
  }
}

/** `go test` of a module or a package; each test without subtests counts. */
export function goTest(
  name: string,
  command: Omit<Command, 'command' | 'args'>,
  ...args: readonly string[]
): Suite {
  return {
    name,
    async run(write) {
      let output = ''
      const code = await execute(
        { ...command, command: 'go', args: ['test', '-json', ...args] },
        (text) => {
          output += text
        },
      )
      const report = goReport(output.split('\n'))
      write(`${report.text}\n`)
      return trusted(report, code)
    },
  }
}

/** Suites one after the other under one name, each only if the one before it passed. */
export function inOrder(name: string, ...suites: readonly Suite[]): Suite {
  return {
    name,
    async run(write) {
      let sum: Counts = { passed: 0, failed: 0 }
      for (const suite of suites) {
        if (sum.failed > 0) break
        const counts = await suite.run(write)
        sum = {
          passed: sum.passed + counts.passed,
          failed: sum.failed + counts.failed,
          failures: [...(sum.failures ?? []), ...(counts.failures ?? [])],
        }
      }
      return sum
    },
  }
}

/** A script of package.json, without npm's own lines. */
export function npmRun(script: string): Command {
  return { command: 'npm', args: ['run', '--silent', script] }
}

/** A program of an installed package. */
function npx(program: string, ...args: readonly string[]): Command {
  return { command: process.execPath, args: [`node_modules/.bin/${program}`, ...args] }
}

/**
 * The command so that none of its programs is interrupted because another one wakes, where Linux
 * can do that. A few browsers have dozens, and a twenty-fifth of their work was in changing over.
 */
function inWholeTurns(one: Command): Command {
  const args = ['--batch', '0', one.command]
  const isOffered = spawnSync('chrt', [...args, '--version']).status === 0
  return isOffered ? { ...one, command: 'chrt', args: [...args, ...one.args] } : one
}

/** Runs a command and passes its output on; resolves with the exit code, 1 if it was killed. */
export function execute(one: Command, write: Write): Promise<number> {
  const isTerminal = process.stdout.isTTY === true
  return new Promise((resolve) => {
    const child = spawn(one.command, one.args, {
      cwd: `${root}${one.folder ?? ''}`,
      env: { ...process.env, ...(isTerminal ? { FORCE_COLOR: '1' } : {}), ...one.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => write(text))
    }
    child.on('error', (error) => write(`${one.command}: ${error.message}\n`))
    child.on('close', (code) => resolve(code ?? 1))
  })
}
