import type { Client } from '~/api/client'
import {
  readDocumentProof,
  readVerifiableEntry,
  readVerifiableRow,
  readVerifiableTx,
} from '~/api/proof'
import { withHiddenValue } from '~/proof/hidden-value'
import type { Question } from './verification'

/**
 * Asks the server what a question asks for.
 * @param since the trusted transaction, at which the proof begins or ends
 * @throws ApiError when the server cannot be asked
 */
export async function ask(
  client: Client,
  question: Question,
  since: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const from = { database: question.database, since, ...(signal ? { signal } : {}) }
  switch (question.kind) {
    case 'tx': {
      const entries = question.isHeaderOnly ? 'none' : 'all'
      return readVerifiableTx(client, { ...from, ...question.request, entries })
    }
    case 'get': {
      const { keyRequest, hidesValue = false } = question.request
      const answer = await readVerifiableEntry(client, { ...from, keyRequest })
      return hidesValue ? withHiddenValue(answer) : answer
    }
    case 'row':
      return readVerifiableRow(client, { ...from, ...question.request.sqlGetRequest })
    case 'document': {
      const { collectionName, documentId, transactionId } = question.request
      const wanted = { collection: collectionName, id: documentId, tx: transactionId }
      return readDocumentProof(client, { ...from, ...wanted })
    }
  }
}
