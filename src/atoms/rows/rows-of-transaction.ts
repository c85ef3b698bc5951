import { readVerifiableTx } from '~/api/proof'
import type { EntryFacts } from '~/proof/facts'
import { ProofError } from '~/proof/failure'
import type { Schema } from '~/proof/schema'
import { verdictOf } from '~/proof/verdict'
import type { StoredRow } from '~/proof/verify-row'
import { openWords } from '~/words/trusted-state'
import { readRangeOf } from '../audit/store'
import { clientAtom } from '../session/client'
import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/storage'
import { knownOfObject, verdictWhenChecked } from '../trust/object-verdict'
import { findRowsInWorker } from '../trust/proof-worker'
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
  const stored = await storedRows(io, { ...proven, database, tx, schema, rows })
  const read = await readRangeOf(io, newest).catch(() => null)
  const isDescribed = isDescribedAt(newest.spans?.tables.get(map.table), tx, read)
  const mark = markOfRows(proven, tx, isDescribed ? [] : ['description'])
  for (const [index, of] of rows.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    const found = stored.get(of)
    if (found && isAsShown(of, found)) tell(of, mark)
  }
}

type ProvenEntries = { entries: readonly EntryFacts[]; verification: Verification }

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

/** All entries of the transaction; null where it is not verified. */
async function provenEntries(
  io: StoreAccess,
  database: string,
  tx: string,
): Promise<ProvenEntries | null> {
  const verification = await verifyObject(io, database, 'tx', {
    what: `tx ${tx}`,
    request: { tx },
    ask: (since) => readVerifiableTx(io.get(clientAtom), { database, tx, since, entries: 'all' }),
  })
  const { outcome } = verification
  const isVerified = verdictWhenChecked({ verification }).verdict === 'verified'
  const entries = outcome.kind === 'ok' && outcome.verified.facts?.entries
  return isVerified && entries ? { entries, verification } : null
}

type Wanted = ProvenEntries & {
  database: string
  tx: string
  schema: Schema
  rows: readonly RowOf[]
}

/** What the proven entries hold of the rows, as far as the server gives their values. */
async function storedRows(
  io: StoreAccess,
  { entries, verification, database, tx, schema, rows }: Wanted,
): Promise<ReadonlyMap<RowOf, StoredRow | null>> {
  const since = verification.context?.trusted?.txId ?? '0'
  const client = io.get(clientAtom)
  const answer = await readVerifiableTx(client, { database, tx, since, entries: 'values' })
  const asked = rows.flatMap((of) => {
    const pkValues = keyOfRow(of)
    return pkValues ? [{ of, pkValues }] : []
  })
  const keys = asked.map(({ pkValues }) => pkValues)
  const found = await findRowsInWorker({ schema, keys, entries, answer }).catch(noneWhenRefused)
  return new Map(asked.map(({ of }, index) => [of, found[index] ?? null]))
}

function isAsShown(of: RowOf, { deleted, named }: StoredRow): boolean {
  return !deleted && isAsProven(comparedCells(of, named))
}

/** Rows that are not found here are checked alone, and refused with their own proof. */
function noneWhenRefused(error: unknown): [] {
  if (error instanceof ProofError) return []
  throw error
}
