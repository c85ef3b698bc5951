import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/store-access'
import { isProven, isSameId, type TrustRecord } from './record'
import { type Trust, trustsAtom } from './trust'

/** What is known of a database of the server that answers, which may be another one than before. */
export function knownOf({ get }: Pick<StoreAccess, 'get'>, database: string): Trust | undefined {
  const known = get(trustsAtom).get(database)
  const id = get(databaseIdAtom)(database)
  if (!known || id.server === '') return known
  if (known.kind === 'broken' && known.broken.kind === 'other-server') {
    return known.broken.received === id.server ? known : undefined
  }
  const record = 'record' in known ? known.record : null
  if (record) return isSameId(record.id, id) ? known : undefined
  const server = known.kind === 'broken' ? known.broken.verification?.server : undefined
  return server === undefined || server === id.server ? known : undefined
}

/** What a record says by itself. */
export function trustOf(record: TrustRecord): Trust {
  if (record.break) return { kind: 'broken', record, broken: record.break }
  return { kind: isProven(record) ? 'consistent' : 'first', record, why: null }
}
