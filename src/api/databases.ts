import * as v from 'valibot'
import { defaultDatabase, systemDatabase } from '~/lib/constants'
import { openDatabase } from './auth'
import type { Client } from './client'
import { ApiError, isBecause, troubleOf } from './errors'
import { filled, flag, int64, listAnswer, nothing, object, text } from './schemas'
import { listUsers } from './users'

/** A setting's wrapper: missing when the server leaves the setting out, empty for zero or false. */
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
    // The settings contain a password, so the list keeps only these two.
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
  /** Bytes on disk, in decimal; empty when unknown. */
  diskSize: string
  /** The newest transaction id; `'0'` while the database is unloaded, empty when unknown. */
  numTransactions: string
  /**
   * Seconds since 1970, or null when the server does not know: it reports the present time for
   * defaultdb.
   */
  createdAt: number | null
  createdBy: string
  isReplica: boolean
  /** Milliseconds for which the server keeps values, in decimal; `'0'` means for ever. */
  retention: string
  /** The server refused its list because a database is unloaded, so there may be others. */
  isUnlisted?: true
}

/**
 * The databases that the user may see, unloaded ones included. The list of 1.11.1 always fails,
 * with the text below, for a user with a permission on a deleted database. The console then looks
 * for databases one by one, or that user could not even log in. So it does where a server before
 * 1.11.1 refuses the list because a database is unloaded; `known` are more names to look for then.
 */
export async function listDatabases(
  client: Client,
  signal?: AbortSignal,
  known: readonly string[] = [],
): Promise<Database[]> {
  try {
    return await askList(client, signal)
  } catch (error) {
    const isHidden = troubleOf(error) === 'unloaded'
    if (!isHidden && !isBecause(error, 'key-not-found')) throw error
    const found = await listPermitted(client, isHidden ? [defaultDatabase, ...known] : [], signal)
    return isHidden ? found.map((one) => ({ ...one, isUnlisted: true as const })) : found
  }
}

/** `POST /db/list/v2`. */
async function askList(client: Client, signal?: AbortSignal): Promise<Database[]> {
  const answer = await client.call(databases, {
    method: 'POST',
    path: '/db/list/v2',
    body: {},
    isRead: true,
    ...(signal ? { signal } : {}),
  })
  // Up to 1.5 the list has no figures; later ones have at least a size or a time of each.
  const hasFigures = answer.some((one) => one.diskSize !== '0' || one.created_at !== '0')
  return answer.map(({ settings, created_at, created_by, ...database }) => ({
    ...database,
    ...(hasFigures ? {} : { diskSize: '', numTransactions: '' }),
    createdAt: created_by === 'systemdb' || created_at === '0' ? null : Number(created_at),
    createdBy: created_by,
    isReplica: settings?.replicationSettings?.replica?.value ?? false,
    retention: settings?.truncationSettings?.retentionPeriod?.value ?? '0',
  }))
}

/** The databases in the user list that the user may open, or could if they were loaded. */
async function listPermitted(
  client: Client,
  known: readonly string[],
  signal?: AbortSignal,
): Promise<Database[]> {
  const users = await listUsers(client, signal ? { signal } : {})
  const named = users.flatMap(({ permissions }) => permissions.map(({ database }) => database))
  const isShown = (name: string) => name !== '*' && name !== systemDatabase
  const names = [...new Set([...named, ...known])].filter(isShown).sort()
  const found = await Promise.all(names.map((name) => openIfPermitted(client, name)))
  return found.filter((one) => one !== null)
}

async function openIfPermitted(client: Client, name: string): Promise<Database | null> {
  try {
    await openDatabase(client, name)
    return databaseNamed(name)
  } catch (error) {
    if (troubleOf(error) === 'unloaded') return { ...databaseNamed(name), loaded: false }
    const isRefused =
      error instanceof ApiError && (error.kind === 'refused' || error.kind === 'permission')
    if (isRefused) return null
    throw error
  }
}

/** A database known only by its name, for when the server lists none. */
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

/** Most of these calls answer with the name of the database. */
const named = object({ database: filled })

/** `POST /db/load`: loads a database for all users. Not for defaultdb. */
export async function loadDatabase(client: Client, database: string): Promise<void> {
  await client.call(named, { method: 'POST', path: '/db/load', body: { database } })
}

/** `POST /db/unload`: unloads a database for all users. Not for defaultdb. */
export async function unloadDatabase(client: Client, database: string): Promise<void> {
  await client.call(named, { method: 'POST', path: '/db/unload', body: { database } })
}

/** `POST /db/delete`: removes an unloaded database and its files. Not for defaultdb. */
export async function deleteDatabase(client: Client, database: string): Promise<void> {
  await client.call(named, { method: 'POST', path: '/db/delete', body: { database } })
}

/**
 * `POST /db/truncate`: deletes values older than `retention` milliseconds, at least a day. When no
 * value is that old, the server answers with an error, `retention period has not been reached`.
 */
export async function truncateDatabase(
  client: Client,
  request: { database: string; retention: number },
): Promise<void> {
  const body = { database: request.database, retentionPeriod: String(request.retention) }
  await client.call(named, { method: 'POST', path: '/db/truncate', body })
}

/** `GET /db/flushindex` of the database whose token is sent; `cleanup` is a percentage. */
export async function flushIndex(
  client: Client,
  request: { database: string; cleanup: string; isSynced: boolean },
): Promise<void> {
  const search = new URLSearchParams({
    cleanupPercentage: request.cleanup,
    synced: String(request.isSynced),
  })
  await client.call(named, {
    method: 'GET',
    path: `/db/flushindex?${search}`,
    database: request.database,
    isRead: false,
  })
}

/**
 * `GET /db/compactindex` of the database whose token is sent. With too little to do, the server
 * answers with an error, `tbtree: compaction threshold not yet reached`.
 */
export async function compactIndex(client: Client, database: string): Promise<void> {
  await client.call(nothing, {
    method: 'GET',
    path: '/db/compactindex',
    database,
    isRead: false,
  })
}
