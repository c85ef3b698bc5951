/** A request as it arrived. */
type Asked = {
  readonly method: string
  /** Below `/api/v2`, or `/api` for the others. */
  readonly path: string
  readonly body: string
  readonly session: string | null
  readonly authorization: string | null
}

const tooLarge = 'grpc: received message larger than max (5000000 vs. 4194304)'

/** A server with one collection, `c`, that answers in the form of immudb 1.11.1. */
export class CollectionServer {
  readonly asked: Asked[] = []
  /** The documents, each as JSON without its id, in the order of the ids. */
  readonly documents: string[] = []
  /** The field for the ids of documents that are written now. */
  idField = '_id'
  /** Characters that one answer can hold. */
  answerLimit = Number.POSITIVE_INFINITY
  readonly sessions = new Set<string>()
  /** Answers a call instead of the server. */
  instead: ((asked: Asked) => Response | Promise<Response> | undefined) | undefined
  #tx = 1
  #opened = 0
  readonly #searches = new Map<string, string>()

  constructor(documents: readonly string[] = []) {
    this.documents.push(...documents)
  }

  paths(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`)
  }

  readonly fetch = (async (input: unknown, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const asked = {
      method: init.method ?? 'GET',
      path: String(input).replace(/^.*\/api(\/v2)?/, ''),
      body: typeof init.body === 'string' ? init.body : '',
      session: headers.get('sessionid'),
      authorization: headers.get('authorization'),
    }
    this.asked.push(asked)
    await Promise.resolve()
    init.signal?.throwIfAborted()
    return (await this.instead?.(asked)) ?? this.answer(asked)
  }) as typeof fetch

  answer({ method, path, body, session }: Asked): Response {
    const read = () => JSON.parse(body)
    if (path === '/authorization/session/open') return this.#open(read())
    if (session !== null && !this.sessions.has(session)) return refused('session not found', 403, 7)
    if (path === '/authorization/session/keepalive') return json('{}')
    if (path === '/authorization/session/close') {
      this.sessions.delete(session ?? '')
      return json('{}')
    }
    if (path.startsWith('/db/use/')) return json('{"token":"unused"}')
    if (path === '/collections') {
      return json(
        `{"collections":[{"name":"c","documentIdFieldName":"${this.idField}","fields":[{"name":"${this.idField}"},{"name":"n","type":"INTEGER"}],"indexes":[{"fields":["${this.idField}"],"isUnique":true}]}]}`,
      )
    }
    if (path === '/collection/c' && method === 'GET') {
      return json(`{"collection":{"name":"c","documentIdFieldName":"${this.idField}"}}`)
    }
    if (path === '/collection/c' && method === 'PUT') {
      this.idField = read().documentIdFieldName
      return json('{}')
    }
    if (path === '/collection/c/documents/count') {
      return json(this.documents.length === 0 ? '{}' : `{"count":"${this.documents.length}"}`)
    }
    if (path === '/collection/c/documents' && method === 'POST') return this.insert(body)
    if (path === '/collection/c/documents/search') {
      const id = `search${this.#searches.size}`
      this.#searches.set(id, body)
      return this.#page(id, read(), session)
    }
    const [, searched] = /^\/collection\/documents\/search\/(.+)$/.exec(path) ?? []
    if (searched !== undefined) return this.#page(searched, read(), session)
    const [, audited] = /^\/collection\/c\/document\/(\d+)\/audit$/.exec(path) ?? []
    if (audited !== undefined) return this.#audit(Number(audited))
    // Nothing here is proven, and nothing is refuted either.
    if (path.startsWith('/db/verifiable/')) return refused('away', 503, 14)
    if (path === '/db/state') {
      const txHash = Buffer.alloc(32, this.#tx).toString('base64')
      return json(`{"db":"db","txId":"${this.#tx}","txHash":"${txHash}"}`)
    }
    return refused('tbtree: key not found')
  }

  insert(body: string): Response {
    const documents: unknown[] = JSON.parse(body).documents
    const first = this.documents.length
    this.documents.push(...documents.map((one) => JSON.stringify(one)))
    this.#tx += 1
    const ids = documents.map((_, at) => String(first + at))
    return json(JSON.stringify({ transactionId: String(this.#tx), documentIds: ids }))
  }

  #open({ password }: { password: string }): Response {
    if (password !== 'right') return refused('invalid user name or password')
    this.#opened += 1
    const id = `session${this.#opened}`
    this.sessions.add(id)
    return json(JSON.stringify({ sessionID: id, serverUUID: 'one' }))
  }

  #page(
    id: string,
    { page, pageSize, keepOpen }: { page: number; pageSize: number; keepOpen: boolean },
    session: string | null,
  ): Response {
    if (session === null) return refused('no session auth data provided')
    if (!this.#searches.has(id)) return refused('document reader not found', 500, 13)
    const from = (page - 1) * pageSize
    const found = this.documents.slice(from, from + pageSize)
    if (found.join('').length > this.answerLimit) return refused(tooLarge, 429, 8)
    if (!keepOpen) this.#searches.delete(id)
    if (found.length === 0) return json('{}')
    const revisions = found.map(
      (text, at) => `{"documentId":"${from + at}","document":${withId(text, from + at)}}`,
    )
    const searchId = keepOpen ? `"searchId":"${id}",` : ''
    return json(`{${searchId}"revisions":[${revisions.join()}]}`)
  }

  #audit(at: number): Response {
    const text = this.documents[at]
    if (text === undefined) return refused('tbtree: key not found')
    return json(
      `{"revisions":[{"transactionId":"2","documentId":"${at}","revision":"1","document":${withId(text, at)},"username":"ada","ts":"1"}]}`,
    )
  }

  /** Ends a search on the server, as a restart of it would. */
  forgetSearches(): void {
    this.#searches.clear()
  }
}

function withId(text: string, at: number): string {
  return text === '{}' ? `{"_id":"${at}"}` : `{"_id":"${at}",${text.slice(1)}`
}

function json(body: string, status = 200): Response {
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}

function refused(error: string, status = 500, code = 2): Response {
  return json(JSON.stringify({ error, code, message: error }), status)
}
