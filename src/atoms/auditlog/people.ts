import { type AuditEvent, eventTime, isLogin } from '~/immudb/audit-event'

/** What one user did among some events. */
export type Person = {
  /** Empty for events without a user. */
  readonly user: string
  readonly count: number
  readonly failed: number
  readonly logins: number
  /** Events in each equal part of the time, oldest first. */
  readonly parts: readonly number[]
}

export type People = {
  readonly people: readonly Person[]
  /** Of the events, in milliseconds since 1970. */
  readonly from: number
  readonly to: number
}

/** Parts of a user's line. */
const partCount = 60

/** One line for each user, busiest first; null without any event that has a time. */
export function peopleIn(events: readonly AuditEvent[]): People | null {
  const times = events.map(eventTime).filter((time) => time !== null)
  if (times.length === 0) return null
  const [from, to] = times.reduce(([a, b], time) => [Math.min(a, time), Math.max(b, time)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  const found = new Map<
    string,
    { -readonly [K in keyof Person]: Person[K] } & { parts: number[] }
  >()
  for (const event of events) {
    const { content } = event
    const time = eventTime(event)
    if (!content || time === null) continue
    const { user } = content
    const one = found.get(user) ?? {
      user,
      count: 0,
      failed: 0,
      logins: 0,
      parts: Array.from({ length: partCount }, () => 0),
    }
    found.set(user, one)
    one.count += 1
    if (!content.isOk) one.failed += 1
    if (isLogin(content)) one.logins += 1
    const share = to === from ? 0 : (time - from) / (to - from)
    const part = Math.min(partCount - 1, Math.floor(share * partCount))
    one.parts[part] = (one.parts[part] ?? 0) + 1
  }
  const people = [...found.values()].sort((a, b) => b.count - a.count)
  return { people, from, to }
}
