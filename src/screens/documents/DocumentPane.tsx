import { useAtomValue } from 'jotai'
import { documentSaveAtom, writtenDocumentAtom } from '~/atoms/documents/document-write'
import { technicalDetails } from '~/core/session/failure-words'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { CheckIcon, ChevronRightIcon, CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { TxText } from '~/ui/TxText'
import { UnfinishedDraft } from '~/ui/UnfinishedBar'
import { useNarrow } from '~/ui/use-narrow'
import { Receipt } from '../proof/Receipt'
import { useDocumentsAddress } from './address'
import { DocumentForm } from './DocumentForm'
import { Looked } from './DocumentView'
import { useDocumentDrafts } from './use-document-drafts'

/** The open document, or the form that writes one. */
export function DocumentPane() {
  const { database, collection, id, revision } = useDocumentsAddress()
  const { draft } = useDocumentDrafts()
  const isWritten = draft !== null && draft.id === id && draft.collection === collection
  return (
    <section
      aria-label="Document"
      className="h-full overflow-auto bg-page outline-none"
      id="open-document"
      tabIndex={-1}
    >
      <Bar isNew={id === null} />
      {!isWritten && <Unfinished />}
      {!isWritten && <Written />}
      <SectionBoundary
        details={technicalDetails}
        isPane
        resetKey={`${database} ${collection} ${id} ${revision}`}
        what="The document"
      >
        {isWritten ? (
          <DocumentForm key={`${database} ${collection} ${id}`} />
        ) : (
          id !== null && <Looked id={id} key={`${database} ${collection} ${id} ${revision}`} />
        )}
      </SectionBoundary>
    </section>
  )
}

function Bar({ isNew }: { isNew: boolean }) {
  const { go } = useDocumentsAddress()
  const { discard, reasonAgainstDiscard, draft } = useDocumentDrafts()
  const isNarrow = useNarrow()
  // An untouched form for a new document goes when it is left.
  const leave = () => (isNew && draft?.id === null ? discard() : go({ id: null, revision: '' }))
  const reason = isNew ? reasonAgainstDiscard : undefined
  return (
    <div className="flex items-center border-line border-b bg-panel px-2 py-1">
      {isNarrow ? (
        <Button
          disabledReason={reason}
          icon={<ChevronRightIcon className="rotate-180" />}
          onClick={leave}
          size="small"
          variant="quiet"
        >
          {isNew ? 'Discard' : 'All documents'}
        </Button>
      ) : (
        !isNew && (
          <span className="ms-auto">
            <IconButton
              icon={<CloseIcon />}
              label="Close the document"
              onClick={leave}
              size="small"
            />
          </span>
        )
      )}
    </div>
  )
}

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
function Unfinished() {
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

/** What the last write did, as long as its document is open. */
function Written() {
  const { database, collection, id } = useDocumentsAddress()
  const written = useAtomValue(writtenDocumentAtom)
  const isIts =
    written?.id === id && written?.collection === collection && written?.database === database
  if (!written || !isIts) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-4">
      <p className="flex items-center gap-2 text-sm" role="status">
        <span className="text-success">
          <CheckIcon />
        </span>
        <span>
          <TxText database={database} text={written.text} />
        </span>
      </p>
      {written.tx !== null && (
        <Boundary fallback={() => null}>
          <Receipt database={database} of={`document ${written.id}`} tx={written.tx} />
        </Boundary>
      )}
    </div>
  )
}
