import type { Getter } from 'jotai'
import { readState } from '~/api/server'
import { listTxKeys } from '~/api/transactions'
import { formatTx } from '~/lib/text'
import { catalogueChangeIn } from '~/sql/elsewhere'
import { clientAtom } from '../session/client'
import { clockOffsetAtom } from '../session/session'
import { sentence } from '../storage/failure'
import { findCatalogueWrite, tolerance } from './catalogue-write-check'
import type { Failure, Finding, NewEntry } from './output'
import { look } from './write-outcome-check'

/**
 * The answer as it is, or as the unknown outcome that it may be; never rejects. It is a refusal, or
 * says that nothing was to be done.
 */
export async function reclassifyRefusal(
  get: Getter,
  change: Partial<NewEntry>,
  entry: NewEntry,
  isOfRows: boolean,
): Promise<Partial<NewEntry>> {
  const finding = await firstDelivery(get, entry, isOfRows)
  if (finding === null) return change
  const told: Failure = change.failure ?? nothingLeft(change.message ?? '')
  const isConflict = told.mayRunAgain === true
  const text = isConflict
    ? `The same data was changed at the same time, maybe by this very statement: ${twice}`
    : `${told.text} It may be this very statement: ${twice}`
  const failure = { ...told, text, hint: 'Check before you run it again.', mayRunAgain: false }
  return { ...change, stream: 'error', status: 'unknown', message: text, finding, failure }
}

const twice = 'the browser may have sent it more than once by itself, and the first may be stored.'

function nothingLeft(details: string): Failure {
  return { text: 'The answer says that nothing was left to do.', hint: null, details, place: null }
}

/**
 * A browser may by itself send a request a second time when a connection that was in use breaks
 * (Chromium does), and then sees only the second answer: “already exists”, of what the first has
 * just made, or no transaction, because the first left nothing to do. Returns what speaks for that,
 * or null when nothing was written meanwhile. Never rejects.
 */
async function firstDelivery(
  get: Getter,
  entry: NewEntry,
  isOfRows: boolean,
): Promise<Finding | null> {
  const client = get(clientAtom)
  const { database, txBefore, timestamp, tables } = entry
  const sentAt = timestamp + get(clockOffsetAtom)
  try {
    const what = catalogueChangeIn(entry.source)
    if (what !== null) {
      const { text, isOlder } = await findCatalogueWrite(client, what, { database, sentAt })
      return isOlder ? null : { text, rows: null }
    }
    const { txId } = await readState(client, database)
    if (BigInt(txId) <= BigInt(txBefore)) return null
    if (isOfRows && tables.length > 0) {
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
