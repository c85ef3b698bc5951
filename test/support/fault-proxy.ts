import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  type Answer,
  type Fault,
  failAfter,
  failBefore,
  isBeforeServer,
  pause,
  resetConnection,
  send,
} from './faults'
import { freePorts } from './free-port'

/** Picks requests: the path as its end or by a pattern, the body by a pattern. */
export type Which = {
  readonly method?: string
  readonly path?: string | RegExp
  readonly body?: RegExp
}

/** A fault and what it strikes; `times` is unlimited if absent. */
export type Rule = Which & { readonly times?: number; readonly fault: Fault }

/** One request as it arrived; times are milliseconds of `performance.now()`. */
export type Seen = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly at: number
  /** When the exchange was over for the browser; absent while it is open. */
  endedAt?: number
  /** True when the browser gave up or was cut off before a complete answer. */
  cutOff?: boolean
  status?: number
  /** What was done to it. */
  fault?: Fault['kind']
}

type Call = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly body: Buffer
  /** Aborts when the browser is gone. */
  readonly gone: AbortSignal
}

type ActiveRule = Rule & { left: number }

/**
 * `own`: the proxy has its own connections to the server, like most reverse proxies, and leaves no
 * trace. `mirrored`: one for each of the browser's, like a TCP load balancer.
 */
type Connections = 'own' | 'mirrored'

/**
 * An HTTP proxy in front of one real server that breaks chosen requests in chosen ways. A marked
 * write that the server refuses for its connection does not count, because the console sends it
 * again.
 */
export class FaultProxy {
  #target: URL
  readonly #connections: Connections
  readonly #agent = new Agent({ keepAlive: true })
  readonly #agents = new Map<Socket, Agent>()
  #refusals = 0
  readonly #server = createServer((req, res) => void this.#handle(req, res))
  readonly #rules: ActiveRule[] = []
  readonly #seen: Seen[] = []
  #weather: ((seen: Seen) => Fault | undefined) | undefined
  #port = 0

  constructor(target: string, connections: Connections = 'own') {
    this.#connections = connections
    this.#target = new URL(target)
    this.#server.keepAliveTimeout = 60_000
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Starts listening, always on the same port. */
  async up(): Promise<void> {
    const [port = 0] = this.#port ? [this.#port] : await freePorts(1)
    this.#port = port
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }

  /** Refuses connections and cuts those that are open. */
  async down(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  /** Ends the proxy. */
  async close(): Promise<void> {
    if (this.#server.listening) await this.down()
    this.#agent.destroy()
    for (const agent of this.#agents.values()) agent.destroy()
  }

  /** Puts another server behind the same address. */
  turnTo(target: string) {
    this.#target = new URL(target)
  }

  /** Closes kept connections, so that the next request starts a fresh one. */
  dropIdle() {
    this.#server.closeIdleConnections()
  }

  /** Adds a rule; earlier rules apply first. Returns a function that removes it. */
  fault(rule: Rule): () => void {
    const active = { ...rule, left: rule.times ?? Number.POSITIVE_INFINITY }
    this.#rules.push(active)
    return () => {
      active.left = 0
    }
  }

  /** Keeps such requests from the server until the returned function is called. */
  hold(which: Omit<Rule, 'fault'>): () => void {
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    this.fault({ ...which, fault: { kind: 'hold', until } })
    return release
  }

  clearFaults() {
    this.#rules.length = 0
    this.#weather = undefined
  }

  /** Decides about every request that no rule strikes. */
  weather(decide: (seen: Seen) => Fault | undefined) {
    this.#weather = decide
  }

  /** Requests seen so far, oldest first. */
  seen(which: Which = {}): readonly Seen[] {
    return this.#seen.filter((one) => matches(which, one))
  }

  count(which: Which): number {
    return this.seen(which).length
  }

  /** Marked writes that the server refused because they were not the first of a connection. */
  get refusals(): number {
    return this.#refusals
  }

  /** The highest number of such requests that were open at one time. */
  peak(which: Which): number {
    const all = this.seen(which)
    const openAt = (time: number) =>
      all.filter((one) => one.at <= time && (one.endedAt ?? Number.POSITIVE_INFINITY) > time).length
    return Math.max(0, ...all.map((one) => openAt(one.at)))
  }

  async #handle(req: IncomingMessage, res: ServerResponse) {
    const gone = new AbortController()
    // From the beginning: the browser may be gone before its request is read.
    res.on('close', () => gone.abort())
    const body = await read(req).catch(() => Buffer.alloc(0))
    const seen: Seen = {
      method: req.method ?? '',
      path: req.url ?? '',
      body: body.toString(),
      at: performance.now(),
    }
    this.#seen.push(seen)
    const end = () => {
      seen.endedAt = performance.now()
      if (res.writableFinished) seen.status = res.statusCode
      else seen.cutOff = true
    }
    if (gone.signal.aborted) end()
    else gone.signal.addEventListener('abort', end)
    const { fault, giveBack } = this.#take(seen)
    const forget = () => {
      giveBack()
      this.#refusals += 1
      this.#seen.splice(this.#seen.indexOf(seen), 1)
    }
    await this.#exchange({ req, res, body, gone: gone.signal }, fault, forget).catch(() =>
      resetConnection(res),
    )
  }

  async #exchange(call: Call, fault: Fault | undefined, forget: () => void) {
    const { res, gone } = call
    if (fault && isBeforeServer(fault)) return failBefore(res, fault)
    if (fault?.kind === 'delay') await pause(fault.ms, gone)
    if (fault?.kind === 'hold') await fault.until
    if (gone.aborted) return
    const answer = await this.#forward(call)
    if (this.#connections === 'mirrored') passConnection(res, answer)
    const said = answer.headers['webconsole-fresh']
    const isRefused = said === 'required' || said === 'repeated'
    if (isRefused) forget()
    if (fault && !isRefused) await failAfter(res, fault, answer)
    else send(res, answer)
  }

  /** The fault that strikes; `giveBack` counts it as if it had not. */
  #take(seen: Seen): { fault: Fault | undefined; giveBack: () => void } {
    const rule = this.#rules.find((one) => one.left > 0 && matches(one, seen))
    if (rule) rule.left -= 1
    const fault = rule?.fault ?? this.#weather?.(seen)
    if (fault) seen.fault = fault.kind
    const giveBack = () => {
      if (rule) rule.left += 1
    }
    return { fault, giveBack }
  }

  #agentOf({ socket }: IncomingMessage): Agent {
    if (this.#connections === 'own') return this.#agent
    const found = this.#agents.get(socket) ?? new Agent({ keepAlive: true, maxSockets: 1 })
    if (!this.#agents.has(socket)) {
      this.#agents.set(socket, found)
      socket.once('close', () => {
        found.destroy()
        this.#agents.delete(socket)
      })
    }
    return found
  }

  #forward({ req, body, gone }: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onward = request(
        {
          host: this.#target.hostname,
          port: this.#target.port,
          method: req.method,
          path: req.url,
          headers: { ...req.headers, connection: 'keep-alive' },
          agent: this.#agentOf(req),
          signal: gone,
        },
        (answer) => {
          read(answer).then(
            (bytes) =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                body: bytes,
              }),
            reject,
          )
        },
      )
      onward.on('error', reject)
      onward.end(body)
    })
  }
}

/** Lets the browser see what the server says of the connection. */
function passConnection(res: ServerResponse, { headers }: Answer) {
  if (headers.connection) res.setHeader('connection', headers.connection)
}

/** Starts a proxy in front of a server such as `http://127.0.0.1:8080`. */
export async function startFaultProxy(
  target: string,
  connections?: Connections,
): Promise<FaultProxy> {
  const proxy = new FaultProxy(target, connections)
  await proxy.up()
  return proxy
}

function matches({ method, path, body }: Which, seen: Seen): boolean {
  if (method && method !== seen.method) return false
  if (body && !body.test(seen.body)) return false
  if (path === undefined) return true
  return typeof path === 'string' ? pathname(seen.path).endsWith(path) : path.test(seen.path)
}

function pathname(path: string): string {
  return path.split('?', 1)[0] ?? ''
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
