import { OfflineIcon } from '~/ui/Icon'
import { useConnection } from '../connection'
import { Line } from './Line'

const words = {
  away: 'The console reconnects on its own.',
  unsure: 'Checking whether the server still answers…',
  up: 'The server still answers.',
}

/** The computer has no network, which need not mean that the server is away. */
export function Offline() {
  const { standing, isOffline } = useConnection()
  if (!isOffline) return null
  return (
    <Line icon={<OfflineIcon />} isUrgent={standing === 'away'}>
      This computer is offline. {words[standing]}
    </Line>
  )
}
