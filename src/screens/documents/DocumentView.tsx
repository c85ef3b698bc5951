import { useAtomValue } from 'jotai'
import { describedCollectionsAtom } from '~/atoms/documents/collections'
import {
  type DocumentState,
  documentStatesAtom,
  pastDocumentsAtom,
  provenDocumentStateAtom,
} from '~/atoms/documents/document'
import { asOfAtom, asOfTxAtom } from '~/core/history/as-of'
import { failureWords, sentence } from '~/core/session/failure-words'
import { formatTx } from '~/lib/text'
import { CopyButton } from '~/ui/CopyButton'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { Unanswered } from '~/ui/Unanswered'
import { useDocumentsAddress } from './address'
import { DocumentActions } from './DocumentActions'
import { Content } from './DocumentContent'
import { Origin } from './DocumentOrigin'

/** The document as it is, or as of the moment that is looked at. */
export function Looked({ id }: { id: string }) {
  const { revision } = useDocumentsAddress()
  const { kind } = useAtomValue(asOfAtom)
  const tx = useAtomValue(asOfTxAtom)
  if (tx !== null && revision === '') return <AskedPast id={id} tx={tx} />
  if (tx !== null || kind === 'now' || kind === 'period') return <Asked id={id} />
  return (
    <p className="p-4">
      {kind === 'finding'
        ? 'Waiting for the moment…'
        : 'This moment cannot be shown. The line at the top says why.'}
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
  const { database, collection } = useDocumentsAddress()
  const drawn = useAtomValue(provenDocumentStateAtom)
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <div className="flex items-start gap-1">
        <h2 className="min-w-0 font-mono text-lg [overflow-wrap:anywhere]">
          <SafeName text={id} />
        </h2>
        <span className="-my-2.5 xs:my-0">
          <CopyButton size="tiny" text={id} what="the id" />
        </span>
      </div>
      {data && error && (
        <p className="text-sm text-warning" role="status">
          This is the document as last read. <Sentence text={sentence(error)} />
        </p>
      )}
      {data ? (
        <Known id={id} state={drawn(database, collection ?? '', id, data)} />
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
      <Origin state={state} />
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
