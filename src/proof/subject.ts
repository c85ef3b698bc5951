import { decodeUtf8, hexToBytes } from '~/lib/bytes'
import { cutText } from '~/lib/visible-text'
import type { Checked } from './evidence'
import type {
  DocumentFacts,
  ForkFacts,
  GetFacts,
  RowFacts,
  StateFacts,
  TxFacts,
} from './kernel/proven-facts'
import type { Schema } from './kernel/schema'
import type { Kind } from './kernel/verify'

/**
 * What a proof is about, by its facts alone and short enough for a heading. Names of tables and
 * columns come from the answer; the reader decides whether anything vouches for them.
 */
export type ProvenSubject =
  | { kind: 'key' | 'reference'; key: string; tx: string }
  | { kind: 'row'; table: number; cells: readonly KeyCell[]; deleted: boolean; tx: string }
  | { kind: 'document'; id: string; collection: number; deleted: boolean; tx: string }
  | { kind: 'tx' | 'state' | 'audit'; tx: string }
  | { kind: 'fork'; after: string }

type Described = { kind: 'table'; schema: Schema } | { kind: 'collection' } | null

/** A cell of a primary key; `name` is only the server's word. */
type KeyCell = { name: string; value: string }

/** Characters of a key or value in a heading. */
const longest = 100

/** @param described the description in the answer, for the columns of the primary key */
export function subjectOf(
  kind: Kind,
  { outcome, described }: { outcome: Checked['outcome']; described: Described },
): ProvenSubject | null {
  if (outcome.kind !== 'ok' || outcome.verified.facts === null) return null
  const { facts } = outcome.verified
  const schema = described?.kind === 'table' ? described.schema : null
  // Facts and the kind they belong to go together.
  switch (kind) {
    case 'get': {
      const { kind: of, key, tx } = facts as GetFacts
      return { kind: of === 'reference' ? 'reference' : 'key', key: keyText(key), tx }
    }
    case 'row': {
      const { tableId: table, deleted, tx, named } = facts as RowFacts
      return { kind: 'row', table, cells: keyCells(named, schema), deleted, tx }
    }
    case 'document': {
      const { collectionId: collection, documentId: id, deleted, tx } = facts as DocumentFacts
      return { kind: 'document', id, collection, deleted, tx }
    }
    case 'tx':
    case 'write':
      return { kind: 'tx', tx: (facts as TxFacts).id }
    case 'state':
    case 'audit':
      return { kind, tx: (facts as StateFacts).txId }
    case 'fork':
      return { kind: 'fork', after: (facts as ForkFacts).after }
  }
  return null
}

/** A key as text, or its hex digits where it is none. */
function keyText(hex: string): string {
  const bytes = hexToBytes(hex)
  return cutText((bytes && decodeUtf8(bytes)) ?? `hex ${hex}`, longest)
}

function keyCells(named: RowFacts['named'], schema: Schema | null): KeyCell[] {
  const { pk = [], cols = [] } = schema ?? {}
  return pk.flatMap((id) => {
    const name = cols.find((column) => column.id === id)?.name
    const cell = name === undefined ? null : named[name]
    if (name === undefined || !cell) return []
    const isHex = cell.isBytes === true || cell.type === 'BLOB'
    const value = `${isHex ? 'hex ' : ''}${cell.value}`
    return [{ name: cutText(name, longest), value: cutText(value, longest) }]
  })
}
