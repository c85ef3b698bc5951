import { ApiError, classifyAnswer } from './errors'

/** What came back, before anybody decided what it means. */
export type RawAnswer = {
  status: number
  contentType: string
  text: string
  elapsed: number
}

/**
 * The parsed JSON of a good answer; throws `ApiError` for everything else. A proxy or a captive
 * portal may answer with HTML, and immudb's own 404 and 405 are plain text, so the content type is
 * looked at before the body.
 */
export function readAnswer(answer: RawAnswer): unknown {
  const body = parseJson(answer)
  if (answer.status >= 200 && answer.status < 300) return body
  throw errorOf(answer, body)
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
    throw new ApiError(
      {
        kind: 'bad-answer',
        text: 'the answer is not complete JSON',
        status: answer.status,
        elapsed: answer.elapsed,
      },
      { cause },
    )
  }
}

function notImmudb(answer: RawAnswer): ApiError {
  const isEmpty = answer.text.trim() === ''
  return new ApiError({
    kind: isEmpty ? 'bad-answer' : 'not-immudb',
    text: isEmpty ? 'the answer is empty' : 'the answer is not JSON',
    status: answer.status,
    elapsed: answer.elapsed,
  })
}

function errorOf(answer: RawAnswer, body: unknown): ApiError {
  const { status, elapsed } = answer
  if (isRecord(body) && typeof body.code === 'number') {
    const text = stripPrefix(textOf(body))
    const kind = classifyAnswer(status, body.code, text)
    return new ApiError({
      kind,
      text,
      status,
      elapsed,
      code: body.code,
      detail: detailOf(body),
    })
  }
  return errorWithoutCode(answer, wordsOf(answer, body))
}

/** What an answer says for itself. A page is markup and says nothing about the database. */
function wordsOf({ contentType, text }: RawAnswer, body: unknown): string {
  if (isRecord(body)) return stripPrefix(textOf(body))
  return /^text\/plain/i.test(contentType) ? text.trim() : ''
}

/** No JSON error of the database: a proxy, a gateway or the router in front of it. */
function errorWithoutCode({ status, elapsed }: RawAnswer, words: string): ApiError {
  if (status === 406 || status === 410) {
    return new ApiError({ kind: 'docker-token', text: words, status, elapsed })
  }
  if (status === 401) return new ApiError({ kind: 'session', text: words, status, elapsed })
  // Timed out, closed by the client, or failed behind a proxy: what became of the call is open.
  if (status >= 499 || status === 408) {
    return new ApiError({ kind: 'unavailable', text: words, status, elapsed })
  }
  return new ApiError({ kind: 'refused', text: words, status, elapsed })
}

function textOf(body: Record<string, unknown>): string {
  const said = [body.error, body.message, body.detail]
  return said.find((text): text is string => typeof text === 'string') ?? ''
}

/** Some errors carry the gRPC library's own prefix in front of the server's words. */
function stripPrefix(text: string): string {
  return text.replace(/^rpc error: code = \w+ desc = /, '')
}

function detailOf(body: Record<string, unknown>): string | null {
  if (!Array.isArray(body.details)) return null
  for (const detail of body.details) {
    if (isRecord(detail) && typeof detail.code === 'string') return detail.code
  }
  return null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
