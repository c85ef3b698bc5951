import { useAtomValue } from 'jotai'
import { pastDocumentsExport } from '~/atoms/documents/past-export'
import { pastDocumentListsAtom } from '~/atoms/documents/past-list'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { sentence } from '~/core/session/failure-words'
import type { Collection } from '~/immudb/collection'
import { counted, formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { DocumentIcon } from '~/ui/Icon'
import { PickList } from '~/ui/PickList'
import { useDocumentsAddress } from './address'

/** The documents of a collection as of a transaction, which only the transactions tell. */
export function PastDocuments({ of, tx }: { of: Collection; tx: string }) {
  const { database, id, go } = useDocumentsAddress()
  const past = useAtomValue(pastDocumentListsAtom)(database, of.name, tx)
  const list = useAtomValue(past.listAtom)
  const read = useAct(past.read)
  const cancel = useAct(past.cancel)
  const then = `tx ${formatTx(tx)}`
  if (list?.kind !== 'done') {
    const isReading = list?.kind === 'reading'
    const failure = list?.kind === 'stopped' && list.error !== null ? sentence(list.error) : null
    return (
      <div className="grid gap-2 p-3 text-sm">
        <p>
          Searches know only the present. The list of {then} comes from reading all transactions up
          to it; each document is then read as it was.
        </p>
        {failure !== null && <p className="text-warning">{failure}</p>}
        <p className="flex flex-wrap items-center gap-2 text-muted" role="status">
          {isReading && (
            <>
              <progress
                aria-label="Transactions read"
                className="h-1.5 w-24"
                max={list.of}
                value={list.read}
              />
              {`${list.read} of ${counted(list.of, 'transaction')}`}
            </>
          )}
          <Button onClick={() => void (isReading ? cancel() : read())} size="small">
            {isReading ? 'Cancel' : `Read the list of ${then}`}
          </Button>
        </p>
      </div>
    )
  }
  const { documents, unlisted } = list
  const warning = unlisted > 0 && (
    <span className="text-warning">
      {counted(unlisted, 'transaction')} could not be listed, so documents may be missing or wrong.
    </span>
  )
  if (documents.length === 0) {
    return (
      <EmptyState
        icon={<DocumentIcon />}
        text={
          <>
            This collection had no document then. A collection of this name that was deleted since
            is not looked through. {warning}
          </>
        }
        title={`No documents as of ${then}`}
      />
    )
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="min-h-0 grow">
        <PickList
          count={documents.length}
          label={`Documents of ${of.name}`}
          onPick={(index) => go({ id: documents[index]?.id ?? null, revision: '' })}
          picked={documents.findIndex((one) => one.id === id)}
          render={(index) => {
            const one = documents[index]
            return (
              one && (
                <>
                  <span className="min-w-0 flex-1 truncate font-mono">{one.id}</span>
                  <span className="shrink-0 text-muted text-xs">
                    rev {one.revision}, tx {formatTx(one.tx)}
                  </span>
                </>
              )
            )
          }}
        />
      </div>
      <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 border-line border-t px-3 py-1 text-muted text-sm">
        <span role="status">
          {counted(documents.length, 'document')} as of {then}
        </span>
        {warning}
        <span className="ms-auto flex flex-wrap items-center gap-2">
          <File
            collection={of.name}
            database={database ?? ''}
            documents={documents}
            tx={tx}
            unlisted={unlisted}
          />
        </span>
      </footer>
    </div>
  )
}

type FileProps = Parameters<typeof pastDocumentsExport>[0]

function File(of: FileProps) {
  return (
    <ExportBar
      {...useExport(pastDocumentsExport(of))}
      formats={lineFormats}
      title="Every document of this list as it was then, as NDJSON"
    />
  )
}
