import type { Io } from '~/core/act'
import { storageKey } from '~/lib/constants'
import { noticeAtom } from '../storage/notice'
import { readStored, storageAtom } from '../storage/stored'
import { askForLogout } from './logout-channel'
import { serverPlaceAtom, sessionAtom } from './session'
import { followLogout, leavingAt, withoutSession } from './session-end'

/**
 * For a page that is back as it was left and heard nothing meanwhile: follows the log-out of its user.
 * Storage tells of it, unless the session is of this tab alone: then other tabs do, if there are any.
 */
export async function followMissedLogout(io: Io) {
  const { get } = io
  const session = get(sessionAtom)
  if (!session) return
  askForLogout()
  if (!session.isStored) return
  const { user, since } = session
  const found = await get(storageAtom).read(storageKey)
  // Storage that fails says nothing about users.
  if (get(noticeAtom) !== null || get(sessionAtom)?.since !== since) return
  const { auth } = withoutSession(leavingAt(get(serverPlaceAtom)), readStored(found))
  if (auth.user !== user) followLogout(io, { kind: 'logout', user, at: Date.now(), drafts: 'keep' })
}
