import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { actionOf } from '~/lib/shortcuts'
import { useLinesInSight } from '../lines-in-sight'
import { useNarrow } from '../use-narrow'
import { TreeLine } from './TreeLine'
import { type TreeNode, type TreeRow, type TreeStep, treeStep, visibleRows } from './tree-rows'

// Outside React: measured sizes.

export type TreeProps = {
  /** The accessible name. */
  label: string
  nodes: readonly TreeNode[]
  /** Called when a node opens or closes, for instance to load its children. */
  onToggle?: (id: string, open: boolean) => void
  /** Called with the id of a node that is a link. */
  onLink?: (id: string) => void
  /** Called with the id of the line that becomes the active one. */
  onActive?: (id: string) => void
}

/**
 * A virtualised tree that takes the height of its container. The focus stays on the tree; its
 * active item follows the arrow keys, and Tab goes from there to the item's own buttons.
 */
export function DrawnTree({ label, nodes, onToggle, onLink, onActive }: TreeProps) {
  const activeElementId = useId()
  const height = useNarrow() ? 44 : 28
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() => new Set())
  const rows = useMemo(() => visibleRows(nodes, toggled), [nodes, toggled])
  const view = useLinesInSight(rows.length, height)
  const toggle = (id: string, open: boolean) => {
    const next = new Set(toggled)
    if (!next.delete(id)) next.add(id)
    setToggled(next)
    onToggle?.(id, open)
  }
  const { activeIndex, chosen, ...on } = useActiveItem(
    rows,
    { toggle, link: onLink, active: onActive },
    view,
  )
  const shown = view.lines.some((item) => item.index === activeIndex)
  return (
    <div
      aria-activedescendant={shown ? activeElementId : undefined}
      aria-label={label}
      className="h-full overflow-auto outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary"
      onClick={on.click}
      onDoubleClick={on.doubleClick}
      onFocus={on.focus}
      onKeyDown={on.press}
      ref={view.attach}
      role="tree"
      // An empty one has nothing to show the focus on.
      tabIndex={rows.length === 0 ? -1 : 0}
    >
      <div className="relative" role="presentation" style={{ height: view.boxHeight }}>
        {view.lines.map(({ index, start }) => {
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

type View = ReturnType<typeof useLinesInSight>

/** What the owner of a tree does. */
type Answers = {
  toggle: (id: string, open: boolean) => void
  link: ((id: string) => void) | undefined
  active: ((id: string) => void) | undefined
}

/** The active item and what keys and presses do with it. */
function useActiveItem(rows: readonly TreeRow[], { toggle, link, active }: Answers, view: View) {
  const [activeId, setActive] = useState<string>()
  const setActiveId = (id: string | undefined) => {
    setActive(id)
    if (id !== undefined) active?.(id)
  }
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
    else if (step.kind === 'activate' && row.node.isLink) link?.(row.id)
    else if (step.kind === 'activate' && row.node.show) row.node.show()
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
    // Arriving by keyboard shows the active row; a press chooses a row itself.
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
      const isLink = row.kind === 'node' && row.node.isLink && event.detail < 2
      const opens = row.kind === 'node' && row.node.show && !isOnArrow(event.target)
      if (opens && event.detail > 1) return
      if (opens) perform({ kind: 'activate', index })
      else if (expands) perform({ kind: 'toggle', index })
      else if (isLink) perform({ kind: 'activate', index })
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

const isOnArrow = (target: EventTarget) =>
  target instanceof Element && target.closest('[data-arrow]') !== null

/** The row of a press; presses on a row's own buttons are theirs. */
function indexOf(target: EventTarget): number | undefined {
  if (!(target instanceof Element) || target.closest('button')) return undefined
  const index = target.closest('[data-index]')?.getAttribute('data-index')
  return index === null || index === undefined ? undefined : Number(index)
}

/** Typed letters are one search until this many milliseconds pass without one. */
const pause = 700

type TypedSearch = { text: string; at: number }

/** Adds a typed letter, at a time in milliseconds, to the search under way or begins a new one. */
export function typedSearch(before: TypedSearch, letter: string, at: number): TypedSearch {
  return { text: at - before.at < pause ? before.text + letter : letter, at }
}

/** The next row that begins with the typed text, after `from`; the same letter again finds the next one. */
export function findTyped(
  rows: readonly TreeRow[],
  from: number,
  text: string,
): number | undefined {
  const letters = text.toLowerCase()
  const same = [...letters].every((letter) => letter === letters[0])
  const wanted = same ? (letters[0] ?? '') : letters
  const start = same ? from + 1 : from
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length
    const row = rows[index]
    if (row?.kind === 'node' && row.node.label.toLowerCase().startsWith(wanted)) return index
  }
  return undefined
}
