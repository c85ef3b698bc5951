import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { describedCollectionsAtom, documentCountsAtom } from '~/atoms/documents/collections'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { asOfAtom, asOfTxAtom } from '~/core/history/as-of'
import { failureWords, sentence, technicalDetails } from '~/core/session/failure-words'
import type { Collection } from '~/immudb/collection'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { DocumentIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Sentence } from '~/ui/Sentence'
import { Tabs } from '~/ui/Tabs'
import { Unanswered } from '~/ui/Unanswered'
import { type DocumentsTab, documentsTabs, useDocumentsAddress } from './address'
import { Documents } from './Documents'
import { ImportButton } from './ImportButton'
import { PastDocuments } from './PastDocuments'
import { StructureTab } from './StructureTab'
import { useDocumentDrafts } from './use-document-drafts'

/** The open collection: its documents and its structure. */
export function CollectionPane() {
  const { database, collection, go } = useDocumentsAddress()
  const asked = useAtomValue(useAtomValue(describedCollectionsAtom)(database))
  const of = asked.data?.find(({ name }) => name === collection)
  return (
    <section
      aria-label="The open collection"
      className="flex h-full min-h-0 min-w-0 flex-col bg-page"
    >
      <SectionBoundary
        details={technicalDetails}
        isPane
        resetKey={`${database} ${collection}`}
        what="The collection"
      >
        {of ? (
          <Opened key={of.name} of={of} />
        ) : asked.data ? (
          <EmptyState
            action={<Button onClick={() => go({ collection: null })}>Show all collections</Button>}
            icon={<DocumentIcon />}
            text="It may have been deleted, or its name is written differently: upper and lower case differ."
            title={`There is no collection ${collection}`}
          />
        ) : (
          <div className="p-4">
            <Unanswered asked={asked} lines={5} words={failureWords} />
          </div>
        )}
      </SectionBoundary>
    </section>
  )
}

function Opened({ of }: { of: Collection }) {
  const { tab, go } = useDocumentsAddress()
  // Each view begins when it is first asked for, and then keeps what is typed.
  const [shown, setShown] = useState<readonly DocumentsTab[]>([tab])
  if (!shown.includes(tab)) setShown([...shown, tab])
  return (
    <>
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
        <h2 className="min-w-0 font-medium font-mono [overflow-wrap:anywhere]">
          <SafeName text={of.name} />
        </h2>
        <Count of={of} />
        <span className="ms-auto flex flex-wrap items-center gap-1">
          <ImportButton of={of} />
          <NewDocument of={of} />
        </span>
      </header>
      <div className="min-h-0 grow">
        <Tabs
          fill
          label={`Views of ${of.name}`}
          onChange={(next) => {
            const found = documentsTabs.find((one) => one === next)
            if (found) go({ tab: found }, { replace: true })
          }}
          tabs={[
            {
              id: 'documents',
              label: 'Documents',
              content: shown.includes('documents') && <Looked of={of} />,
            },
            {
              id: 'structure',
              label: 'Structure',
              content: shown.includes('structure') && <StructureTab of={of} />,
            },
          ]}
          value={tab}
        />
      </div>
    </>
  )
}

function Count({ of }: { of: Collection }) {
  const { database } = useDocumentsAddress()
  const { data, error } = useAtomValue(useAtomValue(documentCountsAtom)(database, of.name, ''))
  const isPast = useAtomValue(asOfAtom).kind !== 'now'
  return (
    <span className="text-muted text-sm" role="status">
      {data !== undefined ? (
        `${counted(BigInt(data), 'document')}${isPast ? ' now' : ''}`
      ) : error ? (
        <Sentence text={`Not counted. ${sentence(error)}`} />
      ) : (
        ''
      )}
    </span>
  )
}

function NewDocument({ of }: { of: Collection }) {
  const { startNew, reasonAgainst } = useDocumentDrafts()
  const reason = useAtomValue(writeRefusalAtom) ?? reasonAgainst(of.name, null)
  return (
    <Button
      disabledReason={reason}
      onClick={() => startNew(of.name)}
      size="small"
      variant="primary"
    >
      New document
    </Button>
  )
}

/** The documents of now, or of the moment that is looked at. */
function Looked({ of }: { of: Collection }) {
  const tx = useAtomValue(asOfTxAtom)
  const { kind } = useAtomValue(asOfAtom)
  if (tx !== null) {
    return <PastDocuments of={of} tx={tx} />
  }
  if (kind === 'now' || kind === 'period') return <Documents of={of} />
  return (
    <p className="p-3 text-sm">
      {kind === 'finding'
        ? 'Waiting for the moment…'
        : 'This moment cannot be shown. The line at the top says why.'}
    </p>
  )
}
