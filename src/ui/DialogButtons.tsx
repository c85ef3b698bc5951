import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { Button, type ButtonProps } from './Button'

type Props = Pick<ButtonProps, 'busy' | 'disabledReason'> & {
  /** What the button says that does what the dialog is about. */
  action: ReactNode
  /** Does it, unless the button submits a form. */
  onAction?: () => void
  /** The id of the form that the button submits. */
  form?: string
  isDanger?: boolean | undefined
  cancel?: string
  onClose: () => void
  /** Why the dialog cannot be left now. */
  whyStay?: string | undefined
  /** For a dialog that opens with the focus on the action. */
  actionRef?: RefObject<HTMLButtonElement | null>
}

/** The key that opened the dialog and is still held does not press its action, too. */
function pressOnce(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault()
}

/** The footer of a dialog: the way out, then the button that does what the dialog is about. */
export function DialogButtons(props: Props) {
  const { action, onAction, form, isDanger, cancel = 'Cancel', onClose, whyStay, ...rest } = props
  const { actionRef, ...state } = rest
  return (
    <>
      <Button disabledReason={whyStay} onClick={onClose}>
        {cancel}
      </Button>
      <Button
        {...state}
        {...(onAction && { onClick: onAction })}
        {...(form !== undefined && { form, type: 'submit' })}
        {...(actionRef && { ref: actionRef, onKeyDown: pressOnce })}
        variant={isDanger ? 'danger' : 'primary'}
      >
        {action}
      </Button>
    </>
  )
}
