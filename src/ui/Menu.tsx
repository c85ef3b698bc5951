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
import { cx } from './cx'
import { TickIcon } from './Icon'
import { SafeName, SafeText } from './SafeText'

export type MenuProps = {
  /** A button with a name of its own, such as `IconButton` or `Button`. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** The accessible name of the list. */
  label: string
  entries: readonly MenuEntry[]
  /** Called when it is opened, for entries that must be looked up. */
  onOpen?: () => void
}

/**
 * A button's menu of actions and choices, by the ARIA pattern: arrows, Home and End move, Escape
 * closes, leaving closes too. Logging out must work while the server is away, so this is there from
 * the beginning instead of being fetched when it is opened. The menu of Radix would add 12 kB to the
 * frame (brotli), which has no room for it.
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
        <MenuList id={id} label={label} place="button">
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity beyond their place.
            <MenuLine close={close} entry={entry} key={index} />
          ))}
        </MenuList>
      )}
    </div>
  )
}

type PlacedProps = {
  /** A point of the window, where the menu begins as far as there is room. */
  at: { x: number; y: number }
  label: string
  entries: readonly MenuEntry[]
  /** Gives the focus back; called before the entry that was chosen does something. */
  onClose: () => void
}

/** A menu at a point, such as that of a press with the other button. It has the keys of {@link Menu}. */
export function PlacedMenu({ at, label, entries, onClose }: PlacedProps) {
  const box = useRef<HTMLDivElement>(null)
  const press = (event: KeyboardEvent) => {
    // A menu is left by Tab as by Escape.
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (!moveFocus(box.current, event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (document.hasFocus() && !box.current?.contains(relatedTarget)) onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its list hears.
    <div
      className="fixed z-menu"
      data-menu=""
      onBlur={leave}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={press}
      // Where a press gives buttons no focus, the menu must not close before the choice.
      onMouseDown={(event) => event.preventDefault()}
      ref={box}
      style={{ left: at.x, top: at.y }}
    >
      <MenuList label={label} place="point">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity beyond their place.
          <MenuLine close={onClose} entry={entry} key={index} />
        ))}
      </MenuList>
    </div>
  )
}

type ListProps = { id?: string; label: string; place: 'button' | 'point'; children: ReactNode }

function MenuList({ id, label, place, children }: ListProps) {
  return (
    <div
      aria-label={label}
      className={cx(
        'pop absolute z-menu max-h-[calc(100vh-80px)] w-max min-w-44 max-w-[min(360px,calc(100vw-16px))] overflow-auto rounded border border-line bg-raised p-1 text-text shadow-float',
        place === 'button' ? 'end-0 top-full mt-1' : 'top-0 left-0',
      )}
      id={id}
      ref={place === 'button' ? begin : beginAtPoint}
      role="menu"
    >
      {children}
    </div>
  )
}

const items = '[role^="menuitem"]'

function begin(list: HTMLElement | null) {
  if (!list) return
  keepInside(list)
  // At the end of a part that scrolls it would be below what is seen.
  list.scrollIntoView({ block: 'nearest' })
  list.querySelector<HTMLElement>(items)?.focus({ preventScroll: true })
  // Entries that are looked up may come later, and be longer.
  const resizes = new ResizeObserver(() => keepInside(list))
  resizes.observe(list)
  return () => resizes.disconnect()
}

/** Pixels between a menu and the edge of its page. */
const margin = 8

/** The list ends where its button ends, unless it would then begin outside of its pane or page. */
function keepInside(list: HTMLElement): void {
  const edge = list.closest('[data-panel], main')?.getBoundingClientRect().left ?? 0
  const end = list.parentElement?.getBoundingClientRect().right ?? 0
  // Its own place would be that of its first moment on the way in.
  const missing = edge + margin - (end - list.offsetWidth)
  list.style.right = missing > 0 ? `${-missing}px` : ''
}

function beginAtPoint(list: HTMLElement | null) {
  const point = list?.parentElement?.getBoundingClientRect()
  if (!list || !point) return
  const left = Math.min(point.left, window.innerWidth - margin - list.offsetWidth)
  const top = Math.min(point.top, window.innerHeight - margin - list.offsetHeight)
  list.style.left = `${Math.max(margin, left) - point.left}px`
  list.style.top = `${Math.max(margin, top) - point.top}px`
  list.querySelector<HTMLElement>(items)?.focus({ preventScroll: true })
}

/** Moves the focus among the items; false when the key means nothing to the menu. */
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

export type MenuEntry =
  | {
      kind: 'action'
      label: string
      onSelect: () => void
      icon?: ReactNode
      /** Muted text at the end of the line, such as keys. */
      detail?: string
      danger?: boolean
      disabledReason?: string | undefined
    }
  | {
      kind: 'choice'
      /** Names the group. */
      label: string
      value: string
      options: readonly { value: string; label: string; icon?: ReactNode }[]
      onChange: (value: string) => void
    }
  | { kind: 'heading'; label: string; detail?: string }
  | { kind: 'separator' }

const line =
  'flex min-h-11 w-full select-none items-center gap-2 rounded-sm px-2 text-start -outline-offset-2 hover:bg-hover focus:bg-hover aria-disabled:opacity-55 xs:min-h-8'

type Props = { entry: MenuEntry; close: () => void }

/** One part of a menu; choosing closes it. */
function MenuLine({ entry, close }: Props) {
  switch (entry.kind) {
    case 'separator':
      return <hr className="-mx-1 my-1 border-line" />
    case 'heading':
      return (
        <p className="break-words px-2 py-1.5 font-medium" role="presentation">
          <SafeName text={entry.label} />
          {entry.detail && (
            <span className="block font-normal text-muted text-xs">
              <SafeText text={entry.detail} />
            </span>
          )}
        </p>
      )
    case 'choice':
      return <MenuChoice close={close} entry={entry} />
    case 'action':
      return <MenuAction close={close} entry={entry} />
  }
}

function MenuAction({
  entry,
  close,
}: {
  entry: Extract<MenuEntry, { kind: 'action' }>
  close: () => void
}) {
  const isDead = entry.disabledReason !== undefined
  const detail = entry.disabledReason ?? entry.detail
  const select = () => {
    if (isDead) return
    close()
    entry.onSelect()
  }
  return (
    <button
      aria-disabled={isDead || undefined}
      className={cx(line, entry.danger && 'text-error')}
      onClick={select}
      role="menuitem"
      tabIndex={-1}
      type="button"
    >
      {entry.icon && <span className={entry.danger ? '' : 'text-muted'}>{entry.icon}</span>}
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <SafeText text={entry.label} />
      </span>
      {detail && (
        <span className="ps-4 text-muted text-xs">
          <SafeText text={detail} />
        </span>
      )}
    </button>
  )
}

function MenuChoice({
  entry,
  close,
}: {
  entry: Extract<MenuEntry, { kind: 'choice' }>
  close: () => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
    <div aria-label={entry.label} role="group">
      <p aria-hidden="true" className="px-2 py-1.5 text-muted text-xs">
        {entry.label}
      </p>
      {entry.options.map((option) => (
        <button
          aria-checked={option.value === entry.value}
          className={line}
          key={option.value}
          onClick={() => {
            close()
            entry.onChange(option.value)
          }}
          role="menuitemradio"
          tabIndex={-1}
          type="button"
        >
          {option.icon && <span className="text-muted">{option.icon}</span>}
          <span className="flex-1">{option.label}</span>
          {option.value === entry.value && (
            <span className="text-primary">
              <TickIcon />
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
