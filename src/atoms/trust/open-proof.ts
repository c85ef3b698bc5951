import { atom } from 'jotai'
import { databaseAtom } from '../session/session'
import type { ShownKey, ShownTx } from './object-proofs'
import { openProofAtom } from './proof-drawer'

/** What verifies is fetched when it is first used; when that fails, the drawer says so. */
const work = () => import('./object-proofs')

/** Opens the proof of a key as it is shown. */
export const openKeyProofAtom = atom(null, (get, set, shown: ShownKey) =>
  set(openProofAtom, {
    what: shown.what,
    ask: async () => (await work()).proveKey({ get, set }, shown),
  }),
)

/** Opens the proof of a transaction of the open database, as a list shows it. */
export const openTxProofAtom = atom(null, (get, set, shown: ShownTx) => {
  const database = get(databaseAtom) ?? ''
  return set(openProofAtom, {
    what: `tx ${shown.id}`,
    ask: async () => (await work()).proveTx({ get, set }, database, shown),
  })
})
