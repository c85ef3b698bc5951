import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { DocumentState } from '~/atoms/documents/document'
import {
  checkDocumentDeletionAtom,
  deleteDocumentAtom,
  documentDeletionAtom,
  resetDocumentDeletionAtom,
} from '~/atoms/documents/write'
import { openRevisionsAtom } from '~/atoms/revisions/open'
import { checkAtom } from '~/atoms/trust/verification-by-id'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { isBusy } from '~/lib/write'
import { Button } from '~/ui/Button'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ShieldIcon } from '~/ui/Icon'
import { WriteNote } from '~/ui/WriteNote'
import { useDocumentsAddress } from './address'
import { useDocumentDrafts } from './use-document-drafts'

type Props = {
  id: string
  /** Null as long as the collection is not known. */
  idField: string | null
  state: DocumentState
}

/** What can be done with the open document. */
export function DocumentActions({ id, idField, state }: Props) {
  const { database, collection, revision } = useDocumentsAddress()
  const [isDeleting, setDeleting] = useState(false)
  const reset = useSetAtom(resetDocumentDeletionAtom)
  const check = useSetAtom(checkAtom)
  const openHistory = useSetAtom(openRevisionsAtom)
  const { startEdit, reasonAgainst } = useDocumentDrafts()
  const isOld =
    revision !== '' ? 'An older revision cannot be changed: show the newest.' : undefined
  const reason =
    useAtomValue(writeRefusalAtom) ??
    isOld ??
    (idField === null ? 'The collection is not known yet.' : undefined)
  if (collection === null) return null
  const isThere = state.kind === 'live' || state.kind === 'hidden'
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        disabledReason={
          reason ??
          (state.kind === 'live' ? reasonAgainst(collection, id) : notEditable[state.kind])
        }
        onClick={() => {
          if (state.kind !== 'live' || idField === null) return
          const { document } = state
          startEdit({ collection, id, idField, document, revision: state.revision.revision })
        }}
        size="small"
      >
        Edit
      </Button>
      <Button
        disabledReason={
          'revision' in state ? undefined : 'There is nothing to verify: it was never written.'
        }
        icon={<ShieldIcon />}
        onClick={() => {
          if (!('revision' in state)) return
          void check({ kind: 'document', collection, id, tx: state.revision.tx })
        }}
        size="small"
      >
        Verify
      </Button>
      <Button
        disabledReason={state.kind === 'absent' ? 'There is no revision of it.' : undefined}
        onClick={() => openHistory({ kind: 'document', database, collection, id })}
        size="small"
      >
        History
      </Button>
      <Button
        disabledReason={reason ?? (isThere ? undefined : 'There is nothing to delete.')}
        onClick={() => {
          reset()
          setDeleting(true)
        }}
        size="small"
      >
        Delete…
      </Button>
      {isDeleting && idField !== null && (
        <DeleteDocument of={{ collection, id, idField }} onClose={() => setDeleting(false)} />
      )}
    </div>
  )
}

const notEditable: Readonly<Record<string, string>> = {
  absent: 'There is no such document.',
  'not-yet': 'It did not exist yet.',
  deleted: 'immudb does not take a deleted document back under its id.',
  hidden: 'It cannot be read, so it cannot be edited here.',
}

type DeleteProps = {
  of: { collection: string; id: string; idField: string }
  onClose: () => void
}

function DeleteDocument({ of, onClose }: DeleteProps) {
  const remove = useSetAtom(deleteDocumentAtom)
  const check = useSetAtom(checkDocumentDeletionAtom)
  const state = useAtomValue(documentDeletionAtom)
  const isWriting = isBusy(state)
  const closeIf = (isDone: boolean) => isDone && onClose()
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
      onClose={() => !isWriting && onClose()}
      onConfirm={() => void remove(of).then(closeIf)}
      open
      title="Delete this document?"
    >
      <div className="grid gap-3">
        <p>
          The deletion is a new revision. Earlier ones stay in the history and can be read and
          proven. immudb does not take a document back under its id: written again, it gets a new
          one.
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
