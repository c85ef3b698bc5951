import { useAtomValue } from 'jotai'
import type { ServerRow } from '~/atoms/servers/server-rows'
import { timezoneAtom } from '~/core/page-view'
import { pathTo } from '~/lib/paths'
import { formatClock } from '~/lib/time'
import { Dialog } from '~/ui/Dialog'
import { Link } from '~/ui/Link'
import { LimitList, nearestWords } from '../limits/LimitList'

type Props = { row: ServerRow; onClose: () => void }

/** Where each limit of a server of the list stands. Those of its databases are in its Overview. */
export function ServerLimits({ row, onClose }: Props) {
  const { standing, limits, measuredAt } = row
  const zone = useAtomValue(timezoneAtom)
  const { name } = standing.server
  const when = measuredAt === null ? '' : ` Measured at ${formatClock(measuredAt, zone)}.`
  return (
    <Dialog
      description={`${nearestWords(limits)}${when}`}
      onClose={onClose}
      open
      title={`Limits of ${name}`}
      width="wide"
    >
      <LimitList rows={limits} title="Of the server" />
      <p className="mt-3 text-muted text-sm">
        Each database has limits of its own:{' '}
        <Link
          className="text-primary underline"
          to={pathTo('overview', { server: name, limits: 'all' })}
        >
          open {name} and see them
        </Link>
        . Flags of immudb take effect when it is started.
      </p>
    </Dialog>
  )
}
