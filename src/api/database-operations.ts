import type { Client } from './client'
import { filled, nothing, object } from './schemas'

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
