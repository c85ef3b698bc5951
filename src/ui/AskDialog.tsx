import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { isBusy } from '~/lib/write-state'
import { Button } from './Button'
import { Dialog, type DialogProps } from './Dialog'
import { ErrorNote } from './ErrorNote'
import { Field } from './Field'
import { SafeName } from './SafeText'
import { WriteNote, type WriteNoteProps } from './WriteNote'

// Outside React: the work that begins as the dialog opens.

type AskDialogProps = Pick<
  DialogProps,
  'title' | 'description' | 'children' | 'width' | 'isModal' | 'initialFocus' | 'onClose'
> & {
  /** What the button says that does what the dialog is about. Absent where nothing is left to do. */
  action?: ReactNode
  /**
   * Does it. A promise makes the dialog busy, and closes it unless it resolves to false or rejects;
   * without one the caller closes it.
   */
  onAction: () => unknown
  /** Why it cannot be done as it is. */
  refusal?: string | undefined
  /** It destroys something. Then only the button does it, never Enter in a field. */
  isDanger?: boolean
  /** This very text must be typed before. */
  confirm?: string | undefined
  confirmLabel?: string
  cancel?: string
  /** What that button does, where it gives up more than closing does. */
  onCancel?: () => void
  /** Why the dialog cannot be left now. */
  whyStay?: string | undefined
  /** Buttons beside these two. */
  more?: ReactNode
  /** Something is typed, so that neither a press outside nor Escape closes. */
  isTyped?: boolean
  /** The write that it sends. What became of it stays in sight above the buttons. */
  write?: Omit<WriteNoteProps, 'onCheck'> & {
    /** Looks what became of it; closes the dialog where that resolves to true. */
    onCheck: () => unknown
  }
  /** Said when the promise of `onAction` rejects. */
  failure?: { title: string; notDone: string }
  /** It is done by something that started before. */
  busy?: boolean
  /** Every way out stays open while it is being done. */
  mayLeave?: boolean
  /** Opens with the focus on the action. */
  isReady?: boolean
  /** Does it as soon as it is open, as a press would. Not later, when a reason against it goes. */
  begins?: boolean
}

/** The key that opened the dialog and is still held does not do what is asked, too. */
function pressOnce(event: KeyboardEvent) {
  const { key, repeat, target } = event
  const isEnter = key === 'Enter' && !(target instanceof HTMLTextAreaElement)
  const isSpace = key === ' ' && target instanceof HTMLButtonElement
  if (repeat && (isEnter || isSpace)) event.preventDefault()
}

/** Asks, and then writes or does; the safe way out comes first. It stays until the outcome is known. */
export function AskDialog(props: AskDialogProps) {
  const { action, onAction, onClose, children, confirm, isDanger, write, failure, ...rest } = props
  const {
    cancel = 'Cancel',
    onCancel = onClose,
    whyStay,
    more,
    isTyped,
    mayLeave,
    isReady,
    title,
    description,
    width,
  } = rest
  const [state, setState] = useState<'asked' | 'busy' | 'failed'>('asked')
  const [typed, setTyped] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const isDoing = useRef(false)
  const form = useId()
  const busy = rest.busy || state === 'busy' || (write !== undefined && isBusy(write.state))
  const isMissing = confirm !== undefined && typed !== confirm
  const refusal = rest.refusal ?? (isMissing ? 'Type the name first.' : undefined)
  const act = async () => {
    // Two presses may come before anything is drawn again.
    if (isDoing.current || busy || refusal !== undefined || action === undefined) return
    isDoing.current = true
    try {
      const doing = onAction()
      if (!(doing instanceof Promise)) return
      setState('busy')
      const isDone = await doing
      setState('asked')
      if (isDone !== false) onClose()
    } catch (error) {
      setState('failed')
      if (!failure) throw error
    } finally {
      isDoing.current = false
    }
  }
  const begin = useEffectEvent(() => {
    if (rest.begins) void act()
  })
  useEffect(() => begin(), [])
  return (
    <Dialog
      {...{ title, description, width }}
      footer={
        <>
          {more}
          <Button
            disabledReason={busy && !mayLeave ? 'It is being done.' : whyStay}
            onClick={onCancel}
            variant={action === undefined ? 'primary' : 'plain'}
          >
            {cancel}
          </Button>
          {action !== undefined && (
            <Button
              busy={busy}
              disabledReason={refusal}
              onKeyDown={pressOnce}
              ref={button}
              variant={isDanger ? 'danger' : 'primary'}
              {...(isDanger ? { onClick: () => void act() } : { form, type: 'submit' })}
            >
              {action}
            </Button>
          )}
        </>
      }
      initialFocus={isReady ? button : rest.initialFocus}
      isModal={rest.isModal}
      note={
        <>
          {state === 'failed' && failure && <ErrorNote {...failure} />}
          {write && (
            <WriteNote
              {...write}
              onCheck={async () => {
                if ((await write.onCheck()) === true) onClose()
              }}
            />
          )}
        </>
      }
      onClose={onClose}
      open
      persistent={(busy && !mayLeave) || isTyped === true || whyStay !== undefined}
    >
      <form
        id={form}
        noValidate
        onKeyDown={pressOnce}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          if (!isDanger) void act()
        }}
      >
        {children}
        {confirm !== undefined && (
          <>
            <p className="pt-2 pb-3 first:pt-0">
              Type{' '}
              <b className="break-all font-medium">
                <SafeName text={confirm} />
              </b>{' '}
              to confirm.
            </p>
            <Field
              autoComplete="off"
              label={props.confirmLabel ?? 'Name'}
              onChange={setTyped}
              value={typed}
            />
          </>
        )}
      </form>
    </Dialog>
  )
}
