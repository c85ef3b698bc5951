const shape = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,3})?\d* ([+-]\d\d)(\d\d)\b/

/**
 * Milliseconds since 1970 of a time as Go prints it, such as
 * `2026-11-21 09:26:27.598985329 +0000 UTC`; null for Go's zero time and for anything else.
 */
export function readGoTime(text: string): number | null {
  const match = shape.exec(text)
  if (!match) return null
  const [, day, time, fraction = '', hours, minutes] = match
  const ms = Date.parse(`${day}T${time}${fraction}${hours}:${minutes}`)
  return Number.isNaN(ms) || day?.startsWith('0001') ? null : ms
}
