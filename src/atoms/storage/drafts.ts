import { atom } from 'jotai'
import { draftStorageKey, keyDraftsStorageKey } from '~/lib/constants'
import { serverAtom, sessionAtom } from '../session/session'
import { storageAtom } from './stored'
import { readTab, removeTab, writeTab } from './tab'

/** Drafts are shown to the user who typed them alone, and on the server they were typed for. */
export type DraftOwner = { readonly server: string; readonly user: string }

const places = { sql: draftStorageKey, keys: keyDraftsStorageKey } as const
export type DraftKind = keyof typeof places

/** Where one owner's drafts lie, in the storage of all tabs and in that of one. */
export function draftPlace(kind: DraftKind, { server, user }: DraftOwner): string {
  return `${places[kind]} ${JSON.stringify([server, user])}`
}

/** Where an older console kept a tab's drafts, which it removed when their user logged out. */
export const olderTabPlaces = { sql: 'webconsole.draft', keys: 'webconsole.draftkeys' } as const

const lastOwnerAtom = atom<{ owner: DraftOwner | null; isOver: boolean }>(() => ({
  owner: null,
  isOver: false,
}))

/**
 * Whose drafts this store holds; null while nobody has logged in, and once they were erased. Stays
 * after a log-out, so that what was typed right before it is still kept.
 */
export const draftOwnerAtom = atom((get): DraftOwner | null => {
  const last = get(lastOwnerAtom)
  const session = get(sessionAtom)
  const server = get(serverAtom) ?? ''
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
export const hasDraftsInTabAtom = atom(null, (get): boolean => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return false
  const kept = { ...Object(keptForTab('sql', owner)), ...Object(keptForTab('keys', owner)) }
  return Boolean(String(kept.text ?? '').trim() || kept.drafts?.length)
})

/** Erases the drafts of this store's user for good; nothing that comes later is kept any more. */
export const eraseDraftsAtom = atom(null, (get) => {
  const owner = get(draftOwnerAtom)
  get(lastOwnerAtom).isOver = true
  if (owner === null) return
  for (const kind of Object.keys(places) as DraftKind[]) {
    void get(storageAtom).remove(draftPlace(kind, owner))
    removeTab(draftPlace(kind, owner))
    removeTab(olderTabPlaces[kind])
  }
})
