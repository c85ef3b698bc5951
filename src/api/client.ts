import { type $Fetch, createFetch, FetchError } from 'ofetch'
import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { apiTimeout, retryCount } from '~/lib/constants'
import { withRetries } from '~/lib/retry'
import { type RawAnswer, readAnswer } from './answer'
import { ApiError, type ErrorKind, type Trouble, troubleOf } from './errors'
import {
  type FreshWrites,
  freshHeader,
  freshWrites,
  type Manner,
  newWriteId,
  writeHeader,
} from './fresh'

/** One call of the server's REST interface. */
export type Call = {
  method: 'GET' | 'POST'
  /** Below the base path, e.g. `/db/state`; keys and names already percent-encoded. */
  path: string
  body?: unknown
  /** The database the call is about; the token bound to it is sent. Absent: the session's own. */
  database?: string
  /** Sent without a token, such as login and health. */
  isAnonymous?: boolean
  /**
   * Whether it may be repeated after a network failure; by itself only a GET may. True for a POST
   * that changes nothing, false for a GET that does work.
   */
  isRead?: boolean
  /** False: a lost session ends the call at once instead of making it wait for the operator. */
  canWait?: boolean
  /** Asked for by itself again and again: nobody waits for it, so it is not shown as loading. */
  isPoll?: boolean
  signal?: AbortSignal
  /** What the server that answers calls itself; null when it does not say. */
  onServer?(uuid: string | null): void
}

/**
 * A call that is under way; `text` names it without keys, names and parameters. With a write goes
 * the knowledge of what became of it when the page goes.
 */
export type LoadingLabel = { readonly text: string; readonly isWrite: boolean }

/** What the wire asks of the state, which it does not know. */
export type ClientOptions = {
  /** Absolute path or URL of the API, e.g. `/api`. */
  baseURL: string
  fetch?: typeof fetch
  /** Undefined: no token may be sent to whoever answers now, so that nothing is sent. */
  token(database?: string): string | null | undefined
  /** Every request that leaves, repeats included. */
  onCall?(): void
  /** A call begins; what is returned ends it, whatever came of it. */
  onLoading?(label: LoadingLabel): () => void
  /** The server's id, read from each answer. */
  onServer?(uuid: string): void
  /** The server's time, in milliseconds since 1970, exact to a second. */
  onClock?(now: number): void
  /**
   * The session of that token is over; resolves true once the same user has signed in again and
   * the call can be sent with a token of its database.
   */
  onSessionLost?(error: ApiError, token: string | null, database?: string): Promise<boolean>
  /** What a call about a database shows of it: null when it is there and open. */
  onTrouble?(database: string, trouble: Trouble | null): void
  /** The token has no database; resolves true once one is selected. */
  onDatabaseLost?(database: string | undefined): Promise<boolean>
}

export type Client = {
  /** Sends the call and returns the answer as the schema reads it; rejects with `ApiError` only. */
  call<S extends GenericSchema>(schema: S, call: Call): Promise<InferOutput<S>>
  /** Fetches something that is no call of the database; rejects with `ApiError` only. */
  download(request: Download): Promise<Downloaded>
  /** Whether the server that answered last runs each write once, whatever the browser repeats. */
  runsOnce(): boolean
}

/** The only door to the network. */
export function createClient(options: ClientOptions): Client {
  const fetchText = createFetch(options.fetch ? { fetch: options.fetch } : {})
  const writes = freshWrites()
  const once = (call: Call) => sendOnce(fetchText, options, call, writes)
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
      return downloadWith(fetchText.raw, options.baseURL, request, timer).catch(
        (error: unknown) => {
          throw asApiError(error, request, performance.now() - started, timer)
        },
      )
    },
    runsOnce: writes.isKept,
  }
}

function log(call: Call, error: unknown): void {
  // What the operator cancelled did not fail.
  if (!(error instanceof ApiError) || error.kind === 'aborted') return
  logFailure(call.method, call.path, error.kind, error.status)
}

type Answer = { body: unknown; raw: RawAnswer }

/** Tells what a call shows of its database; that of other calls, such as for users, proves little. */
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

/** Reads are repeated on a network failure or an answer from something in front of the database. */
function withRepeats(call: Call, send: () => Promise<Answer>): Promise<Answer> {
  return withRetries(send, {
    retries: isSafe(call) ? retryCount : 0,
    mayRepeat: (error) =>
      error instanceof ApiError && (error.kind === 'network' || error.kind === 'unavailable'),
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

/** Why nothing is sent to a server that did not give the token. */
const strange = 'no session with the server that answers now'

/**
 * One request with its own timer, which also covers the body; a write may take several until it is
 * run. ofetch's own retries and timer are off: they would repeat with an aborted signal and stop
 * watching at the headers.
 */
async function sendOnce(
  fetchText: $Fetch,
  options: ClientOptions,
  call: Call,
  writes: FreshWrites,
): Promise<Answer> {
  const started = performance.now()
  const timer = AbortSignal.timeout(apiTimeout)
  const token = call.isAnonymous ? null : options.token(call.database)
  const isOnce = writes.isKept()
  const id = isSafe(call) ? null : newWriteId()
  try {
    if (token === undefined) throw new ApiError({ kind: 'session', text: strange })
    const body = call.body === undefined ? null : JSON.stringify(call.body)
    const send = ({ isMarked, isApart }: Manner) => {
      options.onCall?.()
      return fetchText.raw(`${options.baseURL}${call.path}`, {
        method: call.method,
        headers: { ...headersOf(token, call), ...markOf(id, isMarked) },
        body,
        signal: call.signal ? AbortSignal.any([call.signal, timer]) : timer,
        // Answers hold tokens and values, which a browser would keep on disk beyond the log-out.
        cache: 'no-store',
        credentials: isApart ? 'omit' : 'same-origin',
        redirect: 'error',
        responseType: 'text',
        ignoreResponseError: true,
        retry: false,
      })
    }
    const answer = await (isSafe(call) ? send({}) : writes.send(send))
    writes.note(answer)
    const uuid = answer.headers.get('Grpc-Metadata-Immudb-Uuid')
    if (uuid) options.onServer?.(uuid)
    call.onServer?.(uuid)
    const now = Date.parse(answer.headers.get('Date') ?? '')
    if (!Number.isNaN(now)) options.onClock?.(now)
    const raw = {
      status: answer.status,
      contentType: answer.headers.get('Content-Type') ?? '',
      text: typeof answer._data === 'string' ? answer._data : '',
      elapsed: performance.now() - started,
      sent: body ?? '',
      isOnce: writes.isKept(),
    }
    return { body: readAnswer(raw), raw }
  } catch (error) {
    if (error instanceof ApiError) throw error
    writes.note(null)
    throw asApiError(error, call, performance.now() - started, timer, isOnce)
  }
}

/** What tells the server that it must not run a write twice. */
function markOf(id: string | null, isMarked = false): Record<string, string> {
  if (id === null) return {}
  return { [writeHeader]: id, ...(isMarked ? { [freshHeader]: '1' } : {}) }
}

function headersOf(token: string | null, call: Call): Record<string, string> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Cache-Control': 'no-cache',
    Pragma: 'no-cache',
  }
  if (call.body !== undefined) headers['Content-Type'] = 'application/json'
  if (token) headers.Authorization = `Bearer ${token}`
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

/**
 * A request without token and without a header of ours, which another origin could refuse. Sent
 * once.
 */
type Download = {
  /** An absolute address, or a path below the place where the API lies, such as `metrics`. */
  address: string
  /** Milliseconds until the whole body must be there. */
  timeout: number
  signal?: AbortSignal
}

type Downloaded = { status: number; headers: Headers; bytes: ArrayBuffer }

/** What is used of the client's own fetch. */
type FetchBytes = (
  address: string,
  options: RequestInit & { responseType: 'arrayBuffer'; ignoreResponseError: true; retry: false },
) => Promise<{ status: number; headers: Headers; _data?: unknown }>

/** Fetches the bytes of an address, whatever the status; fails as `fetch` does. */
async function downloadWith(
  fetchBytes: FetchBytes,
  baseURL: string,
  { address, signal }: Download,
  timer: AbortSignal,
): Promise<Downloaded> {
  const url = /^https?:/.test(address) ? address : baseURL.replace(/[^/]*$/, address)
  const response = await fetchBytes(url, {
    signal: signal ? AbortSignal.any([signal, timer]) : timer,
    cache: 'no-store',
    // Never to another origin; and those without cookies are for writes (see `fresh.ts`).
    credentials: 'same-origin',
    redirect: 'error',
    responseType: 'arrayBuffer',
    ignoreResponseError: true,
    retry: false,
  })
  const bytes = response._data instanceof ArrayBuffer ? response._data : new ArrayBuffer(0)
  return { status: response.status, headers: response.headers, bytes }
}

/**
 * The one place that writes to the browser's console: a failed call by method, path, kind and
 * status. Neither tokens nor texts of the server or the operator are in it, and of the path only
 * what names the call, because what follows may be a key or a name.
 */
export function logFailure(method: string, path: string, kind: string, status: number | null) {
  // biome-ignore lint/suspicious/noConsole: this is the logger.
  console.info(
    `webconsole: ${callName(method, path)} failed: ${kind}${status === null ? '' : ` ${status}`}`,
  )
}

/** What a call is, such as `GET /db/get`, without the keys, names and parameters behind it. */
function callName(method: string, path: string): string {
  const call = path.split('?')[0]?.split('/').slice(0, 3).join('/') ?? ''
  return `${method} ${call}`
}
