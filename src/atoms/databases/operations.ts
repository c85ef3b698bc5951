import { atom, type Getter, type Setter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import {
  compactIndex,
  deleteDatabase,
  flushIndex,
  loadDatabase,
  truncateDatabase,
  unloadDatabase,
} from '~/api/database-work'
import { listDatabases } from '~/api/databases'
import type { Reason } from '~/api/errors'
import { forgetVisitsAtom } from '../history/last-visit'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { databaseAtom, noteTroubleAtom, sessionAtom } from '../session/session'
import { sentence } from '../storage/failure'
import { type Outcome, outcomeOf } from '../storage/outcome'
import { writeBlockAtom } from '../trust/write-block'
import { forgetAnswersAtom, leaveDatabaseAtom, refreshDatabasesAtom, withoutTokenOf } from './list'

/** Something to be done to a database. */
export type Work =
  | { kind: 'load' | 'unload' | 'compact' | 'delete' }
  | { kind: 'flush'; cleanup: string; isSynced: boolean }
  | { kind: 'truncate'; days: number }
export type WorkKind = Work['kind']

/** What became of it. `usual` is an answer that refuses although nothing is wrong. */
export type WorkReport = {
  kind: WorkKind
  status: 'done' | 'usual' | 'refused' | 'unknown'
  text: string
  details: string | null
  /** What to do when nobody knows what became of it. */
  advice: string | null
  /** What a look afterwards found, when the outcome was unknown. */
  finding: string | null
}

const underWayAtom = atom<ReadonlyMap<string, WorkKind>>(new Map<string, WorkKind>())

/** What is being done to which database. */
export const worksAtom = atom((get) => get(underWayAtom))

const reportsAtom = atom<ReadonlyMap<string, WorkReport>>(new Map<string, WorkReport>())

/** The newest report of each database. */
export const workReportsAtom = atom((get) => get(reportsAtom))

/**
 * Does the work once; a second call for the same database while one is under way is not sent.
 * Resolves with the report, or null when nothing was sent.
 */
export const workAtom = atom(
  null,
  async (get, set, name: string, work: Work): Promise<WorkReport | null> => {
    if (get(underWayAtom).has(name)) return null
    set(underWayAtom, new Map(get(underWayAtom)).set(name, work.kind))
    set(reportsAtom, without(get(reportsAtom), name))
    // What is not loaded cannot be opened, which is where its writes are released.
    const concerned = work.kind === 'load' ? (get(databaseAtom) ?? '') : name
    const held = await set(writeBlockAtom, concerned)
    const report = reportOf(name, work, held ?? (await outcomeOf(doWork(get, set, name, work))))
    set(reportsAtom, new Map(get(reportsAtom)).set(name, report))
    const isGone = work.kind === 'delete' && report.status === 'usual'
    if (report.status === 'done' || isGone) await afterwards(get, set, name, work.kind)
    else void set(refreshDatabasesAtom)
    set(underWayAtom, without(get(underWayAtom), name))
    return report
  },
)

async function doWork(get: Getter, set: Setter, name: string, work: Work): Promise<void> {
  const client = get(clientAtom)
  if (work.kind === 'flush' || work.kind === 'compact') {
    await ensureDatabaseToken({ get, set }, client, name)
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

/** Answers that refuse because there is nothing to do, in words. */
const usualAnswers: readonly (readonly [WorkKind, Reason, (name: string) => string])[] = [
  [
    'compact',
    'little-to-compact',
    () => 'There is too little to compact. The index is fine as it is.',
  ],
  ['compact', 'under-way', () => 'The index is being compacted.'],
  ['truncate', 'nothing-to-truncate', () => 'No value is older than that.'],
  ['load', 'already-loaded', () => 'It is loaded.'],
  ['unload', 'unloaded', () => 'It is unloaded.'],
  ['delete', 'key-not-found', (name) => `${name} does not exist any more.`],
]

const doneTexts: Record<WorkKind, string> = {
  load: 'Loaded. Everybody with a permission can use it again.',
  unload: 'Unloaded. Nobody can use it until it is loaded.',
  compact: 'The index was compacted.',
  flush: 'The index was flushed to disk.',
  truncate: 'Truncated. The server deletes older values where it can; the transactions stay.',
  delete: 'Deleted, with its files.',
}

function reportOf(name: string, { kind }: Work, outcome: Outcome<void>): WorkReport {
  const report = { kind, details: null, advice: null, finding: null }
  if (outcome.kind === 'done') {
    return { ...report, status: 'done', text: doneTexts[kind] }
  }
  const { text, details } = outcome
  if (outcome.kind === 'unknown') {
    const unknown = `It is not known whether this was done. ${text}`
    return { ...report, status: 'unknown', text: unknown, details, advice: outcome.advice }
  }
  const usual = usualAnswers.find(([of, reason]) => of === kind && reason === outcome.reason)
  if (usual) return { ...report, status: 'usual', text: usual[2](name), details }
  return { ...report, status: 'refused', text, details }
}

async function afterwards(get: Getter, set: Setter, name: string, kind: WorkKind): Promise<void> {
  const isOwn = get(databaseAtom) === name
  if (kind === 'load' || kind === 'unload') {
    set(noteTroubleAtom, name, kind === 'load' ? null : 'unloaded')
    // What is on other screens was read before; nothing of an unloaded database can be asked for.
    if (kind === 'load' && isOwn) void get(queryClientAtom).invalidateQueries()
  }
  if (kind === 'delete') {
    set(sessionAtom, withoutTokenOf(get(sessionAtom), name))
    if (isOwn) await set(leaveDatabaseAtom, name)
    set(forgetAnswersAtom, name)
    void set(forgetVisitsAtom, name)
  }
  await set(refreshDatabasesAtom)
}

/** Looks what became of work whose answer never came, and says so in its report. Only reads. */
export const checkWorkAtom = atom(null, async (get, set, name: string) => {
  const report = get(reportsAtom).get(name)
  if (!report) return
  const finding = await listDatabases(get(clientAtom))
    .then((databases) => findingOf(report.kind, databases.find((one) => one.name === name)?.loaded))
    .catch((error: unknown) => `The check itself failed. ${sentence(error)}`)
  set(reportsAtom, new Map(get(reportsAtom)).set(name, { ...report, finding }))
  void set(refreshDatabasesAtom)
})

/** In words, from whether the database is loaded; undefined when it is not in the list. */
function findingOf(kind: WorkKind, isLoaded: boolean | undefined): string {
  if (isLoaded === undefined) {
    return 'The database does not exist any more.'
  }
  switch (kind) {
    case 'load':
      return isLoaded ? 'It is loaded.' : 'It is not loaded so far.'
    case 'unload':
      return isLoaded ? 'It is still loaded so far.' : 'It is unloaded.'
    case 'delete':
      return 'It still exists so far.'
    default:
      return 'The server does not tell what became of it. Doing it again does no harm.'
  }
}

export const dismissReportAtom = atom(null, (get, set, name: string) =>
  set(reportsAtom, without(get(reportsAtom), name)),
)

function without<T>(of: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  const rest = new Map(of)
  rest.delete(name)
  return rest
}
