import { useAtom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { isByUrgencyAtom, replicaGroupsAtom } from '~/atoms/servers/server-rows'
import { refreshStandings, watchServersAtom } from '~/atoms/servers/standings'
import { useAct } from '~/core/act'
import { type Fleet, fleetAtom } from '~/core/session/fleet'
import { pathTo } from '~/lib/paths'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { RefreshIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { LimitsLink } from '~/ui/LimitsLink'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'
import { HistoryChoice } from './HistoryChoice'
import { LoginDialog } from './LoginDialog'
import { ReplicaGroups } from './ReplicaGroups'
import { ServerNotices, ServerSelect } from './ServerChoice'
import { ServerGrid } from './ServerGrid'

/** The choice of the server, for the header. */
export function HeaderChoice() {
  return <ServerSelect />
}

/** What there is to say about the list, for the lines above the footer. */
export function ListNotices() {
  return <ServerNotices />
}

/** All servers of the console's list: which answer, what they hold and which copy which. */
export default function ServersScreen() {
  const fleet = useAtomValue(fleetAtom)
  return fleet ? <Servers fleet={fleet} /> : <OneServer />
}

function Servers({ fleet }: { fleet: Fleet }) {
  const standings = useAtomValue(watchServersAtom)
  const refresh = useAct(refreshStandings)
  const groups = useAtomValue(replicaGroupsAtom)
  const [isByUrgency, orderByUrgency] = useAtom(isByUrgencyAtom)
  const [isLoggingIn, setLoggingIn] = useState(false)
  const without = standings.filter(({ kind }) => kind === 'no-session')
  const silent = standings.filter(({ kind }) => kind === 'silent').length
  const stamped = standings.map(({ version }) => version).filter((one) => one.length > 1)
  const versions = [...new Set(stamped)].sort()
  const answered = standings.filter(({ kind }) => kind !== 'asking').length
  return (
    <div className="flex flex-col gap-4 p-4 xs:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1">
          <h1 className="font-medium text-xl">Servers</h1>
          <p className="text-muted" role="status">
            {answered < standings.length
              ? `${answered} of ${counted(standings.length, 'server')} asked.`
              : silent > 0
                ? `${counted(silent, 'server')} of ${standings.length} ${silent === 1 ? 'does' : 'do'} not answer.`
                : `${counted(standings.length, 'server')} asked. All answer.`}{' '}
            {versions.length > 1 && <SafeText text={`Versions differ: ${versions.join(', ')}.`} />}
          </p>
        </div>
        {without.length > 1 && (
          <Button onClick={() => setLoggingIn(true)}>Log in to {without.length} servers…</Button>
        )}
        {standings.length > 2 && (
          <Button aria-pressed={isByUrgency} onClick={() => orderByUrgency(!isByUrgency)}>
            Attention first
          </Button>
        )}
        <IconButton icon={<RefreshIcon />} label="Ask all servers now" onClick={() => refresh()} />
      </header>
      <ServerGrid fleet={fleet} />
      <ReplicaGroups groups={groups} />
      <HistoryChoice fleet={fleet} standings={standings} />
      {isLoggingIn && (
        <LoginDialog
          fleet={fleet}
          onClose={() => setLoggingIn(false)}
          servers={without.map(({ server }) => server)}
        />
      )}
    </div>
  )
}

/** Without a list there is nothing to show but how to get one. */
function OneServer() {
  return (
    <div className="flex flex-col gap-4 p-4 xs:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="font-medium text-xl">Servers</h1>
        <LimitsLink limit="all">Limits of this server</LimitsLink>
      </div>
      <EmptyState
        text={
          <>
            To see several, start the webconsole binary in front of them:{' '}
            <code translate="no" className="font-mono">
              webconsole --server eu=ADDRESS --server us=ADDRESS
            </code>
            . It reaches each server itself, so this page calls no other address. Or compare the
            trusted states of two servers{' '}
            <Link className="text-primary underline" to={pathTo('verify')}>
              by text or file
            </Link>
            .
          </>
        }
        title="This console shows one server"
      />
    </div>
  )
}
