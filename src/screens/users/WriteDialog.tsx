import type { ReactNode } from 'react'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import type { UserWrite } from './use-write'
import { WriteFailure } from './WriteFailure'

type Props = {
  title: string
  /** The text of the button, a verb. */
  action: string
  isDanger?: boolean
  disabledReason?: string | undefined
  notDone: string
  check: () => Promise<string>
  write: UserWrite
  onConfirm: () => void
  onClose: () => void
  /** What it leads to, and fields. */
  children: ReactNode
}

/** Asks before a change of a user and stays until its outcome is known. */
export function WriteDialog(props: Props) {
  const { title, action, isDanger, disabledReason, write, onConfirm, onClose, children } = props
  return (
    <Dialog
      footer={
        <>
          <Button disabledReason={write.isBusy ? 'It is being done.' : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button
            busy={write.isBusy}
            disabledReason={disabledReason}
            onClick={onConfirm}
            variant={isDanger ? 'danger' : 'primary'}
          >
            {action}
          </Button>
        </>
      }
      onClose={onClose}
      open
      persistent={write.isBusy}
      title={title}
    >
      <WriteFailure check={props.check} notDone={props.notDone} write={write} />
      {children}
    </Dialog>
  )
}
