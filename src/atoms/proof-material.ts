import { atom } from 'jotai'
import { getWithProof, type ProofMaterial } from '~/api/proof-material'
import { clientAtom } from './client'
import { sentence, technicalDetails } from './failure'
import { databaseAtom } from './session'

export type ProofState =
  | { kind: 'none' }
  | { kind: 'asked' }
  | { kind: 'given'; material: ProofMaterial }
  | { kind: 'failed'; text: string; details: string }

/** What was asked for last and for what; the answer for anything else is not shown. */
const askedAtom = atom<{ of: string; state: ProofState }>({ of: '', state: { kind: 'none' } })

/** The proof material of a key's revision, `''` meaning the newest, if it was asked for. */
export const proofAtom = atom((get) => {
  const { of, state } = get(askedAtom)
  const database = get(databaseAtom) ?? ''
  return (key: string, revision: string): ProofState =>
    of === nameOf(database, key, revision) ? state : { kind: 'none' }
})

/** Gets a key with proof material. Nothing is verified here. */
export const askForProofAtom = atom(null, async (get, set, key: string, revision: string) => {
  const database = get(databaseAtom) ?? ''
  const of = nameOf(database, key, revision)
  const tell = (state: ProofState) => {
    if (state.kind === 'asked' || get(askedAtom).of === of) set(askedAtom, { of, state })
  }
  tell({ kind: 'asked' })
  try {
    const which = revision === '' ? { key } : { key, revision }
    const material = await getWithProof(get(clientAtom), { database, ...which, since: '1' })
    tell({ kind: 'given', material })
  } catch (error) {
    tell({ kind: 'failed', text: sentence(error), details: technicalDetails(error) })
  }
})

function nameOf(database: string, key: string, revision: string): string {
  return JSON.stringify([database, key, revision])
}
