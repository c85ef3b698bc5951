import { readVerifiableTx } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import type { EntryFacts } from '~/proof/kernel/proven-facts'
import type { Schema } from '~/proof/kernel/schema'
import { ProofError } from '~/proof/kernel/steps'
import type { StoredRow } from '~/proof/kernel/verify-row'
import { cellLeaves } from '~/proof/proven-leaves'
import {
  booleanValue,
  type ComparedLeaf,
  compareShown,
  factsAlone,
  objectLeaf,
} from '~/proof/shown'
import { verdictOf } from '~/proof/verdict'
import { readRangeOf } from '~/trust/audit/audit-store'
import { knownOfObject, verdictWhenChecked } from '~/trust/object-verdict'
import { findRowsInWorker } from '~/trust/proof-worker'
import { isFollowed } from '~/trust/trust'
import { isDescribedAt } from '~/trust/trust-record'
import { trustedStatesAtom } from '~/trust/trusted-states'
import type { Verification } from '~/trust/verification'
import { verifyObject } from '~/trust/verify-object'
import { verifyState } from '~/trust/verify-state'
import { openWords } from '~/words/trusted-state'
import { keyOfRow, type RowOf, shownRow } from './compare-row'
import type { CheckedRow, RowMark } from './row-marks'

/** Rows looked up before the page may do something else. */
const atOnce = 100

/**
 * Verifies the rows of one transaction by proving all of its entries once. Returns only rows that
 * are proven and shown unchanged; all others need separate proofs. So do rows of an older
 * transaction, because a later one may have written them again.
 * @throws ApiError when the server cannot be asked, for instance because the answer is over 4 MiB
 */
export async function checkRowsOfTx(
  io: Io,
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
  const open = isDescribed ? [] : (['description'] as const)
  const markOf = (shown: readonly ComparedLeaf[]) => markOfRow(proven, tx, open, shown)
  for (const [index, of] of rows.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    const found = stored.get(of)
    const compared = found ? comparedRow(of, found) : []
    // All others need their own proofs.
    if (found && compared.every(({ match }) => match === 'same')) tell(of, markOf(compared))
  }
}

type ProvenEntries = { entries: readonly EntryFacts[]; ts: string; verification: Verification }

/** The mark of a row that is proven with its transaction, by what is shown of it. */
function markOfRow(
  { verification, ts }: ProvenEntries,
  tx: string,
  open: readonly 'description'[],
  shown: readonly ComparedLeaf[],
): CheckedRow {
  const { database, server, basis } = verification
  const of = knownOfObject({ verification })
  const known = { ...of, shown, open: [...of.open, ...open] }
  const judged = verdictOf({ ...known, history: 'followed' })
  const [first] = open
  const gap = first ? { gap: openWords(first, 'row') } : {}
  // A grid has many marks, and what is the same changes no verdict.
  return {
    ...judged,
    known: { ...known, shown: [] },
    of: { database, server, basis },
    tx,
    ts,
    ...gap,
  }
}

/** All entries of the transaction; null where it is not verified. */
async function provenEntries(io: Io, database: string, tx: string): Promise<ProvenEntries | null> {
  const about = { database, what: `tx ${tx}`, request: { tx } }
  const verification = await verifyObject(io, { ...about, kind: 'tx', shown: factsAlone })
  const { outcome } = verification
  const isVerified = verdictWhenChecked({ verification }).verdict === 'verified'
  const facts = outcome.kind === 'ok' ? outcome.verified.facts : null
  const { entries, ts } = facts ?? {}
  return isVerified && entries && ts !== undefined ? { entries, ts, verification } : null
}

type Wanted = ProvenEntries & {
  database: string
  tx: string
  schema: Schema
  rows: readonly RowOf[]
}

/** What the proven entries hold of the rows, as far as the server gives their values. */
async function storedRows(
  io: Io,
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

/** Everything that is shown of a row beside what is stored of it. */
function comparedRow(of: RowOf, { deleted, named }: StoredRow): readonly ComparedLeaf[] {
  const isThere = objectLeaf('the deletion', booleanValue(deleted))
  const proven = { leaves: [isThere, ...cellLeaves(named)], whole: ['column'] } as const
  return compareShown(shownRow(of), proven)
}

/** Rows that are not found here are checked alone, and refused with their own proof. */
function noneWhenRefused(error: unknown): [] {
  if (error instanceof ProofError) return []
  throw error
}
