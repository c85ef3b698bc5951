import { atom, type Getter } from 'jotai'
import type { Io } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import type { Store } from '~/core/session/client'
import { databaseAtom, databaseIdAtom, serverAtom } from '~/core/session/session'
import { areArrivalsCheckedAtom, leaveArrivals, readNewArrivals } from './audit/arrivals'
import { endAllWork } from './audit/audit-job'
import { dropAccepted } from './decisions'
import { noteStranger, noteSwap, strangerOf } from './incidents'
import { withRefused } from './refused-before'
import {
  isFollowed,
  knownOf,
  setTrust,
  type Trust,
  trustAtom,
  trustOf,
  trustsAtom,
  withPersistence,
} from './trust'
import { isSameState, type TrustRecord } from './trust-record'
import { outdateRecords, trustedStatesAtom } from './trusted-states'
import { verifyState, watchState } from './verify-state'

/**
 * Follows the history of the open database for as long as a store is in use: each state that was
 * answered is checked, and what arrives is read where that is on. Returns what ends it; after a
 * logout nothing may continue to read with the old token.
 */
export function followHistory(store: Store): () => void {
  const io: Io = { get: store.get, set: store.set }
  const readVisible = () => void (document.hidden ? leaveArrivals(io) : readNewArrivals(io))
  document.addEventListener('visibilitychange', readVisible)
  const ends = [
    followStates(io),
    onChange(
      store,
      (get) => [get(databaseAtom), get(serverAtom)] as const,
      (database, server) => {
        if (database !== null && server !== null) void watchServer(io, database)
      },
    ),
    onChange(
      store,
      (get) => {
        const { data, error, dataUpdatedAt, errorUpdatedAt } = get(stateAtom)
        return [get(databaseAtom), data, error, dataUpdatedAt, errorUpdatedAt] as const
      },
      (database, data, error, dataUpdatedAt, errorUpdatedAt) => {
        const isAnswered = dataUpdatedAt > 0 || errorUpdatedAt > 0
        if (database !== null && isAnswered) void watchState(io, database, { data, error })
      },
    ),
    onChange(
      store,
      (get) => [get(areArrivalsCheckedAtom), get(trustAtom)] as const,
      (isOn, trust) => {
        if (!isOn) return
        if (trust.kind === 'broken') void leaveArrivals(io)
        else if (isFollowed(trust) && !document.hidden) void readNewArrivals(io)
      },
    ),
    () => document.removeEventListener('visibilitychange', readVisible),
    () => endAllWork(io),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Tells of some values now and whenever one of them is another. */
function onChange<T extends unknown[]>(
  store: Store,
  read: (get: Getter) => readonly [...T],
  tell: (...values: T) => void,
): () => void {
  const valuesAtom = atom(read)
  let told: readonly [...T] | null = null
  const look = () => {
    const values = store.get(valuesAtom)
    if (told && values.every((value, at) => Object.is(value, told?.[at]))) return
    told = values
    tell(...values)
  }
  const end = store.sub(valuesAtom, look)
  look()
  return end
}

/**
 * Reports another server as soon as it answers, because its history can be checked only after a
 * login.
 */
export async function watchServer(io: Io, database: string): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  const halt = await noteStranger(io, id).catch(() => null)
  if (io.get(databaseIdAtom)(database).server !== id.server) return
  if (!halt) await noteSwap(io, id)
  // Findings about another server say nothing about one that is also known here.
  const isOfOther = io.get(trustsAtom).has(database) && !knownOf(io, database)
  const trust: Trust | null = halt ?? (isOfOther ? { kind: 'unchecked', why: null } : null)
  if (trust) setTrust(io, database, trust)
}

/** Follows changes of trusted states in other tabs; returns a function that stops it. */
export function followStates(io: Io): () => void {
  void showKnownBreaks(io)
  return io.get(trustedStatesAtom).onChange(() => {
    outdateRecords(io)
    for (const [database, trust] of io.get(trustsAtom)) void follow(io, database, trust)
  })
}

async function follow(io: Io, database: string, before: Trust): Promise<void> {
  if (before.kind === 'checking' || knownOf(io, database) !== before) return
  const id = io.get(databaseIdAtom)(database)
  const points = io.get(trustedStatesAtom)
  const halt = before.kind === 'broken' ? null : await strangerOf(io, id).catch(() => null)
  if (halt && io.get(trustsAtom).get(database) === before) {
    return void setTrust(io, database, halt)
  }
  const record = await points.read(id).catch(() => null)
  const keeping = await points.keeping()
  // There was another finding in the meantime.
  if (io.get(trustsAtom).get(database) !== before) return
  if (before.kind === 'broken' && !record?.break) {
    const known = await points.servers(id.origin).catch(() => [])
    dropAccepted(
      io,
      known.map(({ server }) => server),
    )
    return void verifyState(io, database)
  }
  // Storage answers late, so its records are read only now.
  if (before.kind === 'unchecked' && before.cause === 'late') return void verifyState(io, database)
  if (record) {
    if (!isNews(record, before)) return
    const trust = withPersistence(withRefused(io, id, trustOf(record)), keeping)
    setTrust(io, database, trust)
  } else if (before.kind !== 'broken' && before.kind !== 'unchecked') {
    setTrust(io, database, { kind: 'unchecked', why: null })
  }
}

/** Whether another tab found something; a change may also be about another database. */
function isNews(record: TrustRecord, before: Trust): boolean {
  const known = 'record' in before ? before.record : null
  if (!known) return record.break !== null
  const isFindingSame =
    known.break?.at === record.break?.at &&
    known.break?.acknowledgedAt === record.break?.acknowledgedAt
  const isSame = isSameState(known.point, record.point) && known.checked === record.checked
  const areOthersSame = known.others?.length === record.others?.length
  const isProof = known.provenAt > 0 === record.provenAt > 0
  const isContact = known.firstContact.at === record.firstContact.at
  return !isSame || !isFindingSame || !areOthersSame || !isProof || !isContact
}

/** Shows recorded findings, also for databases that are not open. */
async function showKnownBreaks(io: Io): Promise<void> {
  const records = await io
    .get(trustedStatesAtom)
    .all()
    .catch(() => [])
  for (const record of records) {
    const { origin, server, database } = record.id
    const here = io.get(databaseIdAtom)(database)
    const isHere = here.origin === origin && here.server === server
    if (!record.break || !isHere || io.get(trustsAtom).has(database)) continue
    setTrust(io, database, trustOf(record))
  }
}
