import * as RadixDialog from '@radix-ui/react-dialog'
import type { ReactNode, RefObject } from 'react'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeText } from '~/ui/SafeText'
import { useReturnedFocus } from '~/ui/use-returned-focus'
import { cx } from './cx'
import { focusContent } from './focus-content'
import { isFocusGiven } from './focus-once'
import { isHeld } from './held-escape'
import { portalContainer } from './portal-container'

export type DialogProps = {
  open: boolean
  /** Escape, the cross, or a press outside. Not called while `persistent`. */
  onClose: () => void
  /** A string may name things from outside. */
  title: ReactNode
  /** One sentence under the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons, cancel left of the action. */
  footer?: ReactNode
  /** What must stay in sight above the buttons however long the content is, such as a failure. */
  note?: ReactNode
  width?: 'small' | 'normal' | 'wide' | undefined
  /** Stays until the caller closes it, for instance because typed text would be lost. */
  persistent?: boolean
  /** False: the page beside it stays in use, and a press there does not close it. */
  isModal?: boolean | undefined
  /** Receives the focus instead of the first control. */
  initialFocus?: RefObject<HTMLElement | null> | undefined
  /** True by the time it closes: its owner went to another page, and the screen gets the focus. */
  isLeft?: RefObject<boolean>
}

const widths = {
  small: 'xs:max-w-[400px]',
  normal: 'xs:max-w-[520px]',
  wide: 'xs:max-w-[860px]',
}

/** A dialog: focus stays inside, where it is modal, and returns to where it was. */
export function Dialog({
  open,
  onClose,
  persistent,
  isModal = true,
  initialFocus,
  isLeft,
  ...parts
}: DialogProps) {
  const focus = useReturnedFocus()
  const keepBeside = (event: Event) => {
    if (persistent || !isModal) event.preventDefault()
  }
  return (
    <RadixDialog.Root
      modal={isModal}
      onOpenChange={(next) => !next && !persistent && onClose()}
      open={open}
    >
      <RadixDialog.Portal container={portalContainer()}>
        <RadixDialog.Overlay className="fade fixed inset-0 z-dialog bg-overlay" />
        <RadixDialog.Content
          aria-modal={isModal || undefined}
          className={cx(
            'pop any-name fixed inset-x-2 bottom-2 z-dialog mx-auto flex max-h-[calc(100dvh-16px-var(--toast-reach))] flex-col rounded-lg border border-line bg-panel text-text shadow-float outline-none xs:top-[12vh] xs:bottom-auto xs:max-h-[76vh]',
            // Where little of it would be left between title and buttons, all of it scrolls.
            'short:overflow-auto xs:short:top-2 xs:short:max-h-[calc(100dvh-16px)]',
            widths[parts.width ?? 'normal'],
          )}
          onCloseAutoFocus={(event) => {
            if (!isLeft?.current) return focus.onCloseAutoFocus(event)
            event.preventDefault()
            if (!isFocusGiven()) focusContent()
          }}
          onEscapeKeyDown={(event) => {
            if (persistent || isHeld(event.target)) event.preventDefault()
          }}
          onInteractOutside={keepBeside}
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus()
            if (!initialFocus?.current) return
            event.preventDefault()
            initialFocus.current.focus()
          }}
          {...(parts.description === undefined && { 'aria-describedby': undefined })}
        >
          <DialogParts {...parts} closable={!persistent} onClose={onClose} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

type DialogPartsProps = Pick<
  DialogProps,
  'title' | 'description' | 'children' | 'note' | 'footer' | 'onClose'
> & { closable: boolean }

/** The cross comes last, so that the first field has the focus when the dialog opens. */
function DialogParts(props: DialogPartsProps) {
  const { title, description, children, note, footer, closable, onClose } = props
  return (
    <>
      {/* A name of hundreds of letters is scrolled here, and pushes nothing out of reach. */}
      <RadixDialog.Title
        className={cx(
          'max-h-[25dvh] shrink-0 overflow-y-auto px-5 pt-4 pb-1 font-medium text-lg short:max-h-none',
          closable && 'me-9',
        )}
      >
        {typeof title === 'string' ? <SafeText text={title} /> : title}
      </RadixDialog.Title>
      <div className="min-h-0 flex-1 overflow-auto px-5 pt-1 pb-4 empty:hidden short:flex-none short:overflow-visible">
        {description !== undefined && (
          <RadixDialog.Description className="pb-2 text-muted text-sm">
            {typeof description === 'string' ? <SafeText text={description} /> : description}
          </RadixDialog.Description>
        )}
        {children}
      </div>
      {note && (
        <div className="max-h-[30dvh] shrink-0 overflow-auto px-5 pb-3 empty:hidden short:max-h-none">
          {note}
        </div>
      )}
      {footer && (
        <div className="flex shrink-0 flex-wrap justify-end gap-2 border-line border-t px-5 py-3">
          {footer}
        </div>
      )}
      {closable && (
        <div className="absolute top-2 right-2 xs:top-3.5 xs:right-3.5">
          <IconButton icon={<CloseIcon />} label="Close" onClick={onClose} size="small" />
        </div>
      )}
    </>
  )
}
