import { systemAdmin, systemDatabase, userNameLimit } from '~/lib/constants'
import type { Rule } from './password-rules'
import { type Permission, permissionOn, refusalFor } from './permission'

/** The server's rules for a user name (pkg/auth/user.go, 1.11.1). */
export function userNameRules(name: string): Rule[] {
  return [
    {
      text: `1 to ${userNameLimit} characters`,
      isMet: name.length > 0 && name.length <= userNameLimit,
    },
    { text: 'Only letters A to Z, digits and underscores', isMet: /^[A-Za-z0-9_]+$/.test(name) },
  ]
}

/** Why no user of this name can be added; undefined when it can. Names differ by case too. */
export function userNameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name === '') return 'This field is required'
  if (userNameRules(name).some(({ isMet }) => !isMet)) return 'immudb does not accept this name.'
  if (taken.has(name)) return 'A user with this name already exists.'
  return undefined
}

/** The logged-in user. */
export type Viewer = {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** The server is a replica and copies its users from its primary. */
  readonly isOnReplica?: boolean
}

/** The facts about a user that decide who may change it. */
export type Subject = {
  readonly user: string
  readonly active: boolean
  /** Who changed the user last. The server calls this the creator. */
  readonly createdby: string
  readonly permissions: readonly Permission[]
}

export function isSystemAdmin({ permissions }: Pick<Viewer, 'permissions'>): boolean {
  return permissions.some((entry) => entry.database === '*' && entry.permission === 255)
}

/** The databases of the list in which the viewer may manage users. */
export function administeredDatabases(viewer: Viewer, databases: readonly string[]): string[] {
  return databases.filter((name) => permissionOn(viewer.permissions, name) >= 254)
}

function isAdminAnywhere({ permissions }: Viewer): boolean {
  return permissions.some(({ permission }) => permission >= 254)
}

const onReplica = 'This server is a replica: users change only on its primary.'
const needsAdmin = 'This needs the permission “Admin” on a database.'

/**
 * Each refusal below is a sentence for the disabled control; undefined when the action may be
 * tried.
 */
export function refusalToAdd(viewer: Viewer): string | undefined {
  if (viewer.isOnReplica) return onReplica
  return isAdminAnywhere(viewer) ? undefined : needsAdmin
}

/** Rules of `ChangePassword` in pkg/server/user.go: ordinary users cannot even change their own. */
export function refusalToChangePassword(viewer: Viewer, subject: Subject): string | undefined {
  if (viewer.isOnReplica) return onReplica
  if (isSystemAdmin(viewer)) return undefined
  if (subject.user === viewer.name && subject.createdby !== viewer.name) {
    return 'Only the system admin and the admin who manages you can change this.'
  }
  return refusalToManage(viewer, subject)
}

/** Rules of `SetActiveUser`. */
export function refusalToChangeStatus(viewer: Viewer, subject: Subject): string | undefined {
  if (viewer.isOnReplica) return onReplica
  if (subject.user === viewer.name) return 'You cannot change your own status.'
  return isSystemAdmin(viewer) ? undefined : refusalToManage(viewer, subject)
}

function refusalToManage(viewer: Viewer, { user, createdby }: Subject): string | undefined {
  if (!isAdminAnywhere(viewer)) return needsAdmin
  if (createdby === viewer.name) return undefined
  const who = createdby === '' ? 'the server itself' : createdby
  return `Only the system admin and the user who changed ${user} last may do this. That was ${who}.`
}

/** Rules of `ChangePermission`, for one database. */
export function refusalToChangePermission(
  viewer: Viewer,
  subject: Subject,
  database: string,
): string | undefined {
  if (viewer.isOnReplica) return onReplica
  if (subject.user === viewer.name) return 'You cannot change your own permissions.'
  if (subject.user === systemAdmin) return 'The permissions of the system admin are fixed.'
  if (!subject.active) return 'Activate the user first.'
  return refusalFor(permissionOn(viewer.permissions, database), 'change permissions')
}

/** Rules of `ChangeSQLPrivileges`, which also asks for a permission on the database. */
export function refusalToChangePrivileges(
  viewer: Viewer,
  subject: Subject,
  database: string,
): string | undefined {
  if (database === systemDatabase) return 'There are no SQL privileges on this database.'
  const refusal = refusalToChangePermission(viewer, subject, database)
  if (refusal) return refusal
  const hasAccess = subject.permissions.some((entry) => entry.database === database)
  return hasAccess ? undefined : 'Give a permission on this database first.'
}
