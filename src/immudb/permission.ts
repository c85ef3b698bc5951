/** Levels of immudb 1.11.1 (pkg/auth/permissions.go); 255 belongs to the user immudb alone. */
export const permissionNames: ReadonlyMap<number, string> = new Map([
  [255, 'System admin'],
  [254, 'Admin'],
  [2, 'Read & write'],
  [1, 'Read'],
  [0, 'None'],
])

/** The levels that can be given to a user; 255 would lock an ordinary user out of the database. */
export const offeredLevels: readonly number[] = [1, 2, 254]

export type Permission = { database: string; permission: number }

/** The level on a database, from its own entry or the wildcard's; 0 when neither is there. */
export function permissionOn(permissions: readonly Permission[], database: string): number {
  const match = permissions.find((entry) => entry.database === database || entry.database === '*')
  return match?.permission ?? 0
}

export type Action =
  | 'read'
  | 'write'
  | 'maintain index'
  | 'change database'
  | 'create database'
  | 'create user'
  | 'change permissions'
  | 'change any password'

/** Lowest level on the database for each action (matrix recorded from 1.11.1). */
const lowestLevels: Record<Action, number> = {
  read: 1,
  write: 2,
  'maintain index': 254,
  'change database': 254,
  'create database': 255,
  'create user': 254,
  'change permissions': 254,
  'change any password': 255,
}

/**
 * Why a level may not do something, as a sentence for the disabled control; undefined when it may.
 * The server decides; this only avoids a refusal.
 */
export function refusalFor(level: number, action: Action): string | undefined {
  const needed = lowestLevels[action]
  if (level >= needed) return undefined
  const name = permissionNames.get(needed) ?? `level ${needed}`
  return `This needs the permission “${name}” on the database.`
}
