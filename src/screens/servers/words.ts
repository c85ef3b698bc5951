import { isAhead, type Lag } from '~/atoms/servers/lag'
import { counted, formatCount } from '~/lib/text'

/** How far a replica is behind or ahead, in words. */
export function lagWords(lag: Lag | null): string {
  if (lag === null) return 'not known'
  const { least, most } = lag
  if (isAhead(lag)) return `${transactions(-(most ?? 0n))} ahead`
  if (most === null) return `at least ${transactions(least)} behind`
  if (most === 0n) return 'none'
  if (least === most) return `${transactions(most)} behind`
  if (least === 0n) return `up to ${transactions(most)} behind`
  return `${formatCount(least)}–${transactions(most)} behind`
}

const transactions = (count: bigint) => counted(count, 'transaction')
