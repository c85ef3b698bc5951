import { readVerifiableTx } from '~/api/proof'
import type { EntryFacts } from '~/proof/facts'
import { ProofError } from '~/proof/failure'
import { anyFields } from '~/proof/read'
import type { Schema } from '~/proof/schema'
import { verdictOf } from '~/proof/verdict'
import { rowInTx } from '~/proof/verify-row'
import { openWords } from '~/words/trusted-state'
import { readRangeOf } from '../audit/store'
import { clientAtom } from '../session/client'
import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/storage'
import { knownOfObject, verdictWhenChecked } from '../trust/object-verdict'
import { addValuesInWorker } from '../trust/proof-worker'
import { isDescribedAt } from '../trust/record'
import { isFollowed } from '../trust/trust'
import { trustedStatesAtom } from '../trust/trusted-states'
import type { Verification } from '../trust/verification'
import { verifyObject } from '../trust/verify-object'
import { verifyState } from '../trust/verify-state'
import { comparedCells, isAsProven, keyOfRow, type RowOf } from './compare-row'
import type { CheckedRow, RowMark } from './marks'

/** Rows looked up before the page may do something else. */
const atOnce = 100

/**
 * Verifies the rows of one transaction by proving all of its entries once. Returns only rows that
 * are proven and shown unchanged; all others need separate proofs. So do rows of an older
 * transaction, because a later one may have written them again.
 * @throws ApiError when the server cannot be asked, for instance because the answer is over 4 MiB
 */
export async function checkRowsOfTx(
  io: StoreAccess,
  {
    tx,
    rows,
    tell,
  }: { tx: string; rows: readonly RowOf[]; tell: (of: RowOf, mark: RowMark) => void },
): Promise<void> {
  const [first] = rows
  if (!first) return
  const { database, map } = first
  if (map.uncovered.length > 0) return
  const trust = await verifyState(io, database)
  if (!isFollowed(trust) || trust.why) return
  const newest = await io.get(trustedStatesAtom).read(io.get(databaseIdAtom)(database))
  if (newest?.point.txId !== tx) return
  const schema = newest.schemas.get(map.table)
  const proven = schema && (await provenEntries(io, database, tx))
  if (!proven) return
  const read = await readRangeOf(io, newest).catch(() => null)
  const isDescribed = isDescribedAt(newest.spans?.tables.get(map.table), tx, read)
  const mark = markOfRows(proven, tx, isDescribed ? [] : ['description'])
  for (const [index, of] of rows.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    if (isAsShown(of, schema, proven.entries)) tell(of, mark)
  }
}

type ProvenEntries = { entries: ReadonlyMap<string, EntryFacts>; verification: Verification }

/** The mark of each row that is as shown: proven with its transaction. */
function markOfRows(
  { verification }: ProvenEntries,
  tx: string,
  open: readonly 'description'[],
): CheckedRow {
  const { database, server, basis } = verification
  const of = knownOfObject({ verification })
  const known = { ...of, open: [...of.open, ...open] }
  const judged = verdictOf({ ...known, history: 'followed' })
  const [first] = open
  const gap = first ? { gap: openWords(first, 'row') } : {}
  return { ...judged, known, of: { database, server, basis }, tx, ...gap }
}

/** All entries of the transaction by their keys, with values where the server gives them. */
async function provenEntries(
  io: StoreAccess,
  database: string,
  tx: string,
): Promise<ProvenEntries | null> {
  const client = io.get(clientAtom)
  const verification = await verifyObject(io, database, 'tx', {
    what: `tx ${tx}`,
    request: { tx },
    ask: (since) => readVerifiableTx(client, { database, tx, since, entries: 'all' }),
  })
  const { outcome, context } = verification
  const isVerified = verdictWhenChecked({ verification }).verdict === 'verified'
  const entries = outcome.kind === 'ok' && outcome.verified.facts?.entries
  if (!isVerified || !entries) return null
  const since = context?.trusted?.txId ?? '0'
  const answer = await readVerifiableTx(client, { database, tx, since, entries: 'values' })
  const given = whenRight(() => anyFields(answer, 'answer').tx)
  const filled = await addValuesInWorker(entries, given).catch(whenRefused)
  const byKey = filled && new Map(filled.map((entry) => [entry.key, entry]))
  return byKey && { entries: byKey, verification }
}

function isAsShown(of: RowOf, schema: Schema, entries: ReadonlyMap<string, EntryFacts>): boolean {
  const pkValues = keyOfRow(of)
  const found = pkValues && whenRight(() => rowInTx(schema, pkValues, entries))
  if (!found || found.deleted) return false
  return isAsProven(comparedCells(of, found.named))
}

/** Null for a wrong row: it is then checked alone and refused with its own proof. */
function whenRight<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    return whenRefused(error)
  }
}

function whenRefused(error: unknown): null {
  if (error instanceof ProofError) return null
  throw error
}
