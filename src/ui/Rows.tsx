// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave rows out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the list, which names its active row.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role of a table has no active row.
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react'
import { actionOf } from '~/lib/shortcuts'
import { cx } from './cx'
import type { LinesInSight } from './lines-in-sight'

// Outside React: measured sizes.

/** What keys and presses do with the rows of a list. */
type RowChoice = {
  /** Where the keys act; null until the list has the focus. */
  active: number | null
  onActive: (index: number) => void
  /** A row was pressed, or Enter on the active one. */
  onOpen: (index: number) => void
}

type RowsHead = {
  /** Each with the role `columnheader`. */
  cells: ReactNode
  look: string
  /** Pixels; 0 for titles that are read out and not shown. */
  height: number
}

type RowsProps = {
  /** The accessible name. */
  label: string
  /** A table is read, from a list one entry is picked, each row of a grid can be opened. */
  role: 'table' | 'listbox' | 'grid'
  /** Which rows are drawn. */
  sight: LinesInSight
  /** Titles of the columns, which stay in sight. */
  head?: RowsHead
  /** Rows in all with that of the titles, where more exist than are here; -1 for not known. */
  rowCount?: number
  /** The place of a row among all of them, from 2, where some in between are not here. */
  rowIndex?: (index: number) => number
  /** What tells a row from the others, so that it keeps its state while the list changes. */
  rowKey?: (index: number) => string
  rowLook: (index: number) => string
  /** For a list and a grid. */
  choice?: RowChoice
  /** Of a list: the entry that is shown elsewhere; -1 for none. */
  picked?: number
  /** What stands in a row: cells, each with its role, or in a list anything. */
  row: (index: number) => ReactNode
  /** What lies over the rows. */
  children?: ReactNode
}

/**
 * A list of any length that takes the height of its container and draws only the rows in sight. Where
 * rows can be chosen the focus stays on the list; arrows, Home, End, Page Up and Page Down move.
 */
export function Rows(props: RowsProps) {
  const { label, role, sight, head, choice, picked, row, children } = props
  const { rowKey = String, rowIndex = (index) => index + 2 } = props
  const id = useId()
  const active = activeOf(choice, sight)
  const isList = role === 'listbox'
  const isDrawn = sight.lines.some(({ index }) => index === active)
  return (
    <div
      aria-activedescendant={choice && isDrawn ? `${id}-${rowKey(active ?? 0)}` : undefined}
      aria-label={label}
      aria-readonly={role === 'grid' || undefined}
      aria-rowcount={isList ? undefined : (props.rowCount ?? sight.count + 1)}
      className={cx(
        'h-full min-h-0 grow overflow-auto overscroll-x-contain outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary',
        role === 'grid' && '@container bg-panel',
      )}
      ref={sight.attach}
      role={role}
      tabIndex={choice && 0}
      {...(choice && heard(choice, props))}
    >
      {head && (
        <div className={head.height === 0 ? 'sr-only' : 'sticky top-0 z-sticky'} role="rowgroup">
          <div
            aria-rowindex={1}
            className={cx(
              'border-line border-b text-muted text-xs',
              role === 'grid' && 'items-center gap-x-3 bg-panel px-3',
              head.look,
            )}
            role="row"
            style={{ height: head.height }}
          >
            {head.cells}
          </div>
        </div>
      )}
      <div
        className="relative"
        role={isList ? 'presentation' : 'rowgroup'}
        style={{ height: sight.boxHeight }}
      >
        {sight.lines.map(({ index, start }) => (
          <div
            {...(isList
              ? {
                  'aria-posinset': index + 1,
                  'aria-selected': index === picked,
                  'aria-setsize': sight.count,
                  role: 'option',
                }
              : { 'aria-rowindex': rowIndex(index), role: 'row' })}
            className={cx(
              'absolute inset-x-0',
              choice && 'cursor-pointer text-sm hover:bg-hover',
              choice && index === (isList ? picked : active) && 'bg-selected',
              role === 'grid' && 'border-line/55 border-b px-3',
              props.rowLook(index),
            )}
            data-active={index === active || undefined}
            data-index={index}
            id={choice && `${id}-${rowKey(index)}`}
            key={rowKey(index)}
            style={{ height: sight.height, top: start }}
          >
            {row(index)}
          </div>
        ))}
        {children}
      </div>
    </div>
  )
}

/** The active row may have left the list. */
function activeOf(choice: RowChoice | undefined, { count }: LinesInSight): number | null {
  const active = choice?.active ?? -1
  return active >= 0 && active < count ? active : null
}

function heard(choice: RowChoice, { role, sight, head }: RowsProps) {
  const { onActive, onOpen } = choice
  const active = activeOf(choice, sight)
  const headHeight = head?.height ?? 0
  const go = (to: number) => {
    const next = Math.min(sight.count - 1, Math.max(0, to))
    onActive(next)
    sight.reveal(next, headHeight)
  }
  return {
    onClick: ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('a, button')) return
      const found = target.closest('[data-index]')
      if (!found) return
      const index = Number(found.getAttribute('data-index'))
      onActive(index)
      onOpen(index)
    },
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      if (target === currentTarget && active === null) onActive(sight.top)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const isPick = role === 'listbox' && event.key === ' '
      const action = isPick ? 'open' : actionOf('list', event)
      if (action === undefined || action === 'before' || action === 'after') return
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      if (action === 'open') return active === null ? undefined : onOpen(active)
      const page = sight.page(headHeight)
      const { count } = sight
      const steps = { up: -1, down: 1, pageUp: -page, pageDown: page, first: -count, last: count }
      const isFirst = active === null && (action === 'up' || action === 'down')
      go(isFirst ? sight.top : (active ?? sight.top) + steps[action])
    },
  }
}

type TitlesProps = {
  titles: readonly string[]
  /** The title of a column of numbers. */
  numbers?: string
}

/** Plain titles of columns. */
export function Titles({ titles, numbers }: TitlesProps) {
  return titles.map((title) => (
    <span className={title === numbers ? 'text-end' : 'truncate'} key={title} role="columnheader">
      {title}
    </span>
  ))
}
