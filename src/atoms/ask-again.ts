import {
  type KeyRequest,
  type RowRequest,
  readDocumentProof,
  readVerifiableEntry,
  readVerifiableRow,
  readVerifiableTx,
} from '~/api/proof'
import { clientAtom, ensureDatabaseToken } from './client'
import { verifyObject } from './object-check'
import type { Io } from './trust-check'
import type { Break } from './trust-record'
import { isObjectKind, type ObjectKind, type ObjectToVerify } from './verification'

/**
 * Asks once more for the very object that an alarm is about, and resolves with whether its proof
 * holds now. False for what cannot be asked for by itself, such as a page of an audit.
 * @throws ApiError when the server cannot be asked
 */
export async function holdsNow(io: Io, { verification }: Break): Promise<boolean> {
  if (!verification || !isObjectKind(verification.kind)) return false
  const { database, kind, what, request, context } = verification
  await ensureDatabaseToken(io, io.get(clientAtom), database)
  const { outcome } = await verifyObject(io, database, kind, {
    what,
    request,
    ask: (since) => asked(io, database, kind, request, since),
    schema: context?.schema ?? null,
    collectionId: context?.collectionId ?? null,
  })
  if (outcome.kind !== 'ok') return false
  const { verdict, firstUse } = outcome.verified
  return verdict === 'ok' && !firstUse
}

/** As it was asked the first time; requests are kept as they were made here. */
function asked(
  io: Io,
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
