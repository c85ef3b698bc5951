import { useAtomValue, useSetAtom } from 'jotai'
import { documentSaveAtom, resetDocumentSave } from '~/atoms/documents/document-write'
import {
  beginDocument,
  documentDraftAtom,
  dropDocument,
  isDocumentDraftChangedAtom,
  wantsDocumentFocusAtom,
} from '~/atoms/documents/drafts'
import { useAct } from '~/core/act'
import { isIdOf } from '~/immudb/collection'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { isBusy } from '~/lib/write-state'
import { useDocumentsAddress } from './address'

const beingSaved = 'A document is being saved.'
const otherIsWritten = 'First save or discard the document that you are writing.'

type ReadDocument = {
  collection: string
  id: string
  idField: string
  document: DocumentFields
}

/** A document without its id, which the server makes. */
function contentOf({ id, idField, document }: ReadDocument): string {
  const { [idField]: named, ...others } = document
  // The field for ids may have been renamed to one in which this document has something else.
  return documentJson(isIdOf(named, id) ? others : document, '')
}

/** Begins and ends the writing of documents; one at a time in each database. */
export function useDocumentDrafts() {
  const { go } = useDocumentsAddress()
  const draft = useAtomValue(documentDraftAtom)
  const isChanged = useAtomValue(isDocumentDraftChangedAtom)
  const state = useAtomValue(documentSaveAtom)
  const isSaving = isBusy(state)
  const reset = useAct(resetDocumentSave)
  const begin = useAct(beginDocument)
  const drop = useAct(dropDocument)
  const wantFocus = useSetAtom(wantsDocumentFocusAtom)
  const isOf = (collection: string, id: string | null) =>
    draft?.collection === collection && draft.id === id
  const reasonAgainstOther = isSaving
    ? beingSaved
    : state.kind === 'unknown'
      ? 'Check first what became of the document that you sent.'
      : isChanged
        ? otherIsWritten
        : undefined
  return {
    draft,
    /** Why no other document can be written now; `id` is null for a new one. */
    reasonAgainst: (collection: string, id: string | null) =>
      !isSaving && (draft === null || isOf(collection, id)) ? undefined : reasonAgainstOther,
    startNew: (collection: string) => {
      if (!isOf(collection, null) || !isChanged) {
        reset()
        begin({ collection, id: null, text: '{\n  \n}', revision: '' })
      }
      wantFocus(true)
      go({ id: null, revision: '' })
    },
    startEdit: (of: ReadDocument & { revision: string }) => {
      const { collection, id, revision } = of
      if (!isOf(collection, id) || !isChanged) {
        reset()
        begin({ collection, id, text: contentOf(of), revision })
      }
      wantFocus(true)
      go({ id, revision: '' })
    },
    /** Why no new document can begin with the content of another one now. */
    reasonAgainstCopy: reasonAgainstOther,
    startCopy: (of: ReadDocument) => {
      reset()
      begin({ collection: of.collection, id: null, text: contentOf(of), revision: '' })
      wantFocus(true)
      go({ id: null, revision: '' })
    },
    reasonAgainstDiscard: isSaving ? beingSaved : undefined,
    /** Goes back to the document that was begun before. */
    resume: () => {
      if (!draft) return
      wantFocus(true)
      go({ collection: draft.collection, id: draft.id, revision: '' })
    },
    discard: () => {
      reset()
      drop()
      focusDocument()
    },
  }
}

/** The form that had the focus is gone; what takes its place has it. */
export function focusDocument(): void {
  requestAnimationFrame(() =>
    (document.getElementById('open-document') ?? document.getElementById('content'))?.focus(),
  )
}
