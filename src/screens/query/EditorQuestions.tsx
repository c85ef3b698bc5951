import { useAtomValue, useStore } from 'jotai'
import { useEffect, useState } from 'react'
import { databasesAtom } from '~/atoms/databases/database-list'
import {
  closedEditorsAtom,
  type Editor,
  type EditorName,
  editorDrafts,
  forgetEditor,
  openEditorsAtom,
  textOf,
} from '~/atoms/query/editor'
import { longestName, nameOf, renameEditor, reopenEditor } from '~/atoms/query/editors'
import { editorKey } from '~/atoms/query/output'
import { runningOfAtom } from '~/atoms/query/run'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName, SafeText } from '~/ui/SafeText'
import { type EditorQuestion, useQueryPanes } from './query-panes'
import { useEditors } from './use-editors'

// Outside React: the storage, and the focus that a dialog gives back.

/** What is asked about an editor, and the list of all. */
export function EditorQuestions({ question }: { question: EditorQuestion }) {
  if (question.kind === 'all') return <AllEditors />
  const { kind, editor } = question
  return kind === 'rename' ? <Rename editor={editor} /> : <CloseRunning editor={editor} />
}

function Rename({ editor }: { editor: Editor }) {
  const { ask } = useQueryPanes()
  const rename = useAct(renameEditor)
  const [name, setName] = useState(nameOf(editor))
  return (
    <AskDialog
      action="Rename"
      onAction={() => {
        rename(editor, name)
        ask(null)
      }}
      onClose={() => ask(null)}
      refusal={name.trim() === '' ? 'Type a name.' : undefined}
      title="Rename the editor"
      width="small"
    >
      <Field
        autoComplete="off"
        label="Name"
        maxLength={longestName}
        onChange={setName}
        onFocus={({ target }) => target.select()}
        value={name}
      />
    </AskDialog>
  )
}

function CloseRunning({ editor }: { editor: Editor }) {
  const { ask } = useQueryPanes()
  const { closeNow } = useEditors()
  const running = useAtomValue(runningOfAtom)(editor)
  const left = running ? running.total - running.done : 0
  return (
    <AskDialog
      action="Close it"
      cancel="Keep it open"
      description={
        running
          ? `${counted(left, 'statement')} of it ${left === 1 ? 'is' : 'are'} still to be done. Closing does not cancel them: open the editor again to see what became of them.`
          : 'It is done now.'
      }
      onAction={() => {
        ask(null)
        closeNow(editor)
      }}
      onClose={() => ask(null)}
      title={`Close “${nameOf(editor)}” while it runs?`}
    />
  )
}

/** Open editors of this database and of others, and the closed ones, which can be opened again. */
function AllEditors() {
  const { ask } = useQueryPanes()
  const store = useStore()
  const { shown, open: opened } = useEditors()
  const closed = useAtomValue(closedEditorsAtom)(shown.database)
  const openOf = useAtomValue(openEditorsAtom)
  const load = useAct(editorDrafts.load)
  const drafts = useAtomValue(editorDrafts.draftsAtom)
  const [search, setSearch] = useState('')
  // Those of databases that were not opened in this tab yet.
  useEffect(() => void load(), [load])
  const databases = [...new Set([...drafts.values()].map(({ database }) => database))]
  const others = databases
    .filter((database) => database !== shown.database)
    .sort()
    .flatMap((database) => openOf(database).filter(({ isEmpty }) => !isEmpty))
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (one: Editor) => {
    const whole = `${nameOf(one)} ${one.database} ${textOf(store.get, one) ?? ''}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  }
  const groups = [
    { title: 'Open', editors: opened.filter(isFound) },
    { title: 'Open in other databases', editors: others.filter(isFound) },
    { title: 'Closed', editors: closed.filter(isFound) },
  ].filter(({ editors }) => editors.length > 0)
  return (
    <Dialog
      description="Kept in this browser, also after you log out. An editor of another database opens that database."
      onClose={() => ask(null)}
      open
      title="All editors"
      width="wide"
    >
      <Field
        bare
        label="Search the editors"
        onChange={setSearch}
        placeholder="Name, database or text"
        value={search}
      />
      {groups.length === 0 && (
        <p className="py-3 text-muted" role="status">
          No editor has these words.
        </p>
      )}
      {groups.map(({ title, editors }) => (
        <section className="pt-3" key={title}>
          <h3 className="font-medium">{title}</h3>
          <ul className="divide-y divide-line">
            {editors.map((one) => (
              <Line editor={one} key={editorKey(one)} />
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  )
}

function Line({ editor }: { editor: Editor }) {
  const store = useStore()
  const zone = useAtomValue(timezoneAtom)
  const { shown, enter } = useEditors()
  const { ask } = useQueryPanes()
  const reopen = useAct(reopenEditor)
  const forget = useAct(forgetEditor)
  const databases = useAtomValue(databasesAtom).data
  const isGone = databases?.every(({ name }) => name !== editor.database) ?? false
  const isClosed = editor.closed !== undefined
  const isShown = isSame(editor, shown)
  const name = nameOf(editor)
  const go = () => {
    ask(null)
    // The dialog gives the focus back first.
    requestAnimationFrame(() => enter(isClosed ? reopen(editor) : { editor }))
  }
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap gap-x-2">
          <span className="[overflow-wrap:anywhere]">
            <SafeText text={name} />
          </span>
          <span className="text-muted text-sm">
            <SafeName text={editor.database} />
            {isClosed && `, closed ${formatMoment(editor.closed ?? 0, zone)}`}
            {isShown && ', shown'}
            {isGone && ', which is gone'}
          </span>
        </p>
        <code
          className="line-clamp-2 whitespace-pre-wrap break-words font-mono text-muted text-sm"
          translate="no"
        >
          <SafeText lines text={beginning(textOf(store.get, editor) ?? '', 300)} />
        </code>
      </div>
      <span className="flex items-center gap-1">
        <CopyButton text={textOf(store.get, editor) ?? ''} what={`text of ${name}`} />
        <Button
          aria-label={`${isClosed ? 'Reopen' : 'Show'} ${name}`}
          disabledReason={
            isGone
              ? 'This server has no such database for you now. The text can be copied.'
              : undefined
          }
          onClick={go}
          size="small"
        >
          {isClosed ? 'Reopen' : 'Show'}
        </Button>
        {(isClosed || isGone) && (
          <IconButton
            icon={<TrashIcon />}
            label={`Forget ${name} for good`}
            onClick={() => forget(editor)}
            size="small"
          />
        )}
      </span>
    </li>
  )
}

const isSame = (one: EditorName, other: EditorName) => editorKey(one) === editorKey(other)
