import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { openIdAtom } from '~/core/session/session'
import { hexOf } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { counted, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { collectForArchive } from '~/trust/damage-archive'
import { type DamageStep, doneStepsAtom, lastFoundAtom, markStep } from '~/trust/damage-steps'
import { writeRecords } from '~/trust/recorded-state'
import { isSameId, type TrustRecord } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { nameOfWitness, sightingsOf } from '~/trust/witness-record'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { CopyButton } from '~/ui/CopyButton'
import { ErrorNote } from '~/ui/ErrorNote'
import { saveFile } from '~/ui/file'
import { GuideLink } from '~/ui/GuideLink'
import { Hash } from '~/ui/Hash'
import { DownloadIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { loadQuietly } from '~/ui/lazy-with-retry'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { Table } from '~/ui/Table'
import { findingWords } from '~/words/broken-history'
import { writeIncidents } from '~/words/incident'

// Outside React: the script that makes archives, fetched while the server still answers.

const loadZip = () => loadQuietly(() => import('~/lib/zip-file'))

/** What to do when something is damaged, in order, with what is done already. */
export function DamagePane() {
  const records = useAtomValue(trustRecordsAtom)
  const { database } = useAtomValue(openIdAtom)
  const found = useAtomValue(lastFoundAtom)
  const timezone = useAtomValue(timezoneAtom)
  useEffect(() => {
    loadZip().catch(() => {})
  }, [])
  if (records === null) return <Skeleton label="Reading the records" lines={6} />
  return (
    <div className="grid max-w-[860px] grid-cols-1 gap-4">
      <div className="grid max-w-[680px] gap-1">
        <p>
          {found === 0 ? (
            <>
              Nothing wrong is recorded for <SafeName text={database} />. These are the steps for
              the day when something is.
            </>
          ) : (
            <>
              Something was found wrong with <SafeName text={database} />, last at{' '}
              {formatMoment(found, timezone)}. Go through the steps in order.
            </>
          )}
        </p>
        <p className="text-muted text-sm">
          Marks are kept in this browser, for this database. A new finding takes them back.{' '}
          <GuideLink to="damage-steps">The same in the guide</GuideLink>
        </p>
      </div>
      <ol className="grid grid-cols-1 gap-3">
        <Keep />
        <Compare />
        <Which records={records.records} />
        <Proves />
        <Tell />
        <Restore />
      </ol>
    </div>
  )
}

type StepProps = {
  step: DamageStep
  number: number
  title: string
  /** What it is good for. */
  text: ReactNode
  children?: ReactNode
}

function Step({ step, number, title, text, children }: StepProps) {
  const at = useAtomValue(doneStepsAtom).get(step)
  const timezone = useAtomValue(timezoneAtom)
  const mark = useAct(markStep)
  return (
    <li className="grid grid-cols-1 gap-2 rounded border border-line bg-panel px-4 py-3">
      <h2 className="font-medium">
        {number}. {title}
      </h2>
      <p className="max-w-[680px] text-sm">{text}</p>
      {children}
      <Checkbox
        checked={at !== undefined}
        hint={at !== undefined && `Marked at ${formatMoment(at, timezone)}`}
        label={`Step ${number} is done`}
        onChange={(isDone) => void mark(step, isDone)}
      />
    </li>
  )
}

function Keep() {
  const { database } = useAtomValue(openIdAtom)
  const collect = useAct(collectForArchive)
  const mark = useAct(markStep)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const [left, setLeft] = useState<readonly string[]>([])
  const save = async () => {
    setBusy(true)
    setFailed(false)
    try {
      const [{ files, left: missing }, { zipOf }] = await Promise.all([
        collect(database),
        loadZip(),
      ])
      const at = Date.now()
      const moment = new Date(at).toISOString().slice(0, 16).replaceAll(':', '')
      saveFile(`immudb-evidence-${moment}.zip`, zipOf(files, at), 'application/zip')
      setLeft(missing)
      await mark('keep', true)
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Step
      number={1}
      step="keep"
      text="One archive with all that this browser has about this server: trusted states, incidents, pinned keys, the evidence of each finding, what witnesses signed that contradicts, receipts of this page, reports of audits, and the page that checks them. Keep it away from the server. Nothing is deleted here."
      title="Keep the evidence"
    >
      <div>
        <Button busy={isBusy} icon={<DownloadIcon />} onClick={() => void save()} variant="primary">
          Save all as one archive
        </Button>
      </div>
      {left.length > 0 && (
        <div className="text-sm" role="status">
          <p>The archive was saved, without:</p>
          <ul className="list-disc ps-5">
            {left.map((one) => (
              <li key={one}>
                <SafeText text={one} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {hasFailed && (
        <ErrorNote
          advice="Keep this page open. Save the trusted states and the incidents on their own tabs, and the evidence in the red bar."
          busy={isBusy}
          notDone="No archive was saved."
          onRetry={() => void save()}
          title="The archive could not be made."
        />
      )}
    </Step>
  )
}

const linkLook = 'text-primary underline'

function Compare() {
  return (
    <Step
      number={2}
      step="compare"
      text="Ask others what they have for the same transactions: another browser, an auditor, a checkpoint that was kept elsewhere. The same hash as here: what the server shows now is not what it showed before. Another hash: you were shown different histories."
      title="Compare with others"
    >
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Link className={linkLook} to={pathTo('verify', { tab: 'points' })}>
          Compare trusted states
        </Link>
        <Link className={linkLook} to={pathTo('verify', { tab: 'witnesses' })}>
          Compare with checkpoints
        </Link>
        <Link className={linkLook} to={pathTo('verify', { tab: 'keys' })}>
          Compare the signing key
        </Link>
      </p>
    </Step>
  )
}

function Which({ records }: { records: readonly TrustRecord[] }) {
  const here = useAtomValue(openIdAtom)
  const check = useAct(verifyState)
  const [progress, setProgress] = useState<string | null>(null)
  const own = records.filter(({ id }) => isSameId(id, { ...here, database: id.database }))
  const checkAll = async () => {
    for (const [index, { id }] of own.entries()) {
      setProgress(`Checking ${index + 1} of ${own.length}…`)
      await check(id.database, { isForced: true })
    }
    setProgress(`${counted(own.length, 'database')} checked.`)
  }
  return (
    <Step
      number={3}
      step="which"
      text="The trusted state is the last that this browser accepted. On a database with a finding, all that is newer is in doubt. A finding about one object names it."
      title="Find out which databases, and since when"
    >
      {own.length === 0 ? (
        <p className="text-muted text-sm">This browser has recorded no database of this server.</p>
      ) : (
        <>
          <Standings records={own} />
          <div className="flex flex-wrap items-center gap-3">
            <Button onClick={() => void checkAll()} size="small">
              Check all of them now
            </Button>
            <span className="text-muted text-sm" role="status">
              {progress}
            </span>
          </div>
        </>
      )}
    </Step>
  )
}

function Standings({ records }: { records: readonly TrustRecord[] }) {
  const timezone = useAtomValue(timezoneAtom)
  const sightings = useAtomValue(trustRecordsAtom)?.sightings ?? []
  const seenOf = (of: Pick<TrustRecord, 'id' | 'firstContact'>) => sightingsOf(of, sightings)
  return (
    <Table caption="Databases of this server" titles={['Database', 'Trusted up to', 'Found']}>
      {records.map(({ id, firstContact, point, break: broken, others = [], checked }) => (
        <tr key={id.database}>
          <th className="break-all" scope="row">
            <SafeName text={id.database} />
          </th>
          <td>
            tx {formatTx(point.txId)} <Hash hash={hexOf(point.txHash)} what="trusted hash" />
          </td>
          <td>
            {broken === null ? (
              `Nothing. ${checked === 0 ? 'Not compared since it was recorded.' : `Last agreed at ${formatMoment(checked, timezone)}.`}`
            ) : (
              <>
                {findingWords(broken).what} At {formatMoment(broken.at, timezone)}, about{' '}
                <SafeText text={broken.what} />.
                {others.length > 0 && ` And ${counted(others.length, 'more finding')}.`}
              </>
            )}
            {seenOf({ id, firstContact })
              .filter(({ found }) => found?.kind === 'differs')
              .map(({ witness, found }) => (
                <p key={witness}>
                  <SafeName text={nameOfWitness(witness)} /> signed another hash for tx{' '}
                  {formatTx(found?.txId ?? '0')}.
                </p>
              ))}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Proves() {
  const { database } = useAtomValue(openIdAtom)
  return (
    <Step
      number={4}
      step="proves"
      text="A deep audit reads every transaction up to the trusted state and names the first that does not fit. A replica or an older copy may still have the whole history: compare the two servers."
      title="Find out what still verifies"
    >
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Link className={linkLook} to={pathTo('verify', { tab: 'audit', db: database })}>
          Deep audit
        </Link>
        <Link className={linkLook} to={pathTo('verify', { tab: 'check', db: database })}>
          Check one object
        </Link>
        <Link className={linkLook} to={pathTo('servers')}>
          Compare two servers
        </Link>
      </p>
      <p className="text-muted text-sm">
        Two servers: <code translate="no">webconsole --server A=URL --server B=URL</code>
      </p>
    </Step>
  )
}

function Tell() {
  const records = useAtomValue(trustRecordsAtom)
  const here = useAtomValue(openIdAtom)
  const summary = () => {
    const own = (records?.records ?? []).filter(({ id }) => isSameId(id, here))
    const logs = (records?.incidents ?? []).filter(({ id }) =>
      [here.database, ''].some((database) => isSameId(id, { ...here, database })),
    )
    return `${writeRecords(own, records?.sightings)}\n${writeIncidents(logs)}`
  }
  return (
    <Step
      number={5}
      step="tell"
      text="Tell who runs the server, who relies on the data, and who keeps checkpoints of it. Say when it was found, up to which transaction this browser trusts the history, and where the archive is. Tell it another way than through this server."
      title="Tell the people who need to know"
    >
      <div>
        <CopyButton text={summary} what="the summary of this database" worded />
      </div>
    </Step>
  )
}

function Restore() {
  return (
    <Step
      number={6}
      step="restore"
      text="A backup is right only if it continues to the trusted states. Check it before anyone writes to it: the first write makes a history of its own."
      title="Check a restored copy before anyone writes to it"
    >
      <ol className="grid max-w-[680px] list-decimal gap-1 ps-5 text-sm">
        <li>Start the copy at another address that only you can reach.</li>
        <li>
          Open its console. Under Trusted states, compare it with trusted-states.txt of the archive:
          the server has to prove each state. Take over those of databases that were not opened
          there yet.
        </li>
        <li>
          A state newer than the copy cannot be proven. Compare it with earlier-states.txt, to see
          up to where the copy goes and what is lost.
        </li>
        <li>Run a deep audit with values on it.</li>
        <li>Only then let it take the place of the server, and resolve the finding here.</li>
      </ol>
    </Step>
  )
}
