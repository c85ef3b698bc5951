import { createContext, type RefObject, useContext } from 'react'
import type { SqlEditorHandle } from '~/ui/SqlEditor'

/** What the panes of the Query screen can do with each other. */
export type Desk = {
  readonly editor: RefObject<SqlEditorHandle | null>
  /** Brings a pane into sight where only one is shown at a time. */
  readonly show: (pane: 'editor' | 'output') => void
}

export const DeskContext = createContext<Desk>({ editor: { current: null }, show: () => {} })

export function useDesk(): Desk {
  return useContext(DeskContext)
}
