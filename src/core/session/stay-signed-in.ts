import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { samplesStorageKey } from '~/lib/storage-keys'
import { clearTab } from '../storage/tab'
import { sessionAtom } from './session'
import { forgetToken, keepSession } from './session-start'

/** Whether a reload finds the session in storage again. */
export const staySignedInAtom = atom((get) => get(sessionAtom)?.isStored ?? false)

/** Puts the session into storage, or removes it so that only this tab is logged in. */
export function setStaySignedIn(io: Io, isStored: boolean) {
  const session = io.get(sessionAtom)
  if (!session) return
  io.set(sessionAtom, { ...session, isStored })
  if (!isStored) {
    clearTab(samplesStorageKey)
    forgetToken(io)
  }
  keepSession(io)
}
