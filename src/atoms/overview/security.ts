import { atom } from 'jotai'
import { stateAtom } from '~/core/history/newest-state'
import { bannerAtom } from '~/core/session/banner'
import { pageHeadersAtom } from '~/core/session/server'
import { reportedVersionAtom } from '~/core/session/server-version'
import { modeAtom, sessionAtom } from '~/core/session/session'
import { type CheckedRisk, checkedRisks } from '~/immudb/security'
import { tokenExpiry } from '~/immudb/token'
import { isSystemAdmin } from '~/immudb/user-rules'
import { systemAdmin } from '~/lib/constants'
import { databasesAtom } from '../databases/database-list'
import { ownPermissionsAtom, usersAtom } from '../users/user-list'
import { isMetricsPublicAtom } from './metrics'

/**
 * Whether user immudb has the default password; null for other users, because the server warns only
 * at the login of that user.
 */
export const hasDefaultPasswordAtom = atom((get) => {
  if (get(bannerAtom).title !== '') return true
  return get(sessionAtom)?.user === systemAdmin ? false : null
})

const isEveryUserListedAtom = atom((get) => {
  const permissions = get(ownPermissionsAtom)
  return permissions !== null && isSystemAdmin({ permissions })
})

/** Databases that are listed but not loaded; null while the list is not known. */
export const unloadedAtom = atom((get) => {
  const { data } = get(databasesAtom)
  return data ? data.filter(({ loaded }) => !loaded).map(({ name }) => name) : null
})

/** Whether the server signs the state of the open database; null while no state is known. */
export const isSignedAtom = atom((get) => {
  const { data } = get(stateAtom)
  return data ? data.signature !== undefined : null
})

const tokenLeftAtom = atom((get) => {
  const session = get(sessionAtom)
  const end = session && tokenExpiry(session.token)
  return end === null ? null : end - Date.now()
})

/** The security checkedRisks about this server, without extra calls. */
export const checkedRisksAtom = atom((get): CheckedRisk[] =>
  checkedRisks({
    isOpen: get(modeAtom) !== 'login',
    hasDefaultPassword: get(hasDefaultPasswordAtom),
    page: window.location,
    isMetricsPublic: get(isMetricsPublicAtom),
    headers: get(pageHeadersAtom).data ?? null,
    tokenLeft: get(tokenLeftAtom),
    users: get(usersAtom).data ?? null,
    isEveryUserListed: get(isEveryUserListedAtom),
    isSigned: get(isSignedAtom),
    unloaded: get(unloadedAtom),
    version: get(reportedVersionAtom),
  }),
)
