import { openDatabase } from './auth'
import type { Client } from './client'
import { ApiError, troubleOf } from './errors'
import { listUsers } from './users'

/** A database of which no more is known. */
type Permitted = { name: string; loaded: boolean }

/** The databases in the user list that the user may open, or could if they were loaded. */
export async function permittedDatabases(
  client: Client,
  signal?: AbortSignal,
): Promise<Permitted[]> {
  const users = await listUsers(client, signal ? { signal } : {})
  const named = users.flatMap(({ permissions }) => permissions.map(({ database }) => database))
  const names = [...new Set(named)].filter((name) => name !== '*').sort()
  const found = await Promise.all(names.map((name) => openIfPermitted(client, name)))
  return found.filter((one) => one !== null)
}

async function openIfPermitted(client: Client, name: string): Promise<Permitted | null> {
  try {
    await openDatabase(client, name)
    return { name, loaded: true }
  } catch (error) {
    if (troubleOf(error) === 'unloaded') return { name, loaded: false }
    const isRefused =
      error instanceof ApiError && (error.kind === 'refused' || error.kind === 'permission')
    if (isRefused) return null
    throw error
  }
}
