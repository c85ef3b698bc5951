import { atom } from 'jotai'
import { idle, type Write } from '~/lib/write-state'
import type { DocumentImport } from './import-file'

/** The last import; null before the first one. */
export const documentImportAtom = atom<DocumentImport | null>(null)

/** Whether there is one that is not at its end: what it says would be lost with the page. */
export const isDocumentImportOpenAtom = atom((get) => {
  const now = get(documentImportAtom)
  return now !== null && now.state !== 'complete'
})

/** The state of its last transaction. */
export const importWriteAtom = atom<Write<{ tx: string }>>(idle)
