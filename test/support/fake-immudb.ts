import { base64ToText } from '~/lib/bytes'
import { answerDatabases } from './fake-databases'
import { type FaultName, failure, faultFinder, json, withFault } from './fake-faults'
import { answerKey, isKeyCall, keyTextOf } from './fake-kv'
import { answerSql, type FakeDatabase, isTxCall } from './fake-sql'
import { answerElsewhere, answerUsers, type FakeUser } from './fake-users'
import { recorded, recordedResponse } from './recorded'

/** A request as it arrived. */
export type FakeCall = {
  readonly method: string
  /** Below `/api`. */
  readonly path: string
  readonly token: string | null
  /** The database the token is bound to. */
  readonly database: string | null
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds by `performance.now()`. */
  readonly at: number
}

type Login = { user: string; database: string | null }

export type FakeImmudb = {
  readonly fetch: typeof fetch
  readonly calls: readonly FakeCall[]
  /** The calls as `GET /health`, in the order they arrived. */
  log(): string[]
  /** Forgets the calls so far. */
  clear(): void
  /** Addresses outside of the server that were asked because of a redirect. */
  readonly strays: readonly string[]
  readonly databases: Map<string, FakeDatabase>
  readonly users: Map<string, FakeUser>
  /** Lets held answers go. */
  release(): void
  /** Nothing answers until `plug()`; the process lives on. */
  unplug(): void
  plug(): void
  /** The process ends and is back: its keys are new, so every token is void. */
  restart(): void
  /** Every token given so far is past its time. */
  expireTokens(): void
  /** From now on it is behind a guard that runs marked writes once. */
  keepFresh(): void
  /** Another server takes over the address. */
  becomeAnother(uuid: string): void
}

type Options = {
  /** Names of the databases; the first is `defaultdb` unless told otherwise. */
  databases?: readonly string[]
  users?: Readonly<Record<string, FakeUser>>
}

const root: FakeUser = { password: 'immudb', permissions: { '*': 255 } }

/**
 * A server in memory that answers `fetch` with the recorded answers of immudb 1.11.1, changed only
 * where its own state differs from that of the recording. See `fake-faults.ts` for what can fail.
 */
export function fakeImmudb(options: Options = {}): FakeImmudb {
  const databases = new Map(
    (options.databases ?? ['defaultdb']).map((name) => [name, emptyDatabase()]),
  )
  const users = new Map(Object.entries({ immudb: root, ...options.users }))
  const calls: FakeCall[] = []
  const strays: string[] = []
  const faultIn = faultFinder()
  let tokens = new Map<string, Login>()
  let expired = new Set<string>()
  let count = 0
  let uuid = 'dc0mfe1ksduac04rho90'
  let isUp = true
  let keepsFresh = false
  let release = () => {}
  let released = new Promise<void>((resolve) => {
    release = resolve
  })

  const issue = (login: Login): string => {
    count += 1
    const token = `v2.public.${login.user}.${count}`
    tokens.set(token, login)
    return token
  }

  const loginFailure = (call: FakeCall, login: Login | undefined): Response | null => {
    if (login) return null
    const isExpired = call.token !== null && expired.has(call.token)
    // The keys of a user are new once he has logged in again.
    const isOld = [...tokens.values()].some(({ user }) => call.token?.split('.')[2] === user)
    if (call.path.startsWith('/db/use/')) {
      return isExpired ? answer('token-life', 'expired: use') : answer('auth', 'use without token')
    }
    if (call.path === '/db/list/v2') return answer('token-life', 'expired: db list')
    if (call.path === '/user/list' && isExpired) return answer('token-life', 'expired: user list')
    if (isExpired) return answer('token-life', 'expired token')
    return isOld ? answer('auth', 'garbage token') : answer('auth', 'no token')
  }

  const signIn = ({ body }: FakeCall): Response => {
    const name = base64ToText(String(body.user))
    const user = users.get(name)
    if (!user) return answer('auth', 'login unknown user')
    if (base64ToText(String(body.password)) !== user.password) {
      return answer('auth', 'login wrong password')
    }
    if (user.isActive === false) return answer('users', 'login deactivated')
    const token = issue({ user: name, database: databases.size === 1 ? 'defaultdb' : null })
    const isDefault = name === 'immudb' && user.password === 'immudb'
    const { warning } = {
      ...(recorded('auth', 'login default password').response.body as object),
    } as {
      warning?: string
    }
    return json(JSON.stringify({ token, ...(isDefault ? { warning } : {}) }))
  }

  const use = (name: string, login: Login): Response => {
    const found = databases.get(name)
    if (!found) return renamed(recorded('databases', 'use unknown'), 'nosuch', name)
    if (levelOf(users.get(login.user), name) === 0) {
      return answer('users', 'use without permission')
    }
    if (!found.isLoaded) return answer('databases', 'use unloaded')
    return json(JSON.stringify({ token: issue({ ...login, database: name }) }))
  }

  const list = (login: Login): Response => {
    const visible = [...databases].filter(([name]) => levelOf(users.get(login.user), name) > 0)
    const entries = visible.map(([name, { isLoaded, txId, settings = {} }]) => ({
      name,
      settings,
      ...(isLoaded ? { loaded: true } : {}),
      diskSize: '5478',
      ...(txId === 0 ? {} : { numTransactions: String(txId) }),
    }))
    return json(JSON.stringify(entries.length === 0 ? {} : { databases: entries }))
  }

  const endSessions = (name: string) => {
    for (const [token, { user }] of tokens) if (user === name) tokens.delete(token)
  }

  const state = (login: Login): Response => {
    const { txId } = databaseOf(login)
    const empty = recorded('databases', 'state empty').response.body as object
    const ids = txId === 0 ? {} : { txId: String(txId), precommittedTxId: String(txId) }
    return json(JSON.stringify({ ...empty, db: login.database, ...ids }))
  }

  const databaseOf = ({ database }: Login): FakeDatabase =>
    databases.get(database ?? '') ?? emptyDatabase()

  const withDatabase = (call: FakeCall, login: Login): Response => {
    if (login.database !== null && !databases.has(login.database)) {
      return failure(500, 2, 'database does not exist')
    }
    if (login.database === null) {
      return answer('databases', 'several databases: login token needs use')
    }
    if (!databaseOf(login).isLoaded) return answer('databases', 'use unloaded')
    if (call.path === '/db/state') return state(login)
    const user = users.get(login.user)
    if (call.path === '/db/sqlquery' && user?.maySelect === false) {
      return answer('users', 'sql denied after grant elsewhere')
    }
    const level = levelOf(user, login.database)
    if (isKeyCall(call) && !isTxCall(call)) return answerKey(call, databaseOf(login), level)
    return answerSql(call, databaseOf(login), level)
  }

  const route = (call: FakeCall): Response => {
    const login = call.token === null ? undefined : tokens.get(call.token)
    const line = `${call.method} ${call.path}`
    if (line === 'GET /health') return answer('system', 'health')
    if (line === 'POST /login') return signIn(call)
    const refusal = loginFailure(call, login)
    if (refusal || !login) return refusal ?? failure(500, 2, 'not logged in')
    if (line.startsWith('GET /db/use/')) {
      return use(decodeURIComponent(call.path.slice('/db/use/'.length)), login)
    }
    if (line === 'POST /logout') {
      endSessions(login.user)
      return json('{}')
    }
    if (line === 'POST /db/list/v2') return list(login)
    const aboutUsers = answerUsers(call, login.user, { users, databases, end: endSessions })
    if (aboutUsers) return aboutUsers
    const elsewhere = answerElsewhere(call, login.user, { users, databases, end: endSessions })
    if (elsewhere) return elsewhere
    const managed = answerDatabases(call, databases, (database) =>
      levelOf(users.get(login.user), database),
    )
    if (managed) return managed
    return withDatabase(call, login)
  }

  const faultOf = (call: FakeCall): FaultName | null => {
    if (call.path === '/login') return faultIn(base64ToText(String(call.body.user)))
    if (call.path.startsWith('/db/use/use_')) return faultIn(call.path)
    if (call.path.startsWith('/db/use/') || call.path === '/db/list/v2') return null
    if (call.path.startsWith('/user/') || call.path === '/user') return faultIn(userTextOf(call))
    const managed = call.body.database ?? (call.path === '/db/create/v2' ? call.body.name : null)
    if (managed !== null && managed !== undefined) return faultIn(String(managed))
    if (isKeyCall(call)) return faultIn(keyTextOf(call))
    return faultIn(`${call.database ?? ''} ${String(call.body.sql ?? '')}`.replace(/^use_\S+/, ''))
  }

  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted()
    const call = received(String(input), init, tokens)
    calls.push(call)
    const gate = released
    if (!isUp) throw new TypeError('fetch failed')
    // A real answer never comes in the same turn as the request.
    await Promise.resolve()
    const work = () => withHeaders(route(call), uuid, keepsFresh)
    const fault = faultOf(call)
    if (!fault) return work()
    return withFault(fault, {
      work,
      init,
      released: gate,
      goneTo: (url) => strays.push(url),
    })
  }

  return {
    fetch: fetch as typeof globalThis.fetch,
    calls,
    log: () => calls.map(({ method, path }) => `${method} ${path}`),
    clear: () => {
      calls.length = 0
    },
    strays,
    databases,
    users,
    release: () => {
      release()
      released = new Promise((resolve) => {
        release = resolve
      })
    },
    unplug: () => {
      isUp = false
    },
    plug: () => {
      isUp = true
    },
    restart: () => {
      tokens = new Map()
      expired = new Set()
    },
    expireTokens: () => {
      expired = new Set([...expired, ...tokens.keys()])
      tokens = new Map()
    },
    keepFresh: () => {
      keepsFresh = true
    },
    becomeAnother: (another) => {
      uuid = another
      tokens = new Map()
    },
  }
}

export function emptyDatabase(): FakeDatabase {
  return { isLoaded: true, txId: 0, tables: new Map() }
}

/** Whom and what a call about users names; a list is about the database it is asked for. */
function userTextOf({ body, database }: FakeCall): string {
  if (body.username === undefined && body.user === undefined) return database ?? ''
  const name = body.username ?? base64ToText(String(body.user))
  return `${name} ${body.database ?? ''}`
}

function levelOf(user: FakeUser | undefined, database: string): number {
  // A database may be named like a property that every object has.
  const permissions = new Map(Object.entries(user?.permissions ?? {}))
  return permissions.get(database) ?? permissions.get('*') ?? 0
}

function answer(group: string, name: string): Response {
  return recordedResponse(recorded(group, name))
}

/** A recorded answer about another name. */
function renamed(pair: ReturnType<typeof recorded>, from: string, to: string): Response {
  const text = JSON.stringify(pair.response.body).replaceAll(from, to)
  return json(text, pair.response.status)
}

function withHeaders(response: Response, uuid: string, keepsFresh: boolean): Response {
  response.headers.set('grpc-metadata-immudb-uuid', uuid)
  if (keepsFresh) {
    response.headers.set('webconsole-fresh', 'kept')
    response.headers.set('connection', 'Webconsole-Fresh')
  }
  return response
}

function received(url: string, init: RequestInit, tokens: Map<string, Login>): FakeCall {
  const { pathname, search } = new URL(url, 'http://localhost:3000')
  const authorization = new Headers(init.headers).get('authorization')
  const token = authorization?.replace(/^Bearer /, '') ?? null
  return {
    method: init.method ?? 'GET',
    path: `${pathname.replace(/^\/api/, '')}${search}`,
    token,
    database: tokens.get(token ?? '')?.database ?? null,
    body: typeof init.body === 'string' ? JSON.parse(init.body) : {},
    at: performance.now(),
  }
}
