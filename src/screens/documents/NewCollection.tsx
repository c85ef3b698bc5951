import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { Button } from '~/ui/Button'
import { CollectionForm } from './parts'

/** Opens the form for a new collection. */
export function NewCollection({ isSmall = false }: { isSmall?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  return (
    <>
      <Button
        disabledReason={reason}
        onClick={() => setOpen(true)}
        size={isSmall ? 'small' : 'normal'}
      >
        New collection
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <CollectionForm onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
