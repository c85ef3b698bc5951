import { readVerifiableTx } from '~/api/proof'
import type { EntryFacts } from '~/proof/facts'
import { ProofError } from '~/proof/failure'
import { anyFields } from '~/proof/read'
import type { Schema } from '~/proof/schema'
import { rowInTx } from '~/proof/stored-row'
import { clientAtom } from '../client'
import type { Io } from '../io'
import { pointIdAtom } from '../session'
import { checkTrust } from '../trust/check'
import { groundOf } from '../trust/ground'
import type { Compared } from '../trust/history-standing'
import { verifyObject } from '../trust/object-check'
import { valuesApart } from '../trust/proof-worker'
import { trustedPointsAtom } from '../trust/trusted-points'
import { comparedCells, isAsProven, keyOfRow, type RowOf } from './check'
import type { RowMark } from './marks'

/** Rows looked up before the page may do something else. */
const atOnce = 100

/**
 * Verifies the rows that one transaction wrote by proving all of its entries once. Tells only of
 * rows that are proven and as they are shown; all others must be asked for one by one. So must
 * those of a transaction that is not the last one, for a later one may have written them again.
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
  const trust = await checkTrust(io, database)
  if ((trust.kind !== 'consistent' && trust.kind !== 'first') || trust.why) return
  const newest = await io.get(trustedPointsAtom).read(io.get(pointIdAtom)(database))
  if (newest?.point.txId !== tx) return
  const schema = await pinnedSchema(io, database, map.table)
  const proven = schema && (await provenEntries(io, database, tx))
  if (!proven) return
  const { entries, of: history } = proven
  for (const [index, of] of rows.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    if (isAsShown(of, schema, entries)) tell(of, { kind: 'verified', tx, of: history })
  }
}

async function pinnedSchema(io: Io, database: string, table: string): Promise<Schema | null> {
  const record = await io.get(trustedPointsAtom).read(io.get(pointIdAtom)(database))
  return record?.schemas.get(table) ?? null
}

/** All entries of the transaction by their keys, with values where the server gives them. */
async function provenEntries(
  io: Io,
  database: string,
  tx: string,
): Promise<{ entries: ReadonlyMap<string, EntryFacts>; of: Compared } | null> {
  const client = io.get(clientAtom)
  const verification = await verifyObject(io, database, 'tx', {
    what: `tx ${tx}`,
    request: { tx },
    ask: (since) => readVerifiableTx(client, { database, tx, since, entries: 'all' }),
  })
  const { outcome, context, server, basis } = verification
  if (outcome.kind !== 'ok' || groundOf(verification) !== 'recorded') return null
  const entries = outcome.verified.facts?.entries
  if (!entries) return null
  const since = context?.trusted?.txId ?? '0'
  const answer = await readVerifiableTx(client, { database, tx, since, entries: 'values' })
  const given = whenRight(() => anyFields(answer, 'answer').tx)
  const filled = await valuesApart(entries, given).catch(whenRefused)
  const byKey = filled && new Map(filled.map((entry) => [entry.key, entry]))
  return byKey && { entries: byKey, of: { database, server, basis } }
}

function isAsShown(of: RowOf, schema: Schema, entries: ReadonlyMap<string, EntryFacts>): boolean {
  const pkValues = keyOfRow(of)
  const found = pkValues && whenRight(() => rowInTx(schema, pkValues, entries))
  if (!found || found.deleted) return false
  return isAsProven(comparedCells(of, found.named))
}

/** What is not right here is asked for by itself, and then refused with its own proof. */
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
