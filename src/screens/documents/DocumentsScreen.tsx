import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { describedCollectionsAtom, refreshDocuments } from '~/atoms/documents/collections'
import { documentDraftAtom, documentDrafts } from '~/atoms/documents/drafts'
import { repeatSearch } from '~/atoms/documents/search'
import { keptSessionAtom, unaskedCollectionAtom } from '~/atoms/documents/session'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { lackingAtom } from '~/core/session/server-version'
import { databaseAtom } from '~/core/session/session'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ChevronRightIcon, DocumentIcon, RefreshIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useSearchParam } from '~/ui/location'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { useNarrow } from '~/ui/use-narrow'
import { AsOfButton, AsOfStrip } from '../moments/AsOf'
import { useOnlyChoice } from '../tables/use-only-choice'
import { useDocumentsAddress } from './address'
import { CollectionList } from './CollectionList'
import { CollectionPane } from './CollectionPane'
import { DocumentPane } from './DocumentPane'
import { NewCollection } from './NewCollection'

/** Collections on the left, their documents beside them; one at a time on a phone. */
export default function DocumentsScreen() {
  const database = useAtomValue(databaseAtom)
  const lacks = useAtomValue(lackingAtom)('documents')
  useAtomValue(documentDrafts.areBackAtom)
  if (lacks !== undefined) {
    return (
      <>
        <h1 className="sr-only">Documents</h1>
        <EmptyState icon={<DocumentIcon />} text={lacks} title="This server has no documents" />
      </>
    )
  }
  if (database === null) {
    return (
      <>
        <h1 className="sr-only">Documents</h1>
        <EmptyState
          icon={<DocumentIcon />}
          text="Choose one at the top to see its documents."
          title="No database is open"
        />
      </>
    )
  }
  return <OfDatabase key={database} />
}

function OfDatabase() {
  // What is here before the console keeps the session needs it, too.
  useAtomValue(keptSessionAtom)
  useOnlyCollection()
  return (
    <div className="flex h-full flex-col">
      <AsOfStrip />
      <div className="min-h-0 grow">
        <Parts />
      </div>
    </div>
  )
}

function useOnlyCollection() {
  const { database, collection, go } = useDocumentsAddress()
  const { data } = useAtomValue(useAtomValue(describedCollectionsAtom)(database))
  const draft = useAtomValue(documentDraftAtom)
  const [dialog] = useSearchParam('dialog')
  const noteUnasked = useSetAtom(unaskedCollectionAtom)
  useOnlyChoice({
    kind: 'collections',
    names: useMemo(() => data?.map(({ name }) => name), [data]),
    isTaken: collection !== null || draft !== null || dialog !== undefined,
    open: (name) => {
      noteUnasked(database)
      go({ collection: name }, { replace: true })
    },
  })
}

/** Whether a document, or a form for one, is open. */
function useIsDocumentOpen(): boolean {
  const { id, collection } = useDocumentsAddress()
  const draft = useAtomValue(documentDraftAtom)
  return (
    collection !== null && (id !== null || (draft?.id === null && draft.collection === collection))
  )
}

const wide = {
  screen: 'grid h-full grid-cols-[clamp(272px,22%,300px)_minmax(0,1fr)] divide-x divide-line',
  list: 'h-full min-h-0',
  listAndDocument:
    'grid h-full min-h-0 grid-cols-[minmax(0,1fr)_clamp(320px,44%,640px)] divide-x divide-line',
}

/** One place for each part in both layouts, so that turning a phone keeps what is open in it. */
function Parts() {
  const isNarrow = useNarrow()
  const isOpen = useIsDocumentOpen()
  const { collection } = useDocumentsAddress()
  return (
    <div className={isNarrow ? 'flex h-full min-h-0 flex-col' : wide.screen}>
      {isNarrow && collection !== null && <h1 className="sr-only">Documents</h1>}
      {isNarrow && collection !== null && !isOpen && <AllCollections />}
      {(!isNarrow || collection === null) && <Collections />}
      {!isNarrow && collection === null && (
        <EmptyState
          icon={<DocumentIcon />}
          text="The collection that you choose opens here."
          title="No collection is open"
        />
      )}
      {collection !== null && (
        <div className={isNarrow ? 'min-h-0 grow' : isOpen ? wide.listAndDocument : wide.list}>
          {(!isNarrow || !isOpen) && <CollectionPane />}
          {isOpen && <DocumentPane />}
        </div>
      )}
    </div>
  )
}

/** Leads back to the list where it has no place beside a collection. */
function AllCollections() {
  const { go } = useDocumentsAddress()
  return (
    <div className="border-line border-b bg-panel px-2 py-1">
      <Button
        icon={<ChevronRightIcon className="rotate-180" />}
        onClick={() => go({ collection: null })}
        size="small"
        variant="quiet"
      >
        All collections
      </Button>
    </div>
  )
}

function Collections() {
  const { database } = useDocumentsAddress()
  const refresh = useAct(refreshDocuments)
  const repeat = useAct(repeatSearch)
  return (
    <section
      aria-label="Collections of the database"
      className="flex h-full min-h-0 min-w-0 flex-col bg-panel"
    >
      <header className="grid shrink-0 gap-2 border-line border-b px-3 py-2">
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="font-medium">Documents</h1>
          <span className="ms-auto flex flex-wrap items-center">
            <AsOfButton />
            <IconButton
              icon={<RefreshIcon />}
              label="Refresh the documents"
              onClick={() => {
                void refresh(database)
                repeat()
              }}
              size="small"
            />
          </span>
        </div>
        <div>
          <NewCollection isSmall />
        </div>
      </header>
      <SectionBoundary details={technicalDetails} isPane resetKey={database} what="The collections">
        <CollectionList />
      </SectionBoundary>
    </section>
  )
}
