import { useAtomValue } from 'jotai'
import type { TxEntries } from '~/api/transactions'
import { type Touched, touchedBy } from '~/atoms/transactions/tx-kind'
import { txPagesAtom } from '~/atoms/transactions/tx-list'
import { collectionNameAtom, tableViewAtom } from '~/atoms/transactions/tx-tables'
import { formatCount, formatTx } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { SafeName } from '~/ui/SafeText'

/** Names that a row shows. */
const mostNames = 6

/** The tables, collections and first keys of a transaction. */
export function TouchedNames({ database, tx }: { database: string; tx: TxEntries }) {
  const { header, entries } = tx
  const { truncatedTxID } = header.metadata
  if (truncatedTxID !== '0') return `Values from before tx ${formatTx(truncatedTxID)}`
  if (entries === null) return <span className="text-muted">Too many entries to list</span>
  const touched = touchedBy(entries)
  return touched.slice(0, mostNames).map((one, index) => (
    <span key={one.kind === 'key' ? `key ${one.name}` : `${one.kind} ${one.id}`}>
      {index > 0 && <span className="text-muted">, </span>}
      <TouchedName database={database} of={one} tx={header.id} />
    </span>
  ))
}

type SpanProps = { database: string; id: string; from: string; to: string }

/**
 * What one transaction of a short list touched. The lines of a list name the same first and last
 * transaction, so one request reads all of them.
 */
export function TouchedIn({ database, id, from, to }: SpanProps) {
  const { data, isPending } = useAtomValue(useAtomValue(txPagesAtom)(database, from, to))
  const tx = data?.get(id)
  if (tx) return <TouchedNames database={database} tx={tx} />
  return <span className="text-muted">{isPending ? 'Reading…' : '–'}</span>
}

type NameProps = { database: string; tx: string; of: Touched }

function TouchedName({ database, tx, of }: NameProps) {
  if (of.kind === 'key') {
    return (
      <span className="font-mono" translate="no">
        <SafeName text={beginning(of.name, 60)} />
      </span>
    )
  }
  const count = of.count > 1 && <span className="text-muted"> ×{formatCount(of.count)}</span>
  if (of.kind === 'collection') {
    return (
      <>
        <CollectionName database={database} id={of.id} tx={tx} />
        {count}
      </>
    )
  }
  return (
    <>
      <TableName database={database} tableId={of.id} tx={tx} />
      {count}
    </>
  )
}

/** The name of a collection by its number, as far as it is known. */
export function CollectionName({ database, tx, id }: { database: string; tx: string; id: number }) {
  const name = useAtomValue(useAtomValue(collectionNameAtom)(database, tx, String(id)))
  return <SafeName text={name ?? `collection ${formatCount(id)}`} />
}

/** The name of a table by its number, as the transaction has it where the history was read. */
export function TableName({
  database,
  tx,
  tableId,
}: {
  database: string
  tx: string
  tableId: number
}) {
  const view = useAtomValue(useAtomValue(tableViewAtom)(database, tx, String(tableId)))
  return <SafeName text={view?.written.table ?? `table ${formatCount(tableId)}`} />
}
