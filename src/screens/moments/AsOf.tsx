import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { asOfNameAtom } from '~/atoms/moments/moments'
import { type AsOf, asOfAtom, asOfTimeOfTxAtom, atAtom } from '~/core/history/as-of'
import { stateAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import type { At } from '~/immudb/moment'
import { formatTx } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { focusContent } from '~/ui/focus-content'
import { loadOrReload } from '~/ui/lazy-with-retry'
import { useChangeSearch } from '~/ui/location'
import { MomentIcon } from '~/ui/MomentIcon'
import { SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { TxLink } from '~/ui/TxLink'
import { showToast } from '~/ui/toast'
import { asOfLabel, bothTimes, momentText, timeText } from './moment-text'
import { useNaming } from './use-naming'

const load = () => import('./MomentPart').then((part) => part.MomentPart)

type Props = {
  /** Whether rows since a moment can be shown here, as Query can. */
  hasPeriods?: boolean
  /** Only the icon, where its container is narrow: the strip above says the moment. */
  isShort?: boolean
}

/** Which moment the data screens show, and how to choose another. */
export function AsOfButton({ hasPeriods = false, isShort = false }: Props) {
  const asOf = useAtomValue(asOfAtom)
  const isEmpty = useAtomValue(stateAtom).data?.txId === '0' && asOf.kind === 'now'
  const [Dialog, setDialog] = useState<Awaited<ReturnType<typeof load>> | null>(null)
  const open = () =>
    loadOrReload(load).then(
      (found) => setDialog(() => found),
      () =>
        showToast({
          kind: 'error',
          text: 'The choice of moments cannot be opened: a part of the console could not be loaded.',
        }),
    )
  return (
    <>
      <Button
        aria-haspopup="dialog"
        disabledReason={isEmpty ? 'Nothing was written to this database yet.' : undefined}
        icon={<MomentIcon className="shrink-0" />}
        onClick={() => void open()}
        size="small"
        title={isShort ? 'Show the data as of a moment' : undefined}
        variant={asOf.kind === 'now' ? 'quiet' : 'plain'}
      >
        <span className={cx('flex', isShort && 'xs:@max-4xl:sr-only')}>
          <Label asOf={asOf} />
        </span>
      </Button>
      {Dialog && <Dialog hasPeriods={hasPeriods} onClose={() => setDialog(null)} />}
    </>
  )
}

function Label({ asOf }: { asOf: AsOf }) {
  const name = useAtomValue(asOfNameAtom)
  const at = useAtomValue(atAtom)
  const own = asOf.kind === 'now' || asOf.kind === 'period' ? null : name
  if (own === null || at?.kind !== 'tx') {
    return <span className="max-w-40 truncate xs:max-w-72">As of {labelOf(asOf, at)}</span>
  }
  // A long name is cut, but never the transaction behind it.
  return (
    <span className="flex max-w-48 whitespace-pre xs:max-w-80" title={visibleText(own)}>
      <span className="min-w-0 truncate">
        As of <SafeText text={own} />
      </span>
      <span className="shrink-0"> (tx {formatTx(at.id)})</span>
    </span>
  )
}

function labelOf(asOf: AsOf, at: At | null): string {
  if (asOf.kind === 'now') return 'now'
  if (asOf.kind === 'period') return asOfLabel(asOf.moment)
  if (at === null) return 'an unknown moment'
  return at.kind === 'tx' ? `tx ${formatTx(at.id)}` : timeText(at.text)
}

/** Says on every data screen that it does not show the present, and leads back to it. */
export function AsOfStrip({ hasPeriods = false }: Pick<Props, 'hasPeriods'>) {
  const asOf = useAtomValue(asOfAtom)
  const change = useChangeSearch()
  const name = useAtomValue(asOfNameAtom)
  const naming = useNaming()
  if (asOf.kind === 'now') return null
  const backToNow = () => {
    // The button goes with the strip.
    focusContent()
    change({ at: undefined })
  }
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-warning/45 border-b bg-warning-tint px-3 py-1 text-sm">
      <MomentIcon className="shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-56" role="status">
        <Words asOf={asOf} hasPeriods={hasPeriods} />
      </p>
      {asOf.kind === 'past' && asOf.tx !== '0' && name === null && (
        <Button aria-haspopup="dialog" onClick={() => naming.open(asOf.tx)} size="small">
          Name it…
        </Button>
      )}
      {naming.dialog}
      {asOf.kind === 'not-found' && (
        <Button onClick={asOf.retry} size="small">
          Try again
        </Button>
      )}
      <Button onClick={backToNow} size="small">
        Back to now
      </Button>
    </div>
  )
}

type WordsProps = { asOf: Exclude<AsOf, { kind: 'now' }>; hasPeriods: boolean }

const noWrites = 'Nothing can be written meanwhile.'

function Words({ asOf, hasPeriods }: WordsProps) {
  switch (asOf.kind) {
    case 'past':
      return (
        <>
          As of <Point asOf={asOf} />. {noWrites}
        </>
      )
    case 'finding':
      return 'Finding the transaction of this moment…'
    case 'not-found':
      return (
        <Sentence text={`The transaction of this moment was not found. ${sentence(asOf.error)}`} />
      )
    case 'refused':
      return <Sentence text={asOf.text} />
    case 'period':
      return hasPeriods
        ? `Queries show ${momentText(asOf.moment)}. ${noWrites}`
        : `Only Query can show ${momentText(asOf.moment)}. Here you see the database as it is now. ${noWrites}`
  }
}

/** The transaction with its time, in UTC and as the user reads times. */
function Point({ asOf: { at, tx, isAbout } }: { asOf: AsOf & { kind: 'past' } }) {
  const committed = useAtomValue(asOfTimeOfTxAtom)
  const timezone = useAtomValue(timezoneAtom)
  const both = (ms: number) => bothTimes(ms, timezone)
  const name = useAtomValue(asOfNameAtom)
  const database = useAtomValue(databaseAtom) ?? ''
  const id = (
    <span className="font-mono">
      <TxLink database={database} id={tx} />
    </span>
  )
  if (at.kind === 'tx') {
    return (
      <>
        {name !== null && (
          <>
            <b className="font-medium [overflow-wrap:anywhere]">
              <SafeText text={name} />
            </b>
            {', '}
          </>
        )}
        {id}
        {committed !== null && ` (${both(Number(committed) * 1_000)})`}
      </>
    )
  }
  return (
    <>
      {both(Date.parse(at.text))} ({isAbout && 'about '}
      {id}
      {isAbout && ': the server’s clock stepped back near this time'})
    </>
  )
}
