const written = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/

/** A time such as `2026-11-21 09:00`, with its seconds as SQL writes it; null when it is none. */
export function writtenTime(text: string): string | null {
  const [, date, clock, seconds = ':00'] = written.exec(text.trim()) ?? []
  if (date === undefined || clock === undefined) return null
  const at = Date.parse(`${date}T${clock}${seconds}Z`)
  // A day that the month does not have would be taken as one of the next month.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${date}T${clock}`)
  return isReal ? `${date} ${clock}${seconds}` : null
}
