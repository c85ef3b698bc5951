import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import type { Context } from '~/proof/kernel/context'
import { anyFields } from '~/proof/kernel/read'
import { claimedSchema, isOlderForm, type Schema } from '~/proof/kernel/schema'
import type { Kind } from '~/proof/kernel/verify'
import {
  hasLeftOlderForm,
  isDescribedAt,
  noSpans,
  type Pins,
  type ReadRange,
  type Span,
  type TrustRecord,
} from './trust-record'
import { trustedStatesAtom } from './trusted-states'
import type { Question, Verification } from './verification'

/** The pinned description of an object's table or collection, which no proof covers. */
export function pinnedFor(
  record: TrustRecord | null,
  { kind, request }: Pick<Question, 'kind' | 'request'>,
  read: ReadRange | null,
): Pick<Context, 'schema' | 'collectionId' | 'isOnlySeen' | 'hasNewerForm'> {
  const { tables, collections } = record?.spans ?? noSpans
  const isDescribed = (span: Span | undefined) =>
    record !== null && isDescribedAt(span, record.point.txId, read)
  if (kind === 'row') {
    const table = tableOf(request)
    const schema = record?.schemas.get(table) ?? null
    const form = record && hasLeftOlderForm(record) ? { hasNewerForm: true } : {}
    return { schema, ...form, ...onlySeen(schema, isDescribed(tables.get(table))) }
  }
  if (kind !== 'document') return {}
  const collection = collectionOf(request)
  const collectionId = record?.collections.get(collection) ?? null
  return { collectionId, ...onlySeen(collectionId, isDescribed(collections.get(collection))) }
}

/**
 * Whether a server may leave out linear advance proofs, as those before 1.4.1 do, which have no id
 * either. One that sent such a proof, or another form that only newer ones have, does not go back.
 */
export function advanceFor(
  { server }: DatabaseId,
  record: TrustRecord | null,
): Pick<Context, 'mayLackAdvance'> {
  const isLeft = record !== null && (record.hasAdvance || hasLeftOlderForm(record))
  return server === '' && !isLeft ? { mayLackAdvance: true } : {}
}

const onlySeen = (pinned: unknown, isDescribed: boolean) =>
  pinned === null || isDescribed ? {} : { isOnlySeen: true }

/**
 * Pins the description of a table or collection when a proof about it first holds. False when
 * another proof pinned a different one in the meantime.
 */
export async function pinSeen(
  io: Io,
  record: TrustRecord | null,
  { kind, request }: Pick<Question, 'kind' | 'request'>,
  response: unknown,
): Promise<boolean> {
  const seen = record && seenIn(kind, request, response, record.id.database)
  if (!record || !seen || isPinned(record, seen)) return true
  const now = await io.get(trustedStatesAtom).pinFirst(record, seen)
  return (
    [...seen.schemas].every(([name, one]) => isLike(one, now?.schemas.get(name))) &&
    [...seen.collections].every(([name, one]) => isLike(one, now?.collections.get(name)))
  )
}

/** Whether no other description is pinned; a forgotten record pins nothing. */
const isLike = (seen: unknown, pinned: unknown) =>
  pinned === undefined || JSON.stringify(seen) === JSON.stringify(pinned)

function seenIn(kind: Kind, request: unknown, response: unknown, db: string): Pins | null {
  const none: Pins = { schemas: new Map(), collections: new Map() }
  if (kind === 'row') {
    const table = tableOf(request)
    return { ...none, schemas: new Map([[table, schemaIn(response, table, db)]]) }
  }
  const number = kind === 'document' && anyFields(response, 'answer').collectionId
  if (typeof number !== 'number') return null
  return { ...none, collections: new Map([[collectionOf(request), number]]) }
}

function isPinned({ schemas, collections, hasNewerForm: isNoted }: TrustRecord, seen: Pins) {
  return (
    (seen.schemas.size === 0 || isNoted === true) &&
    [...seen.schemas.keys()].every((name) => schemas.has(name)) &&
    [...seen.collections.keys()].every((name) => collections.has(name))
  )
}

/** The table as a proven answer claims it to be. */
export function schemaIn(response: unknown, table: string, db: string): Schema {
  return claimedSchema(anyFields(response, 'answer'), table, db)
}

function tableOf(request: unknown): string {
  return String(anyFields(anyFields(request, 'request').sqlGetRequest, 'sqlGetRequest').table)
}

function collectionOf(request: unknown): string {
  return String(anyFields(request, 'request').collectionName)
}

/** A table's description in lines, as pinned and as the server claims it now. */
export type SchemaChange = { pinned: readonly string[]; claimed: readonly string[] }

/** Both descriptions of the table that a row was refused for. */
export async function readSchemaChange(_io: Io, of: Verification) {
  const pinned = of.context?.schema
  const claimed = await claimedIn(of)
  return pinned && claimed ? { pinned: lines(pinned), claimed: lines(claimed) } : null
}

const forgotten =
  'The trusted state that this was compared with has since been forgotten. The result says nothing about the present history. Verify the row again.'
const notKept = 'The new description could not be saved in this browser. Nothing was accepted.'

/**
 * Pins the present description, because the operator knows why it changed. Resolves with null, or a
 * sentence about why that is not possible. A description belongs to the record with which it was
 * seen.
 */
export async function acceptSchema({ get }: Io, of: Verification): Promise<string | null> {
  const { basis, database, server } = of
  const firstContact = basis && basis !== 'example' ? basis.contact : null
  if (!firstContact) return forgotten
  const id = { ...get(databaseIdAtom)(database), server }
  try {
    const claimed = await claimedIn(of)
    const isPinned =
      claimed && (await get(trustedStatesAtom).pinSchema({ id, firstContact }, claimed))
    return isPinned ? null : forgotten
  } catch {
    return notKept
  }
}

/** Null where there is none that could be pinned: in the older form a description is not whole. */
async function claimedIn({ context, response }: Verification): Promise<Schema | null> {
  const table = context?.schema?.table
  if (table === undefined || isOlderForm(anyFields(response, 'answer'))) return null
  return schemaIn(response, table, context?.db ?? '')
}

function lines({ cols, pk, tableId }: Schema): string[] {
  const name = (id: number) => cols.find((column) => column.id === id)?.name ?? String(id)
  const columns = cols.map(
    ({ id, name: of, type, maxLen }) =>
      `${id} ${of} ${type}${maxLen > 0 && /VARCHAR|BLOB/.test(type) ? `[${maxLen}]` : ''}`,
  )
  return [`table number ${tableId}`, ...columns, `key (${pk.map(name).join(', ')})`]
}
