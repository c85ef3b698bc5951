import { draftStorageKey, keyDraftsStorageKey } from '~/lib/constants'
import {
  type DraftKind,
  type DraftOwner,
  draftPlace,
  keepForTab,
  keptForTab,
  olderTabPlaces,
} from './drafts'
import type { Storage } from './storage'
import { readTab, removeTab } from './tab'

const olderPlaces = { sql: draftStorageKey, keys: keyDraftsStorageKey } as const

/**
 * What was kept for all tabs, or null. Drafts of an older console, which lie at one place for all
 * users and servers, move to the place of their owner before, those of this tab, too.
 */
export async function readDraft(
  storage: Storage,
  kind: DraftKind,
  owner: DraftOwner,
): Promise<unknown> {
  adoptForTab(kind, owner)
  const kept = await storage.read(draftPlace(kind, owner))
  if (kept !== null) return kept
  const older = asNow(await storage.read(olderPlaces[kind]), owner)
  if (older === null) return null
  if (await storage.write(draftPlace(kind, owner), older)) await storage.remove(olderPlaces[kind])
  return older
}

function adoptForTab(kind: DraftKind, owner: DraftOwner): void {
  if (keptForTab(kind, owner) !== null) return
  const older = asNow(readTab(olderTabPlaces[kind]), owner)
  if (older === null) return
  keepForTab(kind, owner, older)
  removeTab(olderTabPlaces[kind])
}

/**
 * An older draft as it is kept now: without its user, and without the values that had been read.
 * Null when it is another user's, or none.
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
