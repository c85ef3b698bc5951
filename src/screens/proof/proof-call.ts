import { questionAgain, type Verification } from '~/trust/verification'
import type { Call } from '../code/call'
import { type NamedKeyPart, rowCall } from '../code/row-call'

/** The same verified read as a call of a program; null where no SDK can be asked for it. */
export function callOfProof(verification: Verification): Call | null {
  const question = questionAgain(verification)
  switch (question?.kind) {
    case 'tx':
      return { kind: 'tx', tx: question.request.tx, isVerified: true }
    case 'get': {
      const { key, atTx, atRevision } = question.request.keyRequest
      const at = atTx ? { tx: atTx } : atRevision ? { revision: atRevision } : null
      return { kind: 'key', key, at, isVerified: true }
    }
    case 'row':
      return callOfRow(question.request.sqlGetRequest, verification.response)
    case 'document': {
      const { collectionName, documentId, transactionId } = question.request
      const of = { collection: collectionName, id: documentId, tx: transactionId }
      return { kind: 'document proof', ...of }
    }
  }
  return null
}

type RowRequest = Extract<
  NonNullable<ReturnType<typeof questionAgain>>,
  { kind: 'row' }
>['request']['sqlGetRequest']

/** The names and types of the key's columns are those of the answer, which may be of any form. */
function callOfRow({ table, pkValues, atTx }: RowRequest, response: unknown): Call | null {
  const { PKIDs: ids, ColNamesById: names, ColTypesById: types } = Object(response)
  // The SDKs prove the row as it is now.
  if (atTx !== undefined || !Array.isArray(ids)) return null
  const key = pkValues.flatMap((value, at): NamedKeyPart[] => {
    const [name, type] = [textIn(names, ids[at]), textIn(types, ids[at])]
    return name === null || type === null ? [] : [{ name, type, value }]
  })
  const isWhole = key.length > 0 && key.length === ids.length
  return isWhole ? rowCall(table, key, { isVerified: true }) : null
}

function textIn(map: unknown, id: unknown): string | null {
  const found: unknown = Object(map)[String(id)]
  return typeof found === 'string' ? found : null
}
