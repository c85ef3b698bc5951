import { atom } from 'jotai'
import { samplesStorageKey } from '~/lib/constants'
import { sessionAtom } from './session'
import { keepSessionAtom } from './start'
import { clearTab } from './tab-storage'

/** Whether a reload finds the session in storage again. */
export const isStayingAtom = atom((get) => get(sessionAtom)?.isStored ?? false)

/** Puts the session into storage, or takes it out so that only this tab is signed in. */
export const setStayingAtom = atom(null, (get, set, isStored: boolean) => {
  const session = get(sessionAtom)
  if (!session) return
  set(sessionAtom, { ...session, isStored })
  if (!isStored) clearTab(samplesStorageKey)
  set(keepSessionAtom)
})
