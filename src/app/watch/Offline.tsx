import { useAtomValue } from 'jotai'
import { outageAtom } from '~/atoms/state'
import { OfflineIcon } from '~/ui/Icon'
import { useOnline } from '~/ui/online'
import { Line } from './Line'

/** The computer has no network, which need not mean that the server is away. */
export function Offline() {
  const isOnline = useOnline()
  const isAway = useAtomValue(outageAtom) !== null
  if (isOnline) return null
  return (
    <Line icon={<OfflineIcon />} isUrgent={isAway}>
      This computer is offline.{' '}
      {isAway
        ? 'The console goes on by itself once it is back.'
        : 'The server still answers, so nothing is lost.'}
    </Line>
  )
}
