import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import {
  type ListedServer,
  serversAtom,
  statesAtom,
  trustOfAtom,
} from '~/atoms/databases/trusted-databases'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { revokeServer } from '~/trust/decisions'
import type { LogLine, TrustRecord } from '~/trust/trust-record'
import { verifyState } from '~/trust/verify-state'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { SafeName, SafeText } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Skeleton } from '~/ui/Skeleton'
import { serverWords } from '~/words/comparison'
import { ServerAt } from '../ServerAt'
import { Exchange } from './Exchange'
import { ReasonDialog } from './ReasonDialog'
import { TrustedStateCard } from './TrustedStateCard'
import { UnreadableRecords } from './UnreadableRecords'

const NamedMoments = lazyWithRetry(
  () => import('../../moments/MomentPart').then((part) => part.MomentPart),
  { meanwhile: <Skeleton lines={3} /> },
)

/** What this browser recorded of every database it has met. */
export function TrustedStatesPane() {
  const points = useAtomValue(statesAtom)
  const trustOf = useAtomValue(trustOfAtom)
  if (points === null) {
    return <Skeleton label="Reading the trusted states" lines={6} />
  }
  const { own, others, log, unreadable, keeping, isOfNewer } = points
  const records = [...own.flatMap(({ record }) => record ?? []), ...others]
  return (
    <div className="grid grid-cols-1 gap-6">
      {keeping !== 'kept' && <ErrorNote {...lackOf(keeping, isOfNewer)} tone="unknown" />}
      {unreadable.length > 0 && <UnreadableRecords records={unreadable} />}
      <Group
        action={<CheckAll databases={own.map(({ database }) => database)} />}
        title="This server"
      >
        {own.length === 0 && <p className="text-muted">No database can be seen.</p>}
        {own.map(({ database, record }) => (
          <TrustedStateCard
            database={database}
            key={database}
            record={record}
            trust={trustOf(database)}
          />
        ))}
      </Group>
      {groupsOf(others).map(([title, of]) => (
        <Group key={title} title={title}>
          {of.map((record) => (
            <TrustedStateCard
              database={record.id.database}
              isElsewhere
              key={record.id.database}
              record={record}
              trust={null}
            />
          ))}
        </Group>
      ))}
      <SectionBoundary details={technicalDetails} what="The named moments">
        <NamedMoments wordsOf={serverWords} />
      </SectionBoundary>
      <Exchange records={records} />
      <Servers />
      {log.length > 0 && <LogLines lines={log} />}
    </div>
  )
}

/** What is missing where trusted states are not kept, or not yet. */
function lackOf(keeping: 'late' | 'memory', isOfNewer: boolean) {
  if (isOfNewer) {
    return {
      advice: 'Nothing was changed there. Open the newer console to use them.',
      title:
        'A newer version of this console keeps the trusted states of this browser, and this version cannot read them. What it finds out is forgotten with this page.',
    }
  }
  if (keeping === 'late') {
    return {
      advice: 'States that were recorded before are used as soon as it does.',
      title:
        'The storage of this browser has not answered so far: trusted states are kept in memory only.',
    }
  }
  return {
    advice: 'Allow this page to store data, or use a window that is not private.',
    title: 'This browser keeps no trusted states: they are forgotten with this page.',
  }
}

/** By server and address. */
function groupsOf(records: readonly TrustRecord[]): [string, TrustRecord[]][] {
  const groups = new Map<string, TrustRecord[]>()
  for (const record of records) {
    const { server, origin } = record.id
    const title = `Server ${server || 'without a name'} at ${origin}`
    groups.set(title, [...(groups.get(title) ?? []), record])
  }
  return [...groups]
}

type GroupProps = { title: string; action?: ReactNode; children: ReactNode }

function Group({ title, action, children }: GroupProps) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 break-words font-medium">
          <SafeText text={title} />
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}

function CheckAll({ databases }: { databases: readonly string[] }) {
  const check = useAct(verifyState)
  const trustOf = useAtomValue(trustOfAtom)
  const isBusy = databases.some((database) => trustOf(database)?.kind === 'checking')
  if (databases.length < 2) return null
  const all = async () => {
    for (const database of databases) await check(database)
  }
  return (
    <Button busy={isBusy} onClick={() => void all()} size="small">
      Check all now
    </Button>
  )
}

/** Servers that may answer at each address, why, and since when. */
function Servers() {
  const servers = useAtomValue(serversAtom)
  const [asked, setAsked] = useState<ListedServer | null>(null)
  if (servers.length === 0) return null
  return (
    <section aria-labelledby="servers" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="servers">
        Accepted servers
      </h2>
      <p className="max-w-[680px] text-muted text-sm">
        Any other server at these addresses is reported as broken.
      </p>
      <ul aria-labelledby="servers" className="rounded border border-line bg-panel">
        {servers.map((one) => (
          <Row key={`${one.origin} ${one.server}`} of={one} onRevoke={() => setAsked(one)} />
        ))}
      </ul>
      {asked && <RevokeDialog of={asked} onClose={() => setAsked(null)} />}
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

type Props = { of: ListedServer; onClose: () => void }

/** Says what follows when a server is no longer accepted at an address. */
function RevokeDialog({ of: { origin, server, isAnswering }, onClose }: Props) {
  const revoke = useAct(revokeServer)
  const next = isAnswering
    ? 'It answers now, so every database on it is reported as broken at once and writes are blocked.'
    : 'If it answers at this address again, that is reported as broken and writes are blocked.'
  return (
    <ReasonDialog
      action="Revoke"
      description={`${next} Its trusted states, its pinned key and its incidents stay. You can accept it again. A line stays in the log.`}
      failure={{ title: 'It could not be revoked.', notDone: 'Nothing was changed.' }}
      onClose={onClose}
      onConfirm={(reason) => revoke(origin, server, reason)}
      title="Revoke this server?"
    >
      <p className="mb-3 break-all">
        <ServerAt origin={origin} server={server} />
      </p>
    </ReasonDialog>
  )
}

const whats: Record<LogLine['what'], string> = {
  forgotten: 'Trusted state forgotten',
  acknowledged: 'Break acknowledged',
  'matched-again': 'History matched again',
  imported: 'Trusted state taken over',
  'server-accepted': 'Server accepted',
  'server-revoked': 'Server revoked',
  'key-pinned': 'Signing key pinned',
  'key-removed': 'Signing key removed',
  'witness-pinned': 'Witness pinned',
  'witness-removed': 'Witness unpinned',
}

/** What was done to trusted states and keys in this browser, the newest first. */
function LogLines({ lines }: { lines: readonly LogLine[] }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <section aria-label="Log" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="log">
        Log
      </h2>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-labelledby="log"
        className="grid max-h-72 gap-1 overflow-auto text-sm"
      >
        {[...lines].reverse().map(({ at, what, id, reason, point }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be of the same moment.
          <li className="border-line border-b py-1 last:border-b-0" key={`${at} ${index}`}>
            <span className="text-muted">{formatMoment(at, timezone)}</span> {whats[what]}
            {id.database !== '' && (
              <>
                {' '}
                of <SafeName text={id.database} />
              </>
            )}
            {what.startsWith('server-') && (
              <>
                {' '}
                <SafeText text={id.server || 'without a name'} />
              </>
            )}
            {point && `, tx ${formatTx(point.txId)}`}
            {reason !== '' && !what.startsWith('key-') && (
              <>
                : <SafeText text={reason} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
