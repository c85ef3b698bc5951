import type { Getter } from 'jotai'
import { listTxKeys, type TxKeys } from '~/api/transactions'
import { formatTx } from '~/lib/text'
import { listedTxs } from '~/words/outcome'
import { clientAtom } from '../session/client'

/** A statement that was answered with a transaction. */
type WrittenRows = {
  database: string
  tx: string
  txBefore: string
  /** Milliseconds the statement took. */
  elapsed: number
  isInsert: boolean
}

/** Most transactions to compare when looking for copies. */
export const lookedAt = 20

/**
 * A browser may silently repeat a request when a reused connection breaks (Chromium does, up to
 * seven times), and then sees only the last answer. Compares the answered transaction with those
 * since the newest one known before. Resolves with a sentence for the operator, or null when none
 * is alike. Never rejects.
 */
export async function detectDuplicateCommit(
  get: Getter,
  { database, tx, txBefore, elapsed, isInsert }: WrittenRows,
): Promise<string | null> {
  const last = BigInt(tx)
  const first = [BigInt(txBefore) + 1n, last - BigInt(lookedAt)].reduce((a, b) => (a > b ? a : b))
  const request = { database, from: String(first), count: Number(last - first) + 1 }
  try {
    const found = await listTxKeys(get(clientAtom), request)
    const own = found.find(({ id }) => id === tx)
    const isCopy = (one: TxKeys) =>
      own !== undefined &&
      one !== own &&
      Number(own.ts) - Number(one.ts) <= elapsed / 1000 + 1 &&
      isAlike(own, one, isInsert)
    const alike = found.filter(isCopy)
    return alike.length === 0 ? null : sayCopies([...alike.map(({ id }) => id), tx])
  } catch {
    const between = `tx ${formatTx(String(first))} to tx ${formatTx(String(last - 1n))}`
    return `The browser may have repeated this request. ${between} came in between and could not be compared. Compare the rows before you continue.`
  }
}

function sayCopies(ids: readonly string[]): string {
  return `This may be stored ${ids.length} times. ${listedTxs(ids)} wrote the same kind of entries. Someone else did the same, or the browser repeated the request. Compare the rows before you continue.`
}

/**
 * Whether two transactions wrote the same rows or, with automatic keys, as many rows of the same
 * tables.
 */
export function isAlike(one: TxKeys, two: TxKeys, isInsert: boolean): boolean {
  const [rows, others] = [rowsOf(one), rowsOf(two)]
  if (rows.length === 0 || rows.length !== others.length) return false
  const same = (of: (key: string) => string) =>
    rows.map(of).sort().join() === others.map(of).sort().join()
  return same((key) => key) || (isInsert && same(tableOf))
}

/** Raw keys of rows begin with this (embedded/sql of 1.11.1). */
const rowPrefix = '\x02R.'

/** The raw keys of rows that a transaction wrote. */
export function rowsOf({ keys }: TxKeys): string[] {
  const raw = keys.map((key) => atob(key))
  return raw.filter((key) => key.startsWith(rowPrefix))
}

/** The part of a row's key that names its database and table, four bytes each. */
function tableOf(key: string): string {
  return key.slice(0, rowPrefix.length + 8)
}
