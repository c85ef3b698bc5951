import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Collection } from '~/immudb/collection'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { SafeName } from '~/ui/SafeText'
import { showToast } from '~/ui/toast'
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
        <AskDialog
          action="Delete the collection"
          confirm={of.name}
          description="All its documents, fields and indexes go with it and cannot be taken back. A new collection of this name begins empty. The transactions stay in the history."
          isDanger
          onAction={() => write.start({ kind: 'delete', collection: of.name })}
          onClose={() => setAsking(false)}
          title={
            <>
              Delete the collection{' '}
              <span className="font-mono">
                <SafeName text={of.name} />
              </span>
              ?
            </>
          }
          write={{ ...write.shown, notDone: 'The collection was not deleted.' }}
        />
      )}
    </div>
  )
}
