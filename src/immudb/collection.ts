/** Types of the fields that a collection declares. Other fields of a document have none. */
export const fieldTypes = ['STRING', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'UUID'] as const
export type FieldType = (typeof fieldTypes)[number]

/** The type of a field by that of the column in which immudb keeps it. */
export function fieldTypeOf(columnType: string): string {
  if (columnType === 'VARCHAR') return 'STRING'
  return columnType === 'FLOAT' ? 'DOUBLE' : columnType
}

export type CollectionField = { readonly name: string; readonly type: FieldType }
export type CollectionIndex = { readonly fields: readonly string[]; readonly isUnique: boolean }

/** A collection of documents as its database describes it. */
export type Collection = {
  readonly name: string
  /** The field that holds the ids, which the server makes. */
  readonly idField: string
  /** The declared fields; only these can be searched and indexed. The first holds the ids. */
  readonly fields: readonly CollectionField[]
  readonly indexes: readonly CollectionIndex[]
}

export const defaultIdField = '_id'

/** `reservedWords` of embedded/document/engine.go, in any case. */
const reserved = /^(collection|field|index|document)$/i
/** Names of columns that embedded/document/engine.go and embedded/sql/stmt.go use themselves. */
const ownColumns = /^(_doc|_rev|_tx_metadata|_diff_action)$/

const kept = (name: string) => `immudb keeps the name ${name} for itself.`

/** Why the server would refuse the name of a collection (seen on 1.11.1); undefined when it would not. */
export function refusalOfCollection(name: string): string | undefined {
  if (name === '') return 'Enter a name.'
  if (reserved.test(name)) return kept(name)
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) return undefined
  return 'Use letters A–Z, digits, “_” and “-”. Begin with a letter or “_”.'
}

/** The same for the field that holds the ids. */
export function refusalOfIdField(name: string): string | undefined {
  return ownColumns.test(name) ? kept(name) : refusalOfCollection(name)
}

/** The same for the name of another field; a dot leads into an object. */
export function refusalOfField(name: string): string | undefined {
  if (name === '') return 'Enter a name.'
  if (ownColumns.test(name) || reserved.test(name)) return kept(name)
  if (/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) return undefined
  return 'Use letters A–Z, digits, “_”, “-” and “.”. Begin with a letter or “_”.'
}

/** Whether a value is an id, which the server keeps in capitals where a client wrote it so. */
export function isIdOf(value: unknown, id: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === id
}

/** An index as its fields name it; the server has no other name for it. */
export function indexName({ fields }: Pick<CollectionIndex, 'fields'>): string {
  return fields.join(', ')
}

/** Most fields of an index. */
const mostIndexed = 8

/** Why the server would refuse an index (seen on 1.11.1). */
export function refusalOfIndex({ fields }: Pick<CollectionIndex, 'fields'>): string | undefined {
  return fields.length > mostIndexed ? `An index has at most ${mostIndexed} fields.` : undefined
}

/** The value of a declared field in a document; undefined when it lacks it. */
export function fieldOf(document: Readonly<Record<string, unknown>>, name: string): unknown {
  let found: unknown = document
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = Reflect.get(found, step)
  }
  return found
}
