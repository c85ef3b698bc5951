import { useAtomValue, useSetAtom } from 'jotai'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import {
  type BrowserQuery,
  browserQueriesAtom,
  queryNotKept,
  unreadBrowserQueriesAtom,
} from '~/atoms/queries/browser-queries'
import { openSavedQuery, type SavedQuery } from '~/atoms/queries/open-query'
import { queriesExport } from '~/atoms/queries/query-files'
import { type LibraryView, queryDialogAtom } from '~/atoms/queries/query-saving'
import {
  readAllShared,
  type SharedQuery,
  sharedQueries,
  type UnreadableKey,
} from '~/atoms/queries/shared-queries'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar } from '~/ui/ExportBar'
import { Field } from '~/ui/Field'
import { DocumentIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { Tree, type TreeNode } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { useQueryPanes } from '../query-panes'
import { useEditors } from '../use-editors'
import { ImportQueries } from './ImportQueries'
import { QueryDetails, UnreadableDetails } from './QueryDetails'
import { atLine, browserLine, lineOf, sharedLine } from './query-tree'

// Outside React: what is read from the server.

type Props = { view: LibraryView; onClose: () => void }

/** Folders of more queries begin closed. */
const fewQueries = 200

/** The saved queries of this browser and of the open database, in their folders. */
export function LibraryDialog({ view, onClose }: Props) {
  const own = useAtomValue(browserQueriesAtom)
  const unread = useAtomValue(unreadBrowserQueriesAtom)
  const database = useAtomValue(databaseAtom)
  const setDialog = useSetAtom(queryDialogAtom)
  const open = useAct(openSavedQuery)
  const { show } = useQueryPanes()
  const { showOpened } = useEditors()
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search)
  const [line, setLine] = useState(view.chosen)
  const [deleted, setDeleted] = useState<Deleted | null>(null)
  const [isImporting, setImporting] = useState(false)
  const shared = useShared(database ?? '')
  const openIn = (query: SavedQuery) => {
    onClose()
    show('editor')
    void open(query).then((opened) => showOpened(opened))
  }
  const all = useMemo<readonly SavedQuery[]>(
    () => [...(own ?? []), ...shared.queries],
    [own, shared.queries],
  )
  const found = useMemo(() => foundIn(all, sought), [all, sought])
  const nodes = nodesOf(found, {
    unread,
    shared,
    database,
    isOpen: sought !== '' || all.length <= fewQueries,
    open: openIn,
  })
  const chosen = line === undefined ? null : atLine(line, all, shared.unreadable)
  const isEmpty = own !== null && all.length + unread === 0 && shared.isEmpty
  return (
    <Dialog
      footer={
        <>
          <span className="me-auto flex min-w-0 flex-wrap items-center gap-2">
            <Button onClick={() => setImporting(true)} size="small" variant="quiet">
              Import…
            </Button>
            <Export found={found} isAll={sought === ''} lacks={shared.lacks} />
          </span>
          <Button onClick={onClose}>Close</Button>
        </>
      }
      onClose={onClose}
      open
      title="Saved queries"
      width="wide"
    >
      <Field
        bare
        label="Search the saved queries"
        onChange={setSearch}
        placeholder="Search names, folders, descriptions and texts"
        type="search"
        value={search}
      />
      <p className="py-1.5 text-muted text-sm" role="status">
        {own === null ? '' : summary(all.length, found.length, sought)}
        {shared.note}
      </p>
      {deleted && <Undo deleted={deleted} onDone={() => setDeleted(null)} />}
      {shared.hasMore && (
        <Button onClick={shared.more} size="small">
          Read more shared queries
        </Button>
      )}
      {own === null ? (
        <Skeleton lines={4} />
      ) : isEmpty ? (
        <EmptyState
          action={
            <Button onClick={() => setImporting(true)} variant="plain">
              Import a file…
            </Button>
          }
          icon={<DocumentIcon />}
          text="Write SQL in the editor and press Ctrl+S to save it here."
          title="No saved queries"
        />
      ) : (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <div className="h-[30dvh] min-h-40 rounded border border-line sm:h-[44dvh]">
            <Tree
              // What a search finds begins open.
              key={sought === '' ? 'all' : 'found'}
              label="Saved queries"
              nodes={nodes}
              onActive={setLine}
            />
          </div>
          {chosen === null ? (
            <p className="p-2 text-muted text-sm">Choose a query to see it.</p>
          ) : 'place' in chosen ? (
            <QueryDetails
              key={lineOf(chosen)}
              onEdit={(of, base) => setDialog({ kind: 'save', of, place: chosen.place, base })}
              onDeleted={(name, undo) => setDeleted({ name, undo })}
              onOpen={() => openIn(chosen)}
              onLeave={onClose}
              query={chosen}
            />
          ) : (
            <UnreadableDetails database={database ?? ''} of={chosen} onLeave={onClose} />
          )}
        </div>
      )}
      {isImporting && <ImportQueries known={own ?? []} onClose={() => setImporting(false)} />}
    </Dialog>
  )
}

type Deleted = { readonly name: string; readonly undo: () => Promise<void> }

/** Within the dialog, because nothing beside it can be pressed without closing it. */
function Undo({ deleted: { name, undo }, onDone }: { deleted: Deleted; onDone: () => void }) {
  const run = () => void undo().then(onDone, () => showToast({ kind: 'error', text: queryNotKept }))
  return (
    <p className="flex flex-wrap items-center gap-2 pb-1.5 text-sm [overflow-wrap:anywhere]">
      <span role="status">
        “<SafeName text={name} />” was deleted.
      </span>
      <Button autoFocus key={name} onClick={run} size="small">
        Undo
      </Button>
    </p>
  )
}

/** The queries in whose name, folder, description, text or database every word of the search is. */
function foundIn(all: readonly SavedQuery[], search: string): readonly SavedQuery[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all
  return all.filter(({ name, folder, description, text, database }) => {
    const whole = [name, folder, description, text, database].join('\n').toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}

function summary(all: number, found: number, search: string): string {
  if (search !== '' && found === 0) return 'No saved query has these words.'
  if (search !== '') return `${counted(found, 'query', 'queries')} of ${formatCount(all)}.`
  return all === 0 ? '' : `${counted(all, 'query', 'queries')}.`
}

type Shared = ReturnType<typeof useShared>

const none: readonly never[] = []

/** The shared queries of the open database, read to the end or to where one asks for more. */
function useShared(database: string) {
  const list = useAtomValue(useAtomValue(sharedQueries.listsAtom)(database))
  const readAll = useAct(readAllShared)
  const more = useAct(sharedQueries.more)
  const { data, error, isPending, isAdding, problem, refetch } = list
  const isRead = data !== undefined
  useEffect(() => {
    if (isRead) void readAll(database)
  }, [isRead, readAll, database])
  const queries: readonly SharedQuery[] = data?.queries ?? none
  const unreadable: readonly UnreadableKey[] = data?.unreadable ?? none
  const hidden = data?.hidden ?? 0
  const hasMore = isRead && data.next !== null && !isAdding
  const failure = error ?? problem
  return {
    queries,
    unreadable,
    hidden,
    hasMore,
    more: () => void more(database),
    isPending: isPending && database !== '',
    failure: isRead ? null : error,
    retry: () => void refetch(),
    isEmpty: isRead && queries.length + unreadable.length + hidden === 0,
    note: isRead
      ? `${isAdding ? ' Reading shared queries…' : ''}${failure ? ` The shared queries are as last read. ${sentence(failure)}` : ''}`
      : '',
    lacks: isRead
      ? [
          ...(data.next === null ? [] : ['Not all shared queries were read.']),
          ...(unreadable.length + hidden === 0
            ? []
            : [
                `${counted(unreadable.length + hidden, 'shared query', 'shared queries')} cannot be read.`,
              ]),
        ]
      : database === ''
        ? []
        : ['The shared queries could not be read.'],
  }
}

type Nodes = {
  unread: number
  shared: Shared
  database: string | null
  isOpen: boolean
  open: (query: SavedQuery) => void
}

function nodesOf(found: readonly SavedQuery[], of: Nodes): TreeNode[] {
  const { unread, shared, database, ...look } = of
  const own = found.filter((one): one is BrowserQuery => one.place === 'browser')
  const lines = [browserLine(own, unread, { ...look, database })]
  if (database === null) return lines
  const queries = found.filter(({ place }) => place === 'shared')
  const read = shared.failure
    ? { error: sentence(shared.failure), retry: shared.retry }
    : shared.isPending
      ? 'loading'
      : { ...shared, queries }
  return [...lines, sharedLine(read, keyName, { ...look, database })]
}

/** A key in words; bytes that are no text are in hex. */
function keyName(key: string): string {
  const bytes = base64ToBytes(key)
  return decodeUtf8(bytes) ?? bytesToHex(bytes)
}

type ExportProps = { found: readonly SavedQuery[]; isAll: boolean; lacks: readonly string[] }

/** Saves what the list shows as one file. */
function Export({ found, isAll, lacks }: ExportProps) {
  const bar = useExport(queriesExport(isAll ? 'all' : 'found', found, isAll ? lacks : []))
  if (found.length === 0) return null
  return (
    <ExportBar
      {...bar}
      formats={[{ format: 'json', label: 'JSON', detail: 'to import it elsewhere' }]}
      label={isAll ? 'Export all' : 'Export what was found'}
      title={`Saves ${counted(found.length, 'query', 'queries')} as a file`}
    />
  )
}
