import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { checkDelete, deleteKey, deleteStateAtom, resetDeletion } from '~/atoms/keys/key-write'
import { deleteBrowserQueries, queryNotKept } from '~/atoms/queries/browser-queries'
import type { SavedQuery } from '~/atoms/queries/open-query'
import { type FileQuery, queriesExport } from '~/atoms/queries/query-files'
import { copyOf } from '~/atoms/queries/query-saving'
import type { SharedQuery, UnreadableKey } from '~/atoms/queries/shared-queries'
import { openRevisionsAtom } from '~/atoms/revisions/open-revisions'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { timezoneAtom } from '~/core/page-view'
import { lackingAtom } from '~/core/session/server-version'
import { keyToAddress } from '~/immudb/key-address'
import { sharedPrefix } from '~/immudb/saved-query'
import { pathTo } from '~/lib/paths'
import { formatMoment } from '~/lib/time'
import { openProofDrawer } from '~/trust/proof-drawer'
import { keyQuestions } from '~/trust/questions'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { ExportBar } from '~/ui/ExportBar'
import { LinkIcon, ShieldIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeName, SafeText } from '~/ui/SafeText'
import { TxLink } from '~/ui/TxLink'
import { showToast } from '~/ui/toast'
import { ChangedValue } from '../../tables/ChangedValue'
import { queryLink } from '../query-link'
import { QueryParts } from './QueryParts'

type Props = {
  query: SavedQuery
  onOpen: () => void
  /** Shows the form for a query: over the version of a mark, or as a new one. */
  onEdit: (of: FileQuery, base: string | null) => void
  /** It was deleted from this browser; `undo` brings it back. */
  onDeleted: (name: string, undo: () => Promise<void>) => void
  /** Closes the list, for what opens over the page. */
  onLeave: () => void
}

/** One saved query, and what can be done with it. */
export function QueryDetails({ query, onOpen, onEdit, onDeleted, onLeave }: Props) {
  const zone = useAtomValue(timezoneAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const isShared = query.place === 'shared'
  const of = contentOf(query)
  return (
    <section aria-label="The chosen query" className="grid min-w-0 grid-cols-1 content-start gap-2">
      <h3 className="font-medium [overflow-wrap:anywhere]">
        <SafeName text={query.name} />
      </h3>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm [overflow-wrap:anywhere]">
        {query.folder !== '' && <SafeName text={query.folder} />}
        <span>
          for <SafeName text={query.database} />
        </span>
        {query.place === 'browser' ? (
          <span>saved {formatMoment(query.at, zone)}</span>
        ) : (
          <TxLink database={query.database} id={query.mark} />
        )}
      </p>
      {query.description !== '' && (
        <p className="max-h-24 overflow-auto whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          <SafeText lines text={query.description} />
        </p>
      )}
      <div className="max-h-[18dvh] overflow-auto rounded border border-line bg-page px-2 py-1 text-sm">
        <ChangedValue text={query.text} />
      </div>
      <QueryParts {...query} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={onOpen} size="small" variant="primary">
          Open in an editor
        </Button>
        <Button
          disabledReason={isShared ? refusal : undefined}
          onClick={() => onEdit(of, query.mark)}
          size="small"
        >
          Rename or move…
        </Button>
        <Button onClick={() => onEdit(copyOf(of), null)} size="small">
          Duplicate…
        </Button>
        <CopyButton
          icon={<LinkIcon />}
          text={() => queryLink({ db: query.database, query: query.id })}
          what="the link"
        />
        <ExportOne query={query} />
        {query.place === 'shared' ? (
          <OfKey onLeave={onLeave} query={query} refusal={refusal} />
        ) : (
          <DeleteOwn id={query.id} name={query.name} onDeleted={onDeleted} />
        )}
      </div>
      {!isShared && (
        <p className="text-muted text-sm">
          Its link works in this browser only. Duplicate it into the database to share it.
        </p>
      )}
      {isShared && refusal !== undefined && (
        <p className="text-muted text-sm">Shared queries cannot be changed here. {refusal}</p>
      )}
    </section>
  )
}

function contentOf(query: SavedQuery): FileQuery {
  const { id, name, folder, description, text, parameters, chart, database } = query
  return {
    ...{ id, name, folder, description, text, database },
    ...(parameters && { parameters }),
    ...(chart && { chart }),
  }
}

function ExportOne({ query }: { query: SavedQuery }) {
  const bar = useExport(queriesExport(query.name, [query]))
  return (
    <ExportBar
      {...bar}
      formats={[{ format: 'json', label: 'JSON', detail: 'to import it elsewhere' }]}
      label="Export this query"
      title="Saves this query as a file"
    />
  )
}

type DeleteProps = { id: string; name: string; onDeleted: Props['onDeleted'] }

function DeleteOwn({ id, name, onDeleted }: DeleteProps) {
  const remove = useAct(deleteBrowserQueries)
  const forget = () =>
    void remove(new Set([id])).then(
      (undo) => onDeleted(name, undo),
      () => showToast({ kind: 'error', text: queryNotKept }),
    )
  return (
    <Button onClick={forget} size="small">
      Delete
    </Button>
  )
}

type OfKeyProps = { query: SharedQuery; refusal: string | undefined; onLeave: () => void }

/** What can be done with a shared query because it is a key. */
function OfKey({ query, refusal, onLeave }: OfKeyProps) {
  const [isDeleting, setDeleting] = useState(false)
  const reset = useAct(resetDeletion)
  const cannotDelete = useAtomValue(lackingAtom)('deletingKeys')
  const openRevisions = useSetAtom(openRevisionsAtom)
  const openProof = useAct(openProofDrawer)
  const { database, entry, name } = query
  const { key, tx, value, expiresAt } = entry
  return (
    <>
      <Button
        icon={<ShieldIcon />}
        onClick={() => {
          onLeave()
          const what = `query “${name}”`
          const questions = keyQuestions({
            ...{ database, key, what, tx },
            ...{ state: 'live', value, expiresAt, target: null },
          })
          void openProof({ what, questions })
        }}
        size="small"
      >
        Verify
      </Button>
      <Button
        onClick={() => {
          onLeave()
          openRevisions({ kind: 'key', database, key })
        }}
        size="small"
      >
        History
      </Button>
      <Button
        disabledReason={cannotDelete ?? refusal}
        onClick={() => {
          reset()
          setDeleting(true)
        }}
        size="small"
      >
        Delete…
      </Button>
      <KeyLink database={database} keyName={key} onLeave={onLeave} />
      {isDeleting && <DeleteShared onClose={() => setDeleting(false)} query={query} />}
    </>
  )
}

type KeyLinkProps = { database: string; keyName: string; onLeave: () => void }

function KeyLink({ database, keyName, onLeave }: KeyLinkProps) {
  return (
    <span className="self-center" onClickCapture={onLeave}>
      <Link
        className="px-1 text-primary text-sm underline"
        to={pathTo('keys', { db: database, key: keyToAddress(keyName) })}
      >
        Show its key
      </Link>
    </span>
  )
}

function DeleteShared({ query, onClose }: { query: SharedQuery; onClose: () => void }) {
  const remove = useAct(deleteKey)
  const check = useAct(checkDelete)
  const state = useAtomValue(deleteStateAtom)
  return (
    <AskDialog
      action="Delete the query"
      description={`“${query.name}” is no longer listed for anyone. Its text stays in the history of ${query.database}, where it can be read and restored.`}
      isDanger
      onAction={() => remove(query.entry.key)}
      onClose={onClose}
      title="Delete this shared query?"
      write={{
        state,
        database: query.database,
        notDone: 'Nothing was deleted.',
        notKnown: 'this was deleted',
        onCheck: () => check(),
      }}
    >
      <p className="text-sm">
        The key{' '}
        <span className="font-mono [overflow-wrap:anywhere]">{sharedPrefix + query.id}</span> is
        deleted. The deletion is a new revision.
      </p>
    </AskDialog>
  )
}

type UnreadableProps = { database: string; of: UnreadableKey; onLeave: () => void }

/** A key under the prefix that holds no query. */
export function UnreadableDetails({ database, of, onLeave }: UnreadableProps) {
  return (
    <section
      aria-label="The chosen key"
      className="grid min-w-0 grid-cols-1 content-start gap-2 text-sm"
    >
      <h3 className="font-medium">This key cannot be read as a query</h3>
      <p>{of.why} The console leaves it as it is, and shows the others.</p>
      <p>
        <KeyLink database={database} keyName={of.key} onLeave={onLeave} />
      </p>
    </section>
  )
}
