import type { CatalogueKey } from '~/proof/stored-entry'
import { Card, Digest, type EntryProps } from './EntryCard'

type Props = EntryProps & { part: CatalogueKey }

/** A change of the catalogue of collections. The server sends only its digest. */
export function CollectionPart({ part, ...props }: Props) {
  const { isDeleted } = props.of.entry
  return (
    <Card {...props} kind="Collection" name={nameOf(part)} said={[]}>
      <p className="text-sm">{sentenceOf(part, isDeleted)}</p>
      <Digest entry={props.of.entry} />
    </Card>
  )
}

function nameOf(part: CatalogueKey): string {
  return 'tableId' in part ? `collection ${part.tableId}` : 'catalogue'
}

function sentenceOf(part: CatalogueKey, isDeleted: boolean): string {
  const done = isDeleted ? 'was removed' : 'was written'
  switch (part.part) {
    case 'table':
      return isDeleted ? 'The collection was deleted.' : 'The name of the collection was written.'
    case 'column':
      return `Field ${part.columnId} (${part.type}) ${done}.`
    case 'index':
      return `Index ${part.indexId} ${done}.`
    default:
      return `A part of its description ${done}.`
  }
}
