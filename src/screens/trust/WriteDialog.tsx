import { useSetAtom } from 'jotai'
import { releaseWritesAtom } from '~/atoms/trust/trust'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { SafeName } from '~/ui/SafeName'

type Props = { database: string; onClose: () => void }

/** Lets this tab write to a database whose history is broken. */
export function WriteDialog({ database, onClose }: Props) {
  const release = useSetAtom(releaseWritesAtom)
  return (
    <ConfirmDialog
      action="Allow writing"
      busy={false}
      description="Its history is broken. What is written now goes into a history that this browser does not follow, and makes it harder to tell what happened. This holds for what was found so far, and in this tab until it is loaded anew."
      onClose={onClose}
      onConfirm={() => {
        release(database)
        onClose()
      }}
      open
      title={
        <>
          Write to <SafeName text={database} /> all the same?
        </>
      }
      typed={database}
    />
  )
}
