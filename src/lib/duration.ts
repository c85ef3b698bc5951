const units = [
  ['y', 31_557_600_000],
  ['mo', 2_629_800_000],
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

const mostUnits = 4

export const msPerHour = 3_600_000

/**
 * How long something has lasted, as `2 d 3 h 4 m 5 s`: the four largest units that are not zero. A
 * year has 365.25 days, a month is a twelfth of it.
 */
export function formatUptime(ms: number): string {
  let left = Math.max(0, Math.floor(ms / 1_000) * 1_000)
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0 && parts.length < mostUnits) parts.push(`${count} ${name}`)
  }
  return parts.join(' ') || '0 s'
}
