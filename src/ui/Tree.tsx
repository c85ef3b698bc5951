import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { actionOf } from '~/lib/shortcuts'
import { findTyped, type TreeStep, type TypedSearch, treeStep, typedSearch } from '~/ui/tree/keys'
import { type TreeNode, type TreeRow, visibleRows } from '~/ui/tree/rows'
import { revealRow, rowsInSight, type Sight, watchSight } from '~/ui/tree/sight'
import { TreeLine } from '~/ui/tree/TreeLine'
import { useNarrow } from '~/ui/use-narrow'

export type { TreeChildren, TreeNode } from '~/ui/tree/rows'

export type TreeProps = {
  /** The accessible name. */
  label: string
  nodes: readonly TreeNode[]
  /** Ids that are open at first. */
  initiallyExpanded?: readonly string[]
  /** Told when a node opens or closes, for instance to load its children. */
  onToggle?: (id: string, open: boolean) => void
}

/**
 * A virtualised tree that takes the height of its container. The focus stays on the tree; its
 * active item follows the arrow keys, and Tab goes from there to the item's own buttons.
 */
export function Tree({ label, nodes, initiallyExpanded, onToggle }: TreeProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const activeElementId = useId()
  const height = useNarrow() ? 44 : 28
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(initiallyExpanded))
  const rows = useMemo(() => visibleRows(nodes, expanded), [nodes, expanded])
  const view = useRowsInSight(scroller, rows, height)
  const toggle = (id: string, open: boolean) => {
    const next = new Set(expanded)
    if (open) next.add(id)
    else next.delete(id)
    setExpanded(next)
    onToggle?.(id, open)
  }
  const { activeIndex, chosen, ...on } = useActiveItem(rows, toggle, view)
  const shown = view.items.some((item) => item.index === activeIndex)
  return (
    <div
      aria-activedescendant={shown ? activeElementId : undefined}
      aria-label={label}
      className="h-full overflow-auto outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary"
      onClick={on.click}
      onDoubleClick={on.doubleClick}
      onFocus={on.focus}
      onKeyDown={on.press}
      ref={scroller}
      role="tree"
      tabIndex={0}
    >
      <div className="relative" role="presentation" style={{ height: rows.length * height }}>
        {view.items.map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <TreeLine
                active={index === activeIndex}
                activeId={activeElementId}
                chosen={chosen && index === activeIndex}
                height={height}
                index={index}
                key={row.id}
                row={row}
                top={start}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

type View = ReturnType<typeof useRowsInSight>

function useRowsInSight(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly TreeRow[],
  height: number,
) {
  const [sight, setSight] = useState<Sight>({ top: 0, height: 600 })
  useLayoutEffect(() => watchSight(scroller.current, setSight), [scroller])
  return {
    items: rowsInSight(sight, rows.length, height),
    page: () => Math.max(1, Math.floor(sight.height / height) - 1),
    reveal: (index: number) => revealRow(scroller.current, index * height, height),
  }
}

/** The active item and what keys and presses do with it. */
function useActiveItem(
  rows: readonly TreeRow[],
  toggle: (id: string, open: boolean) => void,
  view: View,
) {
  const [activeId, setActiveId] = useState<string>()
  const typed = useRef<TypedSearch>({ text: '', at: 0 })
  const found = rows.findIndex((row) => row.id === activeId)
  // A closed parent hides its children; the first row then takes over.
  const activeIndex = Math.max(0, found)

  const perform = (step: TreeStep) => {
    const row = rows[step.index]
    if (!row) return
    setActiveId(row.id)
    if (step.kind === 'go') view.reveal(step.index)
    else if (row.kind === 'error') row.retry()
    else if (row.kind !== 'node') return
    else if (step.kind === 'activate' && row.node.activate) row.node.activate()
    else if (row.open !== undefined) toggle(row.id, !row.open)
  }
  const search = (event: KeyboardEvent): TreeStep | undefined => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined
    typed.current = typedSearch(typed.current, event.key, event.timeStamp)
    const index = findTyped(rows, activeIndex, typed.current.text)
    return index === undefined ? undefined : { kind: 'go', index }
  }
  return {
    activeIndex,
    chosen: found >= 0,
    // Arriving by keyboard shows where one is; a press will choose by itself.
    focus: (event: FocusEvent) => {
      const visible = event.target === event.currentTarget && event.target.matches(':focus-visible')
      if (found < 0 && visible) setActiveId(rows[activeIndex]?.id)
    },
    press: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget) return
      const step =
        treeStep(rows, activeIndex, actionOf('tree', event), view.page()) ?? search(event)
      if (!step) return
      event.preventDefault()
      perform(step)
    },
    click: (event: MouseEvent) => {
      const index = indexOf(event.target)
      const row = index === undefined ? undefined : rows[index]
      if (index === undefined || !row) return
      const expands = row.kind === 'node' && row.open !== undefined && event.detail < 2
      if (expands) perform({ kind: 'toggle', index })
      else setActiveId(row.id)
    },
    doubleClick: (event: MouseEvent) => {
      const index = indexOf(event.target)
      const row = index === undefined ? undefined : rows[index]
      if (index !== undefined && row?.kind === 'node' && row.node.activate) {
        perform({ kind: 'activate', index })
      }
    },
  }
}

/** The row of a press; presses on a row's own buttons are theirs. */
function indexOf(target: EventTarget): number | undefined {
  if (!(target instanceof Element) || target.closest('button')) return undefined
  const index = target.closest('[data-index]')?.getAttribute('data-index')
  return index === null || index === undefined ? undefined : Number(index)
}
