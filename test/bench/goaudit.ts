import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ImmudbServer, startServer } from '../support/immudb'

const folder = fileURLToPath(new URL('goaudit', import.meta.url))
const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const program = `${cache}goaudit`

export function buildGoaudit() {
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], { cwd: folder, stdio: 'inherit' })
}

/** Runs the program against a server; returns what it printed. */
export function goaudit({ grpcPort }: ImmudbServer, args: readonly string[]): string {
  const all = ['-port', String(grpcPort), ...args]
  return execFileSync(program, all, { encoding: 'utf8', maxBuffer: 1 << 24 })
}

type History = {
  readonly transactions: number
  /** Of row 1 of `ledger`, of the key `many` and of the document in `papers`, evenly spread. */
  readonly revisions?: number
  /** Entries of transaction 1; without it that is one like the others. */
  readonly wide?: number
}

/**
 * Starts a server on a database of so many transactions. The database is made once, in a minute and
 * a half for a million on two processors, and kept for the next time.
 */
export async function startFilledServer(history: History): Promise<ImmudbServer> {
  buildGoaudit()
  const { transactions, revisions = 0, wide = 0 } = history
  const source = readFileSync(`${folder}/fill.go`)
  const version = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const kept = `${cache}history-${transactions}-${revisions}-${wide}-${version}`
  if (!existsSync(kept)) {
    const dir = await mkdtemp(`${cache}history-`)
    const size = ['-fill', transactions, '-revisions', revisions, '-wide', wide].map(String)
    try {
      execFileSync(program, ['-dir', dir, ...size], { stdio: 'inherit' })
      // One that is not complete must not be taken for another time.
      renameSync(dir, kept)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }
  return startServer({ data: kept })
}
