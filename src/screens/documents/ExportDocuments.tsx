import { useAtomValue } from 'jotai'
import {
  documentExportAtom,
  exportDocuments,
  stopDocumentExport,
} from '~/atoms/documents/document-export'
import { useAct } from '~/core/act'
import type { Collection } from '~/immudb/collection'
import { type DocumentQuery, queryJson } from '~/immudb/document-query'
import { ExportButton } from '~/ui/Export'
import { useDocumentsAddress } from './address'

/** Saves every document of a search, shown or not, one in each line. */
export function ExportDocuments({ of, query }: { of: Collection; query: DocumentQuery }) {
  const { database } = useDocumentsAddress()
  const made = useAtomValue(documentExportAtom)
  const start = useAct(exportDocuments)
  const stop = useAct(stopDocumentExport)
  const isOfThis =
    made?.of.collection === of.name &&
    made.of.database === database &&
    queryJson(made.of.query) === queryJson(query)
  return (
    <ExportButton
      isRunning={made?.state === 'running'}
      made={isOfThis ? made : null}
      onStop={() => stop()}
      title="Every document of this search, as NDJSON"
      write={() => start({ database, collection: of.name, query })}
    />
  )
}
