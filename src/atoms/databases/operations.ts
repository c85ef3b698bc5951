import { atom } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import {
  compactIndex,
  deleteDatabase,
  flushIndex,
  listDatabases,
  loadDatabase,
  truncateDatabase,
  unloadDatabase,
} from '~/api/databases'
import type { Reason } from '~/api/errors'
import type { Io } from '~/core/act'
import { forgetVisits } from '~/core/history/last-visit'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom, noteTrouble, sessionAtom } from '~/core/session/session'
import { isBusy, type Write } from '~/lib/write-state'
import { defineWrite } from '~/trust/write'
import { forgetAnswers, leaveDatabase, refreshDatabases, withoutTokenOf } from './database-list'

/** An operation on a database. */
export type Work =
  | { kind: 'load' | 'unload' | 'compact' | 'delete' }
  | { kind: 'flush'; cleanup: string; isSynced: boolean }
  | { kind: 'truncate'; days: number }
export type WorkKind = Work['kind']

/** The outcome. `usual`: the server refuses, although nothing is wrong. */
export type WorkReport = {
  kind: WorkKind
  status: 'done' | 'usual' | 'refused' | 'unknown'
  text: string
  details: string | null
  /** What to do when the outcome is unknown. */
  advice: string | null
  /** What a later check found, when the outcome was unknown. */
  finding: string | null
}

type Working = { database: string; name: string; work: Work }

const working = defineWrite<Working, void>({
  slot: ({ name }) => name,
  of: 'databases',
  // Running it again does no harm, and how the server refuses that says what became of it.
  isSame: () => false,
  send: (io, { name, work }) => doWork(io, name, work),
  look: async ({ get }, { name, work }) => {
    const databases = await listDatabases(get(clientAtom))
    return findingOf(work.kind, databases.find((one) => one.name === name)?.loaded)
  },
})

/** Databases whose last operation still has something that follows. */
const followedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The operations in progress, by database. */
export const worksAtom = atom((get): ReadonlyMap<string, WorkKind> => {
  const followed = get(followedAtom)
  return new Map(
    [...get(working.allAtom)].flatMap(([name, { state, sent }]) =>
      sent && (isBusy(state) || followed.has(name)) ? [[name, sent.work.kind] as const] : [],
    ),
  )
})

/** The newest report of each database. */
export const workReportsAtom = atom(
  (get): ReadonlyMap<string, WorkReport> =>
    new Map(
      [...get(working.allAtom)].flatMap(([name, { state, sent }]) => {
        const report = sent && reportOf(name, sent.work.kind, state)
        return report ? [[name, report] as const] : []
      }),
    ),
)

/**
 * Runs the operation once. A second call for the same database during the first is not sent.
 * Resolves with the report, or null when nothing was sent.
 */
export async function workOnDatabase(io: Io, name: string, work: Work): Promise<WorkReport | null> {
  const { get, set } = io
  if (get(worksAtom).has(name)) return null
  set(followedAtom, new Set([...get(followedAtom), name]))
  // Held writes are released in the open database, but an unloaded one cannot be opened.
  const database = work.kind === 'load' ? (get(databaseAtom) ?? '') : name
  await working.write(io, { database, name, work })
  const report = get(workReportsAtom).get(name) ?? null
  const isGone = work.kind === 'delete' && report?.status === 'usual'
  if (report?.status === 'done' || isGone) await afterwards(io, name, work.kind)
  else void refreshDatabases(io)
  set(followedAtom, new Set([...get(followedAtom)].filter((one) => one !== name)))
  return report
}

async function doWork(io: Io, name: string, work: Work): Promise<void> {
  const client = io.get(clientAtom)
  if (work.kind === 'flush' || work.kind === 'compact') {
    await ensureDatabaseToken(io, client, name)
  }
  switch (work.kind) {
    case 'load':
      return loadDatabase(client, name)
    case 'unload':
      return unloadDatabase(client, name)
    case 'delete':
      return deleteDatabase(client, name)
    case 'compact':
      return compactIndex(client, name)
    case 'flush':
      return flushIndex(client, { database: name, ...work })
    case 'truncate':
      return truncateDatabase(client, { database: name, retention: work.days * 86_400_000 })
  }
}

/** Sentences for refusals that only mean that there is nothing to do. */
const usualAnswers: readonly (readonly [WorkKind, Reason, (name: string) => string])[] = [
  [
    'compact',
    'little-to-compact',
    () => 'There is too little to compact. The index needs no compaction.',
  ],
  ['compact', 'under-way', () => 'The index is being compacted.'],
  ['truncate', 'nothing-to-truncate', () => 'No value is older than that.'],
  ['load', 'already-loaded', () => 'It is loaded.'],
  ['unload', 'unloaded', () => 'It is unloaded.'],
  ['delete', 'key-not-found', (name) => `${name} no longer exists.`],
]

const doneTexts: Record<WorkKind, string> = {
  load: 'Loaded: everyone with a permission can use it again.',
  unload: 'Unloaded: nobody can use it until it is loaded again.',
  compact: 'The index was compacted.',
  flush: 'The index was flushed to disk.',
  truncate: 'Truncated. The server deletes older values where it can; the transactions stay.',
  delete: 'Deleted, with its files.',
}

function reportOf(name: string, kind: WorkKind, write: Write<void>): WorkReport | null {
  const report = { kind, details: null, advice: null, finding: null }
  switch (write.kind) {
    case 'committed':
      return { ...report, status: 'done', text: doneTexts[kind] }
    case 'unknown': {
      const { details, advice, finding } = write
      const text = `It is not known whether this was done. ${write.text}`
      return { kind, status: 'unknown', text, details, advice, finding }
    }
    case 'refused': {
      const { text, details, reason } = write
      const usual = usualAnswers.find(([of, why]) => of === kind && why === reason)
      if (usual) return { ...report, status: 'usual', text: usual[2](name), details }
      return { ...report, status: 'refused', text, details }
    }
    default:
      return null
  }
}

async function afterwards(io: Io, name: string, kind: WorkKind): Promise<void> {
  const { get, set } = io
  const isOwn = get(databaseAtom) === name
  if (kind === 'load' || kind === 'unload') {
    noteTrouble(io, name, kind === 'load' ? null : 'unloaded')
    // Other screens still show older answers; an unloaded database gives no new ones.
    if (kind === 'load' && isOwn) void get(queryClientAtom).invalidateQueries()
  }
  if (kind === 'delete') {
    set(sessionAtom, withoutTokenOf(get(sessionAtom), name))
    if (isOwn) await leaveDatabase(io, name)
    forgetAnswers(io, name)
    void forgetVisits(io, name)
  }
  await refreshDatabases(io)
}

/** Checks the outcome of an operation without an answer, and reports it. Only reads. */
export async function checkWork(io: Io, name: string) {
  await working.check(io, name)
  void refreshDatabases(io)
}

/** A sentence, by whether the database is loaded; undefined when the list lacks it. */
function findingOf(kind: WorkKind, isLoaded: boolean | undefined): string {
  if (isLoaded === undefined) {
    return 'The database no longer exists.'
  }
  switch (kind) {
    case 'load':
      return isLoaded ? 'It is loaded.' : 'The database is not loaded yet.'
    case 'unload':
      return isLoaded ? 'The database is still loaded.' : 'It is unloaded.'
    case 'delete':
      return 'The database still exists.'
    default:
      return 'The server does not report the outcome. Running it again does no harm.'
  }
}

export const dismissWorkReport = working.forget
