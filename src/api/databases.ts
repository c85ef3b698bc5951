import * as v from 'valibot'
import { openDatabase } from './auth'
import type { Client } from './client'
import { ApiError, isBecause, troubleOf } from './errors'
import { filled, flag, int64, listAnswer, object, text } from './schemas'
import { listUsers } from './users'

/** A setting's wrapper: left out when it is not told, empty when it is zero or false. */
const wrapped = <S extends v.GenericSchema>(value: S) => v.optional(object({ value }))

const databases = listAnswer(
  'databases',
  object({
    name: filled,
    loaded: flag,
    diskSize: int64,
    numTransactions: int64,
    created_at: int64,
    created_by: text,
    // The settings hold a password, so only these two get past the wire with the list.
    settings: v.optional(
      object({
        replicationSettings: v.optional(object({ replica: wrapped(flag) })),
        truncationSettings: v.optional(object({ retentionPeriod: wrapped(int64) })),
      }),
    ),
  }),
)

export type Database = {
  name: string
  loaded: boolean
  /** Bytes on disk, in decimal; empty where nobody knows. */
  diskSize: string
  /** The newest transaction id; `'0'` while the database is unloaded, empty if nobody knows. */
  numTransactions: string
  /** Seconds since 1970, or null where the server does not know: it says “now” for defaultdb. */
  createdAt: number | null
  createdBy: string
  isReplica: boolean
  /** Milliseconds for which values are kept, in decimal; `'0'` is for ever. */
  retention: string
}

/**
 * The databases the signed-in user may see, unloaded ones included. For a user who has a permission
 * on a database that was deleted the list of 1.11.1 fails for ever, with the text below; the
 * databases are then looked for one by one, or the user could not even sign in.
 */
export async function listDatabases(client: Client, signal?: AbortSignal): Promise<Database[]> {
  try {
    return await listed(client, signal)
  } catch (error) {
    if (!isBecause(error, 'key-not-found')) throw error
    return permittedDatabases(client, signal)
  }
}

/** `POST /db/list/v2`. */
async function listed(client: Client, signal?: AbortSignal): Promise<Database[]> {
  const answer = await client.call(databases, {
    method: 'POST',
    path: '/db/list/v2',
    body: {},
    isRead: true,
    ...(signal ? { signal } : {}),
  })
  return answer.map(({ settings, created_at, created_by, ...database }) => ({
    ...database,
    createdAt: created_by === 'systemdb' || created_at === '0' ? null : Number(created_at),
    createdBy: created_by,
    isReplica: settings?.replicationSettings?.replica?.value ?? false,
    retention: settings?.truncationSettings?.retentionPeriod?.value ?? '0',
  }))
}

/** A database of which only the name is known, where the server lists none. */
export function databaseNamed(name: string): Database {
  return {
    name,
    loaded: true,
    diskSize: '',
    numTransactions: '',
    createdAt: null,
    createdBy: '',
    isReplica: false,
    retention: '0',
  }
}

/**
 * The databases that the user list names and that the signed-in user may open or could if they were
 * loaded. Nothing but this is known of them.
 */
export async function permittedDatabases(
  client: Client,
  signal?: AbortSignal,
): Promise<Database[]> {
  const users = await listUsers(client, signal ? { signal } : {})
  const named = users.flatMap(({ permissions }) => permissions.map(({ database }) => database))
  const names = [...new Set(named)].filter((name) => name !== '*').sort()
  const found = await Promise.all(names.map((name) => asked(client, name)))
  return found.filter((one) => one !== null)
}

async function asked(client: Client, name: string): Promise<Database | null> {
  try {
    await openDatabase(client, name)
    return bare(name, true)
  } catch (error) {
    if (troubleOf(error) === 'unloaded') return bare(name, false)
    const isRefused =
      error instanceof ApiError && (error.kind === 'refused' || error.kind === 'permission')
    if (isRefused) return null
    throw error
  }
}

function bare(name: string, loaded: boolean): Database {
  return {
    name,
    loaded,
    diskSize: '',
    numTransactions: '',
    createdAt: null,
    createdBy: '',
    isReplica: false,
    retention: '0',
  }
}
