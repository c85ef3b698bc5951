import * as v from 'valibot'
import type { Client } from './client'
import { flag, int64, list } from './schemas'

const databases = v.object({
  databases: list(
    v.object({
      name: v.string(),
      loaded: flag,
      diskSize: int64,
      numTransactions: int64,
    }),
  ),
})
export type Database = v.InferOutput<typeof databases>['databases'][number]

/** `POST /db/list/v2`: the databases the signed-in user may see, unloaded ones included. */
export async function listDatabases(client: Client, signal?: AbortSignal): Promise<Database[]> {
  const answer = await client.call(databases, {
    method: 'POST',
    path: '/db/list/v2',
    body: {},
    isRead: true,
    ...(signal ? { signal } : {}),
  })
  return answer.databases
}
