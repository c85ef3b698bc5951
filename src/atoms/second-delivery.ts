import type { Getter } from 'jotai'
import { readState } from '~/api/server'
import { listTxKeys } from '~/api/tx-keys'
import { formatTx } from '~/lib/text'
import { elsewhereIn } from '~/sql/elsewhere'
import { look } from './check'
import { clientAtom } from './client'
import { lookElsewhere, tolerance } from './elsewhere'
import { sentence } from './failure'
import type { Finding, NewEntry } from './output'
import { clockOffsetAtom } from './session'

/** The refusal as it is, or as the unknown outcome that it may be; never rejects. */
export async function sobered(
  get: Getter,
  change: Partial<NewEntry>,
  entry: NewEntry,
  isInsert: boolean,
): Promise<Partial<NewEntry>> {
  const finding = await firstDelivery(get, entry, isInsert)
  if (finding === null || !change.failure) return change
  const text = `${change.failure.text} It may be this very statement: the browser may have sent it more than once by itself, and the first may be stored.`
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
  const sentAt = timestamp + get(clockOffsetAtom)
  try {
    const what = elsewhereIn(entry.source)
    if (what !== null) {
      const { text, isOlder } = await lookElsewhere(client, what, { database, sentAt })
      return isOlder ? null : { text, rows: null }
    }
    const { txId } = await readState(client, database)
    if (BigInt(txId) <= BigInt(txBefore)) return null
    if (isInsert && tables.length > 0) {
      const finding = await look(client, entry)
      return finding.rows && finding
    }
    const [newest] = await listTxKeys(client, { database, from: txId, count: 1 })
    if (newest && Number(newest.ts) < sentAt / 1000 - tolerance) return null
    return { text: `tx ${formatTx(txId)} was written while this ran.`, rows: null }
  } catch (error) {
    return { text: `Whether it was could not be found out. ${sentence(error)}`, rows: null }
  }
}
