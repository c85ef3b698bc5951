import { atom } from 'jotai'
import { newWriteId } from '~/api/write-once'
import { type DraftOwner, draftOwnerAtom } from '~/core/storage/drafts'
import { importPlaces, importsOf } from '~/core/storage/import-places'
import { storageAtom } from '~/core/storage/stored'
import type { Holder } from '~/core/storage/tab-name'
import type { FileId } from './import-file'
import type { ImportPlan, ImportProgress } from './import-progress'

/** An import as this browser remembers it, so that it can continue after a reload. */
export type ImportRecord = {
  readonly version: 2
  readonly plan: ImportPlan
  readonly progress: ImportProgress
  /** The tab that ran it last; null once it rests. */
  readonly holder: Holder | null
  /** The page that wrote this; a reload and a copied tab are other pages. */
  readonly page?: string
}

/** This page, until it is left. */
export const pageNameAtom = atom(newWriteId)

/** Each import has a place of its own, because it is written with every transaction. */
function placeFor(owner: DraftOwner, { database, file, target }: ImportPlan): string {
  const name = JSON.stringify([database, target.table, file.name, file.size, file.beginning])
  return `${importsOf(owner)}${name}`
}

/** Keeps an import in the place of its older state. False when this browser cannot. */
export const keepImportAtom = atom(
  null,
  (get, _set, owner: DraftOwner, record: ImportRecord): Promise<boolean> =>
    get(storageAtom).write(placeFor(owner, record.plan), record),
)

/** What is remembered of an import now, perhaps by another tab; null for nothing. */
export const readImportAtom = atom(
  null,
  async (get, _set, owner: DraftOwner, plan: ImportPlan): Promise<ImportRecord | null> => {
    const found = await get(storageAtom).read(placeFor(owner, plan))
    return isRecord(found) ? found : null
  },
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
  const places = await importPlaces(storage, owner)
  const found = await Promise.all(places.map((key) => storage.read(key)))
  return found.filter(isRecord).filter(({ plan }) => plan.database === database)
})

function isRecord(value: unknown): value is ImportRecord {
  return Object(value).version === 2
}

export function isSameFile(one: FileId, other: FileId): boolean {
  return one.size === other.size && one.beginning === other.beginning && one.name === other.name
}
