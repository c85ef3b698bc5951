import { useAtomValue, useStore } from 'jotai'
import { useEffect, useRef } from 'react'
import {
  type Editor,
  type EditorName,
  editorOfAtom,
  openEditorsAtom,
  shownEditorAtom,
} from '~/atoms/query/editor'
import { closeEditor, nameOf, type Opened, reopenEditor } from '~/atoms/query/editors'
import { outputOfAtom } from '~/atoms/query/output'
import { databaseAtom } from '~/core/session/session'
import { useChangeSearch } from '~/ui/location'
import { showToast } from '~/ui/toast'
import { noTable } from '../tables/address'

// Outside React: the address, which has changed by the time that an editor was opened.

/** Shows editors by the address: that of another database opens its database, for all to see. */
export function useEditors() {
  const store = useStore()
  const shown = useAtomValue(shownEditorAtom)
  const open = useAtomValue(openEditorsAtom)(shown.database)
  const change = useChangeSearch()
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  })

  const show = ({ database, id }: EditorName, options?: { replace?: boolean }) => {
    const isHere = database === store.get(databaseAtom)
    const { at } = store.get(editorOfAtom)({ database, id }) ?? {}
    const editor = id === '' ? undefined : id
    latest.current({ ...noTable, ...(isHere ? {} : { db: database }), editor, at }, options)
  }
  const showOpened = (opened: Opened, options?: { replace?: boolean }) => {
    if ('editor' in opened) show(opened.editor, options)
    else showToast({ kind: 'error', text: opened.refusal })
  }
  const close = (editor: Editor) => {
    const isShown = editor.id === store.get(shownEditorAtom).id
    const next = closeEditor(store, editor, store.get(outputOfAtom)(editor).length > 0)
    // A step back must not lead to what was closed.
    if (isShown) show(next ?? { database: editor.database, id: '' }, { replace: true })
    if (store.get(editorOfAtom)(editor) === null) return
    const undo = () => showOpened(reopenEditor(store, editor))
    const action = { label: 'Undo', run: undo }
    showToast({ kind: 'info', text: `${nameOf(editor)} is closed.`, action })
  }
  return { shown, open, hasOthers: open.length > 1, show, showOpened, close }
}
