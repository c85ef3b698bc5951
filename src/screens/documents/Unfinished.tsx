import { useAtomValue } from 'jotai'
import { documentSaveAtom } from '~/atoms/documents/document-write'
import { SafeName } from '~/ui/SafeText'
import { UnfinishedDraft } from '~/ui/UnfinishedBar'
import { useDocumentDrafts } from './use-document-drafts'

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
export function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDocumentDrafts()
  const { kind } = useAtomValue(documentSaveAtom)
  if (!draft) return null
  return (
    <UnfinishedDraft
      onContinue={resume}
      onDiscard={discard}
      reasonAgainstDiscard={reasonAgainstDiscard}
    >
      {draft.id === null ? 'A new document' : `A change of document ${draft.id}`} of{' '}
      <SafeName text={draft.collection} />{' '}
      {kind === 'unknown'
        ? 'was sent. It is not known whether it was stored.'
        : 'is not saved yet.'}
    </UnfinishedDraft>
  )
}
