import { type $Fetch, createFetch, FetchError } from 'ofetch'
import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { apiTimeout, retryCount } from '~/lib/constants'
import { withRetries } from '~/lib/retry'
import { type RawAnswer, readAnswer } from './answer'
import { ApiError, type ErrorKind, type Trouble, troubleOf } from './errors'
import { type TokenWay, tokenWay, wantsPassword } from './token-way'
import { type FreshWrites, freshWrites, type Manner, markOf, newWriteId } from './write-once'

/** One call of the server's REST interface. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base path, e.g. `/db/state`; keys and names already percent-encoded. */
  path: string
  /** A text is JSON already, to be sent as it is. */
  body?: unknown
  /** The database the call is about; the token bound to it is sent. Absent: the session's own. */
  database?: string
  /** Sent without a token, such as login and health. */
  isAnonymous?: boolean
  /** The id of a session of the server, which is sent in place of a token. */
  session?: string
  /** Without cookies, and without a password that the browser knows and would put where the token is. */
  isBare?: true
  /** Goes on when the page is left; of a small call without an answer that matters. */
  keepalive?: true
  /**
   * Whether it may be repeated after a network failure; by default only a GET may. True for a POST
   * that changes nothing, false for a GET that does work.
   */
  isRead?: boolean
  /** False: a lost session ends the call at once. Otherwise the call waits for a new login. */
  canWait?: boolean
  /** A repeated background call. No one waits for it, so it does not show as loading. */
  isPoll?: boolean
  /** False: sent once even where a read may be repeated. */
  mayRepeat?: false
  signal?: AbortSignal
  /** Gets the id of the server that answers; null when it gives none. */
  onServer?(uuid: string | null): void
  /** Gets the server's time, as `ClientOptions.onClock`; not called when the answer names none. */
  onClock?(now: number): void
}

/**
 * A call in progress; `text` names it without keys, names and parameters. If the page closes during
 * a write, its outcome is lost.
 */
export type LoadingLabel = { readonly text: string; readonly isWrite: boolean }

/** What the client needs from the state, which this room must not import. */
export type ClientOptions = {
  /** Absolute path or URL of the API, e.g. `/api`. */
  baseURL: string
  fetch?: typeof fetch
  /** What a host with several servers wants to be told with each call to it. */
  headers?: Readonly<Record<string, string>>
  /** The console's folder, where the API does not lie directly in it. */
  folder?: string
  /** The headers of each answer. */
  onHeaders?(headers: Headers): void
  /** Undefined: another server answers now, so no token and no call may be sent. */
  token(database?: string): string | null | undefined
  /** The id of the server that issued the token, for a host that keeps it from any other. */
  issuer?(): string | null
  /** What another client of the same server said of `takesOwnHeader`. */
  takesOwnHeader?: boolean
  /** Every request that leaves, repeats included. */
  onCall?(): void
  /** Marks the start of a call; the returned function marks its end, whatever the outcome. */
  onLoading?(label: LoadingLabel): () => void
  /** The server's id, read from each answer. */
  onServer?(uuid: string): void
  /** The server's time, in milliseconds since 1970, exact to a second. */
  onClock?(now: number): void
  /**
   * The token's session is over. Resolves to true once the same user has logged in again and the
   * call can be sent with a token of its database.
   */
  onSessionLost?(error: ApiError, token: string | null, database?: string): Promise<boolean>
  /** A proxy in front wants a log-in of its own; null once immudb answers. */
  onProxy?(error: ApiError | null): void
  /** The trouble that a call found with its database; null when the database is loaded. */
  onTrouble?(database: string, trouble: Trouble | null): void
  /** The token has no database. Resolves to true once one is selected. */
  onDatabaseLost?(database: string | undefined): Promise<boolean>
}

export type Client = {
  /** Sends the call and returns the answer parsed by the schema. Rejects only with `ApiError`. */
  call<S extends GenericSchema>(schema: S, call: Call): Promise<InferOutput<S>>
  /** Fetches something else than a database call. Rejects only with `ApiError`. */
  download(request: Download): Promise<Downloaded>
  /**
   * Whether the server that answered last runs each write at most once, even if the browser repeats
   * it.
   */
  runsOnce(): boolean
  /** Whether the server that answered last takes tokens in a header of their own. */
  takesOwnHeader(): boolean
}

/** The only way to the network. */
export function createClient(options: ClientOptions): Client {
  const fetchText = createFetch(options.fetch ? { fetch: options.fetch } : {})
  const ways = { writes: freshWrites(), tokens: tokenWay(options.takesOwnHeader) }
  const once = (call: Call) => sendOnce(fetchText, options, call, ways)
  return {
    async call(schema, call) {
      const send = () => withRepeats(call, () => once(call))
      const ended = call.isPoll
        ? undefined
        : options.onLoading?.({
            text: callName(call.method, call.path),
            isWrite: !call.isAnonymous && !isSafe(call),
          })
      try {
        const answer = await withTrouble(options, call, withReplay(options, call, send))
        return parsed(schema, answer.body, answer.raw)
      } catch (error) {
        log(call, error)
        throw error
      } finally {
        ended?.()
      }
    },
    async download(request) {
      const started = performance.now()
      const timer = AbortSignal.timeout(request.timeout)
      return downloadWith(fetchText.raw, options, request, timer).catch((error: unknown) => {
        throw asApiError(error, request, performance.now() - started, timer)
      })
    },
    runsOnce: ways.writes.isKept,
    takesOwnHeader: ways.tokens.isOwn,
  }
}

function log(call: Call, error: unknown): void {
  // A call that the user cancelled did not fail.
  if (!(error instanceof ApiError) || error.kind === 'aborted') return
  logFailure(call.method, call.path, error.kind, error.status)
}

type Answer = { body: unknown; raw: RawAnswer }

/**
 * Reports what a call shows about its database. Other calls, such as those for users, show too
 * little.
 */
async function withTrouble<T>(options: ClientOptions, call: Call, answer: Promise<T>): Promise<T> {
  const tell = (trouble: Trouble | null) =>
    call.database !== undefined &&
    call.path.startsWith('/db/') &&
    options.onTrouble?.(call.database, trouble)
  try {
    const good = await answer
    tell(null)
    return good
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble) tell(trouble)
    throw error
  }
}

function isSafe(call: Call): boolean {
  return call.isRead ?? call.method === 'GET'
}

/** Failures that another moment may not meet. */
const passingKinds: ReadonlySet<ErrorKind> = new Set(['network', 'unavailable', 'busy'])

/**
 * Repeats reads after a network failure, an answer from a proxy in front of the database, or one that
 * says that the server has too much to do.
 */
function withRepeats(call: Call, send: () => Promise<Answer>): Promise<Answer> {
  return withRetries(send, {
    retries: isSafe(call) && call.mayRepeat !== false ? retryCount : 0,
    mayRepeat: (error) => error instanceof ApiError && passingKinds.has(error.kind),
    ...(call.signal ? { signal: call.signal } : {}),
  }).catch((error: unknown) => {
    throw asApiError(error, call, 0)
  })
}

/** After a lost session or selection a read is sent once more; a write never is. */
async function withReplay(
  options: ClientOptions,
  call: Call,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const token = call.isAnonymous ? null : (options.token(call.database) ?? null)
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError) || call.isAnonymous) throw error
    if (!(await mayReplay(options, call, error, token))) throw error
    return send()
  }
}

async function mayReplay(
  options: ClientOptions,
  call: Call,
  error: ApiError,
  token: string | null,
): Promise<boolean> {
  if (error.kind === 'no-database') {
    const isSelected = (await options.onDatabaseLost?.(call.database)) ?? false
    return isSelected && isSafe(call)
  }
  if (error.kind !== 'session' && error.kind !== 'docker-token') return false
  const again = options.onSessionLost?.(error, token, call.database) ?? Promise.resolve(false)
  return isSafe(call) && call.canWait !== false && orAborted(again, call.signal)
}

function orAborted(promise: Promise<boolean>, signal?: AbortSignal): Promise<boolean> {
  if (!signal) return promise
  const aborted = new Promise<boolean>((resolve) => {
    if (signal.aborted) resolve(false)
    signal.addEventListener('abort', () => resolve(false), { once: true })
  })
  return Promise.race([promise, aborted])
}

/** The reason when nothing is sent to a server that did not issue the token. */
const strange = 'no session with the server that answers now'

type Ways = { writes: FreshWrites; tokens: TokenWay }

/**
 * One request with its own timer, which also covers the body. A marked write may take several
 * requests. ofetch's retries and timer are off: they would repeat with an aborted signal and stop
 * at the headers.
 */
async function sendOnce(
  fetchText: $Fetch,
  options: ClientOptions,
  call: Call,
  { writes, tokens }: Ways,
): Promise<Answer> {
  const started = performance.now()
  const timer = AbortSignal.timeout(apiTimeout)
  const token = call.isAnonymous ? null : options.token(call.database)
  const isOnce = writes.isKept()
  const id = isSafe(call) ? null : newWriteId()
  try {
    if (token === undefined) throw new ApiError({ kind: 'session', text: strange })
    const body = bodyOf(call)
    let sent: Record<string, string> = {}
    const send = ({ isMarked, isApart }: Manner) => {
      options.onCall?.()
      sent = headersOf(token, call, options, tokens)
      return fetchText.raw(`${options.baseURL}${call.path}`, {
        method: call.method,
        headers: { ...sent, ...options.headers, ...markOf(id, isMarked) },
        body,
        signal: call.signal ? AbortSignal.any([call.signal, timer]) : timer,
        // Answers contain tokens and values. A browser would keep them on disk after logout.
        cache: 'no-store',
        keepalive: !!call.keepalive,
        credentials: isApart || call.isBare || tokens.isContested(sent) ? 'omit' : 'same-origin',
        // Not followed, so the token stays at home, and told apart from a network failure.
        redirect: 'manual',
        responseType: 'text',
        ignoreResponseError: true,
        retry: false,
      })
    }
    const isRead = isSafe(call)
    let answer = await (isRead ? send({}) : writes.send(send))
    if (tokens.note(answer, sent) && isRead) answer = await send({})
    writes.note(answer)
    options.onHeaders?.(answer.headers)
    const uuid = answer.headers.get('Grpc-Metadata-Immudb-Uuid')
    if (uuid) options.onServer?.(uuid)
    call.onServer?.(uuid)
    const now = Date.parse(answer.headers.get('Date') ?? '')
    if (!Number.isNaN(now)) {
      options.onClock?.(now)
      call.onClock?.(now)
    }
    const raw = {
      status: answer.status,
      isRedirect: answer.type === 'opaqueredirect',
      wantsPassword: 'Authorization' in sent && wantsPassword(answer.headers),
      contentType: answer.headers.get('Content-Type') ?? '',
      text: typeof answer._data === 'string' ? answer._data : '',
      elapsed: performance.now() - started,
      sent: body ?? '',
      isOnce: writes.isKept(),
    }
    const good = { body: readAnswer(raw), raw }
    options.onProxy?.(null)
    return good
  } catch (error) {
    if (error instanceof ApiError) {
      // An answer with a gRPC code is immudb's own or that of the console's host.
      if (error.kind === 'proxy') options.onProxy?.(error)
      else if (error.code !== null) options.onProxy?.(null)
      throw error
    }
    writes.note(null)
    throw asApiError(error, call, performance.now() - started, timer, isOnce)
  }
}

function bodyOf({ body }: Call): string | null {
  if (body === undefined) return null
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function headersOf(token: string | null, call: Call, options: ClientOptions, tokens: TokenWay) {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Cache-Control': 'no-cache',
    Pragma: 'no-cache',
  }
  if (call.body !== undefined) headers['Content-Type'] = 'application/json'
  Object.assign(headers, tokens.headers(token))
  const issuer = token && options.issuer?.()
  if (issuer) headers['Webconsole-Issuer'] = issuer
  if (call.session) headers.sessionid = call.session
  return headers
}

function asApiError(
  error: unknown,
  call: Pick<Call, 'signal'>,
  elapsed: number,
  timer?: AbortSignal,
  isOnce = false,
): ApiError {
  if (error instanceof ApiError) return error
  const cause = error instanceof FetchError ? error.cause : error
  const failed = (kind: ErrorKind, text: string) =>
    new ApiError({ kind, text, elapsed, isOnce }, { cause })
  if (call.signal?.aborted) return failed('aborted', 'cancelled')
  if (timer?.aborted) return failed('timeout', 'no answer in time')
  return failed('network', 'no connection to the server')
}

function parsed<S extends GenericSchema>(schema: S, body: unknown, raw: RawAnswer): InferOutput<S> {
  const result = safeParse(schema, body)
  if (result.success) return result.output
  const issue = result.issues[0]
  const place = issue?.path?.map((item) => String(item.key)).join('.') || 'the answer'
  throw new ApiError({
    kind: 'bad-answer',
    text: `unexpected ${place}`,
    status: raw.status,
    elapsed: raw.elapsed,
    isOnce: raw.isOnce,
  })
}

/** A request without a token or headers that another origin could refuse. Sent once. */
type Download = {
  /**
   * An absolute address, a path beside the API, such as `metrics`, or one below the console's own
   * folder, such as `/`.
   */
  address: string
  /** Milliseconds until the whole body must be there. */
  timeout: number
  /** Reads the body, for one that may be endless; otherwise it is read whole. */
  read?(body: ReadableStream<Uint8Array>): Promise<ArrayBuffer>
  signal?: AbortSignal
}

type Downloaded = { status: number; headers: Headers; bytes: ArrayBuffer }

/** The part of the client's fetch that a download uses. */
type FetchBytes = (
  address: string,
  options: RequestInit & {
    responseType: 'arrayBuffer' | 'stream'
    ignoreResponseError: true
    retry: false
  },
) => Promise<{ status: number; headers: Headers; _data?: unknown }>

/** Fetches the bytes of an address, whatever the status; fails as `fetch` does. */
async function downloadWith(
  fetchBytes: FetchBytes,
  options: ClientOptions,
  { address, signal, read }: Download,
  timer: AbortSignal,
): Promise<Downloaded> {
  const { baseURL, folder, headers } = options
  const isElsewhere = /^https?:/.test(address)
  const isBelow = address.startsWith('/')
  const beside = isBelow
    ? (folder ?? baseURL.replace(/\/[^/]*$/, ''))
    : baseURL.replace(/[^/]*$/, '')
  const url = isElsewhere ? address : beside + address
  const response = await fetchBytes(url, {
    ...(isElsewhere ? {} : { headers }),
    signal: signal ? AbortSignal.any([signal, timer]) : timer,
    cache: 'no-store',
    // Never to another origin; and those without cookies are for writes (see `fresh.ts`).
    credentials: 'same-origin',
    redirect: 'error',
    responseType: read ? 'stream' : 'arrayBuffer',
    ignoreResponseError: true,
    retry: false,
  })
  if (!isElsewhere) options.onHeaders?.(response.headers)
  const { status, headers: answered, _data: body } = response
  if (read && body instanceof ReadableStream) {
    return { status, headers: answered, bytes: await read(body) }
  }
  const bytes = body instanceof ArrayBuffer ? body : new ArrayBuffer(0)
  return { status, headers: answered, bytes }
}

/**
 * The only place that writes to the browser's console: a failed call with method, path, kind and
 * status. It never logs tokens or texts. Of the path it logs only the name of the call, because the
 * rest may be a key or a name.
 */
export function logFailure(method: string, path: string, kind: string, status: number | null) {
  // biome-ignore lint/suspicious/noConsole: this is the logger.
  console.info(
    `webconsole: ${callName(method, path)} failed: ${kind}${status === null ? '' : ` ${status}`}`,
  )
}

/** The name of a call, such as `GET /db/get`, without keys, names and parameters. */
function callName(method: string, path: string): string {
  const call = path.split('?')[0]?.split('/').slice(0, 3).join('/') ?? ''
  return `${method} ${call}`
}
