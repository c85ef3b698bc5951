import { atom } from 'jotai'
import { breaksAtom, trustsAtom } from './trust'
import type { Verification } from './verification'

/** What a check was held against. */
export type Compared = Pick<Verification, 'database' | 'server' | 'basis'>

/** What has become of the history that something was compared with. */
export type HistoryStanding =
  | 'followed'
  /** Nothing of the database is to be called verified. */
  | 'broken'
  /** Its point was forgotten, or another server answers by now. */
  | 'forgotten'

/** Holds a check against what is trusted by now, which may be another history than it was made in. */
export const historyStandingAtom = atom(
  (get) =>
    ({ database, server, basis }: Compared): HistoryStanding => {
      if (basis === 'example') return 'followed'
      if (get(isBrokenAtom)(database)) return 'broken'
      const contact = basis?.contact
      // What was compared with nothing is of no history.
      if (!contact) return 'followed'
      const trust = get(trustsAtom).get(database)
      const record = trust && 'record' in trust ? trust.record : null
      const now = record?.id.server === server ? record.firstContact : null
      const isSame =
        now?.at === contact.at && now.txId === contact.txId && now.txHash === contact.txHash
      return isSame ? 'followed' : 'forgotten'
    },
)

/** Whether nothing of a database is to be called verified. */
export const isBrokenAtom = atom(
  (get) => (database: string) => get(breaksAtom)(database).length > 0,
)
