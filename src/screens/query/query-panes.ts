import { createContext, type RefObject, useContext } from 'react'
import type { Editor } from '~/atoms/query/editor'
import type { EditorSnapshot, SqlEditorHandle } from '~/ui/SqlEditor'

/** What the panes of the Query screen can do with each other. */
export type QueryPanes = {
  readonly editor: RefObject<SqlEditorHandle | null>
  /** Brings a pane into sight where only one is shown at a time. */
  readonly show: (pane: PaneName) => void
  /** Opens a question about editors; null closes it. */
  readonly ask: (question: EditorQuestion | null) => void
  /** How the editors were left, by their keys. */
  readonly left: Map<string, EditorSnapshot>
  /** The tab after which the next one that is shown takes the focus; null for none. */
  readonly focusFrom: RefObject<string | null>
}

export type PaneName = 'tables' | 'editor' | 'output'

export type EditorQuestion =
  | { readonly kind: 'rename' | 'close'; readonly editor: Editor }
  | { readonly kind: 'all' }

export const QueryPanesContext = createContext<QueryPanes>({
  editor: { current: null },
  show: () => {},
  ask: () => {},
  left: new Map(),
  focusFrom: { current: null },
})

export function useQueryPanes(): QueryPanes {
  return useContext(QueryPanesContext)
}
