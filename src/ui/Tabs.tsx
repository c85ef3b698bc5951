import * as RadixTabs from '@radix-ui/react-tabs'
import type { KeyboardEvent, ReactNode } from 'react'
import { actionOf } from '~/lib/shortcuts'
import { visibleText } from '~/lib/visible-text'
import { CloseIcon } from '~/ui/Icon'
import { cx } from './cx'
import { SafeText } from './SafeText'

type Tab = {
  id: string
  label: string
  /** A count or mark beside the label, hidden from its name. */
  mark?: ReactNode
  content: ReactNode
  /** Lets the tab be closed, by Delete on it, its cross or the middle button. */
  onClose?: () => void
  /** Lets it be named, by F2 or two presses. */
  onRename?: () => void
  /** Shows what can be done with it at a point of the window. */
  onMenu?: (at: { x: number; y: number }) => void
  /** Lets it be dragged by the mouse to the place of another tab. */
  onMove?: (to: string) => void
}

type TabsProps = {
  /** Names the list of tabs. */
  label: string
  tabs: readonly Tab[]
  /** The id of the tab shown. */
  value: string
  onChange: (id: string) => void
  /** Takes the height of the container; the panel scrolls by itself. */
  fill?: boolean
  /** Buttons behind the list, which stay in sight however many tabs there are. */
  end?: ReactNode
}

/** Tabs by the ARIA pattern. Every panel stays mounted, so what was typed in one is kept. */
export function Tabs({ label, tabs, value, onChange, fill, end }: TabsProps) {
  // A press asks twice, as it begins and by the focus, before anything is drawn again; two steps
  // in the browser's history would come of it.
  const asked = new Set<string>()
  const choose = (id: string) => {
    if (asked.has(id)) return
    asked.add(id)
    onChange(id)
  }
  return (
    <RadixTabs.Root
      className={cx(fill && 'flex h-full min-h-0 flex-col')}
      onValueChange={choose}
      value={value}
    >
      <div className="flex shrink-0 items-center border-line border-b print:hidden">
        <RadixTabs.List
          aria-label={label}
          className="relative -mb-px flex min-w-0 gap-1 overflow-x-auto px-2"
        >
          {tabs.map((tab) => (
            <Trigger isShown={tab.id === value} key={tab.id} tab={tab} />
          ))}
        </RadixTabs.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content
          className={cx(fill && 'min-h-0 flex-1 overflow-auto')}
          forceMount
          hidden={tab.id !== value}
          key={tab.id}
          // What is in a panel takes the focus, not the panel.
          tabIndex={undefined}
          value={tab.id}
        >
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}

function Trigger({ tab, isShown }: { tab: Tab; isShown: boolean }) {
  const { onClose, onRename, onMenu, onMove } = tab
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const does = {
      rename: onRename,
      remove: onClose,
      menu:
        onMenu &&
        (() => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          onMenu({ x: left, y: bottom })
        }),
    }
    const action = actionOf('editors', event)
    const act = action && does[action as keyof typeof does]
    if (!act) return
    event.preventDefault()
    const list = event.currentTarget.parentElement
    act()
    requestAnimationFrame(() => {
      // The tab that had the focus may be gone.
      if (document.activeElement !== document.body) return
      list?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    })
  }
  return (
    <RadixTabs.Trigger
      className="h-11 shrink-0 border-transparent border-b-2 px-2.5 font-medium text-muted -outline-offset-2 fades hover:text-text aria-selected:border-primary aria-selected:text-text xs:h-9"
      ref={isShown ? keepInSight : null}
      value={tab.id}
      onKeyDown={press}
      {...(onClose && {
        'aria-keyshortcuts': onRename ? 'Delete F2' : 'Delete',
        onAuxClick: (event) => event.button === 1 && onClose(),
      })}
      {...(onRename && { onDoubleClick: onRename })}
      {...(onMenu && {
        onContextMenu: (event) => {
          event.preventDefault()
          onMenu({ x: event.clientX, y: event.clientY })
        },
      })}
      {...(onMove && {
        'data-tab': tab.id,
        // Not every browser drags a button; with the pointer held, its end is told here.
        onPointerDown: (event) => {
          const { target, button, pointerType } = event
          const isCross = target instanceof Element && target.closest('[data-close]') !== null
          if (button === 0 && pointerType === 'mouse' && !isCross)
            event.currentTarget.setPointerCapture(event.pointerId)
        },
        onPointerUp: (event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
          const under = document.elementFromPoint(event.clientX, event.clientY)
          const to = under?.closest('[data-tab]')?.getAttribute('data-tab')
          if (to && to !== tab.id) onMove(to)
        },
      })}
    >
      <span
        className="inline-block max-w-[min(15rem,60vw)] truncate align-bottom"
        title={tab.label.length > 24 ? visibleText(tab.label) : undefined}
      >
        <SafeText text={tab.label} />
      </span>
      {tab.mark !== undefined && (
        <span aria-hidden="true" className="ms-1.5 text-muted text-xs">
          {tab.mark}
        </span>
      )}
      {onClose && <Cross onClose={onClose} />}
    </RadixTabs.Trigger>
  )
}

/** For the pointer only: a list of tabs may hold nothing else that takes the focus. */
function Cross({ onClose }: { onClose: () => void }) {
  return (
    <span
      aria-hidden="true"
      className="ms-1.5 inline-flex size-5 items-center justify-center rounded-sm align-middle hover:bg-hover"
      data-close=""
      // The press would show the tab first.
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        onClose()
      }}
    >
      <CloseIcon className="size-3.5" />
    </span>
  )
}

/**
 * Scrolls the list, and nothing else, until the shown tab is in it, because an address may name any;
 * again when a name or the window has another width.
 */
function keepInSight(tab: HTMLElement | null) {
  const list = tab?.parentElement
  if (!tab || !list) return
  const resizes = new ResizeObserver(() => showWhole(tab, list))
  for (const box of [tab, list]) resizes.observe(box)
  showWhole(tab, list)
  return () => resizes.disconnect()
}

function showWhole(tab: HTMLElement, list: HTMLElement) {
  const end = tab.offsetLeft + tab.offsetWidth
  if (tab.offsetLeft < list.scrollLeft) list.scrollLeft = tab.offsetLeft
  else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth
}
