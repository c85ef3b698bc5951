import type { SavedQuery } from '~/atoms/queries/open-query'
import { foldersOf } from '~/atoms/queries/query-record'
import type { UnreadableKey } from '~/atoms/queries/shared-queries'
import { counted } from '~/lib/text'
import { DatabaseIcon, DocumentIcon, ErrorIcon, UserIcon } from '~/ui/Icon'
import { FolderIcon } from '~/ui/QueryIcons'
import type { TreeChildren, TreeNode } from '~/ui/Tree'

/** Queries below one another in their folders; ids of nodes begin with `place`. */
type Folder = { readonly folders: Map<string, Folder>; readonly queries: SavedQuery[] }

/** The id of a query's line. */
export const lineOf = ({ place, id }: Pick<SavedQuery, 'place' | 'id'>) => `${place} query ${id}`

const lineOfKey = (key: string) => `key ${key}`

/** The query or key of a line; null for a folder or another line. */
export function atLine(
  line: string,
  queries: readonly SavedQuery[],
  unreadable: readonly UnreadableKey[],
): SavedQuery | UnreadableKey | null {
  return (
    queries.find((one) => lineOf(one) === line) ??
    unreadable.find(({ key }) => lineOfKey(key) === line) ??
    null
  )
}

const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const inOrder = (one: string, other: string) =>
  byName(one.toLowerCase(), other.toLowerCase()) || byName(one, other)

function foldersIn(queries: readonly SavedQuery[]): Folder {
  const root: Folder = { folders: new Map(), queries: [] }
  for (const query of queries) {
    let at = root
    for (const name of foldersOf(query.folder)) {
      const next = at.folders.get(name) ?? { folders: new Map(), queries: [] }
      at.folders.set(name, next)
      at = next
    }
    at.queries.push(query)
  }
  return root
}

type Look = {
  /** Whether folders begin open. */
  readonly isOpen: boolean
  readonly open: (query: SavedQuery) => void
  /** The database whose name need not be said. */
  readonly database: string | null
}

function linesOf(folder: Folder, path: string, look: Look): TreeNode[] {
  const folders = [...folder.folders].sort(([one], [other]) => inOrder(one, other))
  const queries = [...folder.queries].sort((one, other) => inOrder(one.name, other.name))
  return [
    ...folders.map(([name, inside]): TreeNode => {
      const id = `${path}/${name}`
      return {
        id,
        label: name,
        type: 'folder',
        icon: <FolderIcon />,
        beginsOpen: look.isOpen,
        children: linesOf(inside, id, look),
      }
    }),
    ...queries.map(
      (query): TreeNode => ({
        id: lineOf(query),
        label: query.name,
        type: 'query',
        icon: <DocumentIcon />,
        ...(query.database === look.database ? {} : { detail: query.database }),
        activate: () => look.open(query),
      }),
    ),
  ]
}

/** The queries of this browser as a line with those below it. */
export function browserLine(queries: readonly SavedQuery[], unread: number, look: Look): TreeNode {
  return {
    id: 'browser',
    label: 'This browser',
    type: 'place',
    icon: <UserIcon />,
    detail: counted(queries.length, 'query', 'queries'),
    beginsOpen: true,
    children: [
      ...linesOf(foldersIn(queries), 'browser folder', look),
      ...(unread === 0
        ? []
        : [note('unread', `${counted(unread, 'query', 'queries')} of a newer console or damaged`)]),
    ],
  }
}

type Shared = {
  readonly queries: readonly SavedQuery[]
  readonly unreadable: readonly UnreadableKey[]
  readonly hidden: number
}

const note = (id: string, label: string): TreeNode => ({
  id: `note ${id}`,
  label,
  type: 'note',
  icon: <ErrorIcon />,
})

/** The shared queries of a database as a line with those below it. */
export function sharedLine(
  shared: Shared | Exclude<TreeChildren, readonly TreeNode[]>,
  keyName: (key: string) => string,
  look: Look & { readonly database: string },
): TreeNode {
  const line = {
    id: 'shared',
    label: `Shared in ${look.database}`,
    type: 'place',
    icon: <DatabaseIcon />,
    beginsOpen: true,
  }
  if (shared === 'loading' || 'error' in shared) return { ...line, children: shared }
  const { queries, unreadable, hidden } = shared
  return {
    ...line,
    detail: counted(queries.length, 'query', 'queries'),
    children: [
      ...linesOf(foldersIn(queries), 'shared folder', look),
      ...unreadable.map(
        ({ key, why }): TreeNode => ({
          id: lineOfKey(key),
          label: keyName(key),
          type: 'unreadable',
          icon: <ErrorIcon />,
          badges: [{ text: 'cannot be read', title: why }],
        }),
      ),
      ...(hidden === 0
        ? []
        : [
            note(
              'hidden',
              `${counted(hidden, 'key')} with a value over 4 MiB, or one that is gone`,
            ),
          ]),
    ],
  }
}
