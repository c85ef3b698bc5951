import { atom } from 'jotai'
import { newWriteId } from '~/api/fresh'
import { importsStorageKey } from '~/lib/storage-keys'
import { type DraftOwner, draftOwnerAtom } from '../storage/drafts'
import { storageAtom } from '../storage/stored'
import { readTab, writeTab } from '../storage/tab'
import type { FileId } from './import-file'
import type { ImportPlan, ImportProgress } from './import-progress'

/** An import as this browser remembers it, so that it can continue after a reload. */
export type ImportRecord = {
  readonly version: 1
  readonly plan: ImportPlan
  readonly progress: ImportProgress
  /** The tab that ran it last, and when; null once it rests. Milliseconds since 1970. */
  readonly holder: { readonly tab: string; readonly at: number } | null
}

const tabPlace = 'webconsole.importtab'

/** A tab that gave no sign for this long is taken for closed; a request ends before. */
const holdTime = 60_000

const placeOf = ({ server, user }: DraftOwner) =>
  `${importsStorageKey} ${JSON.stringify([server, user])}`

/** This tab, also after a reload of it. */
export const tabNameAtom = atom((): string => {
  const known = readTab(tabPlace)
  if (typeof known === 'string') return known
  const made = newWriteId()
  writeTab(tabPlace, made)
  return made
})

/** Whether another tab than the named one seems to be running the import. */
export function isHeld({ holder }: ImportRecord, tab: string, now: number): boolean {
  return holder !== null && holder.tab !== tab && now - holder.at < holdTime
}

/** Each import has a place of its own, because it is written with every transaction. */
function placeFor(owner: DraftOwner, { database, file, target }: ImportPlan): string {
  const name = JSON.stringify([database, target.table, file.name, file.size, file.beginning])
  return `${placeOf(owner)} ${name}`
}

/** Keeps an import in the place of its older state. False when this browser cannot. */
export const keepImportAtom = atom(
  null,
  (get, _set, owner: DraftOwner, record: ImportRecord): Promise<boolean> =>
    get(storageAtom).write(placeFor(owner, record.plan), record),
)

/** Forgets an import that is over or given up. */
export const forgetImportAtom = atom(
  null,
  (get, _set, owner: DraftOwner, plan: ImportPlan): Promise<boolean> =>
    get(storageAtom).remove(placeFor(owner, plan)),
)

/** The imports of the signed-in user into a database that are not at their end. */
export const findImportsAtom = atom(null, async (get, _set, database: string) => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return []
  const storage = get(storageAtom)
  const places = (await storage.keys()).filter((key) => key.startsWith(`${placeOf(owner)} `))
  const found = await Promise.all(places.map((key) => storage.read(key)))
  return found.filter(isRecord).filter(({ plan }) => plan.database === database)
})

function isRecord(value: unknown): value is ImportRecord {
  return Object(value).version === 1
}

export function isSameFile(one: FileId, other: FileId): boolean {
  return one.size === other.size && one.beginning === other.beginning && one.name === other.name
}
