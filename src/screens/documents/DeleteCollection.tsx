import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Collection } from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { SafeName } from '~/ui/SafeText'
import { showToast } from '~/ui/toast'
import { WriteNote } from '~/ui/WriteNote'
import { useDocumentsAddress } from './address'
import { useCollectionChange } from './use-collection-change'

export function DeleteCollection({ of }: { of: Collection }) {
  const { go } = useDocumentsAddress()
  const [isAsking, setAsking] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const write = useCollectionChange((text) => {
    showToast({ kind: 'success', text })
    setAsking(false)
    go({ collection: null }, { replace: true })
  })
  return (
    <div>
      <Button disabledReason={reason} onClick={() => setAsking(true)} variant="danger">
        Delete collection…
      </Button>
      {isAsking && (
        <ConfirmDialog
          action="Delete the collection"
          busy={write.isBusy}
          description="All its documents, fields and indexes go with it and cannot be taken back. A new collection of this name begins empty. The transactions stay in the history."
          onClose={() => !write.isBusy && setAsking(false)}
          onConfirm={() => write.start({ kind: 'delete', collection: of.name })}
          open
          title={
            <>
              Delete the collection{' '}
              <span className="font-mono">
                <SafeName text={of.name} />
              </span>
              ?
            </>
          }
          typed={of.name}
        >
          <WriteNote
            notDone="The collection was not deleted."
            onCheck={write.check}
            state={write.state}
          />
        </ConfirmDialog>
      )}
    </div>
  )
}
