import { useAtomValue, useStore } from 'jotai'
import { useEffect, useRef } from 'react'
import {
  closedEditorsAtom,
  type Editor,
  type EditorName,
  editorOfAtom,
  openEditorsAtom,
  shownEditorAtom,
} from '~/atoms/query/editor'
import {
  closeEditor,
  duplicateEditor,
  type Opened,
  openEmptyEditor,
  reopenEditor,
} from '~/atoms/query/editors'
import { editorKey, outputOfAtom } from '~/atoms/query/output'
import { runningOfAtom } from '~/atoms/query/run'
import { databaseAtom } from '~/core/session/session'
import { useChangeSearch, useSearchParam } from '~/ui/location'
import { showToast } from '~/ui/toast'
import { noTable } from '../tables/address'
import { useQueryPanes } from './query-panes'

// Outside React: the address, which has changed by the time that an editor was opened.

type Options = { replace?: boolean }

/** Names a tab: that of a table, or else that of an editor. An attribute lists ids by spaces. */
export const tabOf = (table: string | undefined, { id }: Pick<EditorName, 'id'>) =>
  table === undefined ? `editor-${encodeURIComponent(id)}` : `table-${encodeURIComponent(table)}`

/** The same among those of all databases. */
export const placeOf = (table: string | undefined, editor: EditorName) =>
  JSON.stringify([editor.database, tabOf(table, editor)])

/** Shows editors by the address: that of another database opens its database, for all to see. */
export function useEditors() {
  const store = useStore()
  const shown = useAtomValue(shownEditorAtom)
  const open = useAtomValue(openEditorsAtom)(shown.database)
  const change = useChangeSearch()
  const { ask, show: showPane, focusFrom, editor: sql } = useQueryPanes()
  const [table] = useSearchParam('table')
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  })

  /** Null for the first one, whichever it is. */
  const show = (name: EditorName | null, options?: Options) => {
    const database = name?.database ?? shown.database
    const isHere = database === store.get(databaseAtom)
    const { at } = (name && store.get(editorOfAtom)(name)) ?? {}
    const editor = name?.id || undefined
    showPane('editor')
    latest.current({ ...noTable, ...(isHere ? {} : { db: database }), editor, at }, options)
  }
  const showOpened = (opened: Opened, options?: Options) => {
    if ('editor' in opened) show(opened.editor, options)
    else showToast({ kind: 'error', text: opened.refusal })
  }
  /** Shows an editor that someone asked for, who goes on typing in it. */
  const enter = (opened: Opened) => {
    const now = store.get(shownEditorAtom)
    if ('editor' in opened) {
      const isShown = table === undefined && editorKey(opened.editor) === editorKey(now)
      if (isShown) sql.current?.focus()
      else focusFrom.current = placeOf(table, now)
    }
    showOpened(opened)
  }
  const closeNow = (editor: Editor) => {
    const isShown = editor.id === store.get(shownEditorAtom).id
    const next = closeEditor(store, editor, store.get(outputOfAtom)(editor).length > 0)
    // A step back must not lead to what was closed.
    if (isShown) show(next, { replace: true })
  }
  /** Where the only one is empty, closing it would leave just such a one. */
  const outputOf = useAtomValue(outputOfAtom)
  const canClose = (editor: Editor) =>
    open.length > 1 || !editor.isEmpty || outputOf(editor).length > 0
  const [last] = useAtomValue(closedEditorsAtom)(shown.database)
  return {
    shown,
    open,
    hasOthers: open.length > 1,
    show,
    showOpened,
    enter,
    add: () => void openEmptyEditor(store).then(enter),
    duplicate: (editor: Editor) => void duplicateEditor(store, editor).then(enter),
    /** The editor that was closed last. */
    last,
    reopenLast: () => {
      if (last) enter(reopenEditor(store, last))
      else showToast({ kind: 'info', text: 'No editor of this database was closed.' })
    },
    canClose,
    closeNow,
    /** Closes an editor; where it runs something, the user is asked. */
    close: (editor: Editor) => {
      if (store.get(runningOfAtom)(editor)) ask({ kind: 'close', editor })
      else closeNow(editor)
    },
  }
}
