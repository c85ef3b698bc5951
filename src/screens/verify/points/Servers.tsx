import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import { type ListedServer, serversAtom } from '~/atoms/trust/list'
import { timezoneAtom } from '~/atoms/view'
import { formatMoment } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { SafeText } from '~/ui/SafeText'
import { ServerAt } from '../ServerAt'

const RevokeDialog = fetchedLater(() => import('./RevokeDialog').then((part) => part.RevokeDialog))

/** Servers that may answer at each address, why, and since when. */
export function Servers() {
  const servers = useAtomValue(serversAtom)
  const [asked, setAsked] = useState<ListedServer | null>(null)
  if (servers.length === 0) return null
  return (
    <section aria-labelledby="servers" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="servers">
        Accepted servers
      </h2>
      <p className="max-w-[680px] text-muted text-sm">
        If any other server answers at one of these addresses, its history is reported as broken.
      </p>
      <ul aria-labelledby="servers" className="rounded border border-line bg-panel">
        {servers.map((one) => (
          <Row key={`${one.origin} ${one.server}`} of={one} onRevoke={() => setAsked(one)} />
        ))}
      </ul>
      {asked && (
        <Suspense fallback={null}>
          <RevokeDialog of={asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </section>
  )
}

function Row({ of, onRevoke }: { of: ListedServer; onRevoke: () => void }) {
  const timezone = useAtomValue(timezoneAtom)
  const { origin, server, at, reason, isAnswering, isOnly } = of
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 first:border-t-0">
      <div className="min-w-0 flex-1 basis-72">
        <p className="break-all">
          <ServerAt origin={origin} server={server} />
        </p>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          {reason === null ? 'First contact' : 'Accepted'} {formatMoment(at, timezone)}
          {reason !== null && (
            <>
              . Reason: <SafeText text={reason || '–'} />
            </>
          )}
        </p>
      </div>
      {isAnswering && <Badge>Answers now</Badge>}
      {!isOnly && (
        <Button onClick={onRevoke} size="small">
          Revoke…
        </Button>
      )}
    </li>
  )
}
