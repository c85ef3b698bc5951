import { openDatabase } from './auth'
import type { Client } from './client'
import type { Database } from './databases'
import { ApiError, troubleOf } from './errors'
import { listUsers } from './users'

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
