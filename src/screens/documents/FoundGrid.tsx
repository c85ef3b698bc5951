import { useMemo } from 'react'
import type { FoundDocument } from '~/atoms/documents/search-pages'
import { type Collection, fieldOf } from '~/immudb/collection'
import { documentJson } from '~/immudb/document-json'
import { Grid } from '~/ui/Grid'
import type { Cell, GridColumn } from '~/ui/grid/cell'
import { useDocumentsAddress } from './address'

export function FoundGrid({
  of,
  documents,
}: {
  of: Collection
  documents: readonly FoundDocument[]
}) {
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
        // A document from before the field for ids was renamed has its id under the name of then.
        if (name === of.idField) return { kind: 'text', text: documents[row]?.id ?? '' }
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
      onRow={(row) => go({ id: documents[row]?.id ?? null, revision: '' })}
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
  // A field that is missing is neither null nor an empty text.
  if (value === undefined) return { kind: 'text', text: '' }
  if (value === null) return { kind: 'null', text: 'null' }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  if (typeof value === 'number') return { kind: 'number', text: documentJson(value) }
  if (typeof value === 'string') return { kind: value === '' ? 'empty' : 'text', text: value }
  return { kind: 'json', text: documentJson(value) }
}
