import { decodeUtf8 } from '~/lib/bytes'

/**
 * The keys of the audit log in `systemdb`: the prefix, the time in nanoseconds with 20 digits, and a
 * number. Password hashes lie beside them, so nothing else there is read.
 */
export const auditPrefix = 'audit:'

/** What the server sorts methods into. */
export const auditKinds = ['AUTH', 'ADMIN', 'WRITE', 'READ', 'SYSTEM'] as const

/** An event without its session ID, which is a live credential and goes no further than this. */
export type AuditEvent = {
  /** Standard base64. */
  readonly key: string
  /** The transaction that stored it; one transaction may hold several events. */
  readonly tx: string
  /** Nanoseconds since 1970 as digits; null when the key has none. */
  readonly at: string | null
  /** Null when the stored value is not an event, such as one of a later version. */
  readonly content: EventContent | null
}

export type EventContent = {
  /** Empty for calls without a login, and for logins themselves. */
  readonly user: string
  /** As the server names it, such as `/immudb.schema.ImmuService/Set`. */
  readonly path: string
  /** Its last part, such as `Set`. */
  readonly method: string
  readonly kind: string
  readonly isOk: boolean
  /** Empty when it succeeded. */
  readonly error: string
  /** Milliseconds. */
  readonly duration: number
  /** As the server noted it; see {@link splitAddress}. */
  readonly address: string
  /** Of immudb 1.11.1 always empty. */
  readonly database: string
  /** Whether the stored value holds a session ID. */
  readonly hasSession: boolean
}

/** What stands in the place of a session ID. */
export const hiddenSession = '(hidden)'

type Stored = { key: string; tx: string }

/** Reads an event from an entry with its decoded key and value. */
export function readAuditEvent(entry: Stored, key: Uint8Array, value: Uint8Array): AuditEvent {
  const name = decodeUtf8(key) ?? ''
  const at = /^audit:(\d{20})_/.exec(name)?.[1]
  return {
    key: entry.key,
    tx: entry.tx,
    at: at === undefined ? null : String(BigInt(at)),
    content: contentOf(decodeUtf8(value)),
  }
}

function contentOf(text: string | null): EventContent | null {
  const fields = fieldsOf(text)
  if (!fields) return null
  const { user, ip, method, type, ok, err = '', dur_ms: duration, sid = '', db = '' } = fields
  const texts = [user, ip, method, type, err, sid, db]
  if (!texts.every((one) => typeof one === 'string')) return null
  if (typeof ok !== 'boolean' || typeof duration !== 'number') return null
  const session = String(sid)
  // A later version might repeat it in another field.
  const shown = (one: unknown) =>
    session === '' ? String(one) : String(one).replaceAll(session, hiddenSession)
  const path = shown(method)
  return {
    user: shown(user),
    path,
    method: path.slice(path.lastIndexOf('/') + 1),
    kind: shown(type),
    isOk: ok,
    error: shown(err),
    duration,
    address: shown(ip),
    database: shown(db),
    hasSession: session !== '',
  }
}

function fieldsOf(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : null // each field is looked at
  } catch {
    return null
  }
}

/** The two parts of a noted address. */
export type AuditAddress = {
  /** What the caller said in X-Forwarded-For, outermost first. */
  readonly claimed: readonly string[]
  /**
   * The last address, which is normally the one that reached the server; null when there is none. A
   * caller over gRPC, or with `Grpc-Metadata-` headers, can forge it too.
   */
  readonly seen: string | null
}

/**
 * Splits an address: the gateway appends the one that reached it to what the caller sent. Of a gRPC
 * caller over IPv6 the server notes only `[`.
 */
export function splitAddress(noted: string): AuditAddress {
  const parts = noted
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const seen = parts.at(-1) ?? null
  return { claimed: parts.slice(0, -1), seen: seen === '[' ? null : seen }
}

const logins: ReadonlySet<string> = new Set(['Login', 'OpenSession'])

/** Whether it is an attempt to log in, which carries no user. */
export function isLogin({ method }: EventContent): boolean {
  return logins.has(method)
}

export function isFailedLogin(content: EventContent | null): content is EventContent {
  return content !== null && !content.isOk && isLogin(content)
}

/** Milliseconds since 1970. */
export function eventTime({ at }: Pick<AuditEvent, 'at'>): number | null {
  return at === null ? null : Number(BigInt(at) / 1_000_000n)
}

/** The time of an event to the nanosecond, such as `2026-11-23T17:24:41.716825027Z`. */
export function eventInstant({ at }: Pick<AuditEvent, 'at'>): string | null {
  const ms = at === null ? Number.NaN : Number(BigInt(at) / 1_000_000n)
  if (at === null || ms > lastMoment) return null
  return `${new Date(ms).toISOString().slice(0, 19)}.${at.slice(-9).padStart(9, '0')}Z`
}

/** Milliseconds since 1970 beyond which there are no dates. */
const lastMoment = 8.64e15

/** The key before all events from a moment on; milliseconds since 1970. */
export function auditKeyAt(ms: number): string {
  const time = BigInt(Math.max(0, Math.trunc(ms))) * 1_000_000n
  return `${auditPrefix}${String(time).padStart(20, '0')}`
}

/** As many failed logins from one seen address within this time are a burst. */
export const burst = { least: 5, within: 60_000 }

/**
 * The failed logins that belong to a burst, by their keys: how many there were within a minute.
 * @param events in any order
 */
export function burstsAmong(events: readonly AuditEvent[]): ReadonlyMap<string, number> {
  const byAddress = new Map<string, { key: string; time: number }[]>()
  for (const event of events) {
    const time = eventTime(event)
    if (!isFailedLogin(event.content) || time === null) continue
    const { seen } = splitAddress(event.content.address)
    const known = byAddress.get(seen ?? '') ?? []
    known.push({ key: event.key, time })
    byAddress.set(seen ?? '', known)
  }
  const found = new Map<string, number>()
  for (const attempts of byAddress.values()) {
    attempts.sort((one, other) => one.time - other.time)
    let first = 0
    for (const [last, { time }] of attempts.entries()) {
      while (time - (attempts[first]?.time ?? time) > burst.within) first += 1
      const count = last - first + 1
      if (count < burst.least) continue
      for (const { key } of attempts.slice(first, last + 1)) {
        found.set(key, Math.max(count, found.get(key) ?? 0))
      }
    }
  }
  return found
}
