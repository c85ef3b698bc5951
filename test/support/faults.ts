import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** What goes wrong with one request; the names are those of the fault matrix. */
export type Fault =
  /** The connection is reset before the server sees the request. */
  | { readonly kind: 'reset' }
  /** No answer, and the server never sees the request. */
  | { readonly kind: 'hang' }
  /** The request waits before it is forwarded. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The same until something has happened. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  /** A made-up answer; the server never sees the request. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** The server does the work, then the connection is reset before any answer. */
  | { readonly kind: 'dropAnswer' }
  /** The server does the work, its answer never arrives. */
  | { readonly kind: 'hangAnswer' }
  /** Half of the announced body, then a reset. */
  | { readonly kind: 'truncate' }
  /** Half of a chunked body without its end, then the connection closes. */
  | { readonly kind: 'truncateChunked' }
  /** Half of the body as a complete, well-formed answer. */
  | { readonly kind: 'cutClean' }
  /** The whole length with some bytes changed, so that the JSON no longer parses. */
  | { readonly kind: 'corrupt' }
  /** The whole answer, but for what is changed in its text. */
  | { readonly kind: 'change'; readonly change: (body: string) => string }
  /** The body in pieces of so many bytes, one every so many milliseconds. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly ms: number }

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Faults that never reach the server. */
export function isBeforeServer(fault: Fault): boolean {
  return fault.kind === 'reset' || fault.kind === 'hang' || fault.kind === 'answer'
}

/** Resets the connection under an answer, as a crashed peer would. */
export function resetConnection(res: ServerResponse) {
  res.socket?.resetAndDestroy()
}

/** Sends an answer whole. */
export function send(res: ServerResponse, answer: Answer) {
  res.writeHead(answer.status, {
    ...endToEnd(answer.headers),
    ...lengthOf(answer),
  })
  res.end(answer.body)
}

/** Treats a request that the server must not see. */
export function failBefore(res: ServerResponse, fault: Fault) {
  if (fault.kind === 'reset') resetConnection(res)
  if (fault.kind === 'answer') {
    res.writeHead(fault.status, {
      'content-type': 'text/html',
      ...fault.headers,
    })
    res.end(fault.body ?? '')
  }
}

/** Treats the server's answer on its way back. */
export async function failAfter(res: ServerResponse, fault: Fault, answer: Answer): Promise<void> {
  const half = answer.body.subarray(0, Math.floor(answer.body.length / 2))
  switch (fault.kind) {
    case 'dropAnswer':
      return resetConnection(res)
    case 'hangAnswer':
      return
    case 'truncate':
      res.writeHead(answer.status, {
        ...endToEnd(answer.headers),
        ...lengthOf(answer),
      })
      await written(res, half)
      return resetConnection(res)
    case 'truncateChunked':
      res.writeHead(answer.status, endToEnd(answer.headers))
      await written(res, half)
      res.socket?.destroy()
      return
    case 'cutClean':
      return send(res, { ...answer, body: half })
    case 'corrupt':
      return send(res, { ...answer, body: corrupted(answer.body) })
    case 'change':
      return send(res, { ...answer, body: Buffer.from(fault.change(answer.body.toString())) })
    case 'drip':
      return drip(res, answer, fault.bytes, fault.ms)
    default:
      return send(res, answer)
  }
}

/** Waits, unless the signal ends the wait. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function drip(res: ServerResponse, answer: Answer, bytes: number, ms: number) {
  res.writeHead(answer.status, {
    ...endToEnd(answer.headers),
    ...lengthOf(answer),
  })
  for (let start = 0; start < answer.body.length && !res.destroyed; start += bytes) {
    await written(res, answer.body.subarray(start, start + bytes))
    await pause(ms)
  }
  res.end()
}

function corrupted(body: Buffer): Buffer {
  const copy = Buffer.from(body)
  for (let i = Math.floor(copy.length / 3); i < copy.length; i += 7) copy[i] = 0x01
  return copy
}

/** The proxy sets framing itself, and `connection` concerns one hop only. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    connection: _c,
    'keep-alive': _k,
    'transfer-encoding': _t,
    'content-length': _l,
    ...rest
  } = headers
  return rest
}

function lengthOf(answer: Answer): IncomingHttpHeaders {
  const bodiless = answer.status === 204 || answer.status === 304
  return bodiless ? {} : { 'content-length': String(answer.body.length) }
}

function written(res: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => res.write(bytes, () => resolve()))
}

/**
 * An answer with another letter of base64 in the first text of a field or of its list, so many
 * letters behind the beginning of the text. Its length stays.
 */
export function changed(field: string, behind = 2): Fault {
  const letters = '[A-Za-z0-9+/]'
  const value = new RegExp(`("${field}":\\s*\\[?\\s*"${letters}{${behind}})(${letters})`)
  const change = (body: string) =>
    body.replace(value, (_all, before, letter) => `${before}${letter === 'B' ? 'C' : 'B'}`)
  return { kind: 'change', change }
}
