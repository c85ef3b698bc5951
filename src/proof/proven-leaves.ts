import { markedJson } from '~/immudb/json-match'
import { base64ToHex, bytesToHex, decodeUtf8, hexToBytes } from '~/lib/bytes'
import { hash } from './kernel/hash'
import type {
  CellFacts,
  DocumentFacts,
  EntryFacts,
  GetFacts,
  MetadataFacts,
  RowFacts,
  TxFacts,
} from './kernel/proven-facts'
import type { Step } from './kernel/steps'
import { plainValue } from './kernel/stored'
import type { Kind } from './kernel/verify'
import {
  booleanValue,
  bytesValue,
  type Content,
  doubleType,
  jsonValue,
  type Leaf,
  nothing,
  nullValue,
  numberValue,
  type ObjectPart,
  objectLeaf,
  textValue,
  type Value,
} from './shown'
import { storedEntry } from './stored-entry'

/**
 * Everything that a proof covers, leaf by leaf, in the form in which screens tell what they draw.
 * `whole`: the groups of which it has everything.
 * @param facts those of the kind
 * @param steps those of the same proof; the step of the header has all of its fields
 */
export function provenContent(kind: Kind, facts: object, steps: readonly Step[]): Content {
  const header = headerLeaves(steps)
  switch (kind) {
    case 'get':
      return { leaves: [...getLeaves(facts as GetFacts), ...header], whole: [] }
    case 'row':
      return { leaves: [...rowLeaves(facts as RowFacts), ...header], whole: ['column', 'dropped'] }
    case 'document':
      return { leaves: [...documentLeaves(facts as DocumentFacts), ...header], whole: ['field'] }
    case 'tx':
    case 'write': {
      const { entries } = facts as TxFacts
      const leaves = [...txLeaves(facts as TxFacts), ...header]
      return { leaves, whole: entries ? ['entry'] : [] }
    }
  }
  return { leaves: [], whole: [] }
}

/** Seconds since 1970, or that there is no such time. */
export const expiryValue = (seconds: string | null): Value =>
  seconds === null ? nothing : numberValue(seconds)

const writtenIn = ({ tx, ts }: { tx: string; ts: string }) => [
  objectLeaf('the transaction', numberValue(tx)),
  objectLeaf('the time of the transaction', numberValue(ts)),
]

function getLeaves(facts: GetFacts): Leaf[] {
  const { meta, key } = facts
  return [
    ...writtenIn(facts),
    objectLeaf('the key', bytesValue(key)),
    objectLeaf('the time it expires', expiryValue(meta.expiresAt)),
    objectLeaf('the deletion', booleanValue(meta.deleted)),
    ...contentLeaves(facts),
  ]
}

function contentLeaves(facts: GetFacts): Leaf[] {
  if (facts.kind === 'reference') {
    return [
      objectLeaf('the value', nothing),
      objectLeaf('the target', bytesValue(facts.referencedKey)),
      objectLeaf(
        'the revision of the target',
        facts.referencedAtTx === '0' ? nothing : numberValue(facts.referencedAtTx),
      ),
    ]
  }
  if (facts.kind === 'hidden') return [objectLeaf('the digest', bytesValue(facts.valueHash))]
  const digest = hash(plainValue(hexToBytes(facts.value) ?? new Uint8Array()))
  return [
    objectLeaf('the value', bytesValue(facts.value)),
    objectLeaf('the digest', bytesValue(bytesToHex(digest))),
    objectLeaf('the target', nothing),
    objectLeaf('the revision of the target', nothing),
  ]
}

function rowLeaves(facts: RowFacts): Leaf[] {
  const dropped = facts.hidden.map((id) => droppedLeaf(id, facts.raw[id] ?? ''))
  return [
    ...writtenIn(facts),
    objectLeaf('the deletion', booleanValue(facts.deleted)),
    ...cellLeaves(facts.named),
    ...dropped,
  ]
}

/** @param cell hex digits */
export function droppedLeaf(id: number, cell: string): Leaf {
  return {
    group: 'dropped',
    name: String(id),
    value: bytesValue(cell),
    label: `dropped column ${id}`,
  }
}

/** The cells of a row by the names of its columns. */
export function cellLeaves(named: RowFacts['named']): Leaf[] {
  return Object.entries(named).map(([name, cell]) => ({
    group: 'column',
    name,
    value: cell === null ? nullValue : cellValue(cell),
  }))
}

function cellValue({ type, value, isBytes }: CellFacts): Value {
  const cell = isBytes ? bytesValue(String(value)) : valueOfCell(type, value)
  return { ...cell, type }
}

/** A cell as the types of SQL have it; of a BLOB the hex digits. */
export function valueOfCell(type: string, value: string | number | boolean): Value {
  switch (type) {
    case 'INTEGER':
    case 'TIMESTAMP':
    case 'FLOAT':
      return numberValue(value)
    case 'BOOLEAN':
      return booleanValue(value)
    case 'BLOB':
      return bytesValue(String(value))
    case 'JSON':
      return jsonValue(String(value))
  }
  return textValue(String(value))
}

function documentLeaves(facts: DocumentFacts): Leaf[] {
  return [
    ...writtenIn(facts),
    objectLeaf('the document', textValue(facts.documentId)),
    objectLeaf('the deletion', booleanValue(facts.deleted)),
    ...fieldLeaves(facts.document),
  ]
}

/** The fields of a document; what is inside of one is compared as a whole, without an order of names. */
export function fieldLeaves(document: { readonly [name: string]: unknown }): Leaf[] {
  return Object.entries(document).map(([name, value]) => ({
    group: 'field',
    name,
    value: fieldValue(value),
  }))
}

/** A value of a document, with every digit that its double has. */
export function fieldValue(value: unknown): Value {
  if (value === null) return nullValue
  if (typeof value === 'number') return { ...numberValue(value), type: doubleType }
  if (typeof value === 'boolean') return booleanValue(value)
  if (typeof value === 'string') return textValue(value)
  return { ...jsonValue(orderedText(value)), type: doubleType }
}

/** The fields of a document that was sent, by the digits that were typed. */
export function sentFieldLeaves(json: string): Leaf[] {
  const value = markedJson(json, (digits) => digits)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, of]): Leaf => {
    return { group: 'field', name: stored(name.slice(1)), value: sentValue(of) }
  })
}

function sentValue(of: unknown): Value {
  if (typeof of === 'string') {
    const rest = of.slice(1)
    return of.startsWith('n') ? { ...numberValue(rest), type: doubleType } : textValue(stored(rest))
  }
  if (typeof of !== 'object' || of === null) return fieldValue(of)
  const text = orderedText(
    of,
    (one) => {
      if (typeof one !== 'string') return scalarText(one)
      return one.startsWith('n') ? one.slice(1) : JSON.stringify(stored(one.slice(1)))
    },
    (name) => stored(name.slice(1)),
  )
  return { ...jsonValue(text), type: doubleType }
}

/** The server writes U+FFFD for half characters. */
const stored = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** JSON in one order of names; a loop, because documents are nested deeper than calls may be. */
function orderedText(
  value: unknown,
  scalar: (of: unknown) => string = scalarText,
  nameOf: (name: string) => string = (name) => name,
): string {
  const parts: string[] = []
  const left: (string | { of: unknown })[] = [{ of: value }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      parts.push(next)
      continue
    }
    const { of } = next
    if (typeof of !== 'object' || of === null) {
      parts.push(scalar(of))
      continue
    }
    const isArray = Array.isArray(of)
    const members = Object.entries(of)
    if (!isArray) members.sort(([one], [two]) => (one < two ? -1 : 1))
    left.push(isArray ? ']' : '}')
    members.reverse().forEach(([name, member], at) => {
      if (at > 0) left.push(',')
      left.push({ of: member })
      if (!isArray) left.push(`${JSON.stringify(nameOf(name))}:`)
    })
    left.push(isArray ? '[' : '{')
  }
  return parts.join('')
}

/** NaN and the infinities, which JSON lacks, stand there as they are, so that no text equals them. */
function scalarText(value: unknown): string {
  if (typeof value !== 'number') return JSON.stringify(value) ?? 'null'
  return Object.is(value, -0) ? '-0' : String(value)
}

function txLeaves(facts: TxFacts): Leaf[] {
  const { id, ts, alh, nentries, entries } = facts
  return [
    ...writtenIn({ tx: id, ts }),
    objectLeaf('the hash', bytesValue(alh)),
    objectLeaf('the number of entries', numberValue(nentries)),
    ...(entries ? countLeaves(entries) : []),
    ...(entries ?? []).flatMap((entry, at) => entryLeaves(entry, at)),
  ]
}

/** How many rows a transaction writes, and what else beside their places in indexes. */
function countLeaves(entries: readonly EntryFacts[]): Leaf[] {
  const kinds = entries.map(({ key }) => storedEntry(hexToBytes(key) ?? new Uint8Array()).kind)
  const rows = kinds.filter((kind) => kind === 'row').length
  const others = kinds.filter((kind) => kind !== 'row' && kind !== 'index-entry').length
  return [
    objectLeaf('the number of rows', numberValue(rows)),
    objectLeaf('the number of other entries', numberValue(others)),
  ]
}

/** What an entry of a transaction has beside its key; the digest stands for its value. */
export const entryParts = {
  place: 'its place',
  digest: 'its value',
  deleted: 'its deletion',
  expires: 'the time it expires',
  indexed: 'whether it is indexed',
} as const

/**
 * @param at its place in the transaction, from 0
 The digest stands for the value.
 */
export function entryLeaves(
  { key, meta, valueHash }: Pick<EntryFacts, 'key' | 'valueHash'> & { meta: MetadataFacts },
  at: number | null,
): Leaf[] {
  const leaf = (part: keyof typeof entryParts, value: Value): Leaf => ({
    group: 'entry',
    name: `${key} ${part}`,
    label: entryParts[part],
    value,
  })
  return [
    leaf('digest', bytesValue(valueHash)),
    leaf('deleted', booleanValue(meta.deleted)),
    leaf('expires', expiryValue(meta.expiresAt)),
    leaf('indexed', booleanValue(!meta.nonIndexable)),
    ...(at === null ? [] : [leaf('place', numberValue(at + 1))]),
  ]
}

/** The fields of the proven header, by the names of the step that has them. */
const headerParts: readonly (readonly [
  field: string,
  part: ObjectPart,
  is: (of: string) => Value,
])[] = [
  ['prevAlh', 'the hash before', bytesValue],
  ['eH', 'the hash of the entries', bytesValue],
  ['nentries', 'the number of entries', numberValue],
  ['blTxId', 'the tree', numberValue],
  ['blRoot', 'the root of the tree', bytesValue],
  ['version', 'the format', numberValue],
  ['truncatedTxID', 'the truncation', numberValue],
  ['extra', 'the note of the server', bytesValue],
  // immudb puts the user who writes a document there: pkg/database/document_database.go.
  ['extra', 'the author', authorValue],
]

function authorValue(extra: string): Value {
  if (extra === '') return nothing
  const text = decodeUtf8(hexToBytes(extra) ?? new Uint8Array())
  return text === null ? bytesValue(extra) : textValue(text)
}

function headerLeaves(steps: readonly Step[]): Leaf[] {
  const inputs = steps.find(({ name }) => name === 'header')?.inputs
  if (!inputs) return []
  return headerParts.flatMap(([field, part, is]) => {
    const of = inputs[field]
    return of === undefined ? [] : [objectLeaf(part, is(of))]
  })
}

/** A cell as a result has it (see `ResultColumn.values`), in the form of the facts. */
export function shownCell(type: string, value: string | null): Value {
  if (value === null) return nullValue
  const cell = type === 'BLOB' ? bytesValue(base64ToHex(value)) : valueOfCell(type, value)
  return { ...cell, type }
}
