import type { Api } from './api'
import { base64 } from './keys-page'
import { type Doing, password, type Role } from './roles'

/** The role's own way to the server, and the means to prepare what it asks about. */
export type Asking = {
  readonly api: Api
  readonly admin: Api
  readonly role: Role
  /** A database with a table and a key, on which the role has its level. */
  readonly own: string
  /** An empty one, likewise. */
  readonly spare: string
  /** A user that the role made if it may, else the system admin. */
  readonly made: string
}

type Call = (asking: Asking) => Promise<unknown>

/** Answers that say that there was nothing to do. */
const nothingToDo = /threshold not yet reached|retention period has not been reached/

const unlessNothing = (call: Promise<unknown>) =>
  call.catch((error: unknown) => {
    if (!(error instanceof Error && nothingToDo.test(error.message))) throw error
  })

const status =
  (active: boolean): Call =>
  ({ api, made }) =>
    api.call('/user/setactiveUser', { username: made, active })

const permission =
  (action: 'GRANT' | 'REVOKE', of: (asking: Asking) => string): Call =>
  (asking) =>
    asking.api.call('/user/changepermission', {
      action,
      username: of(asking),
      database: asking.spare,
      permission: 1,
    })

const query: Call = ({ api }) => api.query('SELECT id, name FROM things;')

/**
 * What the console asks of the server for each thing that can be done, in an order in which they
 * work; `null` where it asks nothing that a role decides about.
 */
export const calls: Record<Doing, Call | null> = {
  'see health, state and figures': async ({ api }) => {
    await api.call('/db/state')
    await api.call('/db/health')
  },
  'see the metrics': null,
  'see the security check-up': null,
  'list the databases': ({ api }) => api.call('/db/list/v2', {}),
  'use a database': async ({ api, own, spare }) => {
    await api.use(spare)
    await api.use(own)
  },
  'create a database': ({ api, role }) => api.createDatabase(`made_by_${role.short}`),
  'unload a database': ({ api, spare }) => api.call('/db/unload', { database: spare }),
  'load a database': async ({ api, admin, spare }) => {
    await admin.call('/db/unload', { database: spare }).catch(() => {})
    await api.call('/db/load', { database: spare }).finally(async () => {
      await admin.call('/db/load', { database: spare }).catch(() => {})
    })
  },
  'flush an index': ({ api }) => api.call('/db/flushindex?cleanupPercentage=0&synced=true'),
  'compact an index': ({ api }) => unlessNothing(api.call('/db/compactindex')),
  'truncate a database': ({ api, own }) =>
    unlessNothing(api.call('/db/truncate', { database: own, retentionPeriod: '2592000000' })),
  'change the settings of a database': ({ api, own }) =>
    api.call('/db/update/v2', { database: own, settings: {} }),
  'list the users': ({ api }) => api.call('/user/list'),
  'add a user': ({ api, made, own }) => api.createUser(made, password, 1, own),
  'deactivate a user': status(false),
  'activate a user': status(true),
  'change the password of a user': ({ api, made }) =>
    api.call('/user/password/change', { user: base64(made), newPassword: base64(password) }),
  'give a permission': permission('GRANT', ({ made }) => made),
  'take a permission away': permission('REVOKE', ({ made }) => made),
  'change SQL privileges': ({ api, made, own }) =>
    api.call('/user/changesqlprivileges', {
      action: 'GRANT',
      username: made,
      database: own,
      privileges: ['SELECT'],
    }),
  'change one’s own permissions': permission('GRANT', ({ role }) => role.user),
  'run a query': query,
  'insert rows': ({ api }) => api.exec("UPSERT INTO things (id, name) VALUES (3, 'three');"),
  'create a table': ({ api }) =>
    api.exec('CREATE TABLE IF NOT EXISTS m (id INTEGER, PRIMARY KEY id);'),
  'travel in time': async ({ api }) =>
    api.query(`SELECT id FROM things UNTIL TX ${await api.txId()};`),
  'export a result': query,
  'look at the code history': null,
  'add demo data': ({ api }) =>
    api.exec(
      'BEGIN TRANSACTION; CREATE TABLE IF NOT EXISTS n (id INTEGER, PRIMARY KEY id); COMMIT;',
    ),
  'list the keys': ({ api }) => api.call('/db/scan', { limit: '10' }),
  'get a key': ({ api }) => api.call(`/db/get/${base64('key')}`),
  'see the revisions of a key': ({ api }) => api.call('/db/history', { key: base64('key') }),
  'get a key with its proof': ({ api }) =>
    api.call('/db/verifiable/get', { keyRequest: { key: base64('key') }, proveSinceTx: '1' }),
  'set a key': ({ api }) =>
    api.call('/db/set', { KVs: [{ key: base64('new'), value: base64('x') }] }),
  'delete a key': ({ api }) => api.call('/db/deletekey', { keys: [base64('key')] }),
  'change a setting of this browser': null,
  'delete a database': async ({ api, admin, spare }) => {
    await admin.call('/db/unload', { database: spare })
    await api.call('/db/delete', { database: spare })
  },
  // Last, because it ends every session of the role.
  'change one’s own password': ({ api, role }) => {
    const old = role.user === 'immudb' ? 'immudb' : password
    return api.call('/user/password/change', {
      user: base64(role.user),
      oldPassword: base64(old),
      newPassword: base64(old),
    })
  },
}

const everything = ['SELECT', 'CREATE', 'INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER']

/** Databases, a table, a key and the role itself, as {@link Asking} names them. */
export async function prepared(base: string, admin: Api, role: Role) {
  const own = `own_${role.short}`
  const spare = `spare_${role.short}`
  for (const name of [spare, own]) await admin.createDatabase(name)
  await admin.use(own)
  await admin.exec('CREATE TABLE things (id INTEGER, name VARCHAR[20], PRIMARY KEY id);')
  await admin.exec("INSERT INTO things (id, name) VALUES (1, 'one'), (2, 'two');")
  await admin.call('/db/set', { KVs: [{ key: base64('key'), value: base64('of old') }] })
  if (role.level < 255) {
    const { user: username } = role
    await admin.createUser(username, password, role.level, own)
    const grant = { action: 'GRANT', username, database: spare }
    await admin.call('/user/changepermission', { ...grant, permission: role.level })
    // A second permission takes the privileges in SQL on the first database away.
    const privileges = role.level > 1 ? everything : ['SELECT']
    await admin.call('/user/changesqlprivileges', { ...grant, database: own, privileges })
  }
  return { base, own, spare, made: `made_${role.short}` }
}
