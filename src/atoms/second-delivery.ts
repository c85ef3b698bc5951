import type { Getter } from 'jotai'
import { readState } from '~/api/server'
import { readTxKeys } from '~/api/tx-keys'
import { formatTx } from '~/lib/text'
import { look } from './check'
import { clientAtom } from './client'
import { sentence } from './failure'
import type { Finding, NewEntry } from './output'
import { clockOffsetAtom } from './session'

/** Seconds by which two clocks that agree may differ, since both name whole ones. */
const tolerance = 3

/** The refusal as it is, or as the unknown outcome that it may be; never rejects. */
export async function sobered(
  get: Getter,
  change: Partial<NewEntry>,
  entry: NewEntry,
  isInsert: boolean,
): Promise<Partial<NewEntry>> {
  const finding = await firstDelivery(get, entry, isInsert)
  if (finding === null || !change.failure) return change
  const text = `${change.failure.text} It may be this very statement: a browser can send one twice by itself, and then the first was stored.`
  const failure = { ...change.failure, text, hint: 'Check before you run it again.' }
  return { ...change, status: 'unknown', message: text, finding, failure }
}

/**
 * A browser may by itself send a request a second time when a connection that was in use breaks
 * (Chromium does), and then sees only the second answer: “already exists”, of what the first has
 * just made. Returns what speaks for that, or null when nothing was written meanwhile. Never rejects.
 */
async function firstDelivery(
  get: Getter,
  entry: NewEntry,
  isInsert: boolean,
): Promise<Finding | null> {
  const client = get(clientAtom)
  const { database, txBefore, timestamp, tables } = entry
  try {
    const { txId } = await readState(client, database)
    if (BigInt(txId) <= BigInt(txBefore)) return null
    if (isInsert && tables.length > 0) {
      const finding = await look(client, entry)
      return finding.rows && finding
    }
    const { ts } = await readTxKeys(client, { database, id: txId })
    const started = (timestamp + get(clockOffsetAtom)) / 1000
    if (Number(ts) < started - tolerance) return null
    return { text: `tx ${formatTx(txId)} was written while this ran.`, rows: null }
  } catch (error) {
    return { text: `Whether it was could not be found out. ${sentence(error)}`, rows: null }
  }
}
