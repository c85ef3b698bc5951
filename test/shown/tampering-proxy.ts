import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { freePorts } from '../support/free-port'

/** One answered call of the API. */
export type Exchange = {
  /** Method, path and body: what makes two asks the same. */
  readonly call: string
  readonly path: string
  /** How many of the same were asked before, since {@link TamperingProxy.begin}. */
  readonly nth: number
  readonly sent: string
  /** As the server gave it. */
  readonly answer: string
  /** What the browser got was something else, or what the server got was. */
  readonly isAltered: boolean
}

/** What is done to an exchange on its way; a text that cannot be altered so is passed on. */
export type Lie = {
  readonly on: 'request' | 'answer' | 'file'
  /** Of which exchanges: the n-th of the same, or all of them. */
  strikes(one: Pick<Exchange, 'call' | 'path' | 'nth' | 'sent'>): boolean
  alter(text: string): string
  /** In the place of the server's. */
  readonly status?: number
}

type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/**
 * The opponent: stands before a real server, passes everything on and keeps what was said, and tells
 * one lie at a time. It has a connection for each of the browser's, because the server runs a write
 * only as the first request of its connection.
 */
export class TamperingProxy {
  readonly #target: URL
  readonly #agents = new Map<Socket, Agent>()
  readonly #server = createServer((req, res) => void this.#handle(req, res))
  readonly #open = new Set<IncomingMessage>()
  #exchanges: Exchange[] = []
  #asked = new Map<string, number>()
  #lie: Lie | undefined
  #port = 0

  constructor(target: string) {
    this.#target = new URL(target)
    this.#server.keepAliveTimeout = 60_000
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** What was asked since the beginning, in the order in which it was answered. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges
  }

  /** Whether a call of the API waits for its answer. */
  get isBusy(): boolean {
    return this.#open.size > 0
  }

  async up(): Promise<void> {
    const [port = 0] = await freePorts(1)
    this.#port = port
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
    for (const agent of this.#agents.values()) agent.destroy()
  }

  /** Forgets what was asked, and tells this lie from now on, or none. */
  begin(lie?: Lie): void {
    this.#exchanges = []
    this.#asked = new Map()
    this.#lie = lie
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const isApi = /\/api\//.test(req.url ?? '')
    if (isApi) this.#open.add(req)
    try {
      const sent = (await read(req)).toString()
      if (isApi) await this.#answer(req, res, sent)
      else send(res, await this.#forward(req, res, sent))
    } catch {
      res.destroy()
    } finally {
      this.#open.delete(req)
    }
  }

  async #answer(req: IncomingMessage, res: ServerResponse, sent: string): Promise<void> {
    const path = req.url?.replace(/^.*\/api(?=\/)/, '') ?? ''
    const call = `${req.method} ${path} ${sent}`
    const nth = this.#asked.get(call) ?? 0
    const lie = this.#lie?.strikes({ call, path, nth, sent }) ? this.#lie : undefined
    const passed = lie?.on === 'request' ? lie.alter(sent) : sent
    const began = this.#asked
    const given = await this.#forward(req, res, passed)
    const said = given.headers['webconsole-fresh']
    // A write that did not run, because it came on a connection in use, is sent again.
    const isUnrun = said === 'required' || said === 'repeated'
    const answer = given.body.toString()
    const told = lie?.on === 'answer' && !isUnrun ? lie.alter(answer) : answer
    if (!isUnrun && began === this.#asked) {
      this.#asked.set(call, Math.max(nth, this.#asked.get(call) ?? 0) + 1)
      const isAltered = passed !== sent || told !== answer
      this.#exchanges.push({ call, path, nth, sent, answer, isAltered })
    }
    if (given.headers.connection) res.setHeader('connection', given.headers.connection)
    const status = told === answer ? given.status : (lie?.status ?? given.status)
    send(res, told === answer ? given : { ...given, status, body: Buffer.from(told) })
  }

  #agentOf(socket: Socket): Agent {
    const found = this.#agents.get(socket)
    if (found) return found
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    this.#agents.set(socket, agent)
    socket.once('close', () => {
      agent.destroy()
      this.#agents.delete(socket)
    })
    return agent
  }

  #forward(req: IncomingMessage, res: ServerResponse, sent: string): Promise<Answer> {
    // Answers are read and altered as text.
    const { 'accept-encoding': _packed, 'content-length': _length, ...kept } = req.headers
    const body = Buffer.from(sent)
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
    return new Promise((resolve, reject) => {
      const onward = request(
        {
          host: this.#target.hostname,
          port: this.#target.port,
          method: req.method,
          path: req.url,
          headers: { ...kept, ...length, connection: 'keep-alive' },
          agent: this.#agentOf(req.socket),
        },
        (answer) => {
          const { statusCode: status = 0, headers } = answer
          read(answer).then((bytes) => resolve({ status, headers, body: bytes }), reject)
        },
      )
      onward.on('error', reject)
      res.once('close', () => {
        if (!res.writableFinished) onward.destroy()
      })
      onward.end(body)
    })
  }
}

export async function startTampering(target: string): Promise<TamperingProxy> {
  const proxy = new TamperingProxy(target)
  await proxy.up()
  return proxy
}

function send(res: ServerResponse, { status, headers, body }: Answer): void {
  const {
    connection: _c,
    'keep-alive': _k,
    'transfer-encoding': _t,
    'content-length': _l,
    ...rest
  } = headers
  const isBodiless = status === 204 || status === 304
  res.writeHead(status, { ...rest, ...(isBodiless ? {} : { 'content-length': body.length }) })
  res.end(body)
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
