import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import type { TxEntries } from '~/api/transactions'
import { provenTransactionAtom } from '~/atoms/transactions/proven-transaction'
import { isUnknownTx, txsAtom, txValuesAtom } from '~/atoms/transactions/transaction'
import { useAct } from '~/core/act'
import { presentTxAtom } from '~/core/history/newest-state'
import { txHash } from '~/core/history/transaction-memory'
import { timezoneAtom } from '~/core/page-view'
import { failureWords, technicalDetails } from '~/core/session/failure-words'
import { isTxId, writeAt } from '~/immudb/moment'
import { base64ToBytes, base64ToHex, decodeUtf8 } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { counted, formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { storedEntry } from '~/proof/stored-entry'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { openProofDrawer } from '~/trust/proof-drawer'
import { prove } from '~/trust/prove'
import { saidLeaf, txPageQuestion } from '~/trust/questions'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { focusContent } from '~/ui/focus-content'
import { Hash } from '~/ui/Hash'
import { ShieldIcon, TransactionsIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { useNavigate } from '~/ui/location'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { TxLink } from '~/ui/TxLink'
import { Unanswered } from '~/ui/Unanswered'
import { useShortcut } from '~/ui/use-shortcut'
import { useNaming } from '../moments/use-naming'
import { VerifyPageOffer } from '../proof/VerifyPageOffer'
import { Entries } from './Entries'
import { Kinds } from './TxCells'

type Props = { database: string; id: string }

/** One transaction: its header and what it changed. */
export function OneTransaction({ database, id }: Props) {
  if (isTxId(id)) return <Known database={database} id={id} />
  return (
    <Missing
      database={database}
      text={`“${id.slice(0, 40)}${id.length > 40 ? '…' : ''}” is not the number of a transaction. They are numbered from 1.`}
    />
  )
}

function Missing({ database, text }: { database: string; text: string }) {
  const newest = useAtomValue(presentTxAtom)
  return (
    <section aria-label="Transaction" className="h-full overflow-auto bg-panel">
      <h1 className="sr-only">Transaction not found</h1>
      <EmptyState
        action={
          <span className="flex flex-wrap justify-center gap-4">
            <Link className="text-primary underline" to={pathTo('transactions', { db: database })}>
              All transactions
            </Link>
            {newest !== '0' && (
              <span>
                Newest: <TxLink database={database} id={newest} />
              </span>
            )}
          </span>
        }
        icon={<TransactionsIcon />}
        text={<SafeText text={text} />}
        title="No such transaction"
      />
    </section>
  )
}

function Known({ database, id }: Props) {
  const newest = useAtomValue(presentTxAtom)
  const asked = useAtomValue(useAtomValue(txsAtom)(database, id))
  const { data, error } = asked
  const proven = useAtomValue(provenTransactionAtom)
  const drawn = useMemo(() => data && proven(database, data), [data, database, proven])
  if (drawn) return <Shown database={database} tx={drawn} />
  if (error && isUnknownTx(error)) {
    const text =
      newest === '0'
        ? 'The database has no transactions yet.'
        : `No transaction ${formatTx(id)}; the newest is ${formatTx(newest)}.`
    return <Missing database={database} text={text} />
  }
  return (
    <section aria-label="Transaction" className="h-full overflow-auto bg-panel p-3">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-medium text-lg">Transaction {formatTx(id)}</h1>
        <Neighbours database={database} id={id} />
      </div>
      <Unanswered asked={asked} lines={8} words={failureWords} />
    </section>
  )
}

function Shown({ database, tx }: { database: string; tx: TxEntries }) {
  const { id } = tx.header
  return (
    <SectionBoundary details={technicalDetails} isPane resetKey={id} what="The transaction">
      <Entries
        database={database}
        head={
          <>
            <Head database={database} tx={tx} />
            <Header database={database} tx={tx} />
          </>
        }
        tx={tx}
      />
    </SectionBoundary>
  )
}

type TxProps = { database: string; tx: TxEntries }

function Head({ database, tx }: TxProps) {
  const { id } = tx.header
  const verify = useAct(openProofDrawer)
  const ask = useAct(prove)
  const naming = useNaming()
  const write = useAct(writeEvidenceFile)
  const { data: values } = useAtomValue(useAtomValue(txValuesAtom)(database, id))
  const question = () =>
    txPageQuestion({
      database,
      tx,
      hash: txHash(tx.header),
      values: values?.byKey ?? new Map(),
      said: [
        ...saidIn(tx),
        ...(values?.tooLarge.includes('keys')
          ? [saidLeaf('the value', '', 'values read alone')]
          : []),
      ],
    })
  const asOf = pathTo('query', { db: database, at: writeAt({ kind: 'tx', id }) })
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-medium text-lg">Transaction {formatTx(id)}</h1>
        <Kinds tx={tx} />
        <Neighbours database={database} id={id} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          icon={<ShieldIcon />}
          onClick={() => {
            const asked = question()
            void verify({ what: asked.what, questions: [asked] })
          }}
          variant="primary"
        >
          Verify
        </Button>
        <SaveButton
          details={technicalDetails}
          saved={<VerifyPageOffer />}
          text="Save evidence"
          write={async () => {
            const { verification } = await ask(question())
            return [await write(verification)]
          }}
        />
        <Button aria-haspopup="dialog" onClick={() => naming.open(id)}>
          Name this moment…
        </Button>
        {naming.dialog}
        <Link className="px-1 text-primary underline" to={asOf}>
          Open the database as of this transaction
        </Link>
        <Link
          className="px-1 text-primary underline"
          to={pathTo('transactions', { db: database, tx: id })}
        >
          All transactions
        </Link>
      </div>
    </header>
  )
}

/** What the page draws with the entries and no proof of their transaction covers. */
function saidIn({ entries }: TxEntries) {
  const kinds = new Set((entries ?? []).map(({ key }) => storedEntry(base64ToBytes(key)).kind))
  const isOfTables = kinds.has('row') || kinds.has('catalogue') || kinds.has('index-entry')
  const isOfCollections =
    kinds.has('document') || kinds.has('collection-catalogue') || kinds.has('document-index-entry')
  return [
    ...(isOfTables ? [saidLeaf('the names of the table and its columns', '')] : []),
    ...(isOfCollections ? [saidLeaf('the collection', '', 'the names of collections')] : []),
    ...(kinds.has('document') ? [saidLeaf('the document', '', 'the content of documents')] : []),
    ...(kinds.has('row') || kinds.has('document') ? [saidLeaf('what it was before', '')] : []),
  ]
}

function Neighbours({ database, id }: { database: string; id: string }) {
  const newest = useAtomValue(presentTxAtom)
  const navigate = useNavigate()
  const at = BigInt(id)
  const go = (to: bigint) => {
    focusContent()
    navigate(pathTo('transactions', { db: database, id: String(to) }))
  }
  const isFirst = at === 1n
  // The newest known number may be behind.
  const isNewest = newest !== '0' && at >= BigInt(newest)
  useShortcut('list', 'before', () => go(at - 1n), { isOn: !isFirst })
  useShortcut('list', 'after', () => go(at + 1n), { isOn: !isNewest })
  return (
    <span className="ms-auto flex gap-2">
      <Button
        aria-label="Previous transaction"
        disabledReason={isFirst ? 'This is the first transaction.' : undefined}
        onClick={() => go(at - 1n)}
        size="small"
        title="Previous transaction ([)"
      >
        ← Previous
      </Button>
      <Button
        aria-label="Next transaction"
        disabledReason={isNewest ? 'This is the newest transaction.' : undefined}
        onClick={() => go(at + 1n)}
        size="small"
        title="Next transaction (])"
      >
        Next →
      </Button>
    </span>
  )
}

function Header({ database, tx }: TxProps) {
  const zone = useAtomValue(timezoneAtom)
  const [isOpen, setOpen] = useState(false)
  const { header } = tx
  const { id, ts, nentries, metadata } = header
  const hash = txHash(header)
  const note = noteIn(metadata.extra)
  return (
    <section aria-label="Header" className="grid gap-2">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        <HeaderFact name="Committed">
          {formatMoment(Number(ts) * 1_000, zone)}
          <Muted>by the clock of the server</Muted>
        </HeaderFact>
        <HeaderFact name="Entries">{counted(nentries, 'entry', 'entries')}</HeaderFact>
        <HeaderFact name="Hash">
          {hash === null ? '–' : <Hash hash={base64ToHex(hash)} what={`hash of tx ${id}`} />}
          <Muted>over this transaction and all before it</Muted>
        </HeaderFact>
        {metadata.truncatedTxID !== '0' && (
          <HeaderFact name="Truncation">
            Values from before <TxLink database={database} id={metadata.truncatedTxID} /> may be
            gone. Headers and digests stay.
          </HeaderFact>
        )}
        {note !== null && (
          <HeaderFact name="Note of the server">
            <SafeText text={note} />
            <Muted>for documents the user who wrote them</Muted>
          </HeaderFact>
        )}
        {isOpen && <MoreFacts database={database} header={header} />}
      </dl>
      <span className="-ms-2.5">
        <Button
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          size="small"
          variant="quiet"
        >
          {isOpen ? 'Hide header fields' : 'Show all header fields'}
        </Button>
      </span>
    </section>
  )
}

/** What the engine noted about the transaction, as text; null for nothing. */
function noteIn(extra: string): string | null {
  if (extra === '') return null
  return decodeUtf8(base64ToBytes(extra)) ?? `hex ${base64ToHex(extra)}`
}

type FactsProps = { database: string; header: TxEntries['header'] }

function MoreFacts({ database, header }: FactsProps) {
  const { id, prevAlh, eH, blTxId, blRoot, version } = header
  return (
    <>
      <HeaderFact name="Hash before">
        {prevAlh === '' ? '–' : <Hash hash={base64ToHex(prevAlh)} what="hash before" />}
        <Muted>
          {id === '1' ? (
            'of an empty history'
          ) : (
            <>
              the hash of <TxLink database={database} id={String(BigInt(id) - 1n)} />
            </>
          )}
        </Muted>
      </HeaderFact>
      <HeaderFact name="Hash of the entries">
        {eH === '' ? '–' : <Hash hash={base64ToHex(eH)} what="hash of the entries" />}
        <Muted>the root of a tree over the digests of all entries</Muted>
      </HeaderFact>
      <HeaderFact name="Tree">
        {blTxId === '0' ? (
          'empty'
        ) : (
          <>
            up to <TxLink database={database} id={blTxId} />
          </>
        )}
        <Muted>which transactions the tree over the history covers</Muted>
      </HeaderFact>
      <HeaderFact name="Root of the tree">
        {blRoot === '' ? '–' : <Hash hash={base64ToHex(blRoot)} what="root of the tree" />}
        <Muted>ties all transactions up to there to this one</Muted>
      </HeaderFact>
      <HeaderFact name="Format">
        version {formatCount(version)}
        <Muted>of the header</Muted>
      </HeaderFact>
    </>
  )
}

function HeaderFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

function Muted({ children }: { children: ReactNode }) {
  return <span className="text-muted"> · {children}</span>
}
