import { useAtomValue } from 'jotai'
import { documentExports, exportDocuments, nameOfSearch } from '~/atoms/documents/document-export'
import { useAct } from '~/core/act'
import type { Collection } from '~/immudb/collection'
import type { DocumentQuery } from '~/immudb/document-query'
import { ExportButton } from '~/ui/Export'
import { useDocumentsAddress } from './address'

/** Saves every document of a search, shown or not, one in each line. */
export function ExportDocuments({ of, query }: { of: Collection; query: DocumentQuery }) {
  const { database } = useDocumentsAddress()
  const made = useAtomValue(documentExports.newestAtom)
  const start = useAct(exportDocuments)
  const stop = useAct(documentExports.stop)
  const search = { database, collection: of.name, query }
  return (
    <ExportButton
      isRunning={made?.state === 'running'}
      made={made?.of === nameOfSearch(search) ? made : null}
      onStop={() => stop()}
      title="Every document of this search, as NDJSON"
      write={() => start(search)}
    />
  )
}
