import { counted } from '~/lib/text'

/** How far a replica is behind, in words; a negative lag means that it is ahead. */
export function lagWords(lag: bigint): string {
  if (lag === 0n) return 'none'
  return lag > 0n
    ? `${counted(lag, 'transaction')} behind`
    : `${counted(-lag, 'transaction')} ahead`
}
