import { useAtomValue, useStore } from 'jotai'
import { useRef } from 'react'
import { type Editor, textOf, withoutPasswords } from '~/atoms/query/editor'
import { longestOpened, moveEditor, nameOf, openEditor } from '~/atoms/query/editors'
import { bringScript } from '~/atoms/scripts/script-request'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { keysOf, shownKeys } from '~/lib/shortcuts'
import { fileName, readChosenBytes, saveFile } from '~/ui/file'
import { IconButton } from '~/ui/IconButton'
import { Menu, type MenuEntry } from '~/ui/Menu'
import { AddIcon, MoreIcon } from '~/ui/QueryIcons'
import { showToast } from '~/ui/toast'
import { useQueryPanes } from './query-panes'
import { useEditors } from './use-editors'

const keys = (action: Parameters<typeof keysOf<'editors'>>[1]) =>
  shownKeys(keysOf('editors', action))

/** What can be done with one editor. */
export function useEditorEntries() {
  const store = useStore()
  const { open, canClose, close, duplicate } = useEditors()
  const { ask } = useQueryPanes()
  const move = useAct(moveEditor)
  return (editor: Editor): readonly MenuEntry[] => {
    const at = open.findIndex(({ id }) => id === editor.id)
    return [
      {
        kind: 'action',
        label: 'Rename…',
        detail: keys('rename'),
        onSelect: () => ask({ kind: 'rename', editor }),
      },
      { kind: 'action', label: 'Duplicate', onSelect: () => duplicate(editor) },
      {
        kind: 'action',
        label: 'Save as a file',
        onSelect: () => save(editor, textOf(store.get, editor) ?? ''),
        disabledReason: editor.isEmpty ? 'It is empty.' : undefined,
      },
      {
        kind: 'action',
        label: 'Move to the left',
        detail: keys('left'),
        onSelect: () => move(editor, -1),
        disabledReason: at <= 0 ? 'It is the first.' : undefined,
      },
      {
        kind: 'action',
        label: 'Move to the right',
        detail: keys('right'),
        onSelect: () => move(editor, 1),
        disabledReason: at >= open.length - 1 ? 'It is the last.' : undefined,
      },
      {
        kind: 'action',
        label: 'Close',
        detail: keys('close'),
        onSelect: () => close(editor),
        disabledReason: canClose(editor) ? undefined : 'It is the only one, and empty.',
      },
    ]
  }
}

/** Saves the text of an editor, as storage has it. */
function save(editor: Editor, text: string) {
  const kept = withoutPasswords(text)
  saveFile(fileName(nameOf(editor), 'sql'), kept, 'application/sql')
  if (kept !== text) {
    showToast({ kind: 'info', text: 'The file has the text without the passwords in it.' })
  }
}

/** A new editor, and what can be done with the shown one and with all of them. */
export function EditorMenu({ isNarrow = false }: { isNarrow?: boolean }) {
  const { shown, open, add, show, last, reopenLast } = useEditors()
  const { ask } = useQueryPanes()
  const entries = useEditorEntries()
  const input = useRef<HTMLInputElement>(null)
  const openFiles = useOpenFiles()
  const database = useAtomValue(databaseAtom)
  const choice: readonly MenuEntry[] =
    isNarrow && open.length > 1
      ? [
          {
            kind: 'choice',
            label: 'Editors',
            value: shown.id,
            options: open.map((one) => ({ value: one.id, label: nameOf(one) })),
            onChange: (id) => show({ database: shown.database, id }),
          },
          { kind: 'separator' },
        ]
      : [{ kind: 'heading', label: nameOf(shown) }]
  return (
    <span className="flex shrink-0 items-center pe-1">
      {!isNarrow && (
        <IconButton
          icon={<AddIcon />}
          label={`New editor (${keys('add')})`}
          onClick={add}
          size="small"
        />
      )}
      <Menu
        entries={[
          ...choice,
          ...entries(shown),
          { kind: 'separator' },
          { kind: 'action', label: 'New editor', detail: keys('add'), onSelect: add },
          {
            kind: 'action',
            label: 'Open files…',
            detail: '.sql',
            onSelect: () => input.current?.click(),
          },
          {
            kind: 'action',
            label: last ? `Reopen ${nameOf(last)}` : 'Reopen the last closed',
            detail: keys('reopen'),
            disabledReason: last ? undefined : 'None was closed.',
            onSelect: reopenLast,
          },
          { kind: 'action', label: 'All editors…', onSelect: () => ask({ kind: 'all' }) },
        ]}
        label="Editors"
        trigger={
          <IconButton
            disabledReason={database === null ? 'No database is open.' : undefined}
            icon={<MoreIcon />}
            label="Editors"
            size="small"
          />
        }
      />
      <input
        accept=".sql,.txt"
        aria-label="SQL files"
        className="hidden"
        multiple
        onChange={({ target }) => {
          void openFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
        ref={input}
        type="file"
      />
    </span>
  )
}

/** Opens files of SQL, each in an editor of its own. Nothing is run. */
function useOpenFiles() {
  const { enter } = useEditors()
  const open = useAct(openEditor)
  const bring = useAct(bringScript)
  return async (files: readonly File[]) => {
    for (const file of files) {
      if (file.size > longestOpened) {
        const text = `${file.name} is too long for an editor. Nothing of it was opened.`
        const action = { label: 'Bring it as a script', run: () => bring(file) }
        showToast({ kind: 'error', text, action })
        continue
      }
      const found = await readSql(file)
      enter('refusal' in found ? found : await open({ text: found.text, name: file.name }))
    }
  }
}

/** The text of a file, with the line ends that the editor has. */
async function readSql(file: File): Promise<{ text: string } | { refusal: string }> {
  const found = await readChosenBytes(file, longestOpened, '')
  if ('problem' in found) return { refusal: found.problem }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(found.bytes)
    if (text.includes('\r')) {
      const told = `The line ends of ${file.name} are plain ones in the editor.`
      showToast({ kind: 'info', text: told })
    }
    return { text: text.replace(/\r\n?/g, '\n') }
  } catch {
    return { refusal: `${file.name} is not text in UTF-8. Nothing of it was opened.` }
  }
}
