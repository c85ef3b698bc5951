import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import { documentImportAtom } from '~/atoms/documents/import-state'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Collection } from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { useDocumentsAddress } from './address'
import { ImportDialog } from './parts'

/** Opens the import of a file into a collection. */
export function ImportButton({ of }: { of: Collection }) {
  const { database } = useDocumentsAddress()
  const [isOpen, setOpen] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const running = useAtomValue(documentImportAtom)
  const isOfThis = running?.collection.name === of.name && running.database === database
  const isRunning = running?.state === 'running'
  const other =
    isRunning && !isOfThis ? `A file is being imported into ${running.collection.name}.` : undefined
  return (
    <>
      <Button
        disabledReason={isOfThis ? undefined : (reason ?? other)}
        onClick={() => setOpen(true)}
        size="small"
      >
        {isOfThis && isRunning ? 'Importing…' : 'Import NDJSON'}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog of={of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
