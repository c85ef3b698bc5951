import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { newQuery, queryDialogAtom } from '~/atoms/queries/query-saving'
import { openEditor } from '~/atoms/query/editors'
import {
  forgetCode,
  foundIn,
  type HistoryEntry,
  historyAtom,
  isHistoryOnAtom,
  setHistoryOn,
} from '~/atoms/query/statement-history'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import { withSemicolon } from '~/sql/statements'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Switch } from '~/ui/Switch'
import { useQueryPanes } from './query-panes'
import { useEditors } from './use-editors'

/** Entries in the document at once; a search finds the others. */
const shownAtOnce = 60

/** What this user has run in this browser, to be found and used again. */
export function HistoryDialog({ onClose }: { onClose: () => void }) {
  const history = useAtomValue(historyAtom)
  const isOn = useAtomValue(isHistoryOnAtom)
  const setOn = useAct(setHistoryOn)
  const forget = useAct(forgetCode)
  const [search, setSearch] = useState('')
  const [database, setDatabase] = useState('')
  const [outcome, setOutcome] = useState('')
  const entries = history?.entries ?? []
  const databases = [...new Set(entries.map((entry) => entry.database))].sort()
  const found = foundIn(entries, search).filter(
    (entry) =>
      (database === '' || entry.database === database) &&
      (outcome === '' || entry.status === outcome),
  )
  const reason = entries.length === 0 ? 'There is nothing to remove.' : undefined
  return (
    <Dialog
      description="Kept in this browser until you log out. Statements that spell out a password are not."
      footer={
        <>
          <span className="me-auto">
            <Switch
              checked={isOn}
              label="Remember what is run"
              onChange={(next) => void setOn(next)}
            />
          </span>
          <Button disabledReason={reason} onClick={() => void forget('all')}>
            Remove all
          </Button>
        </>
      }
      onClose={onClose}
      open
      title="Code history"
      width="wide"
    >
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <Field
            bare
            label="Search the history"
            onChange={setSearch}
            placeholder="Search"
            value={search}
          />
        </div>
        {databases.length > 1 && (
          <Select
            label="Database"
            onChange={setDatabase}
            options={[
              { value: '', label: 'All databases' },
              ...databases.map((name) => ({ value: name, label: name })),
            ]}
            value={database}
          />
        )}
        <Select label="Outcome" onChange={setOutcome} options={outcomes} value={outcome} />
      </div>
      <p className="py-1.5 text-muted text-sm" role="status">
        {history === null ? '' : summary(entries.length, found.length, isOn)}
      </p>
      {history === null ? (
        <Skeleton lines={4} />
      ) : (
        <ol aria-label="Statements, newest first" className="divide-y divide-line">
          {found.slice(0, shownAtOnce).map((entry) => (
            <HistoryLine entry={entry} key={`${entry.at} ${entry.text}`} onUsed={onClose} />
          ))}
        </ol>
      )}
    </Dialog>
  )
}

const outcomes = [
  { value: '', label: 'Any outcome' },
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'unknown', label: 'Unknown' },
  { value: 'cancelled', label: 'Cancelled' },
]

function summary(all: number, found: number, isOn: boolean): string {
  if (!isOn) return 'Nothing is remembered while this is switched off.'
  if (all === 0) return 'Nothing has been run yet.'
  if (found === 0) return 'No statement here fits.'
  const shown = Math.min(found, shownAtOnce)
  return shown < found
    ? `The newest ${shown} of ${counted(found, 'statement')}; search to see others.`
    : counted(found, 'statement')
}

function HistoryLine({ entry, onUsed }: { entry: HistoryEntry; onUsed: () => void }) {
  const zone = useAtomValue(timezoneAtom)
  const forget = useAct(forgetCode)
  const setDialog = useSetAtom(queryDialogAtom)
  const open = useAct(openEditor)
  const { showOpened } = useEditors()
  const { editor, show } = useQueryPanes()
  const use = () => {
    onUsed()
    show('editor')
    // The dialog gives the focus back first.
    requestAnimationFrame(() => editor.current?.insert(`${withSemicolon(entry.text)}\n`))
  }
  const save = () => {
    onUsed()
    const of = newQuery(entry.database, withSemicolon(entry.text))
    setDialog({ kind: 'save', of, place: 'browser', base: null })
  }
  const openAlone = () => {
    onUsed()
    show('editor')
    const start = { text: `${withSemicolon(entry.text)}\n`, database: entry.database }
    void open(start).then((opened) => showOpened(opened))
  }
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <code
          translate="no"
          className="line-clamp-3 whitespace-pre-wrap break-words font-mono text-sm"
        >
          <SafeText lines text={beginning(entry.text, 600).replace(/\n\s*\n/g, '\n')} />
        </code>
        <p className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
          <time>{formatMoment(entry.at, zone)}</time>
          <SafeName text={entry.database} />
          {entry.times > 1 && <span>{entry.times} times</span>}
          {entry.status === 'failed' && <Badge tone="error">Failed</Badge>}
          {entry.status === 'unknown' && <Badge tone="warning">Unknown</Badge>}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <Button aria-label="Insert at the caret" onClick={use} size="small">
          Insert
        </Button>
        <Button aria-label="Open in a new editor" onClick={openAlone} size="small">
          Open
        </Button>
        <Button aria-label="Save as a query" onClick={save} size="small">
          Save…
        </Button>
        <CopyButton text={entry.text} what="statement" />
        <IconButton
          icon={<TrashIcon />}
          label="Remove from the history"
          onClick={() => void forget(entry)}
          size="small"
        />
      </div>
    </li>
  )
}
