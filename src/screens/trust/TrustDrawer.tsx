import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { refreshState, stateAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { databaseAtom } from '~/core/session/session'
import { writeStateText } from '~/immudb/state-text'
import { hexOf } from '~/lib/bytes'
import { guidePath } from '~/lib/guide-anchors'
import { pathTo } from '~/lib/paths'
import { counted, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { stateFileName, writeState } from '~/proof/immuclient-state'
import { writtenOf } from '~/trust/recorded-state'
import { type PinnedKey, type SigningKeys, signingKeysAtom } from '~/trust/signing-keys'
import { isCurrent, isFollowed, isTrustOpenAtom, type Trust, trustAtom } from '~/trust/trust'
import { isLagging, type TrustRecord } from '~/trust/trust-record'
import { incidentCountAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { seenOfRecordAtom } from '~/trust/witnesses'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { Fact } from '~/ui/Facts'
import { fileName, saveFile } from '~/ui/file'
import { Hash } from '~/ui/Hash'
import { DownloadIcon, RefreshIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sheet } from '~/ui/Sheet'
import { Table } from '~/ui/Table'
import { TxLink } from '~/ui/TxLink'
import { howWords, lagWords } from '~/words/trusted-state'
import { SeenByWitnesses } from '../proof/SeenByWitnesses'
import { lookOf } from '../proof/trust-look'

/** What this browser knows of the history of the open database. */
export function TrustDrawer() {
  const database = useAtomValue(databaseAtom) ?? ''
  const trust = useAtomValue(trustAtom)
  const seenOf = useAtomValue(seenOfRecordAtom)
  const setOpen = useSetAtom(isTrustOpenAtom)
  const close = () => setOpen(false)
  const record = 'record' in trust ? trust.record : null
  return (
    <Sheet
      footer={<Actions record={record} />}
      onClose={close}
      open
      side="right"
      title={
        <>
          Trusted history of <SafeName text={database} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6 p-4">
        <Standing trust={trust} />
        {record && <PointFacts record={record} trust={trust} />}
        {record && <SeenByWitnesses of="state" onLeave={close} seen={seenOf(record)} />}
        <Limits onLeave={close} />
        {record && record.id.server !== '' && <ForImmuclient record={record} />}
        {record && <Moves record={record} />}
      </div>
    </Sheet>
  )
}

function Actions({ record }: { record: TrustRecord | null }) {
  const check = useAct(verifyState)
  const refresh = useAct(refreshState)
  const [isBusy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    await refresh()
    await check()
    setBusy(false)
  }
  return (
    <>
      <Button busy={isBusy} icon={<RefreshIcon />} onClick={() => void again()}>
        Check now
      </Button>
      {record && <Export record={record} />}
    </>
  )
}

function Export({ record }: { record: TrustRecord }) {
  const sightings = useAtomValue(trustRecordsAtom)?.sightings
  const text = writeStateText([writtenOf(record, sightings)])
  const name = fileName(`trusted-state-${record.id.database}`, 'txt')
  const save = () => saveFile(name, text, 'text/plain')
  return (
    <>
      <CopyButton size="normal" text={text} what="the trusted state" worded />
      <Button icon={<DownloadIcon />} onClick={save} variant="quiet">
        Save as text
      </Button>
    </>
  )
}

/** The way to the other tool that checks histories, from where this browser is. */
function ForImmuclient({ record: { id, point } }: { record: TrustRecord }) {
  return (
    <section aria-label="immuclient" className="flex items-start gap-2">
      <p className="min-w-0">
        immuclient and programs with the Go client continue from this state when the lines copied
        here are in their file{' '}
        <code translate="no" className="break-all font-mono text-sm">
          {stateFileName(id.server)}
        </code>
        .
      </p>
      <CopyButton text={() => writeState({ ...id, ...point })} what="the lines for immuclient" />
    </section>
  )
}

/** What the mark does not mean, and the way out. */
function Limits({ onLeave }: { onLeave: () => void }) {
  const data = useAtomValue(trustRecordsAtom)
  const incidents = useAtomValue(incidentCountAtom)
  return (
    <section aria-label="What this means" className="grid gap-2">
      {data?.keeping === 'memory' && (
        <p className="rounded border border-warning/45 bg-warning-tint px-3 py-2">
          This browser keeps nothing for this page. The trusted state is forgotten with this tab,
          and the next visit begins with a first contact again.
        </p>
      )}
      <p>
        This page came from the server that it checks. Anyone who controls that server could have
        changed the page too. To be independent of it, open the console from another place or
        compare the trusted state with someone else’s.
      </p>
      {data !== null && data.unreadable.length > 0 && (
        <p className="rounded border border-warning/45 bg-warning-tint px-3 py-2">
          {counted(data.unreadable.length, 'record')} in this browser cannot be read. Verify says
          what is done without {data.unreadable.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link className="text-primary underline" onClick={onLeave} to={pathTo('verify')}>
          All trusted states
        </Link>
        <Link
          className="text-primary underline"
          onClick={onLeave}
          to={pathTo('verify', { tab: 'incidents' })}
        >
          {incidents === 0 ? 'Incidents' : `Incidents: ${incidents}`}
        </Link>
        {incidents > 0 && (
          <Link
            className="text-primary underline"
            onClick={onLeave}
            to={pathTo('verify', { tab: 'damage' })}
          >
            What to do when something is damaged
          </Link>
        )}
        <Link className="text-primary underline" onClick={onLeave} to={guidePath('verify-means')}>
          What verifying means
        </Link>
      </p>
    </section>
  )
}

/** The last trusted states and how each was reached, the newest first. */
function Moves({ record: { id, history } }: { record: TrustRecord }) {
  const setOpen = useSetAtom(isTrustOpenAtom)
  const timezone = useAtomValue(timezoneAtom)
  return (
    <section aria-label="Moves">
      <h2 className="mb-1 font-medium">
        {history.length === 1 ? 'No moves so far' : `The last ${history.length} trusted states`}
      </h2>
      <Table
        caption="Trusted states"
        titles={[
          { title: 'Transaction', look: 'text-end' },
          'Hash',
          { title: 'How', look: 'hidden xs:table-cell' },
          'When',
        ]}
      >
        {history.toReversed().map(({ txId, txHash, at, how }) => (
          <tr key={`${txId} ${at}`}>
            <td className="text-end font-mono tabular-nums">
              {txId === '0' ? (
                '0'
              ) : (
                <TxLink database={id.database} id={txId} onClick={() => setOpen(false)} word="" />
              )}
            </td>
            <td className="whitespace-nowrap">
              <Hash copy={false} hash={hexOf(txHash)} />
            </td>
            <td className="hidden xs:table-cell">{howWords(how)}</td>
            <td>{formatMoment(at, timezone)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

/** How far the history is known, in a word and a sentence. */
function Standing({ trust }: { trust: Trust }) {
  const timezone = useAtomValue(timezoneAtom)
  const { Icon, tone, title, text } = lookOf(trust, (at) => formatMoment(at, timezone))
  const why = 'why' in trust ? (trust.why ?? null) : null
  const isForgotten = 'cause' in trust && trust.cause === 'memory'
  return (
    <section aria-label="State" className="flex gap-3">
      <Icon className={cx('mt-0.5 shrink-0', tone)} size={20} />
      <div className="grid min-w-0 gap-1">
        <p className={cx('font-medium text-lg', tone)}>{title}</p>
        <p>{text}</p>
        {why !== null && trust.kind !== 'unchecked' && !isForgotten && (
          <p className="text-warning">The newest state could not be checked: {why}</p>
        )}
        {isFollowed(trust) && isLagging(trust.record) && <p className="text-warning">{lagWords}</p>}
      </div>
    </section>
  )
}

/** The trusted state, the first contact, and what the server reports beside it. */
function PointFacts({ record, trust }: { record: TrustRecord; trust: Trust }) {
  const timezone = useAtomValue(timezoneAtom)
  const keys = useAtomValue(signingKeysAtom)
  const { id, point, firstContact, moved, checked, how } = record
  return (
    <section aria-label="Trusted state">
      <h2 className="mb-2 font-medium">Trusted state</h2>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5">
        <Fact name="Recorded">
          <Point {...point} /> <span className="text-muted">({howWords(how)})</span>
        </Fact>
        <Reported point={point} trust={trust} />
        <Fact name="Checked last">
          {checked === 0 ? 'not yet' : formatMoment(checked, timezone)}
        </Fact>
        <Fact name="Followed since">
          <Point {...firstContact} />{' '}
          <span className="inline-block text-muted">{formatMoment(firstContact.at, timezone)}</span>
        </Fact>
        <Fact name="Advanced by proof">{moved === 0 ? 'not yet' : counted(moved, 'time')}</Fact>
        <Fact name="Signing key">{keyWords(keys && pinnedFor(id, keys))}</Fact>
        <Fact name="Server">
          <code translate="no" className="break-all font-mono text-sm">
            <SafeText text={id.server || 'does not say who it is'} />
          </code>
        </Fact>
      </dl>
    </section>
  )
}

function pinnedFor({ origin, server }: TrustRecord['id'], keys: SigningKeys): PinnedKey | null {
  const { here, pinned, others } = keys
  if (here.origin === origin && here.server === server) return pinned
  return others.find((one) => one.origin === origin && one.server === server)?.pinned ?? null
}

function keyWords(pinned: PinnedKey | null): string {
  if (pinned === null) return 'none pinned'
  return pinned.kind === 'key'
    ? 'pinned: every state must be signed with it'
    : 'pinned, but it cannot be read: pin it again on Verify'
}

/** What the server says is the newest, and whether it is what was recorded. */
function Reported({ point, trust }: { point: TrustRecord['point']; trust: Trust }) {
  const { data } = useAtomValue(stateAtom)
  if (!data) return null
  const words = reportedWords(data, point, trust)
  return (
    <Fact name="Reported by server">
      <Point txHash={data.txHash} txId={data.txId} /> <span className="text-muted">({words})</span>
    </Fact>
  )
}

type Pointed = TrustRecord['point']

function reportedWords(reported: Pointed, point: Pointed, trust: Trust): string {
  if (reported.txId === point.txId && reported.txHash === point.txHash) return 'the same'
  if (trust.kind === 'broken') return 'not proven'
  const isNewer = BigInt(reported.txId) > BigInt(point.txId)
  if (!isNewer) return 'asked for before the trusted state advanced'
  const isComing = trust.kind === 'checking' || isCurrent(trust)
  return isComing ? 'newer, being checked' : 'newer, not checked'
}

/** A transaction with its hash. */
function Point({ txId, txHash }: { txId: string; txHash: string }) {
  const database = useAtomValue(databaseAtom) ?? ''
  const setOpen = useSetAtom(isTrustOpenAtom)
  return (
    <span className="whitespace-nowrap">
      {txId === '0' ? (
        'empty'
      ) : (
        <TxLink database={database} id={txId} onClick={() => setOpen(false)} />
      )}{' '}
      <Hash hash={hexOf(txHash)} what={`hash of tx ${formatTx(txId)}`} />
    </span>
  )
}
