import { createContext, type RefObject, useContext } from 'react'
import type { SqlEditorHandle } from '~/ui/SqlEditor'

/** What the panes of the Query screen can do with each other. */
export type QueryPanes = {
  readonly editor: RefObject<SqlEditorHandle | null>
  /** Brings a pane into sight where only one is shown at a time. */
  readonly show: (pane: PaneName) => void
}

export type PaneName = 'tables' | 'editor' | 'output'

export const QueryPanesContext = createContext<QueryPanes>({
  editor: { current: null },
  show: () => {},
})

export function useQueryPanes(): QueryPanes {
  return useContext(QueryPanesContext)
}
