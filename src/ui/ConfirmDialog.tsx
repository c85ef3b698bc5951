import { type ReactNode, useState } from 'react'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { DialogButtons } from './DialogButtons'
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
        <DialogButtons
          action={action}
          busy={busy}
          disabledReason={reason}
          isDanger
          onAction={onConfirm}
          onClose={close}
        />
      }
      onClose={close}
      open={open}
      persistent={persistent}
      title={title}
    >
      {children}
      {typed !== undefined && <TypedName name={typed} onChange={setText} value={text} />}
    </Dialog>
  )
}

type TypedNameProps = {
  /** What must be typed. */
  name: string
  value: string
  onChange: (text: string) => void
  label?: string
}

/** Asks for a name, so that nothing is confirmed by mistake. */
export function TypedName({ name, value, onChange, label = 'Name' }: TypedNameProps) {
  return (
    <>
      <p className="pb-3">
        Type{' '}
        <b className="break-all font-medium">
          <SafeName text={name} />
        </b>{' '}
        to confirm.
      </p>
      <Field autoComplete="off" label={label} onChange={onChange} value={value} />
    </>
  )
}
