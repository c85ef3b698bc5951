import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { draftStorageKey } from '~/lib/constants'
import { serverAtom, serverPlaceAtom, sessionAtom } from '../session/session'
import type { Storage } from './storage'
import { readTab, removeTab, writeTab } from './tab'

/** Drafts are shown only to the user who typed them, on the server they were typed for. */
export type DraftOwner = { readonly server: string; readonly user: string }

const kinds = [
  'sql',
  'keys',
  'rows',
  'operations',
  'documents',
  'tables',
  'collections',
  // Typed and not applied; only its tab keeps it.
  'forms',
  // Nothing typed, but where its tab was.
  'places',
] as const
export type DraftKind = (typeof kinds)[number]

/** The storage key of one owner's drafts, shared and per tab. */
export function draftPlace(kind: DraftKind, { server, user }: DraftOwner): string {
  const place = kind === 'sql' ? draftStorageKey : `${draftStorageKey}.${kind}`
  return `${place} ${JSON.stringify([server, user])}`
}

/** The tab storage keys of an older console, which removed such drafts at logout. */
export const olderTabPlaces = { sql: 'webconsole.draft', keys: 'webconsole.draftkeys' } as const

/** Whether an older console kept such drafts. */
export function isOfOlder(kind: DraftKind): kind is keyof typeof olderTabPlaces {
  return kind in olderTabPlaces
}

const lastOwnerAtom = atom<{ owner: DraftOwner | null; isOver: boolean }>(() => ({
  owner: null,
  isOver: false,
}))

/**
 * The owner of this store's drafts; null before a login and once they are erased. Stays after
 * logout, so that text typed right before it is still saved.
 */
export const draftOwnerAtom = atom((get): DraftOwner | null => {
  const last = get(lastOwnerAtom)
  const session = get(sessionAtom)
  // Two servers of a list may have the same id: one can be a copy of the other.
  const server = (get(serverAtom) ?? '') + get(serverPlaceAtom)
  if (session) last.owner = { server, user: session.user }
  return last.isOver ? null : last.owner
})

/** Keeps a draft for this tab; without it a draft is as old as the last write to storage. */
export function keepForTab(kind: DraftKind, owner: DraftOwner, value: unknown): void {
  writeTab(draftPlace(kind, owner), value)
}

/** What was kept for this tab, or null. */
export function keptForTab(kind: DraftKind, owner: DraftOwner): unknown {
  return readTab(draftPlace(kind, owner))
}

/** Whether this tab has kept drafts, as far as that can be told at once. */
export function hasDraftsInTab({ get }: Io): boolean {
  const owner = get(draftOwnerAtom)
  if (owner === null) return false
  return kinds.some((kind) => {
    if (kind === 'places') return false
    const { drafts, text } = Object(keptForTab(kind, owner))
    return drafts?.length > 0 || String(text ?? '').trim() !== ''
  })
}

/** Saves no more drafts of this store's user, who is returned; null for none. */
export function endDrafts({ get }: Io): DraftOwner | null {
  const owner = get(draftOwnerAtom)
  get(lastOwnerAtom).isOver = true
  return owner
}

/** Erases an owner's drafts for good; each that storage still has is a false. */
export function eraseDrafts(storage: Storage, owner: DraftOwner): readonly Promise<boolean>[] {
  return kinds.map((kind) => {
    removeTab(draftPlace(kind, owner))
    if (isOfOlder(kind)) removeTab(olderTabPlaces[kind])
    return storage.remove(draftPlace(kind, owner))
  })
}
