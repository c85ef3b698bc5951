import { technicalDetails } from '~/core/session/failure-words'
import { Button } from '~/ui/Button'
import { ChevronRightIcon, CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { useNarrow } from '~/ui/use-narrow'
import { useDocumentsAddress } from './address'
import { DocumentForm } from './DocumentForm'
import { Looked } from './DocumentView'
import { Unfinished } from './Unfinished'
import { useDocumentDrafts } from './use-document-drafts'
import { Written } from './WrittenNote'

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
