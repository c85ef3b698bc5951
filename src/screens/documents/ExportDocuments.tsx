import { useAtomValue, useSetAtom } from 'jotai'
import {
  documentExportAtom,
  exportDocumentsAtom,
  stopDocumentExportAtom,
} from '~/atoms/documents/export'
import type { Collection } from '~/immudb/collection'
import { type DocumentQuery, queryJson } from '~/immudb/document-query'
import { Button } from '~/ui/Button'
import { ExportNote } from '~/ui/Export'
import { saveExport } from '~/ui/file'
import { DownloadIcon } from '~/ui/Icon'
import { useDocumentsAddress } from './address'

/** Saves every document of a search, shown or not, one in each line. */
export function ExportDocuments({ of, query }: { of: Collection; query: DocumentQuery }) {
  const { database } = useDocumentsAddress()
  const made = useAtomValue(documentExportAtom)
  const start = useSetAtom(exportDocumentsAtom)
  const stop = useSetAtom(stopDocumentExportAtom)
  const isRunning = made?.state === 'running'
  const isOfThis =
    made?.of.collection === of.name &&
    made.of.database === database &&
    queryJson(made.of.query) === queryJson(query)
  const save = async () => saveExport(await start({ database, collection: of.name, query }))
  return (
    <>
      {made && isOfThis && <ExportNote made={made} onStop={() => stop()} />}
      <Button
        disabledReason={isRunning ? 'A file is being written.' : undefined}
        icon={<DownloadIcon />}
        onClick={() => void save()}
        size="small"
        title="Every document of this search, as NDJSON"
        variant="quiet"
      >
        Export
      </Button>
    </>
  )
}
