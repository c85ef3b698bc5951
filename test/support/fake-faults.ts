import { recorded, recordedResponse } from './recorded'

/**
 * What can go wrong with a call of the fake server. A call asks for it by its own words, never by
 * patching: `fault_reset` in a statement, as the user who logs in, or as the database it is about;
 * `use_fault_reset` as the database to be opened; `fault_reset_2` only the first two times.
 */
const faults = [
  /** The connection breaks before the server sees the request. */
  'reset',
  /** The server does the work, then the connection breaks. */
  'lost',
  /** The connection breaks and the browser sends again: the work is done twice, the second answers. */
  'twice',
  /** The same, both at once: the work is done, and the second delivery meets a conflict. */
  'overtaken',
  /** No answer until the caller gives up; the server never sees the request. */
  'hang',
  /** The server does the work and sends its headers, but the body never ends. */
  'stall',
  /** The server does the work; its answer waits until `release()`. */
  'held',
  /** The request reaches the server only after `release()`. */
  'delayed',
  /** A gateway answers with a page. */
  'gateway',
  /** A gateway gave up waiting; the server did the work. */
  'late',
  /** The gateway of immudb cannot reach immudb. */
  'away',
  /** A portal answers every address with its own page. */
  'portal',
  /** The server does the work; half of its answer arrives as if it were whole. */
  'cut',
  /** The server does the work; an empty answer arrives. */
  'empty',
  /** An answer of the right kind with the wrong types. */
  'wrong',
  /** The call is sent on to another origin. */
  'redirect',
  /** The answer is larger than immudb sends over HTTP. */
  'large',
  /** Someone else changed the same data. */
  'conflict',
  /** The database has as much to do as it takes. */
  'busy',
  /** The token has no database any more. */
  'unselected',
  /** The docker token expired. */
  'docker',
] as const
export type FaultName = (typeof faults)[number]

const pattern = new RegExp(`fault_(${faults.join('|')})(?:_(\\d+))?`)

/** Finds the fault a text asks for, and counts it. */
export function faultFinder(): (text: string) => FaultName | null {
  const times = new Map<string, number>()
  return (text) => {
    const match = pattern.exec(text)
    if (!match) return null
    const [sentinel, name, limit] = match
    const before = times.get(sentinel) ?? 0
    times.set(sentinel, before + 1)
    if (limit !== undefined && before >= Number(limit)) return null
    return faults.find((fault) => fault === name) ?? null
  }
}

export type Faulty = {
  /** Does the work and returns the good answer. */
  work: () => Response
  init: RequestInit
  /** Resolves when held answers may go. */
  released: Promise<void>
  /** Notes that another origin was asked. */
  goneTo: (url: string) => void
}

/** The answer, or the broken promise, of a call with a fault. */
export async function withFault(fault: FaultName, call: Faulty): Promise<Response> {
  switch (fault) {
    case 'reset':
      throw new TypeError('fetch failed')
    case 'lost':
      call.work()
      throw new TypeError('fetch failed')
    case 'twice':
      call.work()
      return call.work()
    case 'overtaken':
      call.work()
      return answers.conflict()
    case 'hang':
      return givenUp(call.init)
    case 'stall':
      return endless(call.work(), call.init)
    case 'held': {
      const answer = call.work()
      await Promise.race([call.released, givenUp(call.init)])
      return answer
    }
    case 'delayed':
      await Promise.race([call.released, givenUp(call.init)])
      return call.work()
    case 'cut': {
      const text = await call.work().text()
      return json(text.slice(0, Math.floor(text.length / 2)))
    }
    case 'empty':
      call.work()
      return new Response(null, { status: 200 })
    case 'late':
      call.work()
      return page(504)
    case 'redirect':
      return redirected(call)
    default:
      return answers[fault]()
  }
}

type MadeUp = Exclude<
  FaultName,
  | 'reset'
  | 'lost'
  | 'twice'
  | 'overtaken'
  | 'hang'
  | 'stall'
  | 'held'
  | 'delayed'
  | 'cut'
  | 'empty'
  | 'late'
  | 'redirect'
>

const answers: Record<MadeUp, () => Response> = {
  gateway: () => page(502),
  portal: () => page(200),
  away: () => failure(503, 14, 'error reading from server: EOF'),
  wrong: () => json('{"rows":"x","users":"x","databases":{},"txs":7,"txId":[],"token":9}'),
  large: () => recordedResponse(recorded('sql-limits', 'answer over 4 MiB')),
  conflict: () => failure(500, 2, 'tx read conflict'),
  busy: () => failure(500, 2, 'max concurrency limit exceeded'),
  docker: () => failure(406, 2, 'not acceptable'),
  unselected: () =>
    recordedResponse(recorded('databases', 'several databases: login token needs use')),
}

/** A JSON error in the server's shape, for texts that were seen but not recorded with a pair. */
export function failure(status: number, code: number, error: string): Response {
  return json(JSON.stringify({ error, code, message: error }), status)
}

export function json(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

function page(status: number): Response {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return new Response('<!doctype html><title>proxy</title>', { status, headers })
}

/** Follows the redirect as `fetch` would: not at all when it was told so. */
function redirected({ init, goneTo }: Faulty): Response {
  if (init.redirect === 'error') throw new TypeError('unexpected redirect')
  // What a browser gives to a page: no status, no headers and no address.
  if (init.redirect === 'manual') {
    return Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
    })
  }
  goneTo('https://elsewhere.example/api')
  return json('{}')
}

function givenUp({ signal }: RequestInit): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function endless(answer: Response, { signal }: RequestInit): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"rows":['))
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true })
    },
  })
  return new Response(body, { status: answer.status, headers: answer.headers })
}
