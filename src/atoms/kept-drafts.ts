import { atom } from 'jotai'
import { draftOwnerAtom, draftPlace, draftsIn, type KeptDrafts, keptForTab } from './drafts'
import { storageAtom } from './stored'

/** Looks up what this tab and the browser's storage keep of the drafts of the signed-in user. */
export const findDraftsAtom = atom(null, async (get): Promise<KeptDrafts> => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return { hasSql: false, values: 0 }
  const storage = get(storageAtom)
  const stored = {
    sql: await storage.read(draftPlace('sql', owner)),
    keys: await storage.read(draftPlace('keys', owner)),
  }
  const [ofTab, ofAll] = [
    draftsIn((kind) => keptForTab(kind, owner)),
    draftsIn((kind) => stored[kind]),
  ]
  return {
    hasSql: ofTab.hasSql || ofAll.hasSql,
    values: Math.max(ofTab.values, ofAll.values),
  }
})
