import {
  type ComponentProps,
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { type MenuEntry, MenuLine } from '~/ui/menu/MenuLine'

export type { MenuEntry } from '~/ui/menu/MenuLine'

export type MenuProps = {
  /** A button with a name of its own, such as `IconButton` or `Button`. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** The accessible name of the list. */
  label: string
  entries: readonly MenuEntry[]
  /** Told when it is opened, for entries that must be looked up. */
  onOpen?: () => void
}

/**
 * A button's menu of actions and choices, by the ARIA pattern: arrows, Home and End move, Escape
 * closes, leaving closes too. Logging out must work while the server is away, so this is small
 * enough to be there from the beginning instead of being fetched when it is opened.
 */
export function Menu({ trigger, label, entries, onOpen }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    onOpen?.()
    setOpen(true)
  }
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = () => {
    setOpen(false)
    box.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (isOpen && !box.current?.contains(relatedTarget)) setOpen(false)
  }
  const press = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key === 'ArrowDown') open()
      else return
    } else if (event.key === 'Escape') close()
    else if (!moveFocus(box.current, event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its button and list hear.
    <div className="relative" onBlur={leave} onKeyDown={press} ref={box}>
      {cloneElement(trigger, {
        'aria-controls': isOpen ? id : undefined,
        'aria-expanded': isOpen,
        'aria-haspopup': 'menu',
        onClick: () => (isOpen ? setOpen(false) : open()),
      })}
      {isOpen && (
        <MenuList id={id} label={label}>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity beyond their place.
            <MenuLine close={close} entry={entry} key={index} />
          ))}
        </MenuList>
      )}
    </div>
  )
}

function MenuList({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div
      aria-label={label}
      className="pop absolute end-0 top-full z-menu mt-1 max-h-[calc(100vh-80px)] w-max min-w-44 max-w-[min(360px,calc(100vw-16px))] overflow-auto rounded border border-line bg-raised p-1 text-text shadow-float"
      id={id}
      ref={focusFirst}
      role="menu"
    >
      {children}
    </div>
  )
}

const items = '[role^="menuitem"]'

function focusFirst(list: HTMLElement | null) {
  list?.querySelector<HTMLElement>(items)?.focus({ preventScroll: true })
}

/** Moves the focus among the items; false when the key is none of the menu's. */
function moveFocus(box: HTMLElement | null, key: string): boolean {
  const all = [...(box?.querySelectorAll<HTMLElement>(items) ?? [])]
  const at = all.findIndex((item) => item.matches(':focus'))
  const steps: Record<string, number> = {
    ArrowDown: (at + 1) % all.length,
    ArrowUp: (at - 1 + all.length) % all.length,
    Home: 0,
    End: all.length - 1,
  }
  const next = steps[key]
  if (next === undefined) return false
  all[next]?.focus()
  return true
}
