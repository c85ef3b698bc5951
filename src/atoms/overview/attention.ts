import { atom } from 'jotai'
import type { PageName } from '~/lib/paths'
import { counted, formatTx } from '~/lib/text'
import { isHistoryShorterAtom, lastVisitAtom } from '../history/last-visit'
import { stateAtom } from '../history/newest-state'
import { databaseAtom } from '../session/session'
import { metricsAtom, metricsProblemAtom } from './metrics'
import { isSignedAtom, unloadedAtom } from './security'

/** Something that needs attention, with the page where the operator can deal with it. */
export type Attention = {
  readonly id: string
  readonly tone: 'error' | 'warning' | 'info'
  readonly title: string
  readonly text: string
  readonly page?: { readonly name: PageName; readonly words: string }
}

/** How many transactions the indexes of the open database are behind; null while not known. */
export const indexLagAtom = atom((get) => {
  const metrics = get(metricsAtom).data?.metrics
  return metrics?.databases.get(get(databaseAtom) ?? '')?.indexLag ?? null
})

/** Transactions of the open database that are written but not yet committed. */
export const precommittedAtom = atom((get) => {
  const { data } = get(stateAtom)
  return data ? BigInt(data.precommittedTxId) - BigInt(data.txId) : null
})

const shorterAtom = atom((get): Attention[] => {
  const last = get(lastVisitAtom)
  if (!get(isHistoryShorterAtom) || !last) return []
  const text = `This browser has seen tx ${formatTx(last.tx)}, but the server’s history now ends before it. The database may have been restored from a backup or created again, or another server answers.`
  return [{ id: 'shorter', tone: 'error', title: 'History is shorter than before', text }]
})

const unreachableAtom = atom((get): Attention[] => {
  if (get(metricsProblemAtom) === null) return []
  const text = 'Memory, reads and writes cannot be shown; the other figures come from the database.'
  return [{ id: 'metrics', tone: 'info', title: 'Metrics unreachable', text }]
})

const unsignedAtom = atom((get): Attention[] => {
  if (get(isSignedAtom) !== false) return []
  const text =
    'Start immudb with --signingKey, or webconsole with --signing-key, to have each state signed.'
  return [{ id: 'unsigned', tone: 'info', title: 'Unsigned state', text }]
})

const lagAtom = atom((get): Attention[] => {
  const lag = get(indexLagAtom)
  if (lag === null || lag === 0) return []
  const text = `An index is ${counted(lag, 'transaction')} behind. Reads wait for it; SQL by key may not find the newest rows.`
  return [{ id: 'lag', tone: 'warning', title: 'Index lag', text }]
})

const waitingAtom = atom((get): Attention[] => {
  const waiting = get(precommittedAtom)
  if (waiting === null || waiting <= 0n) return []
  const text = `${counted(waiting, 'transaction')} written but not yet committed. With synchronous replication they wait until enough replicas confirm them.`
  return [{ id: 'waiting', tone: 'warning', title: 'Not yet committed', text }]
})

const notLoadedAtom = atom((get): Attention[] => {
  const unloaded = get(unloadedAtom) ?? []
  if (unloaded.length === 0) return []
  const text = `${counted(unloaded.length, 'database')} cannot be used until loaded.`
  const page = { name: 'databases', words: 'Show databases' } as const
  return [{ id: 'unloaded', tone: 'info', title: 'Not loaded', text, page }]
})

/**
 * What needs attention, the most serious first. Findings of the security check-up appear only
 * there.
 */
export const attentionAtom = atom((get): Attention[] => [
  ...get(shorterAtom),
  ...get(lagAtom),
  ...get(waitingAtom),
  ...get(unreachableAtom),
  ...get(notLoadedAtom),
  ...get(unsignedAtom),
])
