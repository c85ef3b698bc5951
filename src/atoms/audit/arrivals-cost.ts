import { readTxPage } from '~/api/proof'
import { anyFields, list } from '~/proof/read'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import type { StoreAccess } from '../storage/store-access'
import { knownOf } from '../trust/lookup'
import { verifyState } from '../trust/verify-state'
import type { ArrivalsCost } from './arrivals'
import { readRangeOf } from './kept'

/** Transactions of a sample, and of a page of the check. */
const [sampled, paged] = [20, 1_000]

/** See `arrivalsCostAtom`. */
export async function costOfArrivals(io: StoreAccess, database: string): Promise<ArrivalsCost> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const trust = knownOf(io, database)
  // Who has just opened a database may ask before its state was looked at.
  const known = trust && 'record' in trust && trust.record ? trust : await verifyState(io, database)
  const record = 'record' in known ? known.record : null
  const newest = BigInt(record?.point.txId ?? '0')
  const read = record && (await readRangeOf(io, record).catch(() => null))
  const from = read ? BigInt(read.readTo) : newest
  const transactions = newest > from ? newest - from : 0n
  const each = newest === 0n ? null : await sizeOfEach(io, database, newest)
  const calls = Math.ceil(Number(transactions) / paged)
  const bytes = Math.round(Number(transactions) * (each ?? 0))
  return { transactions: String(transactions), calls, bytes, each }
}

async function sizeOfEach(io: StoreAccess, database: string, newest: bigint): Promise<number> {
  const first = newest > BigInt(sampled) ? newest - BigInt(sampled) + 1n : 1n
  const asked = { database, initialTx: String(first), limit: sampled }
  const answer = await readTxPage(io.get(clientAtom), asked)
  const { length } = list(anyFields(answer, 'answer'), 'txs')
  return length === 0 ? 0 : Math.round(JSON.stringify(answer).length / length)
}
