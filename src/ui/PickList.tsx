import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { useNarrow } from '~/ui/use-narrow'
import { cx } from './cx'
import { steps } from './steps'
import { useLinesInSight } from './tree/viewport'

type PickListProps = {
  /** The accessible name. */
  label: string
  count: number
  /** Index of the entry that is shown elsewhere; -1 for none. */
  picked: number
  onPick: (index: number) => void
  /** What stands in a line; one line of text high. */
  render: (index: number) => ReactNode
}

/**
 * A virtualised list to pick one entry from, as high as its container. The focus stays on the list;
 * arrows, Home, End, Page Up and Page Down move, Enter and Space pick.
 */
export function PickList({ label, count, picked, onPick, render }: PickListProps) {
  const height = useNarrow() ? 44 : 28
  const { lines, attach, boxHeight, page, reveal } = useLinesInSight(count, height)
  const [moved, setMoved] = useState<number | null>(null)
  const active = Math.min(count - 1, Math.max(0, moved ?? picked))
  const activeId = useId()
  const pick = (index: number) => {
    setMoved(index)
    onPick(index)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to = steps(active, page(), count)[event.key]
    if (to === undefined && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (to === undefined) return pick(active)
    const next = Math.min(count - 1, Math.max(0, to))
    setMoved(next)
    reveal(next)
  }
  const click = ({ target }: MouseEvent) => {
    const found = target instanceof Element && target.closest('[data-index]')
    if (found) pick(Number(found.getAttribute('data-index')))
  }
  return (
    <div
      aria-activedescendant={lines.some(({ index }) => index === active) ? activeId : undefined}
      aria-label={label}
      className="h-full overflow-auto outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary"
      onClick={click}
      onKeyDown={press}
      ref={attach}
      role="listbox"
      tabIndex={0}
    >
      <div className="relative" role="presentation" style={{ height: boxHeight }}>
        {lines.map(({ index, start }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the list, which names its active entry.
          <div
            aria-posinset={index + 1}
            aria-selected={index === picked}
            aria-setsize={count}
            className={cx(
              'absolute top-0 left-0 flex w-full cursor-pointer items-center gap-2 px-3 text-sm hover:bg-hover',
              index === picked && 'bg-selected',
            )}
            data-active={index === active || undefined}
            data-index={index}
            id={index === active ? activeId : undefined}
            key={index}
            role="option"
            style={{ transform: `translateY(${start}px)`, height }}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
