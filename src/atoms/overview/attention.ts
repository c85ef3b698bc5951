import { atom } from 'jotai'
import { isHistoryShorterAtom, lastVisitAtom } from '~/core/history/last-visit'
import { stateAtom } from '~/core/history/newest-state'
import { databaseAtom } from '~/core/session/session'
import { storedAtom } from '~/core/storage/stored'
import { nearLimit } from '~/immudb/metrics'
import { pathTo } from '~/lib/paths'
import { formatSize } from '~/lib/size'
import { counted, formatCount, formatTx } from '~/lib/text'
import { trustAtom } from '~/trust/trust'
import { metricsAtom, metricsProblemAtom } from './metrics'
import { checkedRisksAtom, unloadedAtom } from './security'

/** Something that needs attention, with the page where the operator can deal with it. */
export type Attention = {
  readonly id: string
  readonly tone: 'error' | 'warning' | 'info'
  readonly title: string
  readonly text: string
  /** The server flag or the step that fixes it. */
  readonly cure?: string
  readonly link?: { readonly path: string; readonly words: string }
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
  const text = 'Memory, reads and writes are not shown.'
  return [{ id: 'metrics', tone: 'info', title: 'Metrics unreachable', text }]
})

/** Whether this browser alone has the trusted state of the open database. */
const unsavedAtom = atom((get): Attention[] => {
  const trust = get(trustAtom)
  if (!('record' in trust) || trust.record === null || get(storedAtom).statesSaved !== null) {
    return []
  }
  const text = 'Kept in this browser only.'
  const link = { path: pathTo('verify'), words: 'Save them as a file' }
  return [{ id: 'unsaved', tone: 'warning', title: 'Trusted states have no backup', text, link }]
})

const lagAtom = atom((get): Attention[] => {
  const lag = get(indexLagAtom)
  if (lag === null || lag === 0) return []
  const text = `${counted(lag, 'transaction')} behind. Reads wait; SQL by key may miss the newest rows.`
  return [{ id: 'lag', tone: 'warning', title: 'Index lag', text }]
})

const waitingAtom = atom((get): Attention[] => {
  const waiting = get(precommittedAtom)
  if (waiting === null || waiting <= 0n) return []
  const text = `${counted(waiting, 'transaction')} written but not yet committed. With synchronous replication they wait until enough replicas confirm them.`
  return [{ id: 'waiting', tone: 'warning', title: 'Not yet committed', text }]
})

/** Less counts as full, and writes that wait longer are held up: `/readyz` of our server says the same. */
const [leastFree, longestWrite] = [64 * 1_048_576, 30]

const heldUpAtom = atom((get): Attention[] => {
  const metrics = get(metricsAtom).data?.metrics
  const { diskFree = null, writesWait = null, openFiles = null, mostFiles = null } = metrics ?? {}
  const found: Attention[] = []
  if (openFiles !== null && mostFiles !== null && openFiles >= mostFiles * nearLimit) {
    const text = `${formatCount(openFiles)} of ${formatCount(mostFiles)}. At the limit calls fail.`
    const link = { path: pathTo('overview', { limits: 'Open files' }), words: 'Show limits' }
    found.push({ id: 'files', tone: 'warning', title: 'Many open files', text, link })
  }
  if (diskFree !== null && diskFree >= 0 && diskFree < leastFree) {
    const text = `${formatSize(diskFree)} left on the disk of the data folder. Writes may wait or fail. Reads work.`
    found.push({ id: 'disk', tone: 'error', title: 'Disk full', text, cure: 'Free space on it' })
  }
  if (writesWait !== null && writesWait > longestWrite) {
    const text = `For ${Math.floor(writesWait)} seconds no write has ended, and at least one waits. The disk may be full, or replicas do not confirm.`
    found.push({ id: 'held-up', tone: 'warning', title: 'Writes wait', text })
  }
  return found
})

const notLoadedAtom = atom((get): Attention[] => {
  const unloaded = get(unloadedAtom) ?? []
  if (unloaded.length === 0) return []
  const text = `${counted(unloaded.length, 'database')} cannot be used until loaded.`
  const link = { path: pathTo('databases'), words: 'Show databases' }
  return [{ id: 'unloaded', tone: 'info', title: 'Not loaded', text, link }]
})

const tones = { danger: 'error', advice: 'info' } as const

/** What the security check-up found; that a database is not loaded is said above. */
const risksAtom = atom((get): Attention[] =>
  get(checkedRisksAtom).flatMap(({ severity, ...risk }) => {
    const isFinding = severity === 'danger' || severity === 'advice'
    return isFinding && risk.id !== 'unloaded' ? [{ ...risk, tone: tones[severity] }] : []
  }),
)

const order: readonly Attention['tone'][] = ['error', 'warning', 'info']

/** Everything that needs attention, the most serious first. */
export const attentionAtom = atom((get): Attention[] =>
  [
    ...get(shorterAtom),
    ...get(risksAtom),
    ...get(lagAtom),
    ...get(waitingAtom),
    ...get(heldUpAtom),
    ...get(unsavedAtom),
    ...get(notLoadedAtom),
    ...get(unreachableAtom),
  ].sort((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone)),
)
