import { systemDatabase } from '~/lib/constants'
import { listOf } from '~/lib/text'
import { type Permission, permissionNames, permissionOn } from './permission'
import type { Viewer } from './user-rules'

/** SQL privileges of immudb 1.11.1 (embedded/sql/stmt.go) with what each is for. */
export const privilegeMeanings: ReadonlyMap<string, string> = new Map([
  ['SELECT', 'Read rows; also SHOW and EXPLAIN'],
  ['INSERT', 'Add rows'],
  ['UPDATE', 'Change rows'],
  ['DELETE', 'Delete rows'],
  ['CREATE', 'Create tables and indexes'],
  ['ALTER', 'Change tables'],
  ['DROP', 'Drop tables and indexes'],
])

export const privilegeNames: readonly string[] = [...privilegeMeanings.keys()]

export type Privilege = { readonly database: string; readonly privilege: string }

/** Who holds permissions, and the SQL privileges beside them. */
export type Holder = {
  readonly permissions: readonly Permission[]
  readonly sqlPrivileges: readonly Privilege[]
}

/** Privileges on one database in the usual order; names not known here come last. */
export function privilegesOn({ sqlPrivileges }: Holder, database: string): string[] {
  const held = new Set(
    sqlPrivileges.filter((one) => one.database === database).map(({ privilege }) => privilege),
  )
  const known = privilegeNames.filter((name) => held.has(name))
  return [...known, ...[...held].filter((name) => !privilegeMeanings.has(name))]
}

/** `All`, `None`, or the names. */
export function privilegeSummary(privileges: readonly string[]): string {
  if (privileges.length === 0) return 'None'
  return privilegeNames.every((name) => privileges.includes(name)) ? 'All' : privileges.join(', ')
}

export type Grant = { readonly database: string; readonly privileges: readonly string[] }

/**
 * The privileges on other databases that a changed permission on `database` removes. The server
 * replaces the whole list by the defaults of that one database. Privileges without a permission are
 * left out, because they could not be restored.
 */
export function wipedBy(holder: Holder, database: string): Grant[] {
  return holder.permissions
    .map((entry) => entry.database)
    .filter((name) => name !== database && name !== '*' && name !== systemDatabase)
    .map((name) => ({ database: name, privileges: privilegesOn(holder, name) }))
    .filter(({ privileges }) => privileges.length > 0)
}

/** Splits the removed privileges by whether the viewer may restore them. */
export function splitByRepair(viewer: Viewer, wiped: readonly Grant[]) {
  const isOurs = ({ database }: Grant) => permissionOn(viewer.permissions, database) >= 254
  return { own: wiped.filter(isOurs), foreign: wiped.filter((grant) => !isOurs(grant)) }
}

/** The grants that the holder lacks. */
export function missingFrom(holder: Holder, grants: readonly Grant[]): Grant[] {
  return grants
    .map(({ database, privileges }) => {
      const held = new Set(privilegesOn(holder, database))
      return { database, privileges: privileges.filter((name) => !held.has(name)) }
    })
    .filter(({ privileges }) => privileges.length > 0)
}

/** `shop (SELECT, INSERT) and ledger (All)`. */
export function listedGrants(grants: readonly Grant[]): string {
  const each = grants.map(
    ({ database, privileges }) => `${database} (${privilegeSummary(privileges)})`,
  )
  return listOf(each)
}

/** A level's name. */
export function levelName(level: number): string {
  return permissionNames.get(level) ?? `level ${level}`
}
