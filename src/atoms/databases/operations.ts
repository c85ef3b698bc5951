import { atom, type Getter, type Setter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import {
  compactIndex,
  deleteDatabase,
  flushIndex,
  loadDatabase,
  truncateDatabase,
  unloadDatabase,
} from '~/api/database-operations'
import { listDatabases } from '~/api/databases'
import type { Reason } from '~/api/errors'
import { idle, isBusy, type Write } from '~/lib/write'
import { forgetVisitsAtom } from '../history/last-visit'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { databaseAtom, noteTroubleAtom, sessionAtom } from '../session/session'
import { checkWrite, runWrite, type WritePlace } from '../write/write'
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

type OneWork = { kind: WorkKind; write: Write<void>; isAfter: boolean }

/** The newest work of each database; `isAfter`: what follows from it is still being done. */
const allWorkAtom = atom<ReadonlyMap<string, OneWork>>(new Map<string, OneWork>())

const isUnderWay = ({ write, isAfter }: OneWork) => isBusy(write) || isAfter

/** What is being done to which database. */
export const worksAtom = atom(
  (get): ReadonlyMap<string, WorkKind> =>
    new Map(
      [...get(allWorkAtom)].flatMap(([name, work]) =>
        isUnderWay(work) ? [[name, work.kind] as const] : [],
      ),
    ),
)

/** The newest report of each database. */
export const workReportsAtom = atom(
  (get): ReadonlyMap<string, WorkReport> =>
    new Map(
      [...get(allWorkAtom)].flatMap(([name, work]) => {
        const report = reportOf(name, work)
        return report ? [[name, report] as const] : []
      }),
    ),
)

const changeWorkAtom = atom(null, (get, set, name: string, change: Partial<OneWork>) => {
  const all = get(allWorkAtom)
  const work = all.get(name) ?? { kind: 'load', write: idle, isAfter: false }
  set(allWorkAtom, new Map(all).set(name, { ...work, ...change }))
})

function placeOf(get: Getter, set: Setter, name: string): WritePlace<Write<void>> {
  return {
    read: () => get(allWorkAtom).get(name)?.write ?? idle,
    tell: (write) => set(changeWorkAtom, name, { write }),
  }
}

/**
 * Does the work once; a second call for the same database while one is under way is not sent.
 * Resolves with the report, or null when nothing was sent.
 */
export const workAtom = atom(
  null,
  async (get, set, name: string, work: Work): Promise<WorkReport | null> => {
    if (get(worksAtom).has(name)) return null
    set(changeWorkAtom, name, { kind: work.kind, write: idle, isAfter: true })
    await runWrite<void>(set, placeOf(get, set, name), {
      // What is not loaded cannot be opened, which is where its writes are released.
      database: work.kind === 'load' ? (get(databaseAtom) ?? '') : name,
      send: () => doWork(get, set, name, work),
    })
    const report = get(workReportsAtom).get(name) ?? null
    const isGone = work.kind === 'delete' && report?.status === 'usual'
    if (report?.status === 'done' || isGone) await afterwards(get, set, name, work.kind)
    else void set(refreshDatabasesAtom)
    set(changeWorkAtom, name, { isAfter: false })
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

function reportOf(name: string, { kind, write }: OneWork): WorkReport | null {
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
  const work = get(allWorkAtom).get(name)
  if (work?.write.kind !== 'unknown') return
  await checkWrite<void>(placeOf(get, set, name), async () => {
    const databases = await listDatabases(get(clientAtom))
    return findingOf(work.kind, databases.find((one) => one.name === name)?.loaded)
  })
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

export const dismissReportAtom = atom(null, (get, set, name: string) => {
  const rest = new Map(get(allWorkAtom))
  rest.delete(name)
  set(allWorkAtom, rest)
})
