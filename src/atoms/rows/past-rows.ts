import type { Io } from '~/core/act'
import type { RowName } from '~/core/revisions/row-questions'
import { openRowRevisions, type RowRevisions } from '~/core/revisions/row-revisions'
import { lastWrite } from '~/core/revisions/row-writes'
import type { RowSet } from '~/core/row-set'
import { databaseIdAtom } from '~/core/session/session'
import { PlainError } from '~/lib/plain-error'
import { formatTx } from '~/lib/text'
import { staysUnnamed } from '~/sql/row-edits'
import { wholeKey } from '~/sql/row-key'
import { type PeriodEnd, type RowPeriod, rowPeriod } from '~/sql/time-travel'
import { isCurrent } from '~/trust/trust'
import { trustedStatesAtom } from '~/trust/trusted-states'
import type { Proof } from '~/trust/verification'
import { verifyState } from '~/trust/verify-state'
import {
  checkRow,
  isAsProven,
  keyOfRow,
  namesOfDiffering,
  type RowOf,
  revisionOf,
  rowFacts,
  unprovenRow,
  withDoubt,
} from './compare-row'

/**
 * Verifies a row as a result shows it. The row may be a revision, or belong to a past moment: then
 * it is verified in the transaction that had written it by then.
 * @throws ApiError when the server cannot be asked
 */
export async function proofOfShown(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  signal?: AbortSignal,
): Promise<Proof> {
  if (of.map.revision !== null) return proofOfVersion(io, rowSet, of, signal)
  const newest = await checkRow(io, of, signal ? { signal } : {})
  const period = rowPeriod(rowSet.sql)
  if (!period.from && !period.until) return newest
  if (liesWithin(period, newest) === true) return bounded(of, period, newest)
  const past = period.until ? await proofOfPast(io, of, period.until, newest, signal) : newest
  return bounded(of, period, past)
}

/** Whether a result shows the present rows, not revisions or a period. */
export function isOfPresent({ sql }: RowSet, { map }: Pick<RowOf, 'map'>): boolean {
  const { from, until } = rowPeriod(sql)
  return map.revision === null && !from && !until
}

/**
 * Whether a shown row and its proof contradict each other: the proven row already existed when the
 * result was read. A row that may have been written since is no contradiction.
 */
export function isContradicted(
  { sql, txBefore }: RowSet,
  { map }: Pick<RowOf, 'map'>,
  proof: Proof,
): boolean {
  const facts = rowFacts(proof)
  if (!facts || namesOfDiffering(proof).length === 0) return false
  // A revision in a history never changes.
  if (map.revision !== null) return true
  const isRead = liesWithin(rowPeriod(sql), proof) === true
  return isRead && BigInt(facts.tx) <= BigInt(txBefore)
}

/** Whether the statement reads the proven transaction; null when unknown. */
function liesWithin({ from, until }: RowPeriod, proof: Proof): boolean | null {
  const facts = rowFacts(proof)
  if (!facts) return null
  const within = [from, until].map((end) =>
    end ? (end.admits?.(BigInt(facts.tx), BigInt(facts.ts)) ?? null) : true,
  )
  if (within.includes(false)) return false
  return within.includes(null) ? null : true
}

/** The row at the end of the period, or the present row when that cannot be found. */
async function proofOfPast(
  io: Io,
  of: RowOf,
  until: PeriodEnd,
  newest: Proof,
  signal?: AbortSignal,
): Promise<Proof> {
  const last = newest.verification.context?.trusted?.txId
  const { kind } = newest.verification.outcome
  if (until.sql === null || last === undefined || kind === 'refused') return newest
  const tx = await lastWrite(io, rowName(of), until.sql, BigInt(last), signal)
  if (tx === null || rowFacts(newest)?.tx === String(tx)) return newest
  return checkRow(io, of, { atTx: String(tx), ...(signal ? { signal } : {}) })
}

/** Marks a proof from a transaction that the statement does not read. */
function bounded(of: RowOf, period: RowPeriod, proof: Proof): Proof {
  const facts = rowFacts(proof)
  if (!facts) return proof
  const isWithin = liesWithin(period, proof)
  if (isWithin) {
    if (!isAsProven(proof)) return proof
    const noted = { ...proof, notes: [noteOf(period, proof)] }
    // That nothing wrote it since is what the server says.
    const isSaid = period.until !== null && !isLast(period.until, facts)
    return isSaid ? withDoubt(noted, `that it was so ${wordsOf(period)}`) : noted
  }
  // What had written it by then is not known, so nothing is compared.
  if (namesOfDiffering(proof).length > 0) return { verification: unprovenRow(of, notFoundThen) }
  const tx = `tx ${formatTx(facts.tx)}`
  return withDoubt(
    proof,
    isWithin === null
      ? `whether this query reads ${tx}, which wrote it`
      : `that it is of ${wordsOf(period)}, as this query asks: ${tx} wrote it`,
  )
}

/** Whether nothing can have come between a transaction and the end of a period. */
function isLast({ sql }: PeriodEnd, { tx }: { tx: string }): boolean {
  const [, word = '', end = '0'] = /^(until|before)\s+tx\s+(\d+)$/i.exec(sql ?? '') ?? []
  return BigInt(tx) === BigInt(end) - (word.toLowerCase() === 'before' ? 1n : 0n)
}

function noteOf(period: RowPeriod, proof: Proof): string {
  const tx = `tx ${formatTx(rowFacts(proof)?.tx ?? '0')}`
  const proven = `By its proof, ${tx} wrote it and is within ${wordsOf(period)}.`
  return period.until
    ? `${proven} That nothing wrote the row between ${tx} and that moment is only reported by the server.`
    : proven
}

function wordsOf({ from, until }: RowPeriod): string {
  return [from, until].flatMap((end) => (end ? (end.sql ?? 'the period') : [])).join(' ')
}

const notFoundThen =
  'This query reads a past period, and what had written the row by then was not found. So nothing was compared.'

/**
 * Verifies one revision of a row in the transaction that wrote it. The server's rows do not name
 * that transaction, so queries find it first; the proof only covers what it wrote.
 * @throws ApiError when the server cannot be asked
 */
async function proofOfVersion(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  signal?: AbortSignal,
): Promise<Proof> {
  const during = signal ? { signal } : {}
  const revision = revisionOf(of)
  if (revision === null || !keyOfRow(of)) return checkRow(io, of, during)
  const tx = await txOfRevision(io, rowSet, of, Number(revision), signal)
  if (tx === null) return { verification: unprovenRow(of, notFound) }
  const proof = await checkRow(io, of, { atTx: tx, ...during })
  const facts = rowFacts(proof)
  if (!facts) return proof
  const isAsShown = isAsProven(proof)
  const proven = facts.deleted ? deleted : wroteIt
  return { ...proof, notes: isAsShown ? [proven, numbered] : [numbered] }
}

const deleted =
  'By its proof, this transaction deleted the row. A history shows a deletion as one more revision with the last content.'

const wroteIt = 'By its proof, this transaction wrote the row like this.'

const numbered =
  'The revision number (_rev) is only reported by the server, whose queries also found the transaction.'

const notFound =
  'A history names no transactions, and queries did not find the one that wrote this revision. A deep audit reads every transaction.'

/** Findings about a result stay valid, because the past does not change. */
const known = new WeakMap<RowSet, Map<string, Promise<RowRevisions>>>()

/**
 * The transaction that wrote a revision of a row in a result, counted from 1; null when unknown.
 * @throws ApiError when the server cannot be asked
 */
async function txOfRevision(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  revision: number,
  signal?: AbortSignal,
): Promise<string | null> {
  const during = signal ? { signal } : {}
  const revisions = await revisionsOfRow(io, rowSet, of, during)
  const change = revisions.isLost(revision) ? null : await revisions.at(revision, during)
  return change && String(change.tx)
}

async function revisionsOfRow(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  during: { signal?: AbortSignal },
): Promise<RowRevisions> {
  const ofSet = known.get(rowSet) ?? new Map<string, Promise<RowRevisions>>()
  known.set(rowSet, ofSet)
  const name = JSON.stringify(keyOfRow(of))
  const newest = () => trustedPoint(io, of.database)
  const counting = ofSet.get(name) ?? openRowRevisions(io, rowName(of), { newest, ...during })
  ofSet.set(name, counting)
  const isCounted = await counting.then(
    ({ isSearchable }) => isSearchable,
    () => false,
  )
  // What could not be counted is counted again when it is asked for the next time.
  if (!isCounted && ofSet.get(name) === counting) ofSet.delete(name)
  return counting
}

async function trustedPoint(io: Io, database: string) {
  if (!isCurrent(await verifyState(io, database))) return null
  const record = await io.get(trustedStatesAtom).read(io.get(databaseIdAtom)(database))
  return record?.point ?? null
}

/** The row by its table and primary key, as a result shows them. */
export function rowName({ database, result, map, row }: RowOf): RowName {
  const columnAt = (at: number) => result.columns[at]
  const columns = map.keys.map(({ at, column }) => ({
    name: column,
    type: columnAt(at)?.type ?? '',
  }))
  const place = new Map(map.keys.map(({ at, column }) => [column, at]))
  const key = wholeKey(columns, (name) => columnAt(place.get(name) ?? -1)?.values[row])
  if (key === null) throw new PlainError(staysUnnamed)
  return { database, table: map.table, key }
}
