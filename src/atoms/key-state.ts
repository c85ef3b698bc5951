import type { Client } from '~/api/client'
import type { Entry } from '~/api/entries'
import { ApiError } from '~/api/errors'
import { getKey, isKeyNotFound, listRevisions } from '~/api/keys'
import { isTooLarge } from './key-pages'

/**
 * What stands under a key, or stood there in a revision. `dangling`: it refers to a key that is no
 * more; `too-large`: something is there that HTTP cannot carry.
 */
export type KeyState =
  | { kind: 'live'; entry: Entry }
  | { kind: 'deleted' | 'expired' | 'dangling'; entry: Entry }
  | { kind: 'absent' }
  | { kind: 'too-large' }

type Request = { database: string; key: string; revision?: string; signal?: AbortSignal }

/** Looks a key up; a second and third call tell why one that is not there is not. */
export async function readKeyState(client: Client, request: Request): Promise<KeyState> {
  try {
    return { kind: 'live', entry: await getKey(client, request) }
  } catch (error) {
    if (isTooLarge(error)) return { kind: 'too-large' }
    if (isNoRevision(error)) return { kind: 'absent' }
    if (!isKeyNotFound(error)) throw error
    return whyNot(await findRevision(client, request))
  }
}

function isNoRevision(error: unknown): boolean {
  return error instanceof ApiError && /^invalid key revision number/.test(error.message)
}

/** The newest revision or the given one as the history has it; null when there is none. */
async function findRevision(
  client: Client,
  { revision, ...request }: Request,
): Promise<Entry | null> {
  const [newest] = await listRevisions(client, { ...request, offset: 0, limit: 1 })
  if (!newest || revision === undefined || newest.revision === revision) return newest ?? null
  const offset = Number(BigInt(newest.revision ?? '0') - BigInt(revision))
  if (offset < 0) return null
  const [found] = await listRevisions(client, { ...request, offset, limit: 1 })
  return found ?? null
}

function whyNot(entry: Entry | null): KeyState {
  if (entry === null) return { kind: 'absent' }
  if (entry.isDeleted) return { kind: 'deleted', entry }
  return { kind: entry.isExpired ? 'expired' : 'dangling', entry }
}
