import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { Button } from '~/ui/Button'
import { useSearchParam } from '~/ui/location'
import { CollectionForm } from './CollectionForm'

/** Opens the form for a new collection; where it is small, an address does so too. */
export function NewCollection({ isSmall = false }: { isSmall?: boolean }) {
  const [isOpened, setOpen] = useState(false)
  const [dialog, setDialog] = useSearchParam('dialog')
  const reason = useAtomValue(writeRefusalAtom)
  const isLinked = isSmall && dialog === 'collection' && reason === undefined
  const close = () => {
    setOpen(false)
    if (isLinked) setDialog(undefined, { replace: true })
  }
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
      {(isOpened || isLinked) && <CollectionForm onClose={close} />}
    </>
  )
}
