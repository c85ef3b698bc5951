/** A request for one document, as it arrived. */
type Asked = { readonly method: string; readonly path: string; readonly body: string }

const collection = '/v2/collection/c'

/** A server with one document, `ff` of `c`, of which it has every revision from transaction 10 on. */
export class DocumentServer {
  /** Each as its JSON; null is a deletion. */
  readonly contents: (string | null)[]
  idField = '_id'
  readonly asked: Asked[] = []
  /** Answers a replacement instead of the server. */
  answer: (() => Response | Promise<Response>) | undefined

  constructor(contents: readonly (string | null)[]) {
    this.contents = [...contents]
  }

  /** The bodies of replacements that were sent. */
  get replacements(): string[] {
    return this.asked.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  }

  readonly fetch = (async (input: unknown, init: RequestInit = {}) => {
    const path = String(input).replace(/^.*\/api/, '')
    const body = typeof init.body === 'string' ? init.body : ''
    this.asked.push({ method: init.method ?? 'GET', path, body })
    await Promise.resolve()
    init.signal?.throwIfAborted()
    return this.#answer(path, body)
  }) as typeof fetch

  #answer(path: string, body: string): Response | Promise<Response> {
    if (path === collection) {
      return json(`{"collection":{"name":"c","documentIdFieldName":"${this.idField}"}}`)
    }
    if (path === `${collection}/document/ff/audit`) return this.#audit(JSON.parse(body))
    if (path === `${collection}/documents/replace`) return this.answer?.() ?? this.replace(body)
    if (path === '/db/state') {
      const tx = 9 + this.contents.length
      const txHash = Buffer.alloc(32, tx).toString('base64')
      return json(`{"db":"db","txId":"${tx}","txHash":"${txHash}"}`)
    }
    return json('{"error":"tbtree: key not found","code":2}', 500)
  }

  /** Stores what was sent, with every digit. */
  replace(body: string): Response {
    if (this.contents.at(-1) === null) return json('{}')
    this.contents.push(body.slice(body.indexOf('"document":') + 11, -1))
    const count = this.contents.length
    return json(`{"revisions":[{"transactionId":"${9 + count}","revision":"${count}"}]}`)
  }

  #audit({ page, pageSize, omitPayload, desc }: Record<string, number | boolean>): Response {
    const all = this.contents.map((content, at) => {
      const deleted = content === null ? ',"metadata":{"deleted":true}' : ''
      const document = content === null || omitPayload ? '' : `,"document":${content}`
      const ts = 1_700_000_000 + at
      return `{"transactionId":"${10 + at}","revision":"${at + 1}"${deleted}${document},"username":"ada","ts":"${ts}"}`
    })
    const [number, size] = [Number(page), Number(pageSize)]
    const inOrder = desc ? all.reverse() : all
    const some = inOrder.slice((number - 1) * size, number * size)
    if (some.length === 0) return json('{"error":"tbtree: no more entries","code":2}', 500)
    return json(`{"revisions":[${some.join(',')}]}`)
  }
}

/** Bytes as the server sends them; a character below U+0100 of a `bytes` text is one byte. */
function json(text: string, status = 200): Response {
  const body = text.includes('\u00ff') ? Uint8Array.from(text, (one) => one.charCodeAt(0)) : text
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', 'Grpc-Metadata-Immudb-Uuid': 'one' },
  })
}
