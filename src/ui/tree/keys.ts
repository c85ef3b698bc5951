import type { Action } from '~/lib/shortcuts'
import type { TreeRow } from '~/ui/tree/rows'

export type TreeStep =
  | { kind: 'go'; index: number }
  | { kind: 'toggle'; index: number }
  | { kind: 'activate'; index: number }

/** What an action does on the row at `index`, by the ARIA tree pattern; `page` is in rows. */
export function treeStep(
  rows: readonly TreeRow[],
  index: number,
  action: Action<'tree'> | undefined,
  page: number,
): TreeStep | undefined {
  const row = rows[index]
  if (!row) return undefined
  const go = (to: number): TreeStep => ({
    kind: 'go',
    index: Math.min(rows.length - 1, Math.max(0, to)),
  })
  const open = row.kind === 'node' ? row.open : undefined
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

/** Typed letters are one search until this many milliseconds pass without one. */
const pause = 700

export type TypedSearch = { text: string; at: number }

/** Adds a typed letter, at a time in milliseconds, to the search under way or begins a new one. */
export function typedSearch(before: TypedSearch, letter: string, at: number): TypedSearch {
  return { text: at - before.at < pause ? before.text + letter : letter, at }
}

/** The next row that begins with the typed text, after `from`; one letter again goes on. */
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
