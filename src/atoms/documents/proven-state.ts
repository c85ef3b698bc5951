import { atom } from 'jotai'
import { provenFactsAtom } from '~/trust/proven-content'
import { documentRequest } from '~/trust/verification'
import type { DocumentState } from './document'

/** A document as it is proven, where a proof of what is shown was made; else as the server said. */
export const provenDocumentStateAtom = atom((get) => {
  const factsOf = get(provenFactsAtom)
  return (
    database: string,
    collection: string,
    id: string,
    state: DocumentState,
  ): DocumentState => {
    if (!('revision' in state)) return state
    const { tx } = state.revision
    const facts = factsOf(database, 'document', documentRequest({ collection, id, tx }))
    if (!facts) return state
    const revision = { ...state.revision, ts: facts.ts }
    if (facts.deleted) return { kind: 'deleted', revision }
    return { kind: 'live', revision, document: facts.document }
  }
})
