import type { Operation } from '~/api/operations'
import type { KeyValue } from '~/immudb/key-address'
import { base64ToBytes } from '~/lib/bytes'
import { counted, formatTx } from '~/lib/text'
import { plainKey, plainValue, referenceValue, sortedSetKey } from '~/proof/kernel/stored'
import { sentFieldLeaves, shownCell } from '~/proof/proven-leaves'
import { booleanValue, type Leaf, numberValue, objectLeaf } from '~/proof/shown'
import {
  keyQuestions,
  questionOfTx,
  type SentEntry,
  type ShownKey,
  saidLeaf,
  sentShown,
} from './questions'
import { documentRequest, type Question } from './verification'

/** What was committed: where, and what was newest before it was sent. */
export type Committed = {
  database: string
  tx: string
  /** The newest transaction known before it was sent; the write cannot be in it or before it. */
  txBefore: string
}

/** A write of which only its transaction is proven: what was sent is not compared. */
export function uncomparedWrite({ database, tx, txBefore }: Committed): readonly Question[] {
  const leaves = [saidLeaf('what was sent', '')]
  return [questionOfTx(database, tx, { leaves, whole: [], sentAfter: txBefore })]
}

type SentKey = { key: string; value: string | null; expiresAt: string | null }

/** A key that was set, or deleted where the value is null; keys and values are standard base64. */
export function keyWrite(
  write: Committed,
  { key, value, expiresAt }: SentKey,
): readonly Question[] {
  const { database, tx, txBefore } = write
  const about = { database, key, tx, what: `tx ${formatTx(tx)}`, sentAfter: txBefore }
  const shown: ShownKey =
    value === null
      ? { ...about, state: 'deleted' }
      : { ...about, state: 'live', value, expiresAt, target: null }
  const one = objectLeaf('the number of entries', numberValue(1))
  return keyQuestions(shown).map(
    (question) =>
      ({
        ...question,
        shown: { ...question.shown, leaves: [...question.shown.leaves, one] },
      }) as Question,
  )
}

/** A whole transaction of operations on keys; nothing else may be in it. */
export function operationsWrite(
  { database, tx, txBefore }: Committed,
  operations: readonly Operation[],
): readonly Question[] {
  return [questionOfTx(database, tx, sentShown(operations.map(entryOf), txBefore))]
}

/** The entry that an operation makes: `pkg/database/database.go`, `reference.go`, `sorted_set.go`. */
function entryOf(of: Operation): SentEntry {
  const key = base64ToBytes(of.key)
  if (of.kind === 'set') {
    const value = plainValue(base64ToBytes(of.value))
    return { key: plainKey(key), value, expiresAt: of.expiresAt }
  }
  const atTx = BigInt(of.atTx ?? '0')
  if (of.kind === 'reference') {
    return { key: plainKey(key), value: referenceValue(base64ToBytes(of.target), atTx) }
  }
  const stored = sortedSetKey(base64ToBytes(of.set), of.score, key, atTx)
  return { key: stored, value: new Uint8Array() }
}

/** A row as it was sent, with the types of its columns; a deleted one has no cells. */
export type SentRow = {
  /** In words, such as `row id = 42 of orders`. */
  name: string
  /** Null where the server gives the key, so that the row cannot be asked for. */
  key: readonly KeyValue[] | null
  cells: readonly { readonly name: string; readonly type: string; readonly value: string | null }[]
  isDeleted: boolean
}

/** Rows of one write that are compared one by one; each is a call. */
const mostRows = 50

/**
 * Rows that were sent as one transaction: it has as many and nothing but rows, and each is as it was
 * sent. Rows that cannot be asked for, and those beyond the first, are counted alone.
 */
export function rowsWrite(
  write: Committed,
  table: string,
  rows: readonly SentRow[],
): readonly Question[] {
  const { database, tx, txBefore } = write
  const asked = rows.filter(({ key }) => key !== null).slice(0, mostRows)
  const uncompared = rows.length - asked.length
  const counts = [
    objectLeaf('the number of rows', numberValue(rows.length)),
    objectLeaf('the number of other entries', numberValue(0)),
    ...(uncompared === 0
      ? []
      : [saidLeaf('what was sent', '', `the content of ${counted(uncompared, 'row')}`)]),
  ]
  const each = asked.map(({ name, key, cells, isDeleted }): Question => {
    const deletion = objectLeaf('the deletion', booleanValue(isDeleted), 'the deletion of the row')
    const sent = cells.map((cell): Leaf => {
      return { group: 'column', name: cell.name, value: shownCell(cell.type, cell.value) }
    })
    return {
      database,
      kind: 'row',
      what: name,
      request: { sqlGetRequest: { table, pkValues: key ?? [], atTx: tx } },
      shown: {
        leaves: [deletion, ...sent],
        whole: [],
        sentAfter: txBefore,
        // What the server put into columns that were not sent.
        ...(isDeleted ? {} : { rest: ['column'] as const }),
      },
    }
  })
  return [questionOfTx(database, tx, { leaves: counts, whole: [], sentAfter: txBefore }), ...each]
}

/** A document as it was sent; `json` null for one that was deleted. */
export type SentContent = {
  collection: string
  id: string
  /** JSON without the id. */
  json: string | null
  /** The field for ids, to which the server writes the id; null when it is not known. */
  idField: string | null
}

/** One document: all fields that were sent, by the digits that were typed, and no other. */
export function documentWrite(
  { database, tx, txBefore }: Committed,
  { collection, id, json, idField }: SentContent,
): readonly Question[] {
  const what = 'the deletion of the document'
  const own = idField === null ? [] : sentFieldLeaves(JSON.stringify({ [idField]: id }))
  const sent = json === null ? [] : sentFieldLeaves(json)
  const fields = [...sent.filter(({ name }) => name !== idField), ...own]
  const leaves = [
    objectLeaf('the deletion', booleanValue(json === null), what),
    ...(json === null ? [] : fields),
  ]
  const isWhole = json !== null && idField !== null
  return [
    {
      database,
      kind: 'document',
      what: `document ${id} of ${collection}`,
      request: documentRequest({ collection, id, tx }),
      shown: { leaves, whole: isWhole ? ['field'] : [], sentAfter: txBefore },
    },
  ]
}
