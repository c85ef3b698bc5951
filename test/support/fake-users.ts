import { base64ToText, textToBase64 } from '~/lib/bytes'
import { failure, json } from './fake-faults'
import type { FakeCall } from './fake-immudb'
import { recorded, recordedResponse } from './recorded'

export type FakeUser = {
  password: string
  /** Level by database; `*` is every database. */
  permissions: Readonly<Record<string, number>>
  isActive?: boolean
  /** False: the privilege SELECT was taken away. */
  maySelect?: boolean
  /** SQL privileges by database; absent: what is usual for the permissions. */
  privileges?: ReadonlyMap<string, readonly string[]>
  /** Who changed the user last. */
  createdby?: string
  /** Counts the changes, which show as a time. */
  changes?: number
  /** As listed, in the words of Go; absent: a time long gone. */
  createdat?: string
}

const all = ['SELECT', 'CREATE', 'INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER']
const usual = (level: number) => (level === 1 ? ['SELECT'] : all)

function privilegesOf({
  permissions,
  privileges,
}: FakeUser): ReadonlyMap<string, readonly string[]> {
  if (privileges) return privileges
  return new Map(Object.entries(permissions).map(([name, level]) => [name, usual(level)]))
}

type Server = {
  users: Map<string, FakeUser>
  /** Ends the sessions of a user. */
  end: (user: string) => void
  databases: { has(name: string): boolean }
}

/** Answers the calls about users as pkg/server/user.go of 1.11.1 does; null for any other call. */
export function answerUsers(call: FakeCall, own: string, server: Server): Response | null {
  if (call.method === 'GET' && call.path === '/user/list') return list(call, server.users, own)
  if (call.method !== 'POST') return null
  switch (call.path) {
    case '/user':
      return create(call, own, server)
    case '/user/setactiveUser':
      return setActive(call, own, server)
    case '/user/password/change':
      return changePassword(call, own, server)
    case '/user/changepermission':
      return changePermission(call, own, server)
    case '/user/changesqlprivileges':
      return changePrivileges(call, own, server)
    default:
      return null
  }
}

/** The system admin sees all users, an admin the users of the database, others only themselves. */
function list({ database }: FakeCall, users: ReadonlyMap<string, FakeUser>, own: string): Response {
  const isManaged = database !== null && users.get(own)?.permissions[database] === 254
  const visible = [...users].filter(
    ([name, { permissions }]) =>
      own === 'immudb' || name === own || (isManaged && database in permissions),
  )
  const entries = visible.map(([name, user]) => ({
    user: textToBase64(name),
    permissions: Object.entries(user.permissions).map(([database, permission]) => ({
      database,
      permission,
    })),
    ...(user.createdby ? { createdby: user.createdby } : {}),
    createdat:
      user.createdat ??
      `2026-11-21 09:43:${String(user.changes ?? 0).padStart(2, '0')}.5 +0000 UTC`,
    ...(user.isActive === false ? {} : { active: true }),
    sqlPrivileges: [...privilegesOf(user)].flatMap(([database, names]) =>
      names.map((privilege) => ({ database, privilege })),
    ),
  }))
  return json(JSON.stringify({ users: entries }))
}

function create({ body }: FakeCall, own: string, { users, databases }: Server): Response {
  const [name, database, permission] = [
    base64ToText(String(body.user)),
    String(body.database),
    Number(body.permission),
  ]
  const creator = users.get(own)
  const level = creator?.permissions['*'] ?? creator?.permissions[database] ?? 0
  if (!databases.has(database)) return answer('create unknown database')
  if (level < 254) return answer('admin creates user on other database')
  if (users.has(name)) return answer('create duplicate')
  if (!/^\w{1,63}$/.test(name)) return answer('create bad name')
  if (body.password === '') return answer('create empty password')
  const password = base64ToText(String(body.password))
  users.set(name, { password, permissions: { [database]: permission }, createdby: own })
  return answer('create admin')
}

/** Writes a changed user back, as the server does: who did it counts as the creator from then on. */
function change(server: Server, own: string, name: string, user: FakeUser): Response {
  server.users.set(name, { ...user, createdby: own, changes: (user.changes ?? 0) + 1 })
  return answer('grant second database')
}

function setActive({ body }: FakeCall, own: string, server: Server): Response {
  const name = String(body.username)
  const user = server.users.get(name)
  if (!user) return answer('deactivate unknown')
  if (name === own) return answer('deactivate oneself')
  return change(server, own, name, { ...user, isActive: body.active === true })
}

function changePassword({ body }: FakeCall, own: string, server: Server): Response {
  const name = base64ToText(String(body.user))
  const user = server.users.get(name)
  const caller = server.users.get(own)
  if (name === 'immudb' && base64ToText(String(body.oldPassword)) !== caller?.password) {
    return answer('sysadmin password wrong old')
  }
  if (!user) return failure(500, 2, `user ${name} was not found or it was not created by you`)
  server.end(name)
  return change(server, own, name, { ...user, password: base64ToText(String(body.newPassword)) })
}

function changePermission({ body }: FakeCall, own: string, server: Server): Response {
  const [name, database, level] = [
    String(body.username),
    String(body.database),
    Number(body.permission),
  ]
  const user = server.users.get(name)
  if (![1, 2, 254, 255].includes(level)) return answer('revoke without permission value')
  if (name === own) return answer('change own permission')
  if (!user) return answer('change permission of nobody')
  if (user.isActive === false) return answer('change permission of deactivated')
  const { [database]: _gone, ...others } = user.permissions
  const permissions = body.action === 'REVOKE' ? others : { ...others, [database]: level }
  const privileges = new Map([[database, usual(level)]])
  return change(server, own, name, { ...user, permissions, privileges })
}

function changePrivileges({ body }: FakeCall, own: string, server: Server): Response {
  const [name, database] = [String(body.username), String(body.database)]
  const user = server.users.get(name)
  if (!user) return answer('change permission of nobody')
  if (user.permissions[database] === undefined) return answer('privilege without permission')
  const named = Array.isArray(body.privileges) ? body.privileges.map(String) : []
  const before = privilegesOf(user)
  const held = before.get(database) ?? []
  const next =
    body.action === 'GRANT'
      ? [...new Set([...held, ...named])]
      : held.filter((privilege) => !named.includes(privilege))
  return change(server, own, name, { ...user, privileges: new Map(before).set(database, next) })
}

/** Statements about users and databases, which make no transaction; null for any other. */
export function answerElsewhere(call: FakeCall, own: string, server: Server): Response | null {
  const sql = String(call.body.sql ?? '').replace(/\s*\/\*.*?\*\/\s*/gs, ' ')
  const [, verb, name = ''] = /^(CREATE|ALTER|DROP) USER (\w+)/.exec(sql) ?? []
  if (call.path !== '/db/sqlexec' || verb === undefined) return null
  const user = server.users.get(name)
  if (verb === 'CREATE') {
    const password = textToBase64(/PASSWORD '(.*)'/.exec(sql)?.[1] ?? '')
    const body = { user: textToBase64(name), password, database: call.database, permission: 1 }
    const answered = create({ ...call, body }, own, server)
    const made = server.users.get(name)
    const [day, time] = new Date().toISOString().split(/[TZ]/)
    if (!user && made) {
      server.users.set(name, { ...made, createdat: `${day} ${time} +0000 UTC` })
    }
    return answered
  }
  if (!user) return failure(500, 2, `user ${name} not found`)
  return change(server, own, name, { ...user, isActive: verb === 'ALTER' })
}

function answer(name: string): Response {
  return recordedResponse(recorded('users', name))
}
