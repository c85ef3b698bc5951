import { counted } from './text'

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const

/** A span of time in its largest unit, rounded: `1 day`, `3 hours`, `0 seconds`. */
export function formatSpan(ms: number): string {
  // A unit counts from just below one, so that 59.6 minutes are an hour.
  const [size, name] = units.find(([unit]) => ms >= unit * 0.99) ?? [1_000, 'second']
  return counted(Math.round(ms / size), name)
}
