/** Names of all time zones this browser can show, sorted; `UTC` is among them. */
export function zoneNames(): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set(['UTC', ...known])].sort()
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, made)
  return made
}

/**
 * Minutes that clocks of an IANA zone are ahead of UTC at a moment; not whole before zones were
 * standardised. Throws `RangeError` for a zone or moment that does not exist.
 */
export function zoneOffset(ms: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? []
  if (sign === undefined) return 0
  const size = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
  return sign === '-' ? -size : size
}
