import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '~/ui/Button'
import { cx } from './cx'

type Props = {
  /** Names what is dropped, such as `Evidence file`. */
  label: string
  /** The text of the button that opens the browser's choice of files. */
  action: string
  /** As the attribute of `input`. */
  accept: string
  onFile: (file: File) => void
  /** Stands beside the button. */
  children?: ReactNode
  busy?: boolean
}

/** A place for one file: dropped on it, or chosen with its button. */
export function FileDrop({ label, action, accept, onFile, children, busy = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { isOver, ...target } = useFileDrop(onFile)
  return (
    <div
      {...target}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded border border-dashed px-4 py-4 print:hidden',
        isOver ? 'border-primary bg-selected' : 'border-field bg-panel',
      )}
    >
      <Button busy={busy} onClick={() => input.current?.click()}>
        {action}
      </Button>
      <input
        accept={accept}
        aria-label={label}
        className="hidden"
        onChange={({ target: chosen }) => {
          const [file] = chosen.files ?? []
          if (file) onFile(file)
          // The same file can be chosen again.
          chosen.value = ''
        }}
        ref={input}
        type="file"
      />
      <span className="min-w-0 flex-1 text-muted text-sm">{children}</span>
    </div>
  )
}

/** Takes a file that is dropped, and says whether one hangs over the place now. */
function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false)
  const over = (is: boolean) => (event: DragEvent) => {
    // Otherwise the browser leaves the page to show the file.
    event.preventDefault()
    setOver(is)
  }
  return {
    isOver,
    onDragOver: over(true),
    onDragLeave: over(false),
    onDrop: (event: DragEvent) => {
      over(false)(event)
      const [file] = event.dataTransfer.files
      if (file) onFile(file)
    },
  }
}
