import type { LimitName } from '~/immudb/limits'
import { encodeUtf8 } from '~/lib/bytes'
import { seeLimit } from '~/lib/limit-link'
import { PlainError } from '~/lib/plain-error'
import { messages } from '~/lib/shared-sentences'
import { asSentence, shorten } from '~/lib/text'
import { cutText, visibleText } from '~/lib/visible-text'

/**
 * What a failed call means for the console, by the server's text and detail code. The HTTP status
 * says too little: immudb 1.11.1 answers most application errors and lost sessions with 500. It
 * uses 403 both for an expired token and for a missing permission.
 */
export type ErrorKind =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'unavailable'
  | 'not-immudb'
  | 'proxy'
  | 'bad-answer'
  | 'session'
  | 'credentials'
  | 'no-database'
  | 'docker-token'
  | 'too-large'
  | 'request-too-large'
  | 'index-behind'
  | 'busy'
  | 'permission'
  | 'conflict'
  | 'refused'

/**
 * The server texts that the console reacts to, as recorded from 1.11.1. The first match counts.
 * Only this file reads the server's texts, and `sql-errors.ts` those about a statement.
 */
const reasons = [
  ['not-logged-in', /^not logged in|^invalid token/],
  ['login-off', /authentication disabled/],
  ['login-only', /only with authentication on/],
  ['wrong-old-password', /old password is incorrect/i],
  ['key-changed', /^precondition failed/],
  ['no-more-entries', /^tbtree: (no more entries|offset out of range)/],
  ['no-such-revision', /^invalid key revision number/],
  // `ErrIllegalState` of embedded/store: a proof since a transaction that the server does not have.
  ['illegal-state', /illegal state/i],
  // What `ifUnchanged` of `src/sql/edit-statements.ts` makes of a row that is not as it was.
  ['row-changed', /^division by zero: invalid limit/],
  ['write-conflict', /^tx read conflict/],
  ['too-many-rows', /^result size limit/],
  // `ErrLimitedOrderBy` of immudb up to 1.5.
  ['one-order', /^order is limit to one indexed column/],
  // A comparison of tables with a row whose JSON is null.
  ['invalid-value', /^invalid value provided/],
  ['little-to-compact', /compaction threshold not yet reached/i],
  ['under-way', /already in progress/i],
  // The file with a stored value is gone, as after a truncation. The entry and its digest remain.
  ['value-gone', /^EOF(: error fetching document history)?$/],
  ['nothing-to-truncate', /retention period has not been reached/i],
  ['already-loaded', /database already loaded/i],
  ['unloaded', /^already closed/],
  ['database-missing', /^database does not exist/],
  ['key-not-found', /key not found/i],
  ['document-not-found', /document not found/i],
  ['document-conflict', /^conflict due to uniqueness/],
  ['tx-not-found', /^tx not found/i],
  ['exists', /already exists/],
  ['missing', /does not exist/i],
  ['not-found', /not found/i],
] as const satisfies readonly (readonly [string, RegExp])[]

/** The reasons for a refusal that the console distinguishes. */
export type Reason = (typeof reasons)[number][0]

/** What the words of the server mean, null when the console makes no difference. */
export function reasonOf(text: string): Reason | null {
  return reasons.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** Some texts begin with the gRPC library's own prefix, even twice. */
export function withoutPrefix(text: string): string {
  return text.replace(/^(?:rpc error: code = \w+ desc = )+/, '')
}

export type ErrorParts = {
  kind: ErrorKind
  /** The server's own words, or ours when there was no answer; never markup, at most 2 KB. */
  text: string
  /** HTTP status, null when nothing was answered. */
  status?: number | null
  /** gRPC code of the JSON error, null when the body was not one. */
  code?: number | null
  /** SQLSTATE-like detail code such as `28000`; of kind `proxy` “password” where it asks for one. */
  detail?: string | null
  /** Milliseconds from sending to failing. */
  elapsed?: number
  /** See `ApiError.isOnce`. */
  isOnce?: boolean
  /** See `ApiError.wasSent`. */
  wasSent?: boolean | null
}

/** The only error class that leaves this room. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ErrorKind
  readonly status: number | null
  readonly code: number | null
  readonly detail: string | null
  readonly elapsed: number
  /**
   * Whether the server runs a write at most once, so that a repeat by the browser had no effect.
   * False when that is not known.
   */
  readonly isOnce: boolean
  /**
   * The server did not answer: whether any of the call reached it, as the console's host says. Null
   * when nothing says so.
   */
  readonly wasSent: boolean | null

  constructor(parts: ErrorParts, options?: ErrorOptions) {
    super(shorten(parts.text), options)
    this.kind = parts.kind
    this.status = parts.status ?? null
    this.code = parts.code ?? null
    this.detail = parts.detail ?? null
    this.elapsed = parts.elapsed ?? 0
    this.isOnce = parts.isOnce ?? false
    this.wasSent = parts.wasSent ?? null
  }

  /** What the server's words mean, null when the console makes no difference. */
  get reason(): Reason | null {
    return reasonOf(this.message)
  }

  /**
   * Whether a write that failed this way may have been committed or may still be. Only an answer of
   * the database itself proves that nothing was stored.
   */
  get isOutcomeUnknown(): boolean {
    const isUnknown = unknownKinds.has(this.kind) || tooManyFiles.test(this.message)
    return this.wasSent !== false && isUnknown
  }
}

/** Files that a write needs may be missing before its commit or after it: `open d: too many open files`. */
const tooManyFiles = /: too many open files(: |$)/

const unknownKinds: ReadonlySet<ErrorKind> = new Set([
  'network',
  'timeout',
  'aborted',
  'unavailable',
  'not-immudb',
  'proxy',
  'bad-answer',
  // The work was done; only its answer was too large to send.
  'too-large',
  // A write waits for the index after it was committed.
  'index-behind',
])

/** The gateway's limit for answers. No flag changes it, and requests have another limit. */
const answerLimit = 4_194_304

/**
 * Whether the request was too large, and not the answer to work that was done. The server's text is
 * the same for both. It is the request only if its size is the one in the text and the limit is not
 * that for answers.
 */
function isOfRequest(text: string, sent: string): boolean {
  const [, size, limit] = /\((\d+) vs\. (\d+)\)/.exec(text) ?? []
  if (size === undefined || Number(limit) === answerLimit) return false
  return encodeUtf8(sent).length >= Number(size)
}

/** Whether an error has one of these reasons. */
export function isBecause(error: unknown, ...of: readonly Reason[]): error is ApiError {
  return error instanceof ApiError && error.reason !== null && of.includes(error.reason)
}

/**
 * How many things the server lists at once, where it refused to list more: 2,500 rows in 1.11.1,
 * 1,000 up to 1.5, which refuses a result of just as many. Null for any other error.
 */
export function mostListed(error: unknown): number | null {
  if (!isBecause(error, 'too-many-rows')) return null
  const [, allowed, found] =
    /maximum allowed one \((\d{1,9})\)|found at least (\d{1,9}) rows/.exec(error.message) ?? []
  // A page asks for one row more than it has.
  return allowed ? Number(allowed) : found ? Number(found) - 2 : null
}

/** Whether an answer was larger than the 4 MiB that the server may send. */
export function isTooLarge(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'too-large'
}

/** Whether the error says that the requested thing does not exist. */
export function isMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && /missing|not-found/.test(error.reason ?? '')
}

const sessionTexts: readonly RegExp[] = [
  /^not logged in/,
  /^invalid token/,
  /^token has expired/,
  /^please login/i,
  /^could not get loggedin user data/,
  /^session not found/,
]

/**
 * Cancelled, deadline exceeded, unavailable: a caller gave up, but the database may still commit.
 */
const unsureCodes: ReadonlySet<number> = new Set([1, 4, 14])
/** A proxy in front of the database answered. */
const unsureStatuses: ReadonlySet<number> = new Set([502, 503, 504])
const unsureTexts =
  /context (deadline exceeded|canceled)|error reading from server|transport is closing/

/**
 * The kind of a JSON error from the database. Texts as recorded from 1.11.1. A 401 always means a
 * lost session. `sent` is the body of the request.
 */
export function classifyAnswer(
  status: number,
  code: number,
  text: string,
  sent: string,
): ErrorKind {
  if (status === 406 || status === 410) return 'docker-token'
  if (status === 401 || sessionTexts.some((pattern) => pattern.test(text))) return 'session'
  if (/^please select a? ?database first/.test(text)) return 'no-database'
  if (/^invalid user name or password|^user is not active/.test(text)) return 'credentials'
  if (status === 429 && code === 8) {
    return isOfRequest(text, sent) ? 'request-too-large' : 'too-large'
  }
  if (unsureStatuses.has(status) || unsureCodes.has(code) || unsureTexts.test(text)) {
    return 'unavailable'
  }
  // “watchers: max waiting limit exceeded”: more calls wait for an index than may.
  if (text.startsWith('watchers: max')) return 'index-behind'
  if (limitSentence(text) !== null) return 'busy'
  if (/^tx read conflict|^conflict due to uniqueness/.test(text)) return 'conflict'
  if (code === 7 || /permission denied|access denied|have permission|read-only/.test(text)) {
    return 'permission'
  }
  return 'refused'
}

/** What the server says of a limit of immudb, and what it means. */
type LimitText = readonly [pattern: RegExp, limit: LimitName, text: string]

const busy = (does: string, usual: string, remedy: string) =>
  `The server ${does} as it allows (${usual} unless set otherwise), so this was not done. Try again in a moment${remedy}.`
const orRaise = (setting: string) => `, or raise “${setting}” of the database`

/**
 * A limit of immudb 1.11.1 that another moment may not meet (embedded/store, embedded/tbtree,
 * pkg/database, pkg/server/sessions). Such a call did nothing.
 */
const busyTexts: readonly LimitText[] = [
  [
    /(^|: )max active snapshots limit reached$/,
    'Snapshots',
    busy(
      'has as many reads of one index open',
      '100',
      '. If it stays so, restart immudb: in 1.11.0 and 1.11.1 a statement that fails inside a session’s transaction keeps one open. 1.11.2 closes it',
    ),
  ],
  [
    /^max concurrency limit exceeded$/,
    'Parallel commits',
    busy('has as many commits under way', '30', orRaise('maxConcurrency')),
  ],
  [
    /^max active transactions limit exceeded$/,
    'Open transactions',
    busy('has as many transactions open', '1,000', orRaise('maxActiveTransactions')),
  ],
  [
    /(^|: )(read tx|transaction) pool exhausted$/,
    'Read pool',
    busy('reads as many transactions at one time', '128', orRaise('readTxPoolSize')),
  ],
  [
    /(^|: )max sessions number reached$/,
    'Sessions',
    busy(
      'has as many sessions open',
      '100',
      '. Sessions end some minutes after their last call. Or start immudb with a higher --max-sessions',
    ),
  ],
]

const tooMuch = 'This is more than the database allows, so this was not done.'

/** Limits that the same call meets again. */
const fixedTexts: readonly LimitText[] = [
  [/^max number of entries/, 'Entries per transaction', tooMuch],
  [/^max key length exc/, 'Longest key', tooMuch],
  [/^max value length exc/, 'Longest value', tooMuch],
  [/^MVCC read-set/, 'Read set', tooMuch],
  [tooManyFiles, 'Open files', 'The server has too many files open.'],
]

/** What a limit of the server means; null for another text. */
function limitSentence(text: string, of = busyTexts): string | null {
  const found = of.find(([pattern]) => pattern.test(text))
  return found ? `${found[2]} ${seeLimit(found[1])}` : null
}

const rateLimited =
  'Something in front of the server limits how often it is asked, so this was not done. Try again in a moment.'

/** A database that no longer exists, or that is unloaded for all users. */
export type Trouble = 'unloaded' | 'gone'

/** What a failure says about its database; null when nothing. */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof ApiError) || error.kind !== 'refused') return null
  if (error.reason === 'unloaded') return 'unloaded'
  return error.reason === 'database-missing' ? 'gone' : null
}

const troubleSentences: Record<Trouble, string> = {
  unloaded: 'The database is unloaded on the server.',
  gone: 'The database does not exist.',
}

const ownSentences: Partial<Record<ErrorKind, string>> = {
  network: 'The immudb server cannot be reached.',
  timeout: 'The immudb server did not answer in time.',
  aborted: 'The call was cancelled.',
  'not-immudb': 'Something other than immudb answered at this address.',
  'bad-answer': messages.unreadableAnswer,
  'docker-token': messages.dockerTokenExpired,
  'too-large':
    'The answer is larger than 4 MiB, which immudb cannot send over HTTP. Ask for fewer rows. ' +
    seeLimit('Answer size'),
  'request-too-large':
    'The request is larger than the server accepts (32 MiB unless it is set otherwise). ' +
    seeLimit('Request size'),
  'index-behind': `The newest writes are not yet in the index. Try again. ${seeLimit('Waiting calls')}`,
}

/**
 * The gateway inside the server is a client of its own gRPC port and checks its certificate like
 * any other.
 */
const certificateText = /failed to verify certificate|certificate signed by unknown authority/
const certificateSentence =
  'The server does not trust its own certificate, so it answers no call. Add its --address to the certificate and trust the issuer. Or start immudb with --auto-cert.'

const proxyWantsLogin = 'A proxy in front of the server wants you to log in at it again.'
const proxyWantsPassword =
  'A proxy in front of immudb asks for a password in the header that carries the session of this console, so one of the two is lost. Open the console through the webconsole program, which leaves that header to the proxy, or let the proxy log in with cookies.'
const proxyRefuses =
  'Something in front of the server refused the call (403). If it has a log-in of its own, log in there again.'
const pageCame =
  'Something other than immudb answered at this address, with a page. If a proxy in front has a log-in of its own, log in there again.'

function proxySentence({ status, detail }: ApiError): string {
  if (detail === 'password') return proxyWantsPassword
  if (status === 403) return proxyRefuses
  return status !== null && status >= 200 && status < 300 ? pageCame : proxyWantsLogin
}

const documentConflict =
  'The document changed at the same moment, or another document has the value of a unique field.'
const valueGone =
  'The server no longer has a value that this needs. A truncation may have removed it.'

/** Statuses whose own text is shown; any other status gets the general sentence. */
const shownStatuses = new Set([400, 401, 403, 404, 405, 406, 410, 413, 421, 422, 500, 502, 503])

/**
 * The sentence shown for a failure, with marks for invisible characters in the server's text. An
 * error without status counts as 500. Other errors than `ApiError` and `PlainError` get the general
 * sentence.
 */
export function sentence(error: unknown): string {
  return visibleText(plainSentence(error))
}

function plainSentence(error: unknown): string {
  if (error instanceof PlainError) return error.message
  if (!(error instanceof ApiError)) return messages.somethingWrong
  if (error.kind === 'proxy') return proxySentence(error)
  if (error.kind === 'busy') return limitSentence(error.message) ?? rateLimited
  const own = ownSentences[error.kind]
  if (own) return own
  const limit = limitSentence(error.message, fixedTexts)
  if (limit) return limit
  if (error.reason === 'key-not-found') return 'The server has no entry for this key.'
  if (error.reason === 'document-conflict') return documentConflict
  if (error.reason === 'value-gone') return valueGone
  if (error.kind === 'unavailable' && certificateText.test(error.message))
    return certificateSentence
  const trouble = troubleOf(error)
  if (trouble) return troubleSentences[trouble]
  // It begins with the name of a server, which stays as it is written.
  if (error.wasSent !== null) return error.message
  if (error.status === 504 || (error.kind === 'unavailable' && !error.message)) {
    return messages.unableToCommunicate
  }
  if (!shownStatuses.has(error.status ?? 500))
    return withQuote(messages.somethingWrong, error.message)
  return asSentence(error.message) || messages.somethingWrong
}

/** Most characters of the server's text that follow a sentence of ours. */
const quoteLength = 300

/** A general sentence with the server's own text. */
function withQuote(general: string, said: string): string {
  const words = said.trim()
  if (words === '') return general
  const quote = cutText(words, quoteLength)
  return `${general} The server said: “${quote}”`
}

/** Technical facts for the folded part of an error; holds no token, value or SQL text. */
export function technicalDetails(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.name : 'unknown error'
  const parts = [
    `kind ${error.kind}`,
    error.status === null ? 'no HTTP answer' : `HTTP ${error.status}`,
    error.code === null ? '' : `gRPC code ${error.code}`,
    error.detail ? `detail ${error.detail}` : '',
    `after ${Math.round(error.elapsed)} ms`,
  ]
  return parts.filter(Boolean).join(' · ')
}
