import { readTxPage } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseAtom, openIdAtom, serverAtom } from '~/core/session/session'
import { changeStoredPart, storedAtom } from '~/core/storage/stored'
import { anyFields, list } from '~/proof/read'
import { knownOf } from '../trust'
import { verifyState } from '../verify-state'
import {
  type ArrivalsCost,
  type ArrivalsState,
  areArrivalsCheckedAtom,
  arrivalsAtom,
  arrivalsOfAtom,
  setArrivalsState,
  statesAtom,
  waiting,
} from './arrivals'
import { endAll, endArrivals, putAway, readArrivals, stopArrivals } from './arrivals-work'
import { readRangeOf } from './store'

/** Turns the check of the open database on or off, for this browser. */
export async function checkArrivals(io: Io, isOn: boolean) {
  const [server, database] = [io.get(serverAtom) ?? '', io.get(databaseAtom)]
  if (database === null) return
  await changeStoredPart(io, (stored) => {
    const others = stored.arrivals.filter(
      (one) => one.server !== server || one.database !== database,
    )
    return { ...stored, arrivals: isOn ? [...others, { server, database }] : others }
  })
  if (!isOn) await pauseArrivals(io, waiting)
}

/** Reads new transactions while the check is on and not paused. */
export async function readNewArrivals(io: Io) {
  const database = io.get(databaseAtom)
  if (database === null || !io.get(areArrivalsCheckedAtom)) return
  const { kind, ...state } = io.get(arrivalsAtom)
  if (kind === 'paused' || ('isTried' in state && !state.isTried)) return
  await readArrivals(io, database)
}

/** Pauses the check and keeps its progress. */
export async function pauseArrivals(io: Io, state: ArrivalsState = { kind: 'paused' }) {
  const id = io.get(openIdAtom)
  const kept = io.get(arrivalsOfAtom)(id).kind === 'waiting' ? null : stopArrivals(id)
  setArrivalsState(io, id, state)
  await kept
}

/** Continues after a pause or an obstacle. */
export async function resumeArrivals(io: Io) {
  setArrivalsState(io, io.get(openIdAtom), waiting)
  await readNewArrivals(io)
}

/** Sets aside a saved check that cannot continue, and begins at the trusted state. */
export async function restartArrivals(io: Io) {
  const state = io.get(arrivalsAtom)
  if (state.kind !== 'stopped' || !state.saved) return
  const isPut = await putAway(io, io.get(openIdAtom), state.saved)
  if (isPut) await resumeArrivals(io)
}

/** Ends all checks of this tab on a history that it no longer follows. */
export async function endArrivalsOf(io: Io, id: DatabaseId) {
  const isOn = io
    .get(storedAtom)
    .arrivals.some(({ server, database }) => server === id.server && database === id.database)
  if (!isOn && io.get(arrivalsOfAtom)(id).kind === 'waiting') return
  await endArrivals(io, id)
}

/** Ends every check of this page, whose user has left. */
export async function endAllArrivals(io: Io) {
  if ([...io.get(statesAtom).values()].every(({ kind }) => kind !== 'reading')) return
  endAll(io)
}

/** While this tab is hidden, another tab may do it. */
export async function leaveArrivals(io: Io) {
  const { kind } = io.get(arrivalsAtom)
  if (kind === 'reading') await pauseArrivals(io, waiting)
}

/** Estimates the cost with one call. @throws ApiError when the call fails */
export async function estimateArrivals(io: Io): Promise<ArrivalsCost> {
  return costOfArrivals(io, io.get(databaseAtom) ?? '')
}

/** Transactions of a sample, and of a page of the check. */
const [sampled, paged] = [20, 1_000]

/** See `arrivalsCostAtom`. */
async function costOfArrivals(io: Io, database: string): Promise<ArrivalsCost> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const trust = knownOf(io, database)
  // The state may not be checked yet when a database was just opened.
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

async function sizeOfEach(io: Io, database: string, newest: bigint): Promise<number> {
  const first = newest > BigInt(sampled) ? newest - BigInt(sampled) + 1n : 1n
  const asked = { database, initialTx: String(first), limit: sampled }
  const answer = await readTxPage(io.get(clientAtom), asked)
  const { length } = list(anyFields(answer, 'answer'), 'txs')
  return length === 0 ? 0 : Math.round(JSON.stringify(answer).length / length)
}
