import { useAtomValue } from 'jotai'
import { timezoneAtom } from '~/core/page-view'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import type { Incident, IncidentLog } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { FactLine } from '~/ui/Facts'
import { saveFile } from '~/ui/file'
import { GuideLink } from '~/ui/GuideLink'
import { Hash } from '~/ui/Hash'
import { DownloadIcon } from '~/ui/Icon'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { differingPart, droppedWords, incidentWords, writeIncidents } from '~/words/incident'
import { stepWords } from '~/words/proof-step'
import { ServerAt } from '../ServerAt'

/** Everything that went wrong, also what was right when it was asked for again. */
export function IncidentsPane() {
  const records = useAtomValue(trustRecordsAtom)
  if (records === null) return <Skeleton label="Reading the incidents" lines={4} />
  const { incidents: logs, keeping } = records
  const text = () => writeIncidents(logs)
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="max-w-[680px] text-muted">
        Refused proofs, contradictions and findings. They stay after a later success and after
        forgetting. <GuideLink to="verify-records">What an incident means</GuideLink>
      </p>
      {keeping !== 'kept' && (
        <p className="text-warning">This list is kept in memory only and ends with this page.</p>
      )}
      {logs.length === 0 ? (
        <p>No incidents recorded.</p>
      ) : (
        <p className="flex flex-wrap gap-2">
          <CopyButton text={text} what="all incidents" worded />
          <Button
            icon={<DownloadIcon />}
            onClick={() => saveFile('incidents.txt', text(), 'text/plain')}
            size="small"
          >
            Save as text
          </Button>
        </p>
      )}
      {logs.map((log) => (
        <Log key={JSON.stringify(log.id)} log={log} />
      ))}
    </div>
  )
}

function Log({ log: { id, incidents, dropped } }: { log: IncidentLog }) {
  const of = id.database || 'This address'
  return (
    <section aria-label={`Incidents of ${of}`} className="grid grid-cols-1 gap-2">
      <header>
        <h2 className="break-all font-medium">
          <SafeName text={of} />
        </h2>
        <p className="break-all text-muted text-sm">
          <ServerAt {...id} />
        </p>
      </header>
      <ol className="rounded border border-line bg-panel">
        {incidents.toReversed().map((incident, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be of the same moment.
          <Line incident={incident} key={`${incident.at} ${index}`} />
        ))}
      </ol>
      {dropped > 0 && <p className="text-muted text-sm">{droppedWords(dropped)}</p>}
    </section>
  )
}

function Line({ incident }: { incident: Incident }) {
  const timezone = useAtomValue(timezoneAtom)
  const { kind, reason, step, part, what, expected, received, at, last, times } = incident
  const isIdentity = kind === 'other-server' || kind === 'server-swapped'
  const shown = (text: string, name: string) =>
    isIdentity ? <SafeText text={text} /> : <Hash hash={text} what={name} />
  return (
    <li className="border-line border-t px-4 py-2.5 first:border-t-0">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-muted text-sm">{formatMoment(at, timezone)}</span>
        <span className="min-w-0">{incidentWords(incident)}</span>
      </p>
      <dl className="mt-1 grid gap-0.5 text-sm">
        {!isIdentity && (
          <FactLine name="Object">
            <SafeText text={what} />
          </FactLine>
        )}
        {differingPart(incident) !== '' && (
          <FactLine name="Differs">
            <SafeText text={differingPart(incident)} />
          </FactLine>
        )}
        {expected !== '' && (
          <FactLine name={isIdentity ? 'Before' : 'Expected'}>
            {shown(expected, 'expected hash')}
          </FactLine>
        )}
        {received !== '' && (
          <FactLine name={isIdentity ? 'Then' : 'Received'}>
            {shown(received, 'received hash')}
          </FactLine>
        )}
        {step !== '' && !isIdentity && (
          <FactLine name="Failed">
            {stepWords(step).title}
            <span className="text-muted">
              {' '}
              (reason {reason}, part <SafeText text={part} />)
            </span>
          </FactLine>
        )}
        {times > 1 && (
          <FactLine name="Again">
            {counted(times, 'time')} in all, last {formatMoment(last, timezone)}
          </FactLine>
        )}
      </dl>
    </li>
  )
}
