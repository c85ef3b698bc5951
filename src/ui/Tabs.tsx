import * as RadixTabs from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'
import { cx } from './cx'

type Tab = {
  id: string
  label: string
  /** A count or mark beside the label, hidden from its name. */
  mark?: ReactNode
  content: ReactNode
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
}

/** Tabs by the ARIA pattern. Every panel stays mounted, so what was typed in one is kept. */
export function Tabs({ label, tabs, value, onChange, fill }: TabsProps) {
  return (
    <RadixTabs.Root
      className={cx(fill && 'flex h-full min-h-0 flex-col')}
      onValueChange={onChange}
      value={value}
    >
      <RadixTabs.List
        aria-label={label}
        className="relative flex shrink-0 gap-1 overflow-x-auto border-line border-b px-2 print:hidden"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            className="-mb-px h-11 shrink-0 border-transparent border-b-2 px-2.5 font-medium text-muted -outline-offset-2 transition-colors duration-100 hover:text-text aria-selected:border-primary aria-selected:text-text xs:h-9"
            key={tab.id}
            ref={tab.id === value ? showWhole : null}
            value={tab.id}
          >
            {tab.label}
            {tab.mark !== undefined && (
              <span aria-hidden="true" className="ms-1.5 text-muted text-xs">
                {tab.mark}
              </span>
            )}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
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

/** Scrolls the list, and nothing else, until the shown tab is in it; an address may name any. */
function showWhole(tab: HTMLElement | null) {
  const list = tab?.parentElement
  if (!tab || !list) return
  const end = tab.offsetLeft + tab.offsetWidth
  if (tab.offsetLeft < list.scrollLeft) list.scrollLeft = tab.offsetLeft
  else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth
}
