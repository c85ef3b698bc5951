import * as RadixDialog from '@radix-ui/react-dialog'
import type { KeyboardEvent, ReactNode } from 'react'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeText } from '~/ui/SafeText'
import { useReturnedFocus } from '~/ui/use-returned-focus'
import { cx } from './cx'
import { isHeld } from './held-escape'
import { portalContainer } from './portal-container'

export type SheetProps = {
  open: boolean
  onClose: () => void
  /** A string may name things from outside. */
  title: ReactNode
  children: ReactNode
  /** `right` is for looking at something beside the screen it belongs to. */
  side?: 'left' | 'right'
  /** Takes most of the screen. */
  wide?: boolean
  /** Buttons that stay at the lower edge. */
  footer?: ReactNode
  /** Called for a key that is pressed in it and typed into nothing. */
  onKey?: (event: KeyboardEvent) => void
}

const sides = {
  left: 'slide left-0 w-[min(300px,86vw)] border-r',
  right: 'slide-end right-0 w-full border-l xs:w-[min(600px,86vw)]',
}

const typedInto = 'input, textarea, select, [contenteditable="true"], [role="menu"]'

/** Keys of what is open over the sheet arrive here, too. */
function isOwnKey({ target, currentTarget, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof Element)) return false
  return currentTarget.contains(target) && target.closest(typedInto) === null
}

/** A modal sheet from an edge: the left one for navigation on a phone, the right one for details. */
export function Sheet(props: SheetProps) {
  const { open, onClose, title, children, side = 'left', wide, footer, onKey } = props
  const focus = useReturnedFocus()
  return (
    <RadixDialog.Root onOpenChange={(next) => !next && onClose()} open={open}>
      <RadixDialog.Portal container={portalContainer()}>
        <RadixDialog.Overlay className="fade fixed inset-0 z-sheet bg-overlay" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...focus}
          aria-modal="true"
          onKeyDown={(event) => isOwnKey(event) && onKey?.(event)}
          // A field that Escape gives its old value back keeps the sheet open.
          onEscapeKeyDown={(event) => isHeld(event.target) && event.preventDefault()}
          className={cx(
            'any-name fixed inset-y-0 z-sheet flex flex-col border-line bg-panel text-text shadow-float outline-none',
            sides[side],
            wide && 'sm:w-[min(1080px,90vw)]',
          )}
        >
          <header className="flex min-h-(--header-height) shrink-0 items-center justify-between gap-2 border-line border-b py-1 ps-4 pe-1">
            <RadixDialog.Title className="line-clamp-3 min-w-0 font-medium">
              {typeof title === 'string' ? <SafeText text={title} /> : title}
            </RadixDialog.Title>
            <IconButton icon={<CloseIcon />} label="Close" onClick={onClose} />
          </header>
          <div className="min-h-0 flex-1 overflow-auto">{children}</div>
          {footer && (
            <footer className="flex shrink-0 flex-wrap items-center gap-2 border-line border-t px-4 py-2.5">
              {footer}
            </footer>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
