import { useAtomValue } from 'jotai'
import { documentsExport } from '~/atoms/documents/document-export'
import { continueSearch, type ShownSearch } from '~/atoms/documents/search'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import type { Collection } from '~/immudb/collection'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { DocumentIcon } from '~/ui/Icon'
import { Skeleton } from '~/ui/Skeleton'
import { useDocumentsAddress } from './address'
import { FoundGrid } from './FoundGrid'
import { useDocumentDrafts } from './use-document-drafts'

type ResultProps = {
  of: Collection
  /** The search, by `queryToAddress`. */
  name: string
  search: ShownSearch
  /** Leaves the search. */
  onAll: () => void
}

export function Result({ of, name, search, onAll }: ResultProps) {
  const { documents, isBusy, next, tooLarge, error } = search
  const { startNew, reasonAgainst } = useDocumentDrafts()
  const refusal = useAtomValue(writeRefusalAtom)
  if (documents.length === 0) {
    if (isBusy) {
      return (
        <div className="p-4">
          <Skeleton lines={6} />
        </div>
      )
    }
    if (error !== null || next !== null) return null
    const isAll = name === ''
    const reason = refusal ?? reasonAgainst(of.name, null)
    return tooLarge > 0 ? (
      <p className="p-4 text-sm">{largeWords(tooLarge)}</p>
    ) : (
      <EmptyState
        action={
          isAll ? (
            <Button disabledReason={reason} onClick={() => startNew(of.name)}>
              Write the first document
            </Button>
          ) : (
            <Button onClick={onAll}>Show all documents</Button>
          )
        }
        icon={<DocumentIcon />}
        refusal={isAll ? reason : undefined}
        text={
          isAll
            ? 'Nothing has been inserted into this collection, or all was deleted.'
            : 'No document of the collection meets this search.'
        }
        title="No documents"
      />
    )
  }
  return (
    <>
      <div className="min-h-0 grow">
        <FoundGrid documents={documents} of={of} />
      </div>
      <Foot of={of} search={search} />
    </>
  )
}

function largeWords(count: number): string {
  return `${counted(count, 'document')} larger than 4 MiB cannot be listed. Open one by its id.`
}

function Foot({ of, search }: { of: Collection; search: ShownSearch }) {
  const more = useAct(continueSearch)
  const { database } = useDocumentsAddress()
  const file = useExport(documentsExport({ database, collection: of.name, query: search.of.query }))
  const { documents, next, tooLarge, isBusy, error } = search
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-1 text-muted text-sm">
      <span role="status">
        {counted(documents.length, 'document')}
        {next !== null && ', more exist'}
      </span>
      {tooLarge > 0 && <span className="text-warning">{largeWords(tooLarge)}</span>}
      <span className="ms-auto flex flex-wrap items-center gap-2">
        <ExportBar
          {...file}
          formats={lineFormats}
          title="Every document of this search, as NDJSON"
        />
        {next !== null && error === null && (
          <Button
            busy={isBusy}
            disabledReason={file.isRunning ? 'A file is being written.' : undefined}
            onClick={() => void more()}
            size="small"
          >
            Read more documents
          </Button>
        )}
      </span>
    </footer>
  )
}
