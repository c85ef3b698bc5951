import { recorded, recordedResponse } from './recorded'

type Scan = {
  prefix: string
  desc?: boolean
  limit?: string
  seekKey?: string
  endKey?: string
  inclusiveSeek?: boolean
}

/** An event as the server stores it. */
export type StoredEvent = {
  ts: string
  user: string
  ip: string
  method: string
  type: string
  ok: boolean
  err?: string
  dur_ms: number
  sid?: string
}

/** The session ID that some events hold; nothing may show or keep it. */
export const liveSession = 'hKPuUpjrXVgDHiaoHmO6wdkWdq4Vyt-9y18b3oZWf_c='

const service = '/immudb.schema.ImmuService/'
const first = 1_795_454_000_000n

/** One event a second; every tenth is a failed login, every seventh holds a session. */
export function madeEvent(number: number): StoredEvent {
  const ts = `${first + BigInt(number) * 1_000n}000000`
  if (number % 10 === 0) {
    const err = 'invalid user name or password'
    const ip = '203.0.113.9, 127.0.0.1'
    return { ts, user: '', ip, method: `${service}Login`, type: 'AUTH', ok: false, err, dur_ms: 9 }
  }
  const plain = { ts, ip: '127.0.0.1', ok: true, dur_ms: 1 }
  const user = number % 3 === 0 ? 'ada' : 'immudb'
  const write = { ...plain, user, method: `${service}Set`, type: 'WRITE' }
  return number % 7 === 0
    ? { ...write, sid: liveSession }
    : { ...plain, user, method: `${service}Scan`, type: 'READ' }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const textOf = (encoded: string) => Buffer.from(encoded, 'base64').toString()

/** The key of an event, as text. */
export const keyOfEvent = (number: number) =>
  `audit:${madeEvent(number).ts.padStart(20, '0')}_${String(number).padStart(16, '0')}`

/** A server with as many events as wanted, none of them in memory, numbered from 1. */
export class AuditServer {
  count: number
  make: (number: number) => StoredEvent | string = madeEvent
  /** Bodies of scans. */
  readonly scans: Scan[] = []
  readonly opened: string[] = []
  /** Tokens of the scans. */
  readonly tokens: (string | null)[] = []
  fails: (() => Response) | null = null

  constructor(count: number) {
    this.count = count
  }

  readonly answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const path = String(input).replace(/^.*\/api/, '')
    if (path.startsWith('/db/use/')) {
      const name = path.replace('/db/use/', '')
      this.opened.push(name)
      return Response.json({ token: `v2.public.${name}` })
    }
    if (path === '/db/scan') {
      this.tokens.push(new Headers(init?.headers).get('Authorization'))
      const failure = this.fails?.()
      return failure ?? Response.json(this.#scan(JSON.parse(String(init?.body))))
    }
    return Response.json({ error: 'not found', code: 2, message: 'not found' }, { status: 500 })
  }

  #scan(scan: Scan) {
    this.scans.push(scan)
    if (textOf(scan.prefix) !== 'audit:' || !scan.desc) throw new Error('reads beside the log')
    const from = scan.seekKey === undefined ? this.count : this.#upTo(scan)
    const end = scan.endKey === undefined ? '' : textOf(scan.endKey)
    const entries: object[] = []
    for (let number = from; number > 0 && entries.length < Number(scan.limit); number -= 1) {
      const key = keyOfEvent(number)
      if (key < end) break
      const event = this.make(number)
      const value =
        typeof event === 'string' ? event : JSON.stringify(event).replace(/"ts":"(\d+)"/, '"ts":$1')
      entries.push({
        tx: String(number + 1),
        key: base64(key),
        value: base64(value),
        revision: '1',
      })
    }
    return entries.length === 0 ? {} : { entries }
  }

  /** The newest event up to a key. */
  #upTo({ seekKey = '', inclusiveSeek = false }: Scan): number {
    const key = textOf(seekKey)
    const time = BigInt(key.slice(6, 26)) / 1_000_000n
    let number = Number((time - first) / 1_000n) + 1
    number = Math.min(this.count, Math.max(0, number))
    while (
      number > 0 &&
      !(keyOfEvent(number) < key || (inclusiveSeek && keyOfEvent(number) === key))
    )
      number -= 1
    return number
  }
}

/** What a server answers to a user without a permission on systemdb. */
export const refusedToReader = () => recordedResponse(recorded('audit-log', 'refused to a reader'))
