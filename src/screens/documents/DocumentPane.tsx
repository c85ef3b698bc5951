import { useAtomValue } from 'jotai'
import { describedCollectionsAtom } from '~/atoms/documents/collections'
import {
  type DocumentState,
  documentStatesAtom,
  pastDocumentsAtom,
} from '~/atoms/documents/document'
import { writtenDocumentAtom } from '~/atoms/documents/write'
import { asOfAtom, asOfTxAtom } from '~/atoms/history/as-of'
import { unreadableDocument } from '~/atoms/revisions/history'
import { failureWords, sentence, technicalDetails } from '~/atoms/session/failure'
import { timezoneAtom } from '~/atoms/settings/view'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { formatMoment, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { CheckIcon, ChevronRightIcon, CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { TxLink } from '~/ui/TxLink'
import { Unanswered } from '~/ui/Unanswered'
import { useNarrow } from '~/ui/use-narrow'
import { ValueView } from '~/ui/ValueView'
import { Receipt } from '../proof/Receipt'
import { useDocumentsAddress } from './address'
import { DocumentActions } from './DocumentActions'
import { DocumentForm } from './DocumentForm'
import { useDocumentDrafts } from './use-document-drafts'

/** The open document, or the form that writes one. */
export function DocumentPane() {
  const { database, collection, id, revision } = useDocumentsAddress()
  const { draft } = useDocumentDrafts()
  const isWritten = draft !== null && draft.id === id && draft.collection === collection
  return (
    <section
      aria-label="Document"
      className="h-full overflow-auto bg-page outline-none"
      id="open-document"
      tabIndex={-1}
    >
      <Bar isNew={id === null} />
      {!isWritten && <Unfinished />}
      {!isWritten && <Written />}
      <SectionBoundary
        details={technicalDetails}
        isPane
        resetKey={`${database} ${collection} ${id} ${revision}`}
        what="The document"
      >
        {isWritten ? (
          <DocumentForm key={`${database} ${collection} ${id}`} />
        ) : (
          id !== null && <Looked id={id} key={`${database} ${collection} ${id} ${revision}`} />
        )}
      </SectionBoundary>
    </section>
  )
}

function Bar({ isNew }: { isNew: boolean }) {
  const { go } = useDocumentsAddress()
  const { discard, reasonAgainstDiscard, draft } = useDocumentDrafts()
  const isNarrow = useNarrow()
  // An untouched form for a new document goes when it is left.
  const leave = () => (isNew && draft?.id === null ? discard() : go({ id: null, revision: '' }))
  const reason = isNew ? reasonAgainstDiscard : undefined
  return (
    <div className="flex items-center border-line border-b bg-panel px-2 py-1">
      {isNarrow ? (
        <Button
          disabledReason={reason}
          icon={<ChevronRightIcon className="rotate-180" />}
          onClick={leave}
          size="small"
          variant="quiet"
        >
          {isNew ? 'Discard' : 'All documents'}
        </Button>
      ) : (
        !isNew && (
          <span className="ms-auto">
            <IconButton
              icon={<CloseIcon />}
              label="Close the document"
              onClick={leave}
              size="small"
            />
          </span>
        )
      )}
    </div>
  )
}

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDocumentDrafts()
  if (!draft) return null
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warning-tint px-4 py-2 text-sm"
      role="status"
    >
      <span className="min-w-0 grow break-words [overflow-wrap:anywhere]">
        {draft.id === null ? 'A new document' : `A change of document ${draft.id}`} of{' '}
        <SafeName text={draft.collection} /> is not saved yet.
      </span>
      <Button onClick={resume} size="small">
        Continue
      </Button>
      <Button disabledReason={reasonAgainstDiscard} onClick={discard} size="small" variant="quiet">
        Discard
      </Button>
    </div>
  )
}

/** What the last write did, as long as its document is open. */
function Written() {
  const { database, collection, id } = useDocumentsAddress()
  const written = useAtomValue(writtenDocumentAtom)
  const isIts =
    written?.id === id && written?.collection === collection && written?.database === database
  if (!written || !isIts) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-4">
      <p className="flex items-center gap-2 text-sm" role="status">
        <span className="text-success">
          <CheckIcon />
        </span>
        {written.text}
      </p>
      {written.tx !== null && (
        <Boundary fallback={() => null}>
          <Receipt
            database={database}
            says={`Transaction ${formatTx(written.tx)} is in the history`}
            tx={written.tx}
          />
        </Boundary>
      )}
    </div>
  )
}

/** The document as it is, or as of the moment that is looked at. */
function Looked({ id }: { id: string }) {
  const { revision } = useDocumentsAddress()
  const { kind } = useAtomValue(asOfAtom)
  const tx = useAtomValue(asOfTxAtom)
  if (tx !== null && revision === '') return <AskedPast id={id} tx={tx} />
  if (tx !== null || kind === 'now' || kind === 'period') return <Asked id={id} />
  return (
    <p className="p-4">
      {kind === 'finding'
        ? 'Waiting for the moment…'
        : 'The document is not shown, because this moment cannot be. The line at the top says why.'}
    </p>
  )
}

function AskedPast({ id, tx }: { id: string; tx: string }) {
  const { database, collection } = useDocumentsAddress()
  const atom = useAtomValue(pastDocumentsAtom)(database, collection ?? '', id, tx)
  return <Answer asked={useAtomValue(atom)} id={id} />
}

function Asked({ id }: { id: string }) {
  const { database, collection, revision } = useDocumentsAddress()
  const atom = useAtomValue(documentStatesAtom)(database, collection ?? '', id, revision)
  return <Answer asked={useAtomValue(atom)} id={id} />
}

type Asked = { data: DocumentState | undefined; error: Error | null; refetch: () => unknown }

function Answer({ asked, id }: { asked: Asked; id: string }) {
  const { data, error } = asked
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <div className="flex items-start gap-1">
        <h2 className="min-w-0 break-words font-mono text-lg [overflow-wrap:anywhere]">
          <SafeName text={id} />
        </h2>
        <span className="-my-2.5 xs:my-0">
          <CopyButton size="tiny" text={id} what="the id" />
        </span>
      </div>
      {data && error && (
        <p className="text-sm text-warning" role="status">
          This is the document as last read. {sentence(error)}
        </p>
      )}
      {data ? (
        <Known id={id} state={data} />
      ) : (
        <Unanswered asked={asked} lines={5} words={failureWords} />
      )}
    </div>
  )
}

function Known({ id, state }: { id: string; state: DocumentState }) {
  const { database, collection, revision, pathOf } = useDocumentsAddress()
  const described = useAtomValue(useAtomValue(describedCollectionsAtom)(database))
  const of = described.data?.find(({ name }) => name === collection)
  const tx = useAtomValue(asOfTxAtom)
  const isTooNew = tx !== null && 'revision' in state && BigInt(state.revision.tx) > BigInt(tx)
  return (
    <>
      <Facts state={state} />
      {revision !== '' && (
        <p className="text-sm">
          This is revision {revision}.{' '}
          <Link className="text-primary underline" to={pathOf({ revision: '' })}>
            {tx === null ? 'Show the newest' : `Show that of tx ${formatTx(tx)}`}
          </Link>
        </p>
      )}
      {isTooNew && (
        <p className="text-sm text-warning" role="status">
          It did not exist yet at tx {formatTx(tx)}.
        </p>
      )}
      <DocumentActions id={id} idField={of?.idField ?? null} state={state} />
      <Content state={state} />
    </>
  )
}

function Facts({ state }: { state: DocumentState }) {
  const { database } = useDocumentsAddress()
  const timezone = useAtomValue(timezoneAtom)
  if (!('revision' in state)) return null
  const { revision, tx, ts, author } = state.revision
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      {state.kind === 'deleted' && <Badge tone="warning">Deleted</Badge>}
      <span>revision {revision}</span>
      {author !== '' && (
        <span>
          by <SafeName text={author} />
        </span>
      )}
      <span className="font-mono">
        <TxLink database={database} id={tx} />
      </span>
      <time>{formatMoment(Number(ts) * 1_000, timezone)}</time>
    </div>
  )
}

function Content({ state }: { state: DocumentState }) {
  const { database, revision } = useDocumentsAddress()
  const tx = useAtomValue(asOfTxAtom)
  const then = tx !== null && revision === '' ? `At tx ${formatTx(tx)} ` : ''
  switch (state.kind) {
    case 'absent':
      return (
        <p>
          {revision === ''
            ? 'The collection never had a document with this id.'
            : 'The server reports no such revision of this document.'}
        </p>
      )
    case 'not-yet':
      return (
        <p>
          {then}this document did not exist yet. It was first written in{' '}
          <TxLink database={database} id={state.first} />.
        </p>
      )
    case 'deleted':
      return (
        <p>
          {then === '' ? 'This' : `${then}this`} document was deleted: it is no longer listed or
          found. Its history has the revisions before.
        </p>
      )
    case 'hidden':
      return <p>{unreadableDocument[state.why]}</p>
    case 'live':
      return <Json document={state.document} />
  }
}

function Json({ document }: { document: DocumentFields }) {
  const large = Object.values(document).some(hasLargeNumber)
  return (
    <section aria-label="Content" className="grid grid-cols-1 gap-2">
      <ValueView
        name="the document"
        value={bytesToBase64(encodeUtf8(documentJson(document, '')))}
      />
      {large && (
        <p className="text-muted text-sm">
          It has numbers above 2^53. immudb stores numbers as doubles, so they may differ from what
          was sent.
        </p>
      )}
    </section>
  )
}

function hasLargeNumber(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasLargeNumber)
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}
