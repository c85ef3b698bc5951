import { atom } from 'jotai'
import { newWriteId } from '~/api/fresh'
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

const place = 'webconsole.imports'
const tabPlace = 'webconsole.importtab'

/** A tab that gave no sign for this long is taken for closed; a request ends before. */
const holdTime = 60_000

const placeOf = ({ server, user }: DraftOwner) => `${place} ${JSON.stringify([server, user])}`

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

function recordsIn(value: unknown): ImportRecord[] {
  return Array.isArray(value) ? value.filter((one) => Object(one).version === 1) : []
}

/** What tells imports apart: one file into one table. */
function nameOf({ database, file, target }: ImportPlan): string {
  return JSON.stringify([database, target.table, file.name, file.size, file.beginning])
}

/** Keeps an import in the place of its older state. False when this browser cannot. */
export const keepImportAtom = atom(
  null,
  (get, _set, owner: DraftOwner, record: ImportRecord): Promise<boolean> =>
    get(storageAtom).change(placeOf(owner), (value) => {
      const others = recordsIn(value).filter(({ plan }) => nameOf(plan) !== nameOf(record.plan))
      return [...others, record]
    }),
)

/** Forgets an import that is over or given up. */
export const forgetImportAtom = atom(
  null,
  (get, _set, owner: DraftOwner, plan: ImportPlan): Promise<boolean> =>
    get(storageAtom).change(placeOf(owner), (value) =>
      recordsIn(value).filter((one) => nameOf(one.plan) !== nameOf(plan)),
    ),
)

/** The imports of the signed-in user into a database that are not at their end. */
export const findImportsAtom = atom(null, async (get, _set, database: string) => {
  const owner = get(draftOwnerAtom)
  const found = owner === null ? [] : recordsIn(await get(storageAtom).read(placeOf(owner)))
  return found.filter(({ plan }) => plan.database === database)
})

export function isSameFile(one: FileId, other: FileId): boolean {
  return one.size === other.size && one.beginning === other.beginning && one.name === other.name
}
