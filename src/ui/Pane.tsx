import { type ReactNode, useId, useRef, useState } from 'react'
import { cx } from './cx'
import { focusOnce } from './focus-once'
import { CloseIcon } from './Icon'
import { IconButton } from './IconButton'
import { useSearchParam } from './location'

type Props = {
  /** The name of what is open, with its marks. */
  title: ReactNode
  /** Below the title. */
  subtitle?: ReactNode
  /** What the cross says, such as `Close the user`. */
  close: string
  onClose: () => void
  /** Outside of what scrolls, so that the result of a button further down is in sight. */
  note?: ReactNode
  children: ReactNode
}

/** One thing of a list, open beside it. It takes the focus when it opens, because it comes after the list. */
export function Pane({ title, subtitle, close, onClose, note, children }: Props) {
  const id = useId()
  const [opening] = useState({})
  return (
    <section
      aria-labelledby={id}
      className="flex h-full min-h-0 flex-col rounded border border-line bg-panel"
    >
      <header className="flex items-start gap-2 border-line border-b px-4 py-3">
        <div className="min-w-0 flex-1">
          <h2
            className="flex flex-wrap items-center gap-2 break-all font-medium text-lg outline-none"
            id={id}
            ref={focusOnce(opening)}
            tabIndex={-1}
          >
            {title}
          </h2>
          {subtitle && <p className="mt-1 text-muted text-xs">{subtitle}</p>}
        </div>
        <span className="-my-2 -me-2 xs:m-0">
          <IconButton icon={<CloseIcon />} label={close} onClick={onClose} size="small" />
        </span>
      </header>
      {note}
      <div className="min-h-0 flex-1 overflow-auto">{children}</div>
    </section>
  )
}

/** What is open stands in the address under this name; closing gives the focus back. */
export function useOpened(name: string) {
  const [opened, setOpened] = useSearchParam(name)
  const opener = useRef<Element | null>(null)
  const open = (next: string | undefined) => {
    if (next !== undefined) opener.current = document.activeElement
    setOpened(next)
    if (next !== undefined) return
    requestAnimationFrame(() => {
      if (opener.current instanceof HTMLElement) opener.current.focus()
    })
  }
  return [opened, open] as const
}

/** A list, and beside it, or in its place where there is no room, what is open. */
export function WithPane({ list, pane }: { list: ReactNode; pane: ReactNode }) {
  return (
    <div className="flex min-h-96 flex-1 gap-4">
      <div className={cx('min-w-0 flex-1 flex-col gap-2', pane ? 'hidden md:flex' : 'flex')}>
        {list}
      </div>
      {pane && <div className="w-full min-w-0 md:w-[440px] md:shrink-0">{pane}</div>}
    </div>
  )
}
