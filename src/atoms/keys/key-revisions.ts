import type { QueryClient } from '@tanstack/query-core'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import type { Entry } from '~/api/keys'
import { listsOf } from '~/core/pages'
import { keyRevisions, lineOf, type RevisionLine } from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
import { pageSizes } from '~/lib/constants'
import { countable } from '~/lib/rounds'
import { base64Size } from '~/lib/size'
import { keysKey, stateKeyOf } from './key-list'
import type { KeyState } from './key-state'

/** Milliseconds for which a state that was read counts as the newest one. */
const justRead = 5_000
/** Bytes of a value from which on its older revisions are read only when they are asked for. */
const largeValue = 262_144

type KeyName = { readonly database: string; readonly key: string }

async function newestLines(
  client: Client,
  name: KeyName,
  signal: AbortSignal,
): Promise<RevisionLine[]> {
  const revisions = keyRevisions(client, name, { atOnce: pageSizes.revisions })
  const count = await revisions.count(signal)
  return revisions.lines(count, Math.max(1, count - pageSizes.revisions + 1), signal)
}

/** A page of the revisions before one; what is written meanwhile moves none. */
function linesBefore(
  client: Client,
  name: KeyName,
  number: number,
  signal: AbortSignal,
): Promise<RevisionLine[]> {
  const revisions = keyRevisions(client, name, { atOnce: pageSizes.revisions, count: number - 1 })
  return revisions.lines(number - 1, Math.max(1, number - pageSizes.revisions), signal)
}

/** Whether there are older ones than the last line. */
export const hasOlder = (lines: readonly RevisionLine[]) => (lines.at(-1)?.number ?? 1) > 1

/** The revisions of a key of a database, newest first. */
export const revisionLists = listsOf<readonly RevisionLine[]>({
  key: (database = '', key = '') => [...keysKey(database), 'revisions', key],
  start: () => [],
  read: async ({ get }, lines, { signal }, database = '', key = '') => {
    const [client, name] = [get(clientAtom), { database, key }]
    const last = lines.at(-1)
    if (last) return [...lines, ...(await linesBefore(client, name, last.number, signal))]
    const newest = await newestOf(get(queryClientAtom), database, key)
    // The history brings each with its value, so the newest is asked for only if it is not known.
    if (!newest?.revision) return newestLines(client, name, signal)
    const own = lineOf(countable(newest.revision), newest)
    if (base64Size(newest.value) >= largeValue) return [own]
    return [own, ...(await linesBefore(client, name, own.number, signal))]
  },
  next: (lines) => (hasOlder(lines) ? lines.length : null),
  size: (lines) => lines.length,
  lasts: 'until growth',
})

/**
 * The newest revision as the state of the key has it: one that is being read is waited for. Null
 * where the state was not just read, for instance while another revision is shown.
 */
async function newestOf(cache: QueryClient, database: string, key: string): Promise<Entry | null> {
  const query = cache.getQueryCache().find<KeyState>({ queryKey: stateKeyOf(database, key, '') })
  if (query?.state.fetchStatus === 'fetching') await query.promise?.catch(() => {})
  const { data, isInvalidated, dataUpdatedAt } = query?.state ?? {}
  const isFresh = !isInvalidated && Math.abs(Date.now() - (dataUpdatedAt ?? 0)) < justRead
  return isFresh && data && 'entry' in data ? data.entry : null
}
