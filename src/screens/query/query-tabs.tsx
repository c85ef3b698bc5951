import { useAtomValue, useStore } from 'jotai'
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { openQueryLink } from '~/atoms/queries/open-query'
import { addressedEditorsAtom, noteAddressedEditor } from '~/atoms/query/addressed-editor'
import {
  type Editor,
  editorDrafts,
  editorOfAtom,
  noteFact,
  shownEditorAtom,
} from '~/atoms/query/editor'
import { moveEditor, nameOf, openLinked, placeBehind, reopenEditor } from '~/atoms/query/editors'
import { runningOfAtom } from '~/atoms/query/run'
import { noteTable, tableTabsAtom } from '~/atoms/tables/table-tabs'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { valuePrefix } from '~/lib/paths'
import { linkedValues } from '~/sql/parameter-values'
import { useChangeSearch, useRawSearch, useSearchParam } from '~/ui/location'
import { PlacedMenu } from '~/ui/Menu'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Spinner } from '~/ui/Spinner'
import { Tabs } from '~/ui/Tabs'
import { showToast } from '~/ui/toast'
import { useMovable } from '~/ui/use-movable'
import { useShortcut } from '~/ui/use-shortcut'
import { useShownTable } from '../tables/address'
import { EditorMenu, useEditorEntries } from './EditorMenu'
import { TablePane } from './query-doors'
import { useQueryPanes } from './query-panes'
import { placeOf, tabOf, useEditors } from './use-editors'

// Outside React: the address, the keyboard and the focus.

const idOf = (table: string) => tabOf(table, { id: '' })
const editorTab = (editor: Editor) => tabOf(undefined, editor)

export type TableTabs = ReturnType<typeof useTableTabs>

/** The opened tables as tabs; the shown one is in the address. */
export function useTableTabs() {
  const { shown, show, close } = useShownTable()
  const note = useAct(noteTable)
  const open = useAtomValue(tableTabsAtom)
  const { table, q, tab } = shown ?? {}
  useEffect(() => {
    if (table === undefined) return
    note({ table, ...(q === undefined ? {} : { q }), ...(tab === undefined ? {} : { tab }) })
  }, [note, table, q, tab])
  const names = open.map((one) => one.table)
  if (table !== undefined && !names.includes(table)) names.push(table)
  const pane = useMovable(
    table !== undefined && (
      <SectionBoundary details={technicalDetails} isPane key={table} what={`The table ${table}`}>
        <TablePane onClose={() => close(table)} table={table} />
      </SectionBoundary>
    ),
  )
  const tabs = names.map((name) => ({
    id: idOf(name),
    label: name,
    onClose: () => close(name),
    content: name === table && pane.here,
  }))
  return {
    tabs,
    drawn: pane.drawn,
    table,
    shown: table === undefined ? null : idOf(table),
    /** Shows a tab of a table; answers whether it is one. */
    show: (id: string) => {
      const name = names.find((one) => idOf(one) === id) ?? null
      show(name)
      return name !== null
    },
  }
}

/** The editors with the output of the shown one, and beside them the opened tables. */
export function WorkArea({ editor: content, opened }: { editor: ReactNode; opened: TableTabs }) {
  const { open: here, shown, show, canClose, close } = useEditors()
  const { ask } = useQueryPanes()
  const running = useAtomValue(runningOfAtom)
  const entries = useEditorEntries()
  const place = useAct(placeBehind)
  const [menu, setMenu] = useState<{ editor: Editor; at: { x: number; y: number } } | null>(null)
  const choose = (id: string) => {
    const editor = here.find((one) => editorTab(one) === id)
    if (editor) show(editor)
    else opened.show(id)
  }
  const moveTo = (editor: Editor, from: number, tab: string) => {
    const to = here.findIndex((one) => editorTab(one) === tab)
    if (to >= 0) place(editor, here[from < to ? to : to - 1] ?? null)
  }
  const editors = here.map((one, at) => ({
    id: editorTab(one),
    label: nameOf(one),
    ...(canClose(one) && { onClose: () => close(one) }),
    onRename: () => ask({ kind: 'rename', editor: one }),
    onMenu: (point: { x: number; y: number }) => setMenu({ editor: one, at: point }),
    onMove: (to: string) => moveTo(one, at, to),
    content: one.id === shown.id && content,
    ...(running(one) && { mark: <Spinner size={12} /> }),
  }))
  return (
    <>
      <Tabs
        end={<EditorMenu />}
        fill
        label="Editor and tables"
        onChange={choose}
        tabs={[...editors, ...opened.tabs]}
        value={opened.shown ?? editorTab(shown)}
      />
      {menu && (
        <EditorPlacedMenu
          at={menu.at}
          entries={entries(menu.editor)}
          label={nameOf(menu.editor)}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  )
}

/** The menu of a tab, which gets the focus back. */
function EditorPlacedMenu({ onClose, ...menu }: ComponentProps<typeof PlacedMenu>) {
  const [opener] = useState(() => document.activeElement)
  const close = () => {
    onClose()
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  return <PlacedMenu {...menu} onClose={close} />
}

/** What follows the address and the keys, inside of what the panes share. */
export function TabKeys({ opened }: { opened: TableTabs }) {
  useAddressedEditor()
  useLinkedText()
  useLinkedQuery()
  useTabKeys(opened)
  return null
}

/** The keys of the tabs, wherever the focus is. */
function useTabKeys(opened: TableTabs) {
  const { open: here, shown, show, add, close, reopenLast } = useEditors()
  const { focusFrom, editor: sql } = useQueryPanes()
  const move = useAct(moveEditor)
  const tabs = [...here.map(editorTab), ...opened.tabs.map(({ id }) => id)]
  const now = opened.shown ?? editorTab(shown)
  const at = tabs.indexOf(now)
  const isTable = opened.table !== undefined
  const place = placeOf(opened.table, shown)
  useEffect(() => {
    if (focusFrom.current === null || focusFrom.current === place) return
    // The editor is drawn in the same step, behind this. Where one was closed, another may be shown
    // before the one that the address names.
    const frame = requestAnimationFrame(() => {
      focusFrom.current = null
      if (isTable) document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
      else sql.current?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [place, isTable, focusFrom, sql])
  const step = (by: number) => {
    const next = tabs[(at + by + tabs.length) % tabs.length] ?? ''
    const editor = here.find((one) => editorTab(one) === next)
    if (next === now) return
    focusFrom.current = place
    if (editor) show(editor)
    else opened.show(next)
  }
  const closeShown = () => {
    focusFrom.current = place
    const table = opened.tabs.find(({ id }) => id === opened.shown)
    if (table) table.onClose()
    else close(shown)
  }
  const keys = { isInFields: true }
  useShortcut('editors', 'add', add, keys)
  useShortcut('editors', 'close', closeShown, keys)
  useShortcut('editors', 'reopen', reopenLast, keys)
  useShortcut('editors', 'next', () => step(1), keys)
  useShortcut('editors', 'previous', () => step(-1), keys)
  useShortcut('editors', 'left', () => move(shown, -1), keys)
  useShortcut('editors', 'right', () => move(shown, 1), keys)
}

/** The database of the address, once it is open. */
function useAddressedDatabase(): string | null {
  const database = useAtomValue(databaseAtom)
  const [named] = useSearchParam('db')
  return named === undefined || named === '' || named === database ? database : null
}

const longestId = 40

/** The address names the editor that is shown, and the moment that this one is to show again. */
function useAddressedEditor() {
  const database = useAddressedDatabase()
  const [named] = useSearchParam('editor')
  // An address may name anything, and what is typed in it is kept under this name.
  const id = named?.slice(0, longestId)
  const [at] = useSearchParam('at')
  const note = useAct(noteAddressedEditor)
  const noteOf = useAct(noteFact)
  const shown = useAtomValue(shownEditorAtom)
  // Before the next key is pressed, which is for the editor of the address.
  useLayoutEffect(() => {
    if (database !== null) note(database, id)
  }, [database, id, note])
  const noted = useAtomValue(addressedEditorsAtom).get(database ?? '')
  const isLoaded = useAtomValue(editorDrafts.loadedAtom).has(database ?? '')
  const store = useStore()
  // An address may lead back to one that was closed since.
  useEffect(() => {
    if (database === null || !isLoaded || id === undefined) return
    const editor = { database, id }
    if (store.get(editorOfAtom)(editor)?.closed === undefined) return
    const opened = reopenEditor(store, editor)
    if ('refusal' in opened) showToast({ kind: 'error', text: opened.refusal })
  }, [database, id, isLoaded, store])
  const isShown = shown.database === database && noted === (id || undefined)
  useEffect(() => {
    if (isShown) noteOf({ database: shown.database, id: shown.id }, 'at', at || null)
  }, [isShown, shown.database, shown.id, at, noteOf])
}

/**
 * A text in the address opens in an editor, once, with its values; the address is then what it was
 * without them. Values without a text would change what someone else's statement does.
 */
function useLinkedText() {
  const search = new URLSearchParams(useRawSearch())
  const change = useChangeSearch()
  const database = useAddressedDatabase()
  const open = useAct(openLinked)
  const { showOpened } = useEditors()
  const isLinked =
    search.has('sql') ||
    (!search.has('query') && [...search.keys()].some((name) => name.startsWith(valuePrefix)))
  const take = useEffectEvent(() => {
    const sql = search.get('sql') ?? ''
    const read = ['sql', ...search.keys()].filter(
      (name) => name === 'sql' || name.startsWith(valuePrefix),
    )
    change(Object.fromEntries(read.map((name) => [name, undefined])), { replace: true })
    if (sql.trim() === '') return
    const at = search.get('at') ?? undefined
    void open(sql, linkedValues(search), at).then((found) => showOpened(found, { replace: true }))
  })
  useEffect(() => {
    if (isLinked && database !== null) take()
  }, [isLinked, database])
}

/** A saved query in the address opens in an editor, once, with the values beside it. */
function useLinkedQuery() {
  const search = new URLSearchParams(useRawSearch())
  const change = useChangeSearch()
  const database = useAddressedDatabase()
  const open = useAct(openQueryLink)
  const noteOf = useAct(noteFact)
  const { showOpened } = useEditors()
  const id = search.get('query')
  const take = useEffectEvent((of: string) => {
    const read = [...search.keys()].filter((name) => name.startsWith(valuePrefix))
    // A text beside it is taken already, and would come back with this address.
    const gone = Object.fromEntries(['query', 'sql', ...read].map((name) => [name, undefined]))
    change(gone, { replace: true })
    const at = search.get('at')
    void open(of, linkedValues(search)).then((found) => {
      if (!found) return
      if ('editor' in found) noteOf(found.editor, 'at', at || null)
      showOpened(found, { replace: true })
    })
  })
  useEffect(() => {
    if (id !== null && database !== null) take(id)
  }, [id, database])
}
