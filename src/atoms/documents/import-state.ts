import { atom } from 'jotai'
import { idle, type Write } from '~/lib/write'
import type { DocumentImport } from './import-file'

/** The last import; null before the first one. */
export const documentImportAtom = atom<DocumentImport | null>(null)

/** The state of its last transaction. */
export const importWriteAtom = atom<Write<{ tx: string }>>(idle)
