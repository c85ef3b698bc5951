import type { Io } from '../io'
import type { OutputEntry } from '../output'
import type { Proof } from '../trust/proof-drawer'
import {
  checkRow,
  isAsProven,
  keyOfRow,
  type RowOf,
  revisionOf,
  rowFacts,
  unprovenRow,
} from './check'
import { versionsOf } from './versions'
import { askRow } from './writes'

/**
 * Verifies one version of a row in the transaction that wrote it. The server's rows do not say
 * which that is, so it is found with queries first; only what it wrote is proven.
 * @throws ApiError when the server cannot be asked
 */
export async function proofOfVersion(
  io: Io,
  entry: OutputEntry,
  of: RowOf,
  signal?: AbortSignal,
): Promise<Proof> {
  const during = signal ? { signal } : {}
  const revision = revisionOf(of)
  if (revision === null || !keyOfRow(of)) return checkRow(io, of, during)
  const versions = await versionsOf(io, entry, of, signal)
  const tx = (await versions?.find(BigInt(revision), askRow(io, of, signal))) ?? null
  if (tx === null) return { verification: unprovenRow(of, notFound) }
  const proof = await checkRow(io, of, { atTx: String(tx), ...during })
  const facts = rowFacts(proof)
  if (!facts) return proof
  const isAsShown = isAsProven(proof.compared ?? [])
  const proven = facts.deleted ? deleted : wroteIt
  return { ...proof, notes: isAsShown ? [proven, numbered] : [numbered] }
}

const deleted =
  'By its proof, this transaction deleted the row. A history shows a deletion as one more version with the last content.'

const wroteIt = 'By its proof, this transaction wrote the row like this.'

const numbered =
  "Which version that was (_rev) is only by the server's queries, which also found the transaction."

const notFound =
  'A history does not tell transactions, and which one wrote this version could not be found by queries. A deep audit proves every version.'
