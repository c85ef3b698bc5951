import { useAtomValue } from 'jotai'
import { collectionNameAtom } from '~/atoms/transactions/tx-tables'
import { fieldTypeOf } from '~/immudb/collection'
import type { CatalogueKey } from '~/proof/stored-entry'
import { saidLeaf } from '~/trust/questions'
import { SafeText } from '~/ui/SafeText'
import { CollectionName } from '../tables/TouchedNames'
import { Card, Digest, type EntryProps } from './EntryCard'

type Props = EntryProps & { part: CatalogueKey }

/** A change of the catalogue of collections. The server sends only its digest. */
export function CollectionPart({ part, ...props }: Props) {
  const { database, tx, of } = props
  const id = 'tableId' in part ? part.tableId : 0
  const name = useAtomValue(useAtomValue(collectionNameAtom)(database, tx, String(id)))
  return (
    <Card
      {...props}
      kind={kindOf(part)}
      name={id === 0 ? 'catalogue' : `collection ${id}`}
      said={name === null ? [] : [saidLeaf('the collection', name)]}
      title={id === 0 ? 'catalogue' : <CollectionName database={database} id={id} tx={tx} />}
    >
      <p className="text-sm">
        <SafeText text={wordsOf(part, of.entry.isDeleted, of.entry.vLen)} />
      </p>
      <Digest entry={of.entry} />
    </Card>
  )
}

function kindOf({ part }: CatalogueKey): string {
  if (part === 'column') return 'Field of collection'
  return part === 'index' ? 'Index of collection' : 'Collection'
}

/** The columns that immudb gives every collection before its fields. */
const [idColumn, documentColumn] = [1, 2]

/** What the stored key alone tells; names are in the value, of which there is only the digest. */
function wordsOf(part: CatalogueKey, isDeleted: boolean, size: number): string {
  switch (part.part) {
    case 'table':
      return isDeleted ? 'The collection was deleted.' : 'Name of the collection.'
    case 'column':
      if (part.columnId === idColumn) return 'Id of its documents: name of the field.'
      if (part.columnId === documentColumn) return 'Place of its whole documents.'
      return `Field number ${part.columnId - documentColumn}, type ${fieldTypeOf(part.type)}.`
    case 'index':
      if (part.indexId === 0) return 'Primary index: documents by their ids.'
      return `Index number ${part.indexId}${isDeleted ? '' : overFields(size)}.`
    default:
      return 'A part of its description.'
  }
}

/** `unique(1)`, then five bytes for each field. */
function overFields(size: number): string {
  const count = Math.floor((size - 1) / 5)
  return count === 1 ? ', over one field' : `, over ${count} fields`
}
