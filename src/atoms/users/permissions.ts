import {
  type PermissionChange,
  changePermission as sendChangePermission,
  changePrivileges as sendChangePrivileges,
  type User,
} from '~/api/users'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { failedCheck, outcomeOf } from '~/core/write'
import { permissionOn } from '~/immudb/permission'
import {
  type Grant,
  levelName,
  listedGrants,
  missingFrom,
  splitByRepair,
  wipedBy,
} from '~/immudb/privileges'
import { notSoFar } from '~/words/outcome'
import { readUser } from './user-list'
import { viewerAtom } from './viewer'
import { addUserReport, dismissUserReport, type UserReport, writeUser } from './writes'

const sessionsRemain =
  'immudb does not end every session with it. Someone who logged in more than once keeps the old permissions until the token expires. A new password ends all sessions at once.'

/**
 * Grants, changes or revokes a permission. The server then removes the user's SQL privileges on all
 * other databases. They are read before, restored after, and both is reported.
 */
export function changePermission(io: Io, change: PermissionChange) {
  let before: User | null = null
  return writeUser(io, {
    database: change.database,
    confirm: async () => {
      const read = await outcomeOf(readUser(io, change.user))
      if (read.kind !== 'committed') {
        const text = `Nothing was changed, because the user could not be read first. ${read.text}`
        return { kind: 'refused', text, details: read.details }
      }
      before = read.value
      if (before) return null
      const text = `${change.user} is no longer listed.`
      return { kind: 'refused', text, details: 'no user' }
    },
    send: async () => {
      await sendChangePermission(io.get(clientAtom), change)
      return null
    },
    settle: async (outcome) => {
      if (outcome.kind !== 'committed' || !before) return outcome
      const wiped = wipedBy(before, change.database)
      const lost = await giveBackGrants(io, change.user, wiped)
      const isLess = isLessThan(before, change)
      if (wiped.length === 0 && !isLess) return { kind: 'committed', value: done(change) }
      addUserReport(io, {
        user: change.user,
        text: done(change),
        lines: [...wipedLines(wiped, lost), ...(isLess ? [sessionsRemain] : [])],
        isWarning: isLess || lost.length > 0,
        offersPassword: isLess,
        lost,
      })
      return outcome
    },
  })
}

function isLessThan({ permissions }: User, { action, database, permission }: PermissionChange) {
  return action === 'REVOKE' || permission < permissionOn(permissions, database)
}

function done({ action, user, database, permission }: PermissionChange): string {
  return action === 'REVOKE'
    ? `${user} no longer has a permission on ${database}.`
    : `${user} now has the permission “${levelName(permission)}” on ${database}.`
}

function wipedLines(wiped: readonly Grant[], lost: readonly Grant[]): string[] {
  if (wiped.length === 0) return []
  const taken = `With every permission change, immudb removes the SQL privileges on other databases, here on ${listedGrants(wiped)}.`
  if (lost.length === 0) return [`${taken} They were restored.`]
  return [`${taken} Not restored: ${listedGrants(lost)}.`]
}

/** Restores privileges as far as the viewer may; returns those still missing. */
async function giveBackGrants(
  io: Io,
  user: string,
  wiped: readonly Grant[],
): Promise<readonly Grant[]> {
  if (wiped.length === 0) return []
  const { own, foreign } = splitByRepair(io.get(viewerAtom), wiped)
  const failed: Grant[] = []
  for (const grant of own) {
    const sent = sendChangePrivileges(io.get(clientAtom), { action: 'GRANT', user, ...grant })
    if ((await outcomeOf(sent)).kind !== 'committed') failed.push(grant)
  }
  // The server's list counts, not its answers.
  const after = await outcomeOf(readUser(io, user))
  return after.kind === 'committed' && after.value
    ? missingFrom(after.value, wiped)
    : [...failed, ...foreign]
}

/** Tries again to restore the lost privileges of a report. */
export function giveBackPrivileges(io: Io, report: UserReport) {
  const { user } = report
  let lost: readonly Grant[] = []
  return writeUser(io, {
    database: null,
    send: async () => {
      lost = await giveBackGrants(io, user, report.lost)
      return `${user} has the SQL privileges back.`
    },
    settle: (outcome) => {
      if (lost.length > 0) {
        const text = `Still missing: ${listedGrants(lost)}. An admin of that database can give them.`
        return { kind: 'refused', text, details: 'compared with the list of users' }
      }
      dismissUserReport(io, report.id)
      return outcome
    },
  })
}

/**
 * After a permission change without an answer: returns the server's present state, and reports the
 * removed privileges so that they can be restored.
 */
export async function checkPermission(
  io: Io,
  change: PermissionChange,
  wiped: readonly Grant[],
): Promise<string> {
  const read = await readUser(io, change.user).then((value) => ({ value }), failedCheck)
  if (typeof read === 'string') return read
  const { user, action, database, permission } = change
  if (!read.value) return `${user} is no longer listed.`
  const level = permissionOn(read.value.permissions, database)
  if (level !== (action === 'REVOKE' ? 0 : permission)) {
    return notSoFar(
      `Not changed so far: ${user} has “${levelName(level)}” on ${database}.`,
      'do it',
    )
  }
  const lost = missingFrom(read.value, wiped)
  if (lost.length > 0) {
    const lines = wipedLines(wiped, lost)
    addUserReport(io, {
      user,
      text: done(change),
      lines,
      isWarning: true,
      offersPassword: false,
      lost,
    })
  }
  return done(change)
}

export type PrivilegeEdit = {
  user: string
  database: string
  grant: readonly string[]
  revoke: readonly string[]
}

/** Revokes and grants SQL privileges on one database, in at most two calls. */
export function changePrivileges(io: Io, edit: PrivilegeEdit) {
  const { user, database, grant, revoke } = edit
  const steps = [
    { action: 'REVOKE' as const, privileges: revoke },
    { action: 'GRANT' as const, privileges: grant },
  ].filter(({ privileges }) => privileges.length > 0)
  let count = 0
  return writeUser(io, {
    database,
    send: async () => {
      for (const step of steps) {
        await sendChangePrivileges(io.get(clientAtom), { ...step, user, database })
        count += 1
      }
      return `The SQL privileges of ${user} on ${database} were changed.`
    },
    settle: (outcome) => {
      if (outcome.kind !== 'committed') {
        if (count === 0) return outcome
        const rest = outcome.kind === 'refused' ? 'Nothing was granted.' : 'Only that is known.'
        return { ...outcome, text: `${revoke.join(', ')} revoked. ${rest} ${outcome.text}` }
      }
      if (revoke.length === 0) return outcome
      addUserReport(io, {
        user,
        text: outcome.value ?? '',
        lines: [sessionsRemain],
        isWarning: true,
        offersPassword: true,
        lost: [],
      })
      return { kind: 'committed', value: null }
    },
  })
}
