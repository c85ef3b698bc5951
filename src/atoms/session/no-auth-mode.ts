import { atom } from 'jotai'
import { openAccess } from '~/api/open-access'
import { defaultDatabase } from '~/lib/constants'
import { clientAtom } from './client'
import { noteNoAuthTab, permissionsAtom, sessionAtom } from './session'
import { enterAtom, phaseAtom } from './start'

/**
 * Enters without a login where the server has none; otherwise nothing happens. Asked only when
 * there is a reason: nobody is asked for anything before somebody wants to log in.
 */
export const enterWithoutLoginAtom = atom(null, async (get, set) => {
  const open = await openAccess(get(clientAtom), defaultDatabase)
  noteNoAuthTab(open !== null)
  if (!open || get(phaseAtom) !== 'signed-out' || get(sessionAtom)) return
  const { mode, token } = open
  // Nobody's rights are asked about; what the mode itself does not allow is said by the console.
  set(permissionsAtom, [{ database: '*', permission: 255 }])
  const databaseTokens = new Map([[defaultDatabase, token]])
  const since = Date.now()
  set(sessionAtom, { user: '', token, databaseTokens, isStored: false, since, mode })
  await set(enterAtom)
})
