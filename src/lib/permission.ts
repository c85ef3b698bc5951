/** Levels of immudb 1.11.1 (pkg/auth/permissions.go); 255 belongs to the user immudb alone. */
export const permissionNames: ReadonlyMap<number, string> = new Map([
  [255, 'System admin'],
  [254, 'Admin'],
  [2, 'Read & write'],
  [1, 'Read'],
  [0, 'None'],
])

export type Permission = { database: string; permission: number }

/** The level on a database: its own entry or the wildcard's; none loaded or matching gives 0. */
export function permissionOn(permissions: readonly Permission[], database: string): number {
  const match = permissions.find((entry) => entry.database === database || entry.database === '*')
  return match?.permission ?? 0
}

/** What a level may do with the selected database (matrix recorded from 1.11.1). */
export function canWrite(level: number): boolean {
  return level >= 2
}
