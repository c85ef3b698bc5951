import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { DocumentImport } from '~/atoms/documents/import-file'
import { keptImportsAtom } from '~/atoms/documents/import-records'
import { documentImportAtom } from '~/atoms/documents/import-state'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Collection } from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { useDocumentsAddress } from './address'
import { ImportDialog } from './ImportDialog'

/** Opens the import of a file into a collection. */
export function ImportButton({ of }: { of: Collection }) {
  const { database } = useDocumentsAddress()
  const [isOpen, setOpen] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const last = useAtomValue(documentImportAtom)
  const kept = useAtomValue(useAtomValue(keptImportsAtom)(database, of.name))
  const isOfThis = last?.collection.name === of.name && last.database === database
  const state = last?.state ?? 'complete'
  // One import is remembered, and what became of it would be lost with the next.
  const other = isOfThis || !last ? undefined : reasons[state]?.(placeOf(last, database))
  return (
    <>
      <Button
        disabledReason={isOfThis || kept ? undefined : (reason ?? other)}
        onClick={() => setOpen(true)}
        size="small"
      >
        {(isOfThis && labels[state]) || (kept && !isOfThis && labels.stopped) || 'Import NDJSON'}
      </Button>
      {isOpen && <ImportDialog of={of} onClose={() => setOpen(false)} />}
    </>
  )
}

const labels: Readonly<Record<string, string>> = {
  running: 'Importing…',
  stopped: 'Import stopped…',
}

const reasons: Readonly<Record<string, (place: string) => string>> = {
  running: (place) => `A file is being imported into ${place}.`,
  stopped: (place) =>
    `The import into ${place} stopped half-way. Open it there, then choose “Import another file”.`,
}

function placeOf({ collection, database }: DocumentImport, open: string): string {
  return database === open ? collection.name : `${collection.name} of ${database}`
}
