import { useAtomValue } from 'jotai'
import {
  checkDocumentDeletion,
  deleteDocument,
  documentDeletionAtom,
  resetDocumentDeletion,
} from '~/atoms/documents/document-write'
import { useAct } from '~/core/act'
import { AskDialog } from '~/ui/AskDialog'

type DeleteProps = {
  of: { collection: string; id: string; idField: string }
  onClose: () => void
}

/** Asks before a document is deleted and says what that does not do. */
export function DeleteDocument({ of, onClose }: DeleteProps) {
  const remove = useAct(deleteDocument)
  const check = useAct(checkDocumentDeletion)
  const state = useAtomValue(documentDeletionAtom)
  const reset = useAct(resetDocumentDeletion)
  const close = () => {
    reset()
    onClose()
  }
  return (
    <AskDialog
      action="Delete the document"
      description={
        <>
          <span className="font-mono text-text [overflow-wrap:anywhere]">{of.id}</span> will no
          longer be listed or found.
        </>
      }
      isDanger
      onAction={() => remove(of)}
      onClose={close}
      title="Delete this document?"
      write={{
        state,
        notDone: 'Nothing was deleted.',
        notKnown: 'this was deleted',
        onCheck: () => check(),
      }}
    >
      <p>
        The deletion is a new revision. Earlier ones stay in the history and can be read and proven.
        A deleted id cannot be used again: the same document gets a new one.
      </p>
    </AskDialog>
  )
}
