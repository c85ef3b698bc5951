import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { Button } from '~/ui/Button'
import { CollectionForm } from './CollectionForm'

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
        variant={isSmall ? 'plain' : 'primary'}
      >
        New collection
      </Button>
      {isOpen && <CollectionForm onClose={() => setOpen(false)} />}
    </>
  )
}
