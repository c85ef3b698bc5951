import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import type { Moment } from '~/sql/time-travel'

const words = { UNTIL: 'until', BEFORE: 'before', SINCE: 'since', AFTER: 'after' }

/** What is seen at a moment, behind “As of”: rows since a moment are those of now. */
export function asOfLabel(moment: Moment): string {
  const label = momentLabel(moment)
  return moment.bound === 'SINCE' || moment.bound === 'AFTER' ? `now, ${label}` : label
}

/** A moment in few words, such as `tx 12` or `before tx 12`. */
export function momentLabel({ bound, at }: Moment): string {
  const point = at.kind === 'tx' ? `tx ${formatTx(at.id)}` : `${at.text} UTC`
  return bound === 'UNTIL' && at.kind === 'tx' ? point : `${words[bound]} ${point}`
}

/** What is seen at a moment, for the middle of a sentence. */
export function momentText(moment: Moment): string {
  const { bound, at } = moment
  const point = at.kind === 'tx' ? `transaction ${formatTx(at.id)}` : `${at.text} UTC`
  switch (bound) {
    case 'UNTIL':
      return `the state right after ${point}`
    case 'BEFORE':
      return `the state right before ${point}`
    case 'SINCE':
      return `rows last written in or after ${point}`
    case 'AFTER':
      return `rows last written after ${point}`
  }
}

/** A time as an address has it, such as `2026-11-21 09:00:00 UTC`. */
export function timeText(text: string): string {
  return `${text.slice(0, 19).replace('T', ' ')} UTC`
}

/** A time in UTC, and as the user reads times where that is another. */
export function bothTimes(ms: number, timezone: string): string {
  const [utc, own] = [formatMoment(ms, 'utc'), formatMoment(ms, timezone)]
  return own === utc ? utc : `${utc}, ${own}`
}
