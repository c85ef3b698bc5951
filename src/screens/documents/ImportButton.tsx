import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { openUploadsAtom } from '~/core/upload-records'
import type { Collection } from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { useUnfinished } from '../upload/KnownUploads'
import { useDocumentsAddress } from './address'
import { ImportDialog } from './ImportDialog'

const labels = { running: 'Importing…', stopped: 'Import stopped…' } as const

/** Opens the import of a file into a collection, which goes on behind it. */
export function ImportButton({ of }: { of: Collection }) {
  const { database } = useDocumentsAddress()
  const [isOpen, setOpen] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const open = useAtomValue(openUploadsAtom).get('documents')
  const unfinished = useUnfinished({ kind: 'documents', database, into: of.name })
  const state = open ?? (unfinished.length > 0 ? 'stopped' : undefined)
  return (
    <>
      <Button
        disabledReason={state === undefined ? reason : undefined}
        onClick={() => setOpen(true)}
        size="small"
      >
        {state === undefined ? 'Import NDJSON' : labels[state]}
      </Button>
      {isOpen && <ImportDialog of={of} onClose={() => setOpen(false)} />}
    </>
  )
}
