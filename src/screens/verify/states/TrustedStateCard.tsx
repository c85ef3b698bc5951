import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { writeStateText } from '~/immudb/state-text'
import { hexOf } from '~/lib/bytes'
import { counted, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { forgetState } from '~/trust/decisions'
import { writtenOf } from '~/trust/recorded-state'
import { type Trust, verdictOfRecord } from '~/trust/trust'
import { checkedAt, isCompared, type StateChange, type TrustRecord } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { FactLine } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { ErrorIcon, InfoIcon, ShieldIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { TxLink } from '~/ui/TxLink'
import { findingWords } from '~/words/broken-history'
import { howWords } from '~/words/trusted-state'
import { ReasonDialog } from './ReasonDialog'

type Props = {
  database: string
  record: TrustRecord | null
  /** What was found out in this page; null where nothing was looked at, or on another server. */
  trust: Trust | null
  isElsewhere?: boolean
}

/** One database: its trusted state, when it was met and checked, its moves, and the actions. */
export function TrustedStateCard({ database, record, trust, isElsewhere = false }: Props) {
  const check = useAct(verifyState)
  const sightings = useAtomValue(trustRecordsAtom)?.sightings
  const [isAsked, setAsked] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const why = trust && 'why' in trust ? (trust.why ?? null) : null
  const isForgotten = trust && 'cause' in trust && trust.cause === 'memory'
  const isStill = isChecked && why === null && trust?.kind === 'broken'
  return (
    <article className="grid grid-cols-1 gap-3 rounded border border-line bg-panel px-4 py-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 break-all font-medium">
          <SafeName text={database} />
        </h3>
        <Standing record={record} trust={trust} />
        <span className="ms-auto flex flex-wrap items-center gap-2">
          {record && (
            <CopyButton
              text={() => writeStateText([writtenOf(record, sightings)])}
              what={`the trusted state of ${database}`}
            />
          )}
          {!isElsewhere && (
            <Button
              busy={trust?.kind === 'checking'}
              onClick={() => void check(database).then(() => setChecked(true))}
              size="small"
            >
              Check now
            </Button>
          )}
          {record && (
            <Button onClick={() => setAsked(true)} size="small" variant="quiet">
              Forget…
            </Button>
          )}
        </span>
      </header>
      {why !== null && !isForgotten && (
        <p className="text-muted text-sm">Not checked against the newest state: {why}</p>
      )}
      {isStill && (
        <p role="status">
          Checked just now. What was found wrong stays, and so does the trusted state, until you
          open <SafeName text={database} /> and choose “Resolve…” in the red bar.
        </p>
      )}
      {record ? <Recorded isHere={!isElsewhere} record={record} /> : <NotMet />}
      {record && isAsked && <ForgetDialog onClose={() => setAsked(false)} record={record} />}
    </article>
  )
}

function NotMet() {
  return (
    <p className="text-muted text-sm">No trusted state yet. The first check believes the server.</p>
  )
}

function Standing({ record, trust }: Pick<Props, 'record' | 'trust'>) {
  switch (verdictOfRecord(record, trust).cause) {
    case 'whole':
      return (
        <Badge icon={<ShieldIcon />} tone="verified">
          Consistent
        </Badge>
      )
    case 'broken':
      return (
        <Badge icon={<ErrorIcon />} tone="error">
          Broken
        </Badge>
      )
    case 'first':
      return <Badge icon={<InfoIcon />}>{firstWords(record)}</Badge>
    case 'stale':
      return (
        <Badge icon={<InfoIcon />}>
          Consistent up to tx {formatTx(record?.point.txId ?? '0')} · not checked since
        </Badge>
      )
    default:
      return <Badge>Not checked</Badge>
  }
}

function firstWords(record: TrustRecord | null): string {
  if (record?.how !== 'import') return 'First contact'
  return isCompared(record) ? 'Imported' : 'Imported, not compared'
}

function Recorded({ record, isHere }: { record: TrustRecord; isHere: boolean }) {
  const timezone = useAtomValue(timezoneAtom)
  const { point, firstContact, moved, history, provenAt } = record
  const checked = checkedAt(record)
  return (
    <>
      {record.break && (
        <p className="text-error">
          {findingWords(record.break).what} Found {formatMoment(record.break.at, timezone)}.
        </p>
      )}
      <dl className="grid gap-1">
        <FactLine name="Trusted state">
          {point.txId === '0' ? (
            'empty: no transactions yet'
          ) : (
            <>
              <span className="font-mono">
                <RecordedTx id={point.txId} isHere={isHere} record={record} />
              </span>{' '}
              <Hash
                hash={hexOf(point.txHash)}
                what={`hash of the trusted state of ${record.id.database}`}
              />
            </>
          )}
        </FactLine>
        <FactLine name="Followed since">
          {formatMoment(firstContact.at, timezone)}
          {firstContact.txId !== '0' && (
            <>
              , at{' '}
              <span className="font-mono">
                <RecordedTx id={firstContact.txId} isHere={isHere} record={record} />
              </span>
            </>
          )}
        </FactLine>
        <FactLine name="Last checked">
          {checked === 0 ? 'not yet' : formatMoment(checked, timezone)}
          {checked > 0 &&
            verdictOfRecord(record, null).cause === 'first' &&
            (provenAt > 0
              ? ', unchanged: no proof has advanced it'
              : ', unchanged: nothing has been proven since')}
        </FactLine>
        <FactLine name="Advanced by proof">{counted(moved, 'time')}</FactLine>
      </dl>
      {history.length > 1 && <History isHere={isHere} moves={history} record={record} />}
    </>
  )
}

/** A transaction, which can be opened where the database is one of this server. */
function RecordedTx({ id, isHere, record }: { id: string; isHere: boolean; record: TrustRecord }) {
  return isHere && id !== '0' ? (
    <TxLink database={record.id.database} id={id} />
  ) : (
    `tx ${formatTx(id)}`
  )
}

type HistoryProps = { moves: readonly StateChange[]; isHere: boolean; record: TrustRecord }

/** The last trusted states, the newest first. */
function History({ moves, isHere, record }: HistoryProps) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <details>
      <summary className="w-max rounded-sm py-3 text-muted text-sm hover:text-text xs:py-0.5">
        History of the trusted state
      </summary>
      <ol className="mt-1 max-h-72 overflow-auto rounded border border-line text-sm">
        {[...moves].reverse().map(({ txId, txHash, at, how }) => (
          <li
            className="flex flex-wrap items-center gap-x-4 border-line border-t px-3 py-1 first:border-t-0"
            key={`${txId} ${at}`}
          >
            <span className="min-w-24 font-mono">
              <RecordedTx id={txId} isHere={isHere} record={record} />
            </span>
            <Hash hash={hexOf(txHash)} what={`hash of tx ${txId}`} />
            <span className="min-w-44">{formatMoment(at, timezone)}</span>
            <span className="text-muted">{howWords(how)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

type ForgetDialogProps = { record: TrustRecord; onClose: () => void }

/** Forgets what is known of a database, with a reason that stays in the log. */
function ForgetDialog({ record: { id, point }, onClose }: ForgetDialogProps) {
  const forget = useAct(forgetState)
  return (
    <ReasonDialog
      action="Forget the state"
      description={`This browser can no longer notice changes to tx ${formatTx(point.txId)} or anything before it. The next check is a first contact: it believes what the server shows then. Pinned descriptions of tables, findings, and the audits with their report are removed too. The incidents and a line in the log stay.`}
      failure={{
        title: 'It could not be forgotten.',
        notDone: 'The trusted state is still there.',
      }}
      onClose={onClose}
      onConfirm={(reason) => forget(id, reason)}
      title={`Forget the trusted state of ${id.database}?`}
      confirm={id.database}
    />
  )
}
