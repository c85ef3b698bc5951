import { atom } from 'jotai'

/** What the last write did, shown beside its document. */
export type WrittenDocument = {
  readonly database: string
  readonly collection: string
  readonly id: string
  readonly text: string
  readonly tx: string | null
}
export const writtenDocumentAtom = atom<WrittenDocument | null>(null)
