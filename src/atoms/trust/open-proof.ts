import { atom } from 'jotai'
import { databaseAtom } from '../session/session'
import { proveKey, proveTx, type ShownKey, type ShownTx } from './object-proofs'
import { openProofAtom } from './proof-drawer'

/** Opens the proof of a key as it is shown. */
export const openKeyProofAtom = atom(null, (get, set, shown: ShownKey) =>
  set(openProofAtom, {
    what: shown.what,
    ask: () => proveKey({ get, set }, shown),
  }),
)

/** Opens the proof of a transaction of the open database, as a list shows it. */
export const openTxProofAtom = atom(null, (get, set, shown: ShownTx) => {
  const database = get(databaseAtom) ?? ''
  return set(openProofAtom, {
    what: `tx ${shown.id}`,
    ask: () => proveTx({ get, set }, database, shown),
  })
})
