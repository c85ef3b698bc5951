import { Button } from '~/ui/Button'
import { SafeName } from '~/ui/SafeText'
import { useDocumentDrafts } from './use-document-drafts'

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
export function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDocumentDrafts()
  if (!draft) return null
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warning-tint px-4 py-2 text-sm"
      role="status"
    >
      <span className="min-w-0 grow break-words [overflow-wrap:anywhere]">
        {draft.id === null ? 'A new document' : `A change of document ${draft.id}`} of{' '}
        <SafeName text={draft.collection} /> is not saved yet.
      </span>
      <Button onClick={resume} size="small">
        Continue
      </Button>
      <Button disabledReason={reasonAgainstDiscard} onClick={discard} size="small" variant="quiet">
        Discard
      </Button>
    </div>
  )
}
