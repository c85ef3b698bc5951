import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { DocumentState } from '~/atoms/documents/document'
import { openRevisionsAtom } from '~/atoms/revisions/open-revisions'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { asOfTxAtom } from '~/core/history/as-of'
import { openProofDrawer } from '~/trust/proof-drawer'
import { documentQuestion, saidLeaf } from '~/trust/questions'
import { Button } from '~/ui/Button'
import { ShieldIcon } from '~/ui/Icon'
import { CodeButton } from '../code/CodeButton'
import { useDocumentsAddress } from './address'
import { DeleteDocument } from './DeleteDocument'
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
  const openProof = useAct(openProofDrawer)
  const past = useAtomValue(asOfTxAtom)
  const openHistory = useSetAtom(openRevisionsAtom)
  const { startEdit, reasonAgainst, startCopy, reasonAgainstCopy } = useDocumentDrafts()
  const isOld =
    revision !== '' ? 'An older revision cannot be changed: show the newest.' : undefined
  const refusal =
    useAtomValue(writeRefusalAtom) ??
    (idField === null ? 'The collection is not known yet.' : undefined)
  const reason = refusal ?? isOld
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
        disabledReason={refusal ?? (state.kind === 'live' ? reasonAgainstCopy : notCopied)}
        onClick={() => {
          if (state.kind !== 'live' || idField === null) return
          startCopy({ collection, id, idField, document: state.document })
        }}
        size="small"
        title="Begins a new document with this content"
      >
        Duplicate
      </Button>
      <Button
        disabledReason={
          'revision' in state ? undefined : 'There is nothing to verify: it was never written.'
        }
        icon={<ShieldIcon />}
        onClick={() => {
          if (!('revision' in state)) return
          const { tx, ts, author, revision: number } = state.revision
          const said = [
            saidLeaf('the revision number', number),
            ...(past === null
              ? []
              : [saidLeaf('the moment', past, `that it was so at tx ${past}`)]),
          ]
          const document = state.kind === 'live' ? state.document : null
          const about = { database, collection, id, tx, seconds: ts, author, said }
          const isDeleted = state.kind === 'deleted'
          const question = documentQuestion({ ...about, document, isDeleted })
          void openProof({ what: question.what, questions: [question] })
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
      <CodeButton
        call={() =>
          idField === null
            ? null
            : {
                kind: 'documents',
                collection,
                size: 1,
                query: {
                  groups: [[{ field: idField, operator: 'EQ', values: [JSON.stringify(id)] }]],
                  orderBy: [],
                  limit: 0,
                },
              }
        }
        disabledReason={
          idField === null
            ? 'The collection is not known yet.'
            : (isOld ?? (past === null ? undefined : 'Go back to now: code reads the present.'))
        }
        what={`document ${id}`}
      />
      <Button
        disabledReason={reason ?? (isThere ? undefined : 'There is nothing to delete.')}
        onClick={() => setDeleting(true)}
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

const notCopied = 'Its content is not shown, so there is nothing to begin with.'

const notEditable: Readonly<Record<string, string>> = {
  absent: 'There is no such document.',
  'not-yet': 'It did not exist yet.',
  deleted: 'immudb does not take a deleted document back under its id.',
  hidden: 'It cannot be read, so it cannot be edited here.',
}
