import type { Io } from '~/core/act'
import { draftStorageKey, keyDraftsStorageKey } from '~/lib/constants'
import { countBegun } from '../upload-records'
import {
  type DraftKind,
  type DraftOwner,
  draftOwnerAtom,
  draftPlace,
  isOfOlder,
  keepForTab,
  keptForTab,
  olderTabPlaces,
} from './drafts'
import type { Storage } from './storage'
import { storageAtom } from './stored'
import { readTab, removeTab } from './tab'

const olderPlaces = { sql: draftStorageKey, keys: keyDraftsStorageKey } as const

/**
 * The drafts of all tabs, or null. Drafts of an older console, stored in one place for all users
 * and servers, first move to their owner's place, and so do those of this tab.
 */
export async function readStoredDraft(
  storage: Storage,
  kind: DraftKind,
  owner: DraftOwner,
): Promise<unknown> {
  if (!isOfOlder(kind)) return storage.read(draftPlace(kind, owner))
  adoptForTab(kind, owner)
  const kept = await storage.read(draftPlace(kind, owner))
  if (kept !== null) return kept
  const older = asNow(await storage.read(olderPlaces[kind]), owner)
  if (older === null) return null
  if (await storage.write(draftPlace(kind, owner), older)) await storage.remove(olderPlaces[kind])
  return older
}

function adoptForTab(kind: keyof typeof olderPlaces, owner: DraftOwner): void {
  if (keptForTab(kind, owner) !== null) return
  const older = asNow(readTab(olderTabPlaces[kind]), owner)
  if (older === null) return
  keepForTab(kind, owner, older)
  removeTab(olderTabPlaces[kind])
}

/**
 * An older draft as it is kept now: without its user, and without the values that had been read.
 * Null for another user's draft, or none.
 */
function asNow(value: unknown, owner: DraftOwner): unknown {
  const { user, drafts, ...rest } = Object(value)
  if (user !== owner.user) return null
  if (!Array.isArray(drafts)) return rest
  const withoutRead = (draft: unknown) => {
    const { firstText: _, ...typed } = Object(draft)
    return typed
  }
  return { drafts: drafts.map(withoutRead) }
}

/** What there is of an owner's drafts. */
export type KeptDrafts = {
  readonly hasSql: boolean
  readonly values: number
  /** Tables with staged edits. */
  readonly tables: number
  readonly documents: number
  /** Tables that were typed and not created. */
  readonly newTables: number
  /** Collections that were typed and not created. */
  readonly collections: number
  /** Forms of this tab that were typed and not applied. */
  readonly forms: number
  /** Imports that are not at their end. */
  readonly imports: number
}

const noDrafts: KeptDrafts = {
  hasSql: false,
  values: 0,
  tables: 0,
  documents: 0,
  newTables: 0,
  collections: 0,
  forms: 0,
  imports: 0,
}

function draftsIn(read: (kind: DraftKind) => unknown): Omit<KeptDrafts, 'imports'> {
  const part = (kind: DraftKind, name: string) => Reflect.get(Object(read(kind)), name)
  // As an older console kept it.
  const text = part('sql', 'text')
  const count = (drafts: unknown) => (Array.isArray(drafts) ? drafts.length : 0)
  return {
    hasSql: count(part('sql', 'drafts')) > 0 || (typeof text === 'string' && text.trim() !== ''),
    values: count(part('keys', 'drafts')) + count(part('operations', 'drafts')),
    tables: count(part('rows', 'drafts')),
    documents: count(part('documents', 'drafts')),
    newTables: count(part('tables', 'drafts')),
    collections: count(part('collections', 'drafts')),
    forms: count(part('forms', 'drafts')),
  }
}

/** Looks up what this tab and the browser's storage keep of the drafts of the signed-in user. */
export async function findDrafts({ get }: Io): Promise<KeptDrafts> {
  const owner = get(draftOwnerAtom)
  if (owner === null) return noDrafts
  const storage = get(storageAtom)
  const stored: Partial<Record<DraftKind, unknown>> = {
    sql: await readStoredDraft(storage, 'sql', owner),
    keys: await readStoredDraft(storage, 'keys', owner),
    rows: await readStoredDraft(storage, 'rows', owner),
    documents: await readStoredDraft(storage, 'documents', owner),
    collections: await readStoredDraft(storage, 'collections', owner),
    operations: await readStoredDraft(storage, 'operations', owner),
    tables: await readStoredDraft(storage, 'tables', owner),
  }
  const ofTab = draftsIn((kind) => keptForTab(kind, owner))
  const ofAll = draftsIn((kind) => stored[kind])
  return {
    hasSql: ofTab.hasSql || ofAll.hasSql,
    values: Math.max(ofTab.values, ofAll.values),
    tables: Math.max(ofTab.tables, ofAll.tables),
    documents: Math.max(ofTab.documents, ofAll.documents),
    newTables: Math.max(ofTab.newTables, ofAll.newTables),
    collections: Math.max(ofTab.collections, ofAll.collections),
    forms: ofTab.forms,
    imports: await countBegun(storage, owner),
  }
}
