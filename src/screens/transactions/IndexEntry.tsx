import { useAtomValue } from 'jotai'
import { collectionNameAtom, tableViewAtom } from '~/atoms/transactions/tx-tables'
import { saidLeaf } from '~/trust/questions'
import { CollectionName, TableName } from '../tables/TouchedNames'
import { Card, type EntryProps } from './EntryCard'

/** An entry of a secondary index of a table. */
export function TableIndexEntry(props: EntryProps & { tableId: number; indexId: number }) {
  const { database, tx, tableId, indexId } = props
  const view = useAtomValue(useAtomValue(tableViewAtom)(database, tx, String(tableId)))
  return (
    <Card
      {...props}
      kind="Index entry"
      name={`index ${indexId} of table ${tableId}`}
      said={view ? [saidLeaf('the names of the table and its columns', view.written.table)] : []}
      title={
        <>
          index {indexId} of <TableName database={database} tableId={tableId} tx={tx} />
        </>
      }
    >
      <p className="text-muted text-sm">
        The row left its place in this index, because an indexed column changed.
      </p>
    </Card>
  )
}

/** An entry of a secondary index of a collection. */
export function CollectionIndexEntry(
  props: EntryProps & { collectionId: number; indexId: number },
) {
  const { database, tx, collectionId, indexId } = props
  const name = useAtomValue(useAtomValue(collectionNameAtom)(database, tx, String(collectionId)))
  return (
    <Card
      {...props}
      kind="Index entry"
      name={`index ${indexId} of collection ${collectionId}`}
      said={name === null ? [] : [saidLeaf('the collection', name)]}
      title={
        <>
          index {indexId} of <CollectionName database={database} id={collectionId} tx={tx} />
        </>
      }
    >
      <p className="text-muted text-sm">
        The document left its place in this index, because an indexed field changed.
      </p>
    </Card>
  )
}
