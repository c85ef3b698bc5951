import type { ReactNode } from 'react'
import type { Action } from '~/lib/shortcuts'

export type TreeNode = {
  /** Unique in the whole tree. */
  id: string
  label: string
  /** What kind of thing it is, for style sheets and tests. */
  type?: string
  /** Muted text after the label, such as a type or a count. */
  detail?: string
  icon?: ReactNode
  /** Short marks; the title says what each means. */
  badges?: readonly { text: string; title: string }[]
  /** Absent for a leaf. */
  children?: TreeChildren
  actions?: readonly TreeAction[]
  /** Enter or a double press; without it they expand and collapse. */
  activate?: () => void
  /** Enter or a press on the line, but for the arrow in front, which expands and collapses. */
  show?: () => void
  /** Enter or a press calls `onLink` of the tree; for leaves. */
  isLink?: boolean
  /** It is open until it is closed. */
  beginsOpen?: boolean
}

export type TreeChildren = readonly TreeNode[] | 'loading' | { error: string; retry: () => void }

type TreeAction = { label: string; icon: ReactNode; run: () => void }

/** What keys need to know of a visible line of any tree. */
export type TreePlace = {
  /** Absent for a leaf. */
  open?: boolean | undefined
  /** Index of the line above it in the hierarchy. */
  parent: number | undefined
}

/** A visible line of the tree. */
export type TreeRow = TreePlace & {
  id: string
  /** From one, as ARIA counts. */
  level: number
  /** Place among its siblings, from one. */
  position: number
  siblings: number
} & (
    | { kind: 'node'; node: TreeNode }
    | { kind: 'loading' }
    | { kind: 'error'; error: string; retry: () => void }
  )

/** The visible lines from top to bottom: the roots and what lies below nodes that are open. */
export function visibleRows(
  nodes: readonly TreeNode[],
  toggled: ReadonlySet<string>,
): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (
    children: TreeChildren,
    level: number,
    parent: number | undefined,
    owner: string,
  ) => {
    const alone = { level, parent, position: 1, siblings: 1 }
    if (children === 'loading') {
      rows.push({ ...alone, kind: 'loading', id: `${owner}/loading` })
    } else if ('error' in children) {
      rows.push({ ...alone, ...children, kind: 'error', id: `${owner}/error` })
    } else {
      children.forEach((node, index) => {
        const open = node.children && toggled.has(node.id) !== (node.beginsOpen ?? false)
        const place = { level, parent, position: index + 1, siblings: children.length }
        rows.push({ ...place, kind: 'node', id: node.id, node, open })
        if (open && node.children) add(node.children, level + 1, rows.length - 1, node.id)
      })
    }
  }
  add(nodes, 1, undefined, '')
  return rows
}

/** What is spoken for a row: what it shows, then what its marks mean; its buttons are left out. */
export function rowName(row: TreeRow): string {
  if (row.kind === 'loading') return 'Loading…'
  if (row.kind === 'error') return `${row.error} Retry`
  const { label, detail, badges = [] } = row.node
  const shown = [label, detail, ...badges.map((badge) => badge.text)].filter(Boolean).join(' ')
  return [shown, ...badges.map((badge) => badge.title)].join(', ')
}

export type TreeStep =
  | { kind: 'go'; index: number }
  | { kind: 'toggle'; index: number }
  | { kind: 'activate'; index: number }

/** What an action does on the row at `index`, by the ARIA tree pattern; `page` is in rows. */
export function treeStep(
  rows: readonly TreePlace[],
  index: number,
  action: Action<'tree'> | Action<'json'> | undefined,
  page: number,
): TreeStep | undefined {
  const row = rows[index]
  if (!row) return undefined
  const go = (to: number): TreeStep => ({
    kind: 'go',
    index: Math.min(rows.length - 1, Math.max(0, to)),
  })
  const { open } = row
  switch (action) {
    case 'down':
      return go(index + 1)
    case 'up':
      return go(index - 1)
    case 'pageDown':
      return go(index + page)
    case 'pageUp':
      return go(index - page)
    case 'first':
      return go(0)
    case 'last':
      return go(rows.length - 1)
    case 'open':
      if (open === false) return { kind: 'toggle', index }
      return open ? go(index + 1) : undefined
    case 'close':
      if (open) return { kind: 'toggle', index }
      return row.parent === undefined ? undefined : go(row.parent)
    case 'toggle':
      return open === undefined ? undefined : { kind: 'toggle', index }
    case 'activate':
      return { kind: 'activate', index }
    default:
      return undefined
  }
}
