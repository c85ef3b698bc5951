import { ApiError, classifyAnswer, type ErrorParts, withoutPrefix } from './errors'
import { isRecord } from './schemas'

/** An answer before anything in it was interpreted. */
export type RawAnswer = {
  /** 0 for a redirect. */
  status: number
  /** It leads elsewhere and was not followed. */
  isRedirect?: boolean
  /** It asks for a password in the header that had the token. */
  wantsPassword?: boolean
  contentType: string
  text: string
  elapsed: number
  /** The body of the request. */
  sent: string
  /** See `ApiError.isOnce`. */
  isOnce: boolean
}

/**
 * The parsed JSON of a good answer; throws `ApiError` for everything else. A proxy or a captive
 * portal may answer with HTML, and immudb's own 404 and 405 are plain text, so the content type is
 * checked before the body.
 */
export function readAnswer(answer: RawAnswer): unknown {
  if (answer.isRedirect) throw ofProxy(answer, 'the answer leads elsewhere')
  const body = parseJson(answer)
  if (answer.status < 200 || answer.status > 299) throw errorOf(answer, body)
  // Every answer of immudb is an object, and an error never comes with a good status.
  if (isRecord(body) && !('error' in body)) return body
  throw failed(answer, { kind: 'bad-answer', text: 'the answer is not one of immudb' })
}

function parseJson(answer: RawAnswer): unknown {
  const isJson = /\bjson\b/i.test(answer.contentType)
  if (!isJson) {
    if (answer.status < 300) throw notImmudb(answer)
    return undefined
  }
  try {
    return JSON.parse(answer.text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    if (answer.status >= 300) return undefined
    throw failed(answer, { kind: 'bad-answer', text: 'the answer is not complete JSON' }, cause)
  }
}

/**
 * An answer of something in front of immudb that wants a log-in of its own or lets the call not
 * through. What immudb and the console's host refuse has a gRPC code, and immudb sends no page.
 */
function ofProxy(answer: RawAnswer, text: string): ApiError {
  const isPassword = answer.status === 401 && answer.wantsPassword
  return failed(answer, { kind: 'proxy', text, detail: isPassword ? 'password' : null })
}

/** Unauthorised, forbidden, asked for by a forward proxy or by a network's own page. */
const proxyStatuses: ReadonlySet<number> = new Set([401, 403, 407, 511])

function notImmudb(answer: RawAnswer): ApiError {
  const isEmpty = answer.text.trim() === ''
  if (!isEmpty && /^text\/html|xhtml/i.test(answer.contentType)) {
    return ofProxy(answer, 'the answer is a page')
  }
  return failed(
    answer,
    isEmpty
      ? { kind: 'bad-answer', text: 'the answer is empty' }
      : { kind: 'not-immudb', text: 'the answer is not JSON' },
  )
}

function errorOf(answer: RawAnswer, body: unknown): ApiError {
  if (isRecord(body) && isGrpcCode(body.code)) {
    const { code } = body
    const text = withoutPrefix(textOf(body))
    const kind = classifyAnswer(answer.status, code, text, answer.sent)
    return failed(answer, { kind, text, code, detail: detailOf(body), wasSent: sentOf(body) })
  }
  return errorWithoutCode(answer, wordsOf(answer, body))
}

/** Other software puts its own codes into errors, such as the HTTP status. */
function isGrpcCode(code: unknown): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 1 && code <= 16
}

/** The text of an answer. An HTML page says nothing about the database. */
function wordsOf({ contentType, text }: RawAnswer, body: unknown): string {
  if (isRecord(body)) return withoutPrefix(textOf(body))
  return /^text\/plain/i.test(contentType) ? text.trim() : ''
}

/** No JSON error of the database: a proxy, a gateway or the router in front of it. */
function errorWithoutCode(answer: RawAnswer, text: string): ApiError {
  const { status } = answer
  if (status === 406 || status === 410) return failed(answer, { kind: 'docker-token', text })
  if (proxyStatuses.has(status)) return ofProxy(answer, text)
  if (status === 429) return failed(answer, { kind: 'busy', text })
  // Timed out, closed by the client, or failed behind a proxy: the outcome of the call is unknown.
  const isOpen = status >= 499 || status === 408
  return failed(answer, { kind: isOpen ? 'unavailable' : 'refused', text })
}

function failed(answer: RawAnswer, parts: ErrorParts, cause?: unknown): ApiError {
  const { status, elapsed, isOnce } = answer
  return new ApiError({ status, elapsed, isOnce, ...parts }, { cause })
}

function textOf(body: Record<string, unknown>): string {
  const said = [body.error, body.message, body.detail]
  return said.find((text): text is string => typeof text === 'string') ?? ''
}

function detailOf(body: Record<string, unknown>): string | null {
  if (!Array.isArray(body.details)) return null
  for (const detail of body.details) {
    if (isRecord(detail) && typeof detail.code === 'string') return detail.code
  }
  return null
}

/** What the console's host says of a call that the server did not answer. */
function sentOf({ details }: Record<string, unknown>): boolean | null {
  const first = Object(Array.isArray(details) && details[0])
  return first['@type'] === 'webconsole.Unanswered' ? first.sent !== false : null
}
