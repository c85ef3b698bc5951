import type { ReactNode } from 'react'
import { Dialog } from '~/ui/Dialog'
import { DialogButtons } from '~/ui/DialogButtons'
import { WriteNote } from '~/ui/WriteNote'
import type { UserWrite } from './use-write'

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
        <DialogButtons
          action={action}
          busy={write.isBusy}
          disabledReason={disabledReason}
          isDanger={isDanger}
          onAction={onConfirm}
          onClose={onClose}
          whyStay={write.isBusy ? 'It is being done.' : undefined}
        />
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

type WriteFailureProps = {
  write: UserWrite
  /** What the server did not do when it refused. */
  notDone: string
  /** Reads what became of a write without an answer, as a sentence. */
  check: () => Promise<string>
}

/** Why a write failed, or that its outcome is not known, and how to find out. */
export function WriteFailure({ write: { state, check: find }, notDone, check }: WriteFailureProps) {
  return (
    <div className="mb-3 empty:hidden">
      <WriteNote notDone={notDone} onCheck={() => void find(check)} state={state} />
    </div>
  )
}
