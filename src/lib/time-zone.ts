import { locale } from './locale'

/** How a reader chose to see times: `local`, `utc`, or the IANA name of a zone. */
export type TimeZoneChoice = string

/** The IANA zone of a choice: `local` is the browser's own, `utc` is UTC, else the name given. */
export function zoneName(zone: TimeZoneChoice): string | undefined {
  if (zone === 'local') return undefined
  return zone === 'utc' ? 'UTC' : zone
}

/** The name of the zone of a choice, for people. */
export function zoneLabel(zone: TimeZoneChoice): string {
  return zoneName(zone) ?? ownZone()
}

/** The IANA zone of this computer. */
export function ownZone(): string {
  return new Intl.DateTimeFormat(locale).resolvedOptions().timeZone
}

/** Whether times can be shown in that zone. */
export function isKnownZone(zone: TimeZoneChoice): boolean {
  try {
    new Intl.DateTimeFormat(locale, { timeZone: zoneName(zone) })
    return true
  } catch {
    return false
  }
}

/** Names of all time zones this browser can show, sorted; `UTC` is among them. */
export function zoneNames(): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set(['UTC', ...known])].sort()
}
