import { isMissing } from '~/api/errors'
import {
  type KeyRequest,
  type RowRequest,
  readDocumentProof,
  readVerifiableEntry,
  readVerifiableRow,
  readVerifiableTx,
} from '~/api/proof'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../storage/failure'
import type { StoreAccess } from '../storage/store-access'
import { verdictWhenChecked } from './object-verdict'
import type { Break } from './record'
import { isObjectKind, type ObjectKind, type ObjectToVerify } from './verification'
import { verifyObject } from './verify-object'

/** What came of asking again: its proof holds, is refused as before, or there is none. */
export type Again = { kind: 'holds' } | { kind: 'refused' } | { kind: 'unproven'; why: string }

const changedWhy =
  'The table is described in another way than this browser recorded. If you know of the change, verify a row of it and accept the new description, then check once more.'

const nothingWhy = 'There is nothing yet that it could be compared with.'

/**
 * Asks once more for the very object that an alarm is about, and compares it with what is pinned by
 * now, not with what was at that time.
 * @throws ApiError when the server cannot be asked
 */
export async function askAgain(io: StoreAccess, { verification }: Break): Promise<Again> {
  if (!verification || !isObjectKind(verification.kind)) {
    return { kind: 'unproven', why: 'It cannot be asked for again by itself.' }
  }
  const { database, kind, what, request } = verification
  await ensureDatabaseToken(io, io.get(clientAtom), database)
  const ask = (since: string) => askOnceMore(io, database, kind, request, since)
  try {
    const again = await verifyObject(io, database, kind, { what, request, ask })
    const { verdict, cause } = verdictWhenChecked({ verification: again })
    // A page that keeps nothing raised the alarm against the same memory.
    const isBack = verdict === 'verified' || verdict === 'verified-in-part' || cause === 'memory'
    if (isBack) return { kind: 'holds' }
    if (cause === 'redescribed') return { kind: 'unproven', why: changedWhy }
    if (verdict === 'failed') return { kind: 'refused' }
    const { outcome } = again
    const why = outcome.kind === 'unproven' ? outcome.why : nothingWhy
    return { kind: 'unproven', why }
  } catch (error) {
    // A table, a collection or a column that was deleted.
    if (!isMissing(error)) throw error
    return { kind: 'unproven', why: sentence(error) }
  }
}

/** As it was asked the first time; requests are kept as they were made here. */
function askOnceMore(
  io: StoreAccess,
  database: string,
  kind: ObjectKind,
  request: unknown,
  since: string,
): ReturnType<ObjectToVerify['ask']> {
  const client = io.get(clientAtom)
  const from = { database, since }
  switch (kind) {
    case 'tx': {
      const { tx } = request as { tx: string }
      return readVerifiableTx(client, { ...from, tx, entries: 'all' })
    }
    case 'get': {
      const { keyRequest } = request as { keyRequest: KeyRequest }
      return readVerifiableEntry(client, { ...from, keyRequest })
    }
    case 'row': {
      const { sqlGetRequest } = request as { sqlGetRequest: RowRequest }
      return readVerifiableRow(client, { ...from, ...sqlGetRequest })
    }
    case 'document': {
      const { collectionName, documentId, transactionId } = request as Document
      const wanted = { collection: collectionName, id: documentId, tx: transactionId }
      return readDocumentProof(client, { ...from, ...wanted })
    }
  }
}

type Document = { collectionName: string; documentId: string; transactionId: string }
