import type { Context } from '~/proof/context'
import { anyFields } from '~/proof/read'
import { claimedSchema, type Schema } from '~/proof/schema'
import type { Kind } from '~/proof/verify'
import type { Io } from './trust-check'
import type { TrustRecord } from './trust-record'
import { trustedPointsAtom } from './trusted-points'
import type { ObjectToVerify } from './verification'

/** What is pinned of what an object belongs to, and no proof covers. */
export function pinnedFor(
  record: TrustRecord | null,
  kind: Kind,
  { request, schema, collectionId }: ObjectToVerify,
): Pick<Context, 'schema' | 'collectionId'> {
  if (kind === 'row') return { schema: schema ?? record?.schemas.get(tableOf(request)) ?? null }
  if (kind !== 'document') return {}
  const pinned = record?.collections.get(collectionOf(request)) ?? null
  return { collectionId: collectionId ?? pinned }
}

/** Pins what a table or collection looks like when a proof about it held for the first time. */
export async function pinSeen(
  io: Io,
  record: TrustRecord | null,
  kind: Kind,
  { request }: ObjectToVerify,
  response: unknown,
): Promise<void> {
  if (!record) return
  const points = io.get(trustedPointsAtom)
  if (kind === 'row') {
    const table = tableOf(request)
    if (!record.schemas.has(table))
      await points.pinSchema(record.id, table, schemaIn(response, table))
  }
  if (kind === 'document') {
    const [collection, number] = [collectionOf(request), anyFields(response, 'answer').collectionId]
    if (typeof number === 'number' && !record.collections.has(collection)) {
      await points.pinCollection(record.id, collection, number)
    }
  }
}

/** The table as a proven answer claims it to be. */
export function schemaIn(response: unknown, table: string): Schema {
  return claimedSchema(anyFields(response, 'answer'), table)
}

function tableOf(request: unknown): string {
  return String(anyFields(anyFields(request, 'request').sqlGetRequest, 'sqlGetRequest').table)
}

function collectionOf(request: unknown): string {
  return String(anyFields(request, 'request').collectionName)
}
