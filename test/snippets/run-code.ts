import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the snippets log in with. */
const login = { IMMUDB_USER: 'immudb', IMMUDB_PASSWORD: 'immudb', PGPASSWORD: 'immudb' }

/** Runs a program; resolves with what it prints, rejects with what it complains of. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Buffer> {
  const options = {
    cwd,
    env: { ...process.env, ...login, ...env },
    encoding: 'buffer',
    maxBuffer: 1e8,
  } as const
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
      else resolve(stdout)
    })
  })
}

/** Does something for each, two at a time. */
export async function twoAtATime<T, R>(
  all: readonly T[],
  work: (one: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = all.entries()
  const worker = async () => {
    for (const [at, one] of waiting) results[at] = await work(one, at)
  }
  await Promise.all([worker(), worker()])
  return results
}

/** Runs each piece of code from a file of its own, by a program that takes its name. */
export function runEach(
  codes: readonly string[],
  at: string,
  { command, file }: { readonly command: string; readonly file: string },
): Promise<Buffer[]> {
  return twoAtATime(codes, async (code, number) => {
    const name = `${number}-${file}`
    writeFileSync(join(at, name), code)
    return run(command, [name], { cwd: at })
  })
}
