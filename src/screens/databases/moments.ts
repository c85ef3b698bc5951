import { locale } from '~/lib/locale'
import { formatMoment } from '~/lib/time'
import { zoneName } from '~/lib/time-zone'

/** The day of a moment given in seconds since 1970, such as `3 Mar 2026`. */
export function formatDay(seconds: number, zone: string): string {
  // Outside the calendar there are no days.
  if (Number.isNaN(new Date(seconds * 1_000).getTime())) return formatInstant(seconds, zone)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zoneName(zone) }).format(
    seconds * 1_000,
  )
}

/** The exact moment with its zone. */
export function formatInstant(seconds: number, zone: string): string {
  return formatMoment(seconds * 1_000, zone)
}
