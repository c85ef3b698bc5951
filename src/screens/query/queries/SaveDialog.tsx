import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { knownQueriesAtom } from '~/atoms/queries/known-queries'
import { noteQuery, openSavedQuery, type SavedQuery } from '~/atoms/queries/open-query'
import type { FileQuery } from '~/atoms/queries/query-files'
import { longest, plainFolder, queryProblem } from '~/atoms/queries/query-record'
import {
  copyOf,
  type QueryPlace,
  queryDialogAtom,
  type SaveEnd,
  type SaveTask,
  saveQuery,
  storedEnd,
} from '~/atoms/queries/query-saving'
import {
  checkShared,
  sharedSaveAtom,
  sharedSlot,
  type UnreadableKey,
} from '~/atoms/queries/shared-queries'
import { withoutPasswords } from '~/atoms/query/editor'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { sharedPrefix } from '~/immudb/saved-query'
import { listOf } from '~/lib/text'
import { idle } from '~/lib/write-state'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { showToast } from '~/ui/toast'
import { useEditors } from '../use-editors'
import { QueryConflict } from './QueryConflict'

type Props = { task: SaveTask; onClose: () => void }

/** Asks for the name, the folder and the place of a query, saves it, and says what became of it. */
export function SaveDialog({ task, onClose }: Props) {
  const [of, setOf] = useState<FileQuery>(task.of)
  const [place, setPlace] = useState<QueryPlace>(task.place)
  const [base, setBase] = useState(task.base)
  const [end, setEnd] = useState<SaveEnd | null>(task.tried ?? null)
  const [isTried, setTried] = useState(false)
  // Values that were saved before stay; typed ones go along only when that is chosen.
  const { parameters: saved } = task.of
  const [hasValues, setHasValues] = useState(saved !== undefined)
  const values = task.values ?? saved ?? []
  const save = useAct(saveQuery)
  const check = useAct(checkShared)
  const note = useAct(noteQuery)
  const open = useAct(openSavedQuery)
  const setDialog = useSetAtom(queryDialogAtom)
  const { showOpened } = useEditors()
  const { writeRefusal, whyNotShared } = useSharing(of.database)
  const withValues = ({ parameters: _, ...rest }: FileQuery): FileQuery =>
    hasValues ? { ...rest, parameters: [...values] } : rest
  const problem = queryProblem(withValues(of))
  const isNameTaken = useIsNameTaken(of)
  const state = useAtomValue(sharedSaveAtom)(sharedSlot(of.database, of.id))
  const written = place === 'shared' && end?.kind === 'see-write' ? state : idle
  const change = (to: Partial<FileQuery>) => setOf({ ...of, ...to })
  const done = ({ text, query }: Extract<SaveEnd, { kind: 'done' }>) => {
    showToast({ kind: 'success', text })
    if (task.editor) note(task.editor, query)
    onClose()
  }
  const send = async (query: FileQuery, from: string | null) => {
    setTried(true)
    const sent = withValues(query)
    if (Object.keys(queryProblem(sent)).length > 0) return false
    const came = await save({ ...task, of: sent, place, base: from })
    setEnd(came)
    if (came.kind !== 'done') return false
    done(came)
    return true
  }
  const copyTo = (to: QueryPlace) => {
    const { tried: _, ...rest } = task
    setDialog({ ...rest, of: { ...copyOf(of), name: of.name }, place: to, base: null })
  }
  const conflict = conflictOf(end, written)
  const refused = place === 'shared' ? (writeRefusal ?? whyNotShared) : undefined
  return (
    <AskDialog
      action={conflict === null ? 'Save' : undefined}
      isTyped={
        JSON.stringify(of) !== JSON.stringify(task.of) || hasValues !== (saved !== undefined)
      }
      onAction={() => send(of, base)}
      onClose={onClose}
      refusal={refused ?? (isTried ? Object.values(problem)[0] : undefined)}
      title={base === null ? 'Save as a query' : 'Save the query'}
      write={{
        state: end?.kind === 'refused' ? refusedAs(end.why) : written,
        database: of.database,
        notDone: 'The query was not saved.',
        notKnown: 'this query was stored',
        onCheck: async () => {
          const found = await check(of.database, of.id)
          if (found?.kind !== 'committed') return false
          done(storedEnd(found.value))
          return true
        },
      }}
    >
      {conflict === null ? (
        <div className="grid grid-cols-1 gap-1">
          <Field
            autoComplete="off"
            error={isTried ? problem.name : undefined}
            hint={isNameTaken ? 'Another query in this folder has this name.' : undefined}
            label="Name"
            maxLength={longest.name}
            onChange={(name) => change({ name })}
            value={of.name}
          />
          <FolderField
            error={problem.folder}
            onChange={(folder) => change({ folder })}
            value={of.folder}
          />
          <TextArea
            label="Description"
            maxLength={longest.description}
            onChange={(description) => change({ description })}
            rows={2}
            value={of.description}
          />
          {base === null ? (
            <Select
              label="Keep it in"
              labelled
              onChange={(to) => setPlace(to === 'shared' ? 'shared' : 'browser')}
              options={[
                { value: 'browser', label: 'This browser', detail: 'Only you, only here' },
                {
                  value: 'shared',
                  label: `The database ${of.database}`,
                  detail: writeRefusal ?? whyNotShared ?? 'Shared, and kept for ever',
                  disabled: (writeRefusal ?? whyNotShared) !== undefined,
                },
              ]}
              value={place}
              wide
            />
          ) : (
            <p className="text-muted text-sm">
              Kept in{' '}
              {place === 'browser' ? (
                'this browser'
              ) : (
                <>
                  the database <SafeName text={of.database} />
                </>
              )}
              .
            </p>
          )}
          {values.length > 0 && (
            <Checkbox
              checked={hasValues}
              label={`Save the ${saved ? '' : 'typed '}values of ${listOf(values.map(({ name }) => `@${name}`))}`}
              onChange={setHasValues}
            />
          )}
          <Consequences hasValues={hasValues} isNew={base === null} of={of} place={place} />
          {refused !== undefined && (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <p className="min-w-0 flex-1 basis-56 text-error" role="alert">
                The query cannot be saved there. {refused}
              </p>
              {base !== null && (
                <Button onClick={() => copyTo('browser')} size="small">
                  Save a copy…
                </Button>
              )}
            </div>
          )}
          {isTried && (problem.text ?? problem.values) !== undefined && (
            <p className="text-error text-sm" role="alert">
              {problem.text ?? problem.values}
            </p>
          )}
        </div>
      ) : (
        <QueryConflict
          isOfEditor={task.editor !== undefined}
          onCopy={() => copyTo(place)}
          onOver={(mark) => {
            setBase(mark)
            setEnd(null)
            void send(of, mark)
          }}
          onTheirs={(query) => {
            if (task.editor) void open(query).then((opened) => showOpened(opened))
            onClose()
          }}
          refusal={refused}
          seenIn={conflict.seenIn}
          stored={conflict.stored}
          yours={of}
        />
      )}
    </AskDialog>
  )
}

type Met = { stored: SavedQuery | UnreadableKey | null; seenIn: readonly string[] | null }

/** What a save met instead of what it was to change. */
function conflictOf(
  end: SaveEnd | null,
  written: { kind: string } | ({ kind: 'conflict' } & Met),
): Met | null {
  if (end?.kind === 'conflict') return { stored: end.stored, seenIn: [] }
  return written.kind === 'conflict' && 'stored' in written ? written : null
}

const refusedAs = (text: string) => ({ kind: 'refused', text, details: '' }) as const

function useSharing(database: string) {
  const openDatabase = useAtomValue(databaseAtom)
  const writeRefusal = useAtomValue(writeRefusalAtom)
  const whyNotShared =
    openDatabase === database
      ? undefined
      : 'Open the database of the query first, to keep it there.'
  return { writeRefusal, whyNotShared }
}

function useIsNameTaken({ id, database, name, folder }: FileQuery): boolean {
  const known = useAtomValue(knownQueriesAtom)
  const [plain, path] = [name.trim(), plainFolder(folder)]
  return known.some(
    (one) =>
      one.id !== id && one.database === database && one.name === plain && one.folder === path,
  )
}

type FolderProps = { value: string; error: string | undefined; onChange: (folder: string) => void }

/** A path of folders; those that there are already are offered. */
function FolderField({ value, error, onChange }: FolderProps) {
  const known = useAtomValue(knownQueriesAtom)
  const folders = [...new Set(known.map(({ folder }) => folder))].filter(Boolean).sort()
  return (
    <>
      <Field
        autoComplete="off"
        error={error}
        hint="A slash makes a subfolder: reports/monthly."
        label="Folder"
        list="query-folders"
        maxLength={longest.folder}
        onChange={onChange}
        value={value}
      />
      <datalist id="query-folders">
        {folders.slice(0, 200).map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  )
}

type ConsequencesProps = {
  of: FileQuery
  place: QueryPlace
  isNew: boolean
  hasValues: boolean
}

/** What saving it there means. */
function Consequences({ of, place, isNew, hasValues }: ConsequencesProps) {
  const blanks = withoutPasswords(of.text) !== of.text
  return (
    <div className="grid gap-1.5 pt-2 text-sm">
      {place === 'shared' && (
        <p className="rounded border border-warning/45 bg-warning-tint px-3 py-2">
          {isNew
            ? `Everyone who may read this database can read the name, the description${hasValues ? ', the values' : ''} and the text of the query.`
            : 'Everyone who may read this database can read the query.'}{' '}
          immudb keeps every version for ever, even after you change or delete the query. It is
          stored under the key{' '}
          <span className="font-mono [overflow-wrap:anywhere]">{sharedPrefix + of.id}</span>.
        </p>
      )}
      {blanks && <p>The password in the text is not saved. Its place stays empty.</p>}
    </div>
  )
}
