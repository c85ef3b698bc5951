import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { SafeName } from './SafeText'

type Props = {
  open: boolean
  onClose: () => void
  /** Names the object, such as `Delete the database orders?`. */
  title: ReactNode
  /** What will be gone and what will stay. */
  description: ReactNode
  /** The text of the button, a verb. */
  action: string
  /** When given, this very text must be typed before the button can be used. */
  typed?: string
  busy: boolean
  onConfirm: () => void
  /** As that of `Dialog`. */
  persistent?: boolean
  /** Failures of the last try and more about the consequences. */
  children?: ReactNode
}

/** Asks before something that cannot be undone; the safe way out comes first. */
export function ConfirmDialog(props: Props) {
  const { open, onClose, title, description, action, typed, busy, onConfirm, children } = props
  const { persistent = false } = props
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  const isConfirmed = typed === undefined || text === typed
  const reason = isConfirmed ? undefined : 'Type the name first.'
  return (
    <Dialog
      description={description}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button busy={busy} disabledReason={reason} onClick={onConfirm} variant="danger">
            {action}
          </Button>
        </>
      }
      onClose={close}
      open={open}
      persistent={persistent}
      title={title}
    >
      {children}
      {typed !== undefined && (
        <>
          <p className="pb-3">
            Type{' '}
            <b className="break-all font-medium">
              <SafeName text={typed} />
            </b>{' '}
            to confirm.
          </p>
          <Field autoComplete="off" label="Name" onChange={setText} value={text} />
        </>
      )}
    </Dialog>
  )
}
