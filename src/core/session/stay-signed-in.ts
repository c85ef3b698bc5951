import { atom } from 'jotai'
import { samplesStorageKey } from '~/lib/storage-keys'
import { clearTab } from '../storage/tab'
import { sessionAtom } from './session'
import { forgetTokenAtom, keepSessionAtom } from './session-start'

/** Whether a reload finds the session in storage again. */
export const staySignedInAtom = atom((get) => get(sessionAtom)?.isStored ?? false)

/** Puts the session into storage, or removes it so that only this tab is logged in. */
export const setStaySignedInAtom = atom(null, (get, set, isStored: boolean) => {
  const session = get(sessionAtom)
  if (!session) return
  set(sessionAtom, { ...session, isStored })
  if (!isStored) {
    clearTab(samplesStorageKey)
    set(forgetTokenAtom)
  }
  set(keepSessionAtom)
})
