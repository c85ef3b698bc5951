import { atom, type Setter } from 'jotai'
import type { Client } from '~/api/client'
import { changePermission, changePrivileges, type PermissionChange } from '~/api/permissions'
import type { User } from '~/api/users'
import { permissionOn } from '~/immudb/permission'
import {
  type Grant,
  levelName,
  listedGrants,
  missingFrom,
  splitByRepair,
  wipedBy,
} from '~/immudb/privileges'
import type { Viewer } from '~/immudb/user-rules'
import { type Outcome, outcomeOf } from '../storage/outcome'
import { writeBlockAtom } from '../trust/write-block'
import { readUserAtom } from './list'
import { addReportAtom, dismissReportAtom, type UserReport } from './reports'
import { viewerAtom } from './viewer'
import { exclusively, type Said } from './writes'

const sessionsRemain =
  'immudb does not end every session with it. Someone who logged in more than once keeps the old permissions until the token expires. A new password ends all sessions at once.'

/**
 * Gives, changes or takes a permission. The server then forgets the SQL privileges of the user on
 * all other databases: they are read before, given back after, and both is reported.
 */
export const changePermissionAtom = atom(null, (get, set, change: PermissionChange) =>
  exclusively(get, set, async (client): Promise<Outcome<Said>> => {
    const held = await set(writeBlockAtom, change.database)
    if (held) return held
    const read = await outcomeOf(set(readUserAtom, change.user))
    if (read.kind !== 'done') {
      const text = `Nothing was changed, because the user could not be read first. ${read.text}`
      return { ...read, kind: 'refused', text }
    }
    const before = read.value
    if (!before) {
      return { kind: 'refused', text: `${change.user} is not listed any more.`, details: 'no user' }
    }
    const outcome = await outcomeOf(changePermission(client, change))
    if (outcome.kind !== 'done') return outcome
    const wiped = wipedBy(before, change.database)
    const lost = await giveBack(client, set, get(viewerAtom), change.user, wiped)
    const isLess = isLessThan(before, change)
    if (wiped.length === 0 && !isLess) return { kind: 'done', value: done(change) }
    set(addReportAtom, {
      user: change.user,
      text: done(change),
      lines: [...wipedLines(wiped, lost), ...(isLess ? [sessionsRemain] : [])],
      isWarning: isLess || lost.length > 0,
      offersPassword: isLess,
      lost,
    })
    return { kind: 'done', value: null }
  }),
)

function isLessThan({ permissions }: User, { action, database, permission }: PermissionChange) {
  return action === 'REVOKE' || permission < permissionOn(permissions, database)
}

function done({ action, user, database, permission }: PermissionChange): string {
  return action === 'REVOKE'
    ? `${user} has no permission on ${database} any more.`
    : `${user} now has the permission “${levelName(permission)}” on ${database}.`
}

function wipedLines(wiped: readonly Grant[], lost: readonly Grant[]): string[] {
  if (wiped.length === 0) return []
  const taken = `With every change of a permission immudb takes away the SQL privileges on other databases, here on ${listedGrants(wiped)}.`
  if (lost.length === 0) return [`${taken} They were given back.`]
  return [`${taken} Not given back: ${listedGrants(lost)}.`]
}

/** Gives privileges back as far as the viewer may; returns what the user lacks after that. */
async function giveBack(
  client: Client,
  set: Setter,
  viewer: Viewer,
  user: string,
  wiped: readonly Grant[],
): Promise<readonly Grant[]> {
  if (wiped.length === 0) return []
  const { own, foreign } = splitByRepair(viewer, wiped)
  const failed: Grant[] = []
  for (const grant of own) {
    const sent = changePrivileges(client, { action: 'GRANT', user, ...grant })
    if ((await outcomeOf(sent)).kind !== 'done') failed.push(grant)
  }
  // What the server lists counts, not what it answered.
  const after = await outcomeOf(set(readUserAtom, user))
  return after.kind === 'done' && after.value
    ? missingFrom(after.value, wiped)
    : [...failed, ...foreign]
}

/** Tries once more to give back what a report says is lost. */
export const giveBackAtom = atom(null, (get, set, report: UserReport) =>
  exclusively(get, set, async (client): Promise<Outcome<Said>> => {
    const { user } = report
    const lost = await giveBack(client, set, get(viewerAtom), user, report.lost)
    if (lost.length > 0) {
      const text = `Still missing: ${listedGrants(lost)}. An admin of that database can give them.`
      return { kind: 'refused', text, details: 'compared with the list of users' }
    }
    set(dismissReportAtom, report.id)
    return { kind: 'done', value: `${user} has the SQL privileges back.` }
  }),
)

/**
 * After a change of a permission whose answer never came: says what the server has now, and reports
 * the privileges that went with it so that they can be given back.
 */
export const checkPermissionAtom = atom(
  null,
  async (_get, set, change: PermissionChange, wiped: readonly Grant[]): Promise<string> => {
    const read = await outcomeOf(set(readUserAtom, change.user))
    if (read.kind !== 'done') return `The check itself failed. ${read.text} Nothing more is known.`
    const { user, action, database, permission } = change
    if (!read.value) return `${user} is not listed any more.`
    const level = permissionOn(read.value.permissions, database)
    if (level !== (action === 'REVOKE' ? 0 : permission)) {
      return `Not changed so far: ${user} has “${levelName(level)}” on ${database}. A server that was busy may yet do it; check again.`
    }
    const lost = missingFrom(read.value, wiped)
    if (lost.length > 0) {
      const lines = wipedLines(wiped, lost)
      set(addReportAtom, {
        user,
        text: done(change),
        lines,
        isWarning: true,
        offersPassword: false,
        lost,
      })
    }
    return done(change)
  },
)

export type PrivilegeEdit = {
  user: string
  database: string
  grant: readonly string[]
  revoke: readonly string[]
}

/** Takes and gives SQL privileges on one database, in at most two calls. */
export const changePrivilegesAtom = atom(null, (get, set, edit: PrivilegeEdit) =>
  exclusively(get, set, async (client): Promise<Outcome<Said>> => {
    const { user, database, grant, revoke } = edit
    const held = await set(writeBlockAtom, database)
    if (held) return held
    const steps = [
      { action: 'REVOKE' as const, privileges: revoke },
      { action: 'GRANT' as const, privileges: grant },
    ].filter(({ privileges }) => privileges.length > 0)
    for (const [at, step] of steps.entries()) {
      const outcome = await outcomeOf(changePrivileges(client, { ...step, user, database }))
      if (outcome.kind === 'done') continue
      if (at === 0) return outcome
      const isRefused = outcome.kind === 'refused'
      const rest = isRefused ? 'Nothing was given.' : 'Only that is known.'
      return { ...outcome, text: `${revoke.join(', ')} taken away. ${rest} ${outcome.text}` }
    }
    const text = `The SQL privileges of ${user} on ${database} were changed.`
    if (revoke.length === 0) return { kind: 'done', value: text }
    set(addReportAtom, {
      user,
      text,
      lines: [sessionsRemain],
      isWarning: true,
      offersPassword: true,
      lost: [],
    })
    return { kind: 'done', value: null }
  }),
)
