import { atom } from 'jotai'
import * as v from 'valibot'
import { draftStorageKey, historyStorageKey, keyDraftsStorageKey } from '~/lib/constants'
import { storageAtom } from '../stored'
import { forgetForTab } from '../tab-draft'

const owned = v.object({ user: v.string() })

/** Removes the stored drafts and code history of a user who leaves. */
export const forgetDraftAtom = atom(null, (get, _set, user: string | null): Promise<boolean> => {
  forgetForTab()
  const isAnothers = (value: unknown) => v.is(owned, value) && value.user !== user
  const othersOnly = (value: unknown) => (isAnothers(value) ? value : null)
  void get(storageAtom).change(historyStorageKey, othersOnly)
  void get(storageAtom).change(keyDraftsStorageKey, othersOnly)
  return get(storageAtom).change(draftStorageKey, othersOnly)
})
