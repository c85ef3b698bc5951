import { useAtomValue, useSetAtom } from 'jotai'
import {
  checkDocumentDeletionAtom,
  deleteDocumentAtom,
  documentDeletionAtom,
  resetDocumentDeletionAtom,
} from '~/atoms/documents/delete'
import { isBusy } from '~/lib/write-state'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { WriteNote } from '~/ui/WriteNote'

type DeleteProps = {
  of: { collection: string; id: string; idField: string }
  onClose: () => void
}

/** Asks before a document is deleted and says what that does not do. */
export function DeleteDocument({ of, onClose }: DeleteProps) {
  const remove = useSetAtom(deleteDocumentAtom)
  const check = useSetAtom(checkDocumentDeletionAtom)
  const state = useAtomValue(documentDeletionAtom)
  const reset = useSetAtom(resetDocumentDeletionAtom)
  const isWriting = isBusy(state)
  const close = () => {
    reset()
    onClose()
  }
  const closeIf = (isDone: boolean) => isDone && close()
  return (
    <ConfirmDialog
      action="Delete the document"
      busy={isWriting}
      description={
        <>
          <span className="font-mono text-text [overflow-wrap:anywhere]">{of.id}</span> will no
          longer be listed or found.
        </>
      }
      onClose={() => !isWriting && close()}
      onConfirm={() => void remove(of).then(closeIf)}
      open
      title="Delete this document?"
    >
      <div className="grid gap-3">
        <p>
          The deletion is a new revision. Earlier ones stay in the history and can be read and
          proven. A deleted id cannot be used again: the same document gets a new one.
        </p>
        <WriteNote
          notDone="Nothing was deleted."
          notKnown="this was deleted"
          onCheck={() => void check(of).then(closeIf)}
          state={state}
        />
      </div>
    </ConfirmDialog>
  )
}
