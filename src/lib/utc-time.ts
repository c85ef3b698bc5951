const written = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/

/** Seconds since 1970 of a time in UTC such as `2026-11-21 09:00:00`; null when it is none. */
export function utcSeconds(text: string): number | null {
  const [, date, clock, seconds = ':00'] = written.exec(text.trim()) ?? []
  if (date === undefined || clock === undefined) return null
  const time = `${date}T${clock}${seconds}`
  const at = Date.parse(`${time}Z`)
  // A day that the month does not have would be taken as one of the next month.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(time)
  return isReal ? at / 1_000 : null
}
