import { type KeyboardEvent, type ReactNode, useId } from 'react'
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
  const base = useId()
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const index = neighbour(tabs, value, event.key)
    const tab = index === undefined ? undefined : tabs[index]
    if (!tab) return
    event.preventDefault()
    onChange(tab.id)
    document.getElementById(`${base}${tab.id}`)?.focus()
  }
  return (
    <div className={cx(fill && 'flex h-full min-h-0 flex-col')}>
      <div
        aria-label={label}
        className="relative flex shrink-0 gap-1 overflow-x-auto border-line border-b px-2 print:hidden"
        onKeyDown={press}
        role="tablist"
      >
        {tabs.map((tab) => (
          <button
            aria-controls={`${base}${tab.id}-panel`}
            aria-selected={tab.id === value}
            className="-mb-px h-11 shrink-0 border-transparent border-b-2 px-2.5 font-medium text-muted -outline-offset-2 transition-colors duration-100 hover:text-text aria-selected:border-primary aria-selected:text-text xs:h-9"
            id={`${base}${tab.id}`}
            key={tab.id}
            onClick={() => onChange(tab.id)}
            ref={tab.id === value ? showWhole : null}
            role="tab"
            tabIndex={tab.id === value ? 0 : -1}
            type="button"
          >
            {tab.label}
            {tab.mark !== undefined && (
              <span aria-hidden="true" className="ms-1.5 text-muted text-xs">
                {tab.mark}
              </span>
            )}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          aria-labelledby={`${base}${tab.id}`}
          className={cx(fill && 'min-h-0 flex-1 overflow-auto')}
          hidden={tab.id !== value}
          id={`${base}${tab.id}-panel`}
          key={tab.id}
          role="tabpanel"
        >
          {tab.content}
        </div>
      ))}
    </div>
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

function neighbour(tabs: readonly Tab[], value: string, key: string): number | undefined {
  const index = tabs.findIndex((tab) => tab.id === value)
  const count = tabs.length
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
