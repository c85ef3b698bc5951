import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import {
  continueSearchAtom,
  type FoundDocument,
  type ShownSearch,
  searchesAtom,
} from '~/atoms/documents/search'
import { hasDocumentSessionAtom, NoDocumentSession } from '~/atoms/documents/session'
import { failureWords } from '~/atoms/session/failure'
import { type Collection, fieldOf } from '~/immudb/collection'
import { documentJson } from '~/immudb/document-json'
import { addressLength } from '~/immudb/document-query'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { Grid } from '~/ui/Grid'
import type { Cell, GridColumn } from '~/ui/grid/cell'
import { DocumentIcon, LockIcon } from '~/ui/Icon'
import { Skeleton } from '~/ui/Skeleton'
import { useDocumentsAddress } from './address'
import { ExportDocuments } from './ExportDocuments'
import { SearchForm } from './SearchForm'
import { SessionDialog } from './SessionDialog'
import { useDocumentDrafts } from './use-document-drafts'

/** The documents that a search finds; without one, all of them. */
export function Documents({ of }: { of: Collection }) {
  const { search, go, isBroken } = useDocumentsAddress()
  // A search that is too long for an address stands here.
  const [long, setLong] = useState<string | null>(null)
  const name = long ?? search
  const show = (next: string) => {
    const fits = next.length <= addressLength
    setLong(fits ? null : next)
    go({ search: fits ? next : '' })
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      {isBroken && (
        <p className="px-3 py-2 text-sm text-warning">
          The search in the address cannot be read. All documents are shown.
        </p>
      )}
      <SearchForm key={name} of={of} onSearch={show} search={name} />
      {long !== null && (
        <p className="px-3 pb-2 text-muted text-sm">
          This search is too long for an address, so a link to this page does not have it.
        </p>
      )}
      <Found key={`${of.name} ${name}`} name={name} of={of} onAll={() => show('')} />
    </div>
  )
}

type FoundProps = { of: Collection; name: string; onAll: () => void }

function Found({ of, name, onAll }: FoundProps) {
  const { database, id } = useDocumentsAddress()
  const { draft } = useDocumentDrafts()
  const [search, tell] = useAtom(useAtomValue(searchesAtom)(database, of.name, name))
  const hasSession = useAtomValue(hasDocumentSessionAtom)(database)
  const more = useSetAtom(continueSearchAtom)
  // A document that is open, or being written, needs no session.
  const [isAsking, setAsking] = useState(
    !hasSession && id === null && draft?.collection !== of.name,
  )
  const isLost = search?.error instanceof NoDocumentSession
  const dialog = isAsking && (
    <SessionDialog
      isAgain={isLost}
      onClose={() => setAsking(false)}
      onOpened={() => {
        setAsking(false)
        // A search that was under way goes on where it stopped.
        void (isLost && search.documents.length > 0 ? more() : tell('start'))
      }}
    />
  )
  if (!search || (isLost && search.documents.length === 0)) {
    return (
      <>
        {dialog}
        <EmptyState
          action={
            <Button onClick={() => setAsking(true)} variant="primary">
              Open document session…
            </Button>
          }
          icon={<LockIcon />}
          text="The server searches documents only in a session, which needs your password. Counts, the structure and a document by its link need none."
          title={isLost ? 'The session has ended' : 'Searching needs a session'}
        />
      </>
    )
  }
  return (
    <>
      {dialog}
      <Result name={name} of={of} onAll={onAll} search={search} />
      {search.error !== null &&
        (isLost ? (
          <p className="flex flex-wrap items-center gap-2 px-3 py-2 text-sm" role="status">
            The server has ended the session.
            <Button onClick={() => setAsking(true)} size="small">
              Open document session…
            </Button>
          </p>
        ) : (
          <div className="p-3">
            <ErrorNote
              {...failureWords(search.error)}
              notDone="No more documents were read."
              onRetry={() => void more()}
            />
          </div>
        ))}
    </>
  )
}

type ResultProps = FoundProps & { search: ShownSearch }

function Result({ of, name, search, onAll }: ResultProps) {
  const { documents, isBusy, next, tooLarge, error } = search
  const { startNew } = useDocumentDrafts()
  if (documents.length === 0) {
    if (isBusy) {
      return (
        <div className="p-4">
          <Skeleton lines={6} />
        </div>
      )
    }
    if (error !== null || next !== null) return null
    const isAll = name === ''
    return tooLarge > 0 ? (
      <p className="p-4 text-sm">{largeWords(tooLarge)}</p>
    ) : (
      <EmptyState
        action={
          isAll ? (
            <Button onClick={() => startNew(of.name)}>Write the first document</Button>
          ) : (
            <Button onClick={onAll}>Show all documents</Button>
          )
        }
        icon={<DocumentIcon />}
        text={
          isAll
            ? 'Nothing has been inserted into this collection, or all was deleted.'
            : 'No document of the collection meets this search.'
        }
        title="No documents"
      />
    )
  }
  return (
    <>
      <div className="min-h-0 grow">
        <FoundGrid documents={documents} of={of} />
      </div>
      <Foot of={of} search={search} />
    </>
  )
}

function largeWords(count: number): string {
  return `${counted(count, 'document')} larger than 4 MiB cannot be listed. Open one by its id.`
}

function Foot({ of, search }: { of: Collection; search: ShownSearch }) {
  const more = useSetAtom(continueSearchAtom)
  const { documents, next, tooLarge, isBusy, error } = search
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-1 text-muted text-sm">
      <span role="status">
        {counted(documents.length, 'document')}
        {next !== null && ', more exist'}
      </span>
      {tooLarge > 0 && <span className="text-warning">{largeWords(tooLarge)}</span>}
      <span className="ms-auto flex flex-wrap items-center gap-2">
        <ExportDocuments of={of} query={search.of.query} />
        {next !== null && error === null && (
          <Button busy={isBusy} onClick={() => void more()} size="small">
            Read more documents
          </Button>
        )}
      </span>
    </footer>
  )
}

function FoundGrid({ of, documents }: { of: Collection; documents: readonly FoundDocument[] }) {
  const { id, go } = useDocumentsAddress()
  const others = useMemo(() => otherNames(of, documents), [of, documents]).join('\n')
  const names = useMemo(
    () => [...of.fields.map((field) => field.name), ...(others === '' ? [] : others.split('\n'))],
    [of, others],
  )
  const columns = useMemo(
    () =>
      names.map((name, at): GridColumn => {
        const type = of.fields[at]?.type
        const isNumber = type === 'INTEGER' || type === 'DOUBLE'
        return { title: name, align: isNumber ? 'end' : 'start', ...(type ? { detail: type } : {}) }
      }),
    [names, of],
  )
  const cell = useMemo(
    () =>
      (row: number, column: number): Cell => {
        const document = documents[row]?.document
        const name = names[column]
        if (!document || name === undefined) return { kind: 'empty', text: '' }
        const isOwn = column >= of.fields.length || Object.hasOwn(document, name)
        return cellOf(isOwn ? ownValue(document, name) : fieldOf(document, name))
      },
    [documents, names, of],
  )
  const at = documents.findIndex((one) => one.id === id)
  return (
    <Grid
      cell={cell}
      columns={columns}
      label={`Documents of ${of.name}`}
      maxHeight="fill"
      onOpen={(row) => go({ id: documents[row]?.id ?? null, revision: '' })}
      rowCount={documents.length}
      selected={new Set(at < 0 ? [] : [at])}
    />
  )
}

/** Most columns for fields that the collection does not declare. */
const mostOthers = 30

/** Names of fields that are not declared, in the order in which documents have them. */
function otherNames(of: Collection, documents: readonly FoundDocument[]): string[] {
  const declared = new Set(of.fields.flatMap(({ name }) => [name, name.split('.')[0]]))
  const found = new Set<string>()
  for (const { document } of documents) {
    for (const name of Object.keys(document)) {
      // A line break parts the names here.
      if (!declared.has(name) && !name.includes('\n')) found.add(name)
    }
    if (found.size >= mostOthers) break
  }
  return [...found].slice(0, mostOthers)
}

function ownValue(document: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(document, name) ? document[name] : undefined
}

function cellOf(value: unknown): Cell {
  if (value === undefined) return { kind: 'empty', text: '' }
  if (value === null) return { kind: 'null', text: 'null' }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  if (typeof value === 'number') return { kind: 'number', text: documentJson(value) }
  if (typeof value === 'string') {
    return value === '' ? { kind: 'text', text: '""' } : { kind: 'text', text: value }
  }
  return { kind: 'json', text: documentJson(value) }
}
