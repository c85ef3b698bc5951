import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { State } from '~/api/server'
import { stateKey } from '../history/newest-state'

/** The newest known transaction of a database. A write sent now commits in a later one. */
export function newestKnown(get: Getter, database: string): string {
  return get(queryClientAtom).getQueryData<State>(stateKey(database))?.txId ?? '0'
}
