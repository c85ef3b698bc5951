import * as RadixDialog from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { overlayRoom } from '~/ui/overlay-room'
import { useReturnedFocus } from '~/ui/use-returned-focus'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

/** A modal sheet from the left edge, for navigation on a phone. */
export function Sheet({ open, onClose, title, children }: SheetProps) {
  const focus = useReturnedFocus()
  return (
    <RadixDialog.Root onOpenChange={(next) => !next && onClose()} open={open}>
      <RadixDialog.Portal container={overlayRoom()}>
        <RadixDialog.Overlay className="fade fixed inset-0 z-sheet bg-overlay" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...focus}
          aria-modal="true"
          className="slide fixed inset-y-0 left-0 z-sheet flex w-[min(300px,86vw)] flex-col border-line border-r bg-panel text-text shadow-float outline-none"
        >
          <header className="flex h-(--header-height) shrink-0 items-center justify-between border-line border-b ps-4 pe-1">
            <RadixDialog.Title className="font-medium">{title}</RadixDialog.Title>
            <IconButton icon={<CloseIcon />} label="Close" onClick={onClose} />
          </header>
          <div className="min-h-0 flex-1 overflow-auto">{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
