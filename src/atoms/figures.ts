import { atom } from 'jotai'
import { msPerHour } from '~/lib/duration'
import { formatSize } from '~/lib/size'
import { databasesAtom } from './databases'
import { metricsAtom } from './metrics'
import { serverInfoAtom } from './server'
import { databaseAtom } from './session'
import { stateAtom } from './state'

/** When the server started: by its metrics, else by what it says of itself. */
const startedAtAtom = atom((get) => {
  const { data } = get(metricsAtom)
  const hours = data?.metrics.uptimeHours ?? null
  if (data && hours !== null) return data.at - hours * msPerHour
  const startedAt = get(serverInfoAtom).data?.startedAt ?? '0'
  return startedAt === '0' ? null : Number(startedAt) * 1_000
})

/** Milliseconds the server has been running; moves on with each answer about the state. */
const uptimeAtom = atom((get) => {
  const startedAt = get(startedAtAtom)
  const now = Math.max(get(stateAtom).dataUpdatedAt, get(serverInfoAtom).dataUpdatedAt)
  return startedAt === null || now === 0 ? null : Math.max(0, now - startedAt)
})

/** Bytes of the open database: of the list, which knows new ones sooner than the metrics. */
const sizeAtom = atom((get) => {
  const name = get(databaseAtom) ?? ''
  const list = get(databasesAtom)
  const measured = get(metricsAtom).data
  const listed = list.data?.find((database) => database.name === name)?.diskSize
  const isNewer = measured !== undefined && measured.at > list.dataUpdatedAt
  const size = isNewer ? (measured.metrics.databases.get(name)?.size ?? null) : null
  return size ?? (listed === undefined ? null : Number(listed))
})

/** Bytes of all databases in words; the list holds only those the user may see. */
const allAtom = atom((get) => {
  const { data } = get(databasesAtom)
  if (!data) return null
  return formatSize(data.reduce((sum, { diskSize }) => sum + Number(diskSize), 0))
})

/** The counters; null is what nobody has told. */
export const figuresAtom = atom((get) => {
  const state = get(stateAtom).data
  return {
    uptime: get(uptimeAtom),
    transactions: state ? BigInt(state.txId) : null,
    size: get(sizeAtom),
    databases: get(allAtom),
  }
})
