import { atom } from 'jotai'
import { type DraftKind, draftOwnerAtom, keptForTab } from './drafts'
import { readDraft } from './older-drafts'
import { storageAtom } from './stored'

/** What there is of an owner's drafts. */
export type KeptDrafts = { readonly hasSql: boolean; readonly values: number }

function draftsIn(read: (kind: DraftKind) => unknown): KeptDrafts {
  const part = (kind: DraftKind, name: string) => Reflect.get(Object(read(kind)), name)
  const [text, drafts] = [part('sql', 'text'), part('keys', 'drafts')]
  return {
    hasSql: typeof text === 'string' && text.trim() !== '',
    values: Array.isArray(drafts) ? drafts.length : 0,
  }
}

/** Looks up what this tab and the browser's storage keep of the drafts of the signed-in user. */
export const findDraftsAtom = atom(null, async (get): Promise<KeptDrafts> => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return { hasSql: false, values: 0 }
  const storage = get(storageAtom)
  const stored = {
    sql: await readDraft(storage, 'sql', owner),
    keys: await readDraft(storage, 'keys', owner),
  }
  const ofTab = draftsIn((kind) => keptForTab(kind, owner))
  const ofAll = draftsIn((kind) => stored[kind])
  return {
    hasSql: ofTab.hasSql || ofAll.hasSql,
    values: Math.max(ofTab.values, ofAll.values),
  }
})
