import type { Getter } from 'jotai'
import { readTxKeys, type TxKeys } from '~/api/tx-keys'
import { formatTx } from '~/lib/text'
import { clientAtom } from './client'

/** A statement that was answered with a transaction. */
type Written = {
  database: string
  tx: string
  txBefore: string
  /** Milliseconds the statement took. */
  elapsed: number
  isInsert: boolean
}

/** Transactions right before the answered one that are looked at. */
const lookedAt = 3

/**
 * A browser may by itself send a request a second time when a connection that was in use breaks
 * (Chromium does), and then sees only the second answer. When transactions lie between the newest
 * one known before and the one that was answered, they are compared with it; the sentence for the
 * operator, or null when nothing speaks for a repetition. Never rejects.
 */
export async function repetition(
  get: Getter,
  { database, tx, txBefore, elapsed, isInsert }: Written,
): Promise<string | null> {
  const client = get(clientAtom)
  const last = BigInt(tx)
  const first = [BigInt(txBefore) + 1n, last - BigInt(lookedAt)].reduce((a, b) => (a > b ? a : b))
  try {
    const own = await readTxKeys(client, { database, id: tx })
    for (let id = last - 1n; id >= first; id -= 1n) {
      const other = await readTxKeys(client, { database, id: String(id) })
      if (Number(own.ts) - Number(other.ts) > elapsed / 1000 + 1) return null
      if (isAlike(own, other, isInsert)) return sayTwice(other, own)
    }
  } catch {
    return `Transactions ${formatTx(String(first))} to ${formatTx(String(last - 1n))} were made by others meanwhile, or by this statement sent twice; they could not be compared.`
  }
  return null
}

function sayTwice(one: TxKeys, two: TxKeys): string {
  return `This may be stored twice: tx ${formatTx(one.id)} and tx ${formatTx(two.id)} wrote the same kind of entries within the same moment. Either somebody else did the same, or the browser sent the statement again after a broken connection. Compare the rows before you go on.`
}

/** The same rows; of a table that counts up its keys, as many rows of the same tables. */
function isAlike(one: TxKeys, two: TxKeys, isInsert: boolean): boolean {
  const [rows, others] = [rowsOf(one), rowsOf(two)]
  if (rows.length === 0 || rows.length !== others.length) return false
  const same = (of: (key: string) => string) =>
    rows.map(of).sort().join() === others.map(of).sort().join()
  return same((key) => key) || (isInsert && same(tableOf))
}

/** Raw keys of rows begin with this (embedded/sql of 1.11.1). */
const rowPrefix = '\x02R.'

function rowsOf({ keys }: TxKeys): string[] {
  const raw = keys.map((key) => atob(key))
  return raw.filter((key) => key.startsWith(rowPrefix))
}

/** The part of a row's key that names its database and table, four bytes each. */
function tableOf(key: string): string {
  return key.slice(0, rowPrefix.length + 8)
}
