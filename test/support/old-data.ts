import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { api } from './api'
import type { ImmudbServer } from './immudb'
import { immudbWriter } from './immudb-versions'

const run = promisify(execFile)

/** What {@link writeOldData} writes, as far as tests look for it. */
export const oldData = {
  /** The rows of `customers`: the second was updated, the third replaced, a fourth deleted. */
  names: ['Ada', 'Bertram', 'Cleopatra'],
  /** The transaction of the update. */
  updateTx: 4,
  /** A key with three revisions, and one of each other kind. */
  revised: 'revised',
  keys: ['expires', 'pointer', 'revised'],
  set: 'ranking',
  users: ['reader', 'writer'],
  database: 'archive',
  collection: 'notes',
} as const

/**
 * Fills a new server by the Go client of its own version: tables with updates and deletions, keys
 * with revisions, an expiry, a reference and a sorted set, a second database and users. Documents
 * come over REST, which the clients of these versions do not offer in one way, and which reaches the
 * same code of the server. Returns the id of a document that was replaced once; empty for none.
 */
export async function writeOldData(
  server: ImmudbServer,
  version: string,
  { deletes = true, documents = true } = {},
): Promise<string> {
  const args = ['-port', String(server.grpcPort), `-deletes=${deletes}`]
  await run(await immudbWriter(version), args)
  if (!documents) return ''
  const db = await api(server.url)
  await db.call(`/v2/collection/${oldData.collection}`, {
    documentIdFieldName: '_id',
    fields: [{ name: 'n', type: 'INTEGER' }],
  })
  const id = await db.insertDocument(oldData.collection, '{"n":1,"text":"umbrella"}')
  await db.replaceDocument(oldData.collection, id, '{"n":2,"text":"umbrella"}')
  const gone = await db.insertDocument(oldData.collection, '{"n":3,"text":"gone"}')
  await db.deleteDocument(oldData.collection, gone)
  return id
}
