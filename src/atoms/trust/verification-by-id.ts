import { atom } from 'jotai'
import { documentRequest, readDocumentProof, readVerifiableTx } from '~/api/proof'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { databaseAtom } from '../session/session'
import { gapOf } from './open-parts'
import { openProofAtom, type Proof } from './proof-drawer'
import type { ObjectToVerify } from './verification'
import { verifyObject } from './verify-object'

/** Checks that are listed. */
const most = 20

const doneAtom = atom<readonly Proof[]>([])

/** What was checked by number or id in this page, the newest first. */
export const checksAtom = atom((get) => get(doneAtom))

/** A transaction by its number, or a document by its collection and id. */
export type Wanted =
  | { kind: 'tx'; tx: string }
  | { kind: 'document'; collection: string; id: string; tx: string }

/** Verifies something of the open database in the drawer. */
export const checkAtom = atom(null, async (get, set, wanted: Wanted): Promise<void> => {
  const database = get(databaseAtom)
  if (database === null) return
  const client = get(clientAtom)
  const object = objectOf(wanted, (since) =>
    wanted.kind === 'tx'
      ? readVerifiableTx(client, { database, tx: wanted.tx, since, entries: 'all' })
      : readDocumentProof(client, { database, ...wanted, since }),
  )
  const ask = async (): Promise<readonly Proof[]> => {
    await ensureDatabaseToken({ get, set }, client, database)
    const verification = await verifyObject({ get, set }, database, wanted.kind, object)
    const proof = { verification, ...gapOf(verification) }
    set(doneAtom, [proof, ...get(doneAtom)].slice(0, most))
    return [proof]
  }
  await set(openProofAtom, { what: object.what, ask })
})

function objectOf(wanted: Wanted, ask: ObjectToVerify['ask']): ObjectToVerify {
  if (wanted.kind === 'tx') {
    return { what: `transaction ${wanted.tx}`, request: { tx: wanted.tx }, ask }
  }
  const { proofSinceTransactionId: _since, ...request } = documentRequest(wanted, '0')
  return { what: `document ${wanted.id} of ${wanted.collection}`, request, ask }
}
