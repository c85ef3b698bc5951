/** What a refused call of {@link Api} says; `text` is the server's own. */
class ApiRefused extends Error {
  readonly status: number
  readonly text: string

  constructor(path: string, status: number, text: string) {
    super(`${path}: ${status} ${text}`)
    this.status = status
    this.text = text
  }
}

type SqlValue = Readonly<Record<string, unknown>>

type DocumentRevision = { readonly document?: Readonly<Record<string, unknown>> }

/** One document of a collection whose field for ids has the usual name. */
function queryOf(id: string) {
  const byId = { field: '_id', operator: 'EQ', value: id }
  return { expressions: [{ fieldComparisons: [byId] }], limit: 1 }
}

/**
 * Prepares and inspects a server over the same HTTP interface the console uses, without any code
 * of the console.
 */
export class Api {
  readonly #base: string
  #token: string

  constructor(base: string, token: string) {
    this.#base = base
    this.#token = token
  }

  get token(): string {
    return this.#token
  }

  /** The server's address. */
  get base(): string {
    return this.#base
  }

  async call<T>(path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return JSON.parse(await this.#send(text === undefined ? 'GET' : 'POST', path, text))
  }

  /** Sends a body as it is; returns the text of the answer. */
  async #send(method: string, path: string, body?: string): Promise<string> {
    const answer = await fetch(`${this.#base}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new ApiRefused(path, answer.status, text)
    return text
  }

  /** Selects a database for this client. */
  async use(database: string): Promise<this> {
    const { token } = await this.call<{ token: string }>(`/db/use/${database}`)
    this.#token = token
    return this
  }

  async createDatabase(name: string): Promise<void> {
    await this.call('/db/create/v2', { name })
  }

  /** Creates a database that copies one of a server on this machine, which has the first password. */
  async createReplica(name: string, of: { database: string; grpcPort: number }): Promise<void> {
    const replicationSettings = {
      replica: { value: true },
      primaryDatabase: { value: of.database },
      primaryHost: { value: '127.0.0.1' },
      primaryPort: { value: of.grpcPort },
      primaryUsername: { value: 'immudb' },
      primaryPassword: { value: 'immudb' },
    }
    await this.call('/db/create/v2', { name, settings: { replicationSettings } })
  }

  /** Levels: 1 read, 2 read and write, 254 admin. */
  async createUser(user: string, password: string, permission: number, database: string) {
    await this.call('/user', {
      user: base64(user),
      password: base64(password),
      permission,
      database,
    })
  }

  async exec(sql: string): Promise<void> {
    await this.call('/db/sqlexec', { sql })
  }

  /** The values of each row, such as `[{ n: '1' }]`. */
  async query(sql: string): Promise<readonly (readonly SqlValue[])[]> {
    const answer = await this.call<{ rows?: { values: SqlValue[] }[] }>('/db/sqlquery', { sql })
    return (answer.rows ?? []).map((row) => row.values)
  }

  /** Inserts a document of this JSON and returns its id. */
  async insertDocument(collection: string, json: string): Promise<string> {
    const path = `/v2/collection/${collection}/documents`
    return JSON.parse(await this.#send('POST', path, `{"documents":[${json}]}`)).documentIds[0]
  }

  /** Replaces a document that is there; does nothing for another id. */
  async replaceDocument(collection: string, id: string, json: string): Promise<void> {
    const path = `/v2/collection/${collection}/documents/replace`
    await this.#send('PUT', path, `{"query":${JSON.stringify(queryOf(id))},"document":${json}}`)
  }

  /** Gives the field for ids of a collection another name. */
  async renameIdField(collection: string, name: string): Promise<void> {
    const body = JSON.stringify({ name: collection, documentIdFieldName: name })
    await this.#send('PUT', `/v2/collection/${collection}`, body)
  }

  async deleteDocument(collection: string, id: string): Promise<void> {
    await this.call(`/v2/collection/${collection}/documents/delete`, { query: queryOf(id) })
  }

  /** The revisions of a document, newest first. */
  async documentRevisions(collection: string, id: string): Promise<readonly DocumentRevision[]> {
    const path = `/v2/collection/${collection}/document/${id}/audit`
    const answer = await this.call<{ revisions: DocumentRevision[] }>(path, {
      page: 1,
      pageSize: 100,
      desc: true,
    })
    return answer.revisions
  }

  /** The number of the last transaction of the selected database. */
  async txId(): Promise<number> {
    const state = await this.call<{ txId?: string }>('/db/state')
    return Number(state.txId ?? 0)
  }
}

type Account = { readonly user?: string; readonly password?: string; readonly database?: string }

/** Logs in, by default as the server's first user, and selects a database. */
export async function api(base: string, account: Account = {}): Promise<Api> {
  const { token } = await apiLogins.of(base, account)
  return new Api(base, token).use(account.database ?? 'defaultdb')
}

/** A token, bound to no database, and the name of the server that gave it. */
type Login = { readonly token: string; readonly server: string | null }

/** Logins that are used again while the server takes them: each costs it 65 ms of processor time. */
export class Logins {
  readonly #known = new Map<string, Login>()

  async of(base: string, account: Account): Promise<Login> {
    const key = JSON.stringify([base, account.user, account.password])
    const before = this.#known.get(key)
    if (before && (await isTaken(base, before.token))) return before
    const login = await logIn(base, account)
    this.#known.set(key, login)
    return login
  }

  /** After a log-out: with the last login of a user the server forgets all tokens of that user. */
  forget(): void {
    this.#known.clear()
  }
}

/** Apart from those of pages, whose log-outs must not be the last. */
const apiLogins = new Logins()

async function isTaken(base: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${base}/api/db/list/v2`, { method: 'POST', headers, body: '{}' }).then(
    (answer) => answer.ok,
    () => false,
  )
}

/** Logs in once more, whatever logins there are. */
export async function logIn(
  base: string,
  { user = 'immudb', password = 'immudb' }: Account,
): Promise<Login> {
  const body = JSON.stringify({ user: base64(user), password: base64(password) })
  const answer = await fetch(`${base}/api/login`, { method: 'POST', body })
  if (!answer.ok) throw new ApiRefused('/login', answer.status, await answer.text())
  const { token }: { token: string } = await answer.json()
  return { token, server: answer.headers.get('Grpc-Metadata-Immudb-Uuid') }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
