import type { auditKinds } from '~/immudb/audit-event'

/** The kinds of calls as the screen calls them. */
export const kindNames: Readonly<Record<(typeof auditKinds)[number], string>> = {
  AUTH: 'Logins and logouts',
  ADMIN: 'Administration',
  WRITE: 'Writes',
  READ: 'Reads',
  SYSTEM: 'Maintenance',
}
