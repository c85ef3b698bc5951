import { useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import { txKinds } from '~/atoms/transactions/tx-kind'
import { findTxAtTime, type Scan, scanNames, scans } from '~/atoms/transactions/tx-list'
import { useAct } from '~/core/act'
import { asOfAtom } from '~/core/history/as-of'
import { stateAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { failureWords, sentence, technicalDetails } from '~/core/session/failure-words'
import { momentForms, readTyped } from '~/immudb/moment'
import { pathTo } from '~/lib/paths'
import { counted, formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { zoneLabel } from '~/lib/time-zone'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { Field } from '~/ui/Field'
import { TransactionsIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Select } from '~/ui/Select'
import { Sentence } from '~/ui/Sentence'
import { Unanswered } from '~/ui/Unanswered'
import { AsOfButton } from '../moments/AsOf'
import { useListAddress } from './address'
import { FoundTransactions, WholeHistory } from './TxGrid'
import { kindNames } from './words'

/** `before`: the transaction from which someone returns to the list. */
type Props = { before: string | undefined }

/** The transactions of the database, newest first. */
export function TransactionList({ before }: Props) {
  const { database, filter } = useListAddress()
  const asked = useAtomValue(stateAtom)
  const state = asked.data
  const isFiltered = filter.kind !== null || filter.entries > 0 || filter.touched !== ''
  const end = useEnd(state?.txId ?? '0')
  const moment = end.isPast ? end.tx : 'now'
  const held = useHeld(end.tx, `${database} ${moment}`)
  return (
    <section
      aria-label="Transactions of the database"
      className="flex h-full min-h-0 flex-col bg-panel"
    >
      {state && state.txId !== '0' && <Bar end={end} held={held} newest={state.txId} />}
      {!state && (
        <div className="p-3">
          <h1 className="sr-only">Transactions</h1>
          <Unanswered asked={asked} lines={8} words={failureWords} />
        </div>
      )}
      {state?.txId === '0' && <NoTransactions />}
      {state && state.txId !== '0' && end.tx === '0' && <NoMoment />}
      {state && state.txId !== '0' && end.tx !== '0' && (
        <SectionBoundary
          details={technicalDetails}
          isPane
          resetKey={`${database} ${filter.kind} ${filter.entries} ${filter.touched}`}
          what="The transactions"
        >
          {/* What arrives does not move a list, but another moment begins another one. */}
          {isFiltered ? (
            <Filtered before={before} key={`${moment} ${held.tx}`} newest={held.tx} />
          ) : (
            <WholeHistory before={before} key={moment} newest={held.tx} />
          )}
        </SectionBoundary>
      )}
    </section>
  )
}

/** The list ends at the moment that is looked at, or with the newest transaction. */
function useEnd(newest: string): { tx: string; isPast: boolean } {
  const asOf = useAtomValue(asOfAtom)
  if (asOf.kind === 'past') return { tx: asOf.tx, isPast: true }
  // Not the newest ones where the moment is not known.
  const isNow = asOf.kind === 'now' || asOf.kind === 'period'
  return { tx: isNow ? newest : '0', isPast: false }
}

type Held = { tx: string; newer: bigint; show: () => void }

/** The end of the list, which stays while it is read; newer transactions wait until asked for. */
function useHeld(end: string, list: string): Held {
  const { place, setPlace } = useListAddress()
  const [held, setHeld] = useState({ list, tx: end })
  const isOther = held.list !== list || held.tx === '0' || BigInt(end) < BigInt(held.tx)
  const isBehind = place !== null && BigInt(place) > BigInt(held.tx)
  const tx = isOther || isBehind ? end : held.tx
  if (tx !== held.tx || list !== held.list) setHeld({ list, tx })
  return {
    tx,
    newer: BigInt(end) - BigInt(tx),
    show: () => {
      setPlace(null)
      setHeld({ list, tx: end })
    },
  }
}

function NoTransactions() {
  return (
    <>
      <h1 className="sr-only">Transactions</h1>
      <EmptyState
        action={
          <Link className="text-primary underline" to={pathTo('query')}>
            Open Query
          </Link>
        }
        icon={<TransactionsIcon />}
        text="Nothing was ever written to this database."
        title="No transactions"
      />
    </>
  )
}

/** In place of the list while the moment in the address is not known, or cannot be. */
function NoMoment() {
  const { kind } = useAtomValue(asOfAtom)
  return (
    <p className="p-3 text-sm">
      {kind === 'finding'
        ? 'Waiting for the moment…'
        : 'No transactions are shown, because this moment cannot be. The line at the top says why.'}
    </p>
  )
}

type BarProps = { end: { tx: string; isPast: boolean }; newest: string; held: Held }

function Bar({ end, newest, held }: BarProps) {
  return (
    <header className="grid shrink-0 gap-2 border-line border-b px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-medium">Transactions</h1>
        <span className="text-muted text-sm" role="status">
          {end.isPast ? 'Ends at' : 'Newest:'} tx {formatTx(end.isPast ? end.tx : newest)}
        </span>
        {held.newer > 0n && (
          <Button onClick={held.show} size="small">
            <span aria-hidden>↑</span> {formatCount(held.newer)} newer
          </Button>
        )}
        <span className="ms-auto">
          <AsOfButton />
        </span>
      </div>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <Jump newest={end.tx === '0' ? newest : end.tx} />
        <Filter />
      </div>
    </header>
  )
}

/** Goes to a transaction by its number, or to the last one at a time. */
function Jump({ newest }: { newest: string }) {
  const { database, setPlace } = useListAddress()
  const zone = useAtomValue(timezoneAtom)
  const find = useAct(findTxAtTime)
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [note, setNote] = useState<{ text: string; isError: boolean } | null>(null)
  const tell = (text: string, isError = false) => setNote({ text, isError })
  const jumpToTime = async (time: string) => {
    setBusy(true)
    try {
      const seconds = BigInt(Date.parse(time) / 1_000)
      const found = await find(database, newest, seconds)
      if (found.kind === 'before-first') {
        const first = formatMoment(Number(found.first) * 1_000, zone)
        return tell(`This is before the first transaction, which is of ${first}.`, true)
      }
      setPlace(found.tx)
      const about = found.isAbout
        ? ' The clock of the server stepped back, so other transactions may fit as well.'
        : ''
      const at = formatMoment(Number(found.ts) * 1_000, zone)
      tell(`The last by then is tx ${formatTx(found.tx)} of ${at}.${about}`)
    } catch (error) {
      tell(sentence(error), true)
    } finally {
      setBusy(false)
    }
  }
  const go = (event: FormEvent) => {
    event.preventDefault()
    const at = readTyped(typed, zone)
    if (at?.kind === 'time') return void jumpToTime(at.text)
    if (!at) {
      const [, digits] = /^(?:tx\s*)?(-?[\d,]+)$/i.exec(typed.trim()) ?? []
      if (digits === undefined) return tell(momentForms, true)
      const isTooLarge = /[1-9]/.test(digits) && !digits.startsWith('-')
      if (!isTooLarge) return tell('Transactions are numbered from 1.', true)
      const number = formatTx(digits.replaceAll(',', '').slice(0, 20))
      const named = digits.length > 20 ? `${number}…` : number
      return tell(`No transaction ${named}; the newest is ${formatTx(newest)}.`, true)
    }
    if (BigInt(at.id) > BigInt(newest)) {
      return tell(`No transaction ${formatTx(at.id)}; the newest is ${formatTx(newest)}.`, true)
    }
    setPlace(at.id)
    tell('')
  }
  return (
    <form className="min-w-64 max-w-full flex-1 xs:max-w-md" onSubmit={go}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <Field
            autoComplete="off"
            bare
            error={note?.isError ? <Sentence text={note.text} /> : undefined}
            hint={note?.text}
            label="Go to a transaction or time"
            onChange={setTyped}
            placeholder={`Number, or time in ${zoneLabel(zone)}`}
            spellCheck={false}
            value={typed}
          />
        </div>
        <Button busy={isBusy} type="submit">
          Go
        </Button>
      </div>
    </form>
  )
}

const anyKind = 'any'

function Filter() {
  const { filter, setKind, setEntries, setTouched } = useListAddress()
  const [text, setText] = useState<string | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (filter.entries > 0 ? String(filter.entries) : '')
  const isWrong = shown !== '' && !/^\d{1,6}$/.test(shown)
  const apply = () => {
    if (isWrong || typed === null) return
    setEntries(Number(shown))
    setTyped(null)
  }
  const applyText = () => {
    if (text === null) return
    setTouched(text)
    setText(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
    applyText()
  }
  return (
    <form className="flex min-w-0 flex-wrap items-start gap-2" onSubmit={submit}>
      <div className="w-full xs:w-64">
        <Field
          autoComplete="off"
          bare
          label="What it touched"
          onBlur={applyText}
          onChange={setText}
          placeholder="Table, key, document or user"
          spellCheck={false}
          value={text ?? filter.touched}
        />
      </div>
      <Select
        label="Kind of transaction"
        onChange={(kind) => setKind(txKinds.find((one) => one === kind) ?? null)}
        options={[
          { value: anyKind, label: 'All kinds' },
          ...txKinds.map((kind) => ({ value: kind, label: kindNames[kind] })),
        ]}
        value={filter.kind ?? anyKind}
      />
      <div className="w-44 xs:w-36">
        <Field
          autoComplete="off"
          bare
          error={isWrong ? 'A whole number.' : undefined}
          inputMode="numeric"
          label="Minimum entries"
          onBlur={apply}
          onChange={setTyped}
          placeholder="Minimum entries"
          value={shown}
        />
      </div>
      <button className="sr-only" tabIndex={-1} type="submit">
        Filter
      </button>
    </form>
  )
}

/** Transactions that fit the filter, as far as was looked. */
function Filtered({ newest, before }: Props & { newest: string }) {
  const { database, filter, place } = useListAddress()
  // New transactions do not begin the search again.
  const [first] = useState(newest)
  // A place behind the end is that of another moment, or of no transaction.
  const upTo = place === null || BigInt(place) > BigInt(newest) ? first : place
  const names = scanNames(database, filter, upTo)
  const asked = useAtomValue(useAtomValue(scans.listsAtom)(...names))
  const { data, isFetching, isAdding, error, problem } = asked
  const isBusy = isFetching || isAdding
  const lookFurther = useAct(scans.more)
  const stop = useAct(scans.stop)
  const foot = (
    <Further
      failure={error ?? problem}
      isBusy={isBusy}
      onFurther={() => void lookFurther(...names)}
      onStop={() => stop(...names)}
      scan={data ?? null}
      upTo={upTo}
    />
  )
  if (!data) {
    return (
      <>
        <div className="min-h-0 grow p-3">
          <Unanswered
            asked={asked}
            label="Looking at transactions"
            lines={6}
            words={failureWords}
          />
        </div>
        {isBusy && foot}
      </>
    )
  }
  return (
    <>
      <div className="min-h-0 grow">
        {data.found.length === 0 ? (
          <EmptyState
            icon={<TransactionsIcon />}
            text={reachedWords(data, upTo)}
            title="No such transactions so far"
          />
        ) : (
          <FoundTransactions before={before} found={data.found} />
        )}
      </div>
      {foot}
    </>
  )
}

function reachedWords({ next }: Scan, upTo: string): string {
  if (BigInt(upTo) === next) return 'No transaction was looked at.'
  return `Looked at tx ${formatTx(upTo)} down to tx ${formatTx(String(next + 1n))}.`
}

type FurtherProps = {
  /** Null before the first transactions were looked at. */
  scan: Scan | null
  upTo: string
  isBusy: boolean
  failure: unknown
  onFurther: () => void
  onStop: () => void
}

/** How far was looked, and how to look further or to stop it. */
function Further({ scan, upTo, isBusy, failure, onFurther, onStop }: FurtherProps) {
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-1 text-muted text-sm">
      <span role="status">
        {scan && (
          <>
            {counted(scan.found.length, 'match', 'matches')}. {reachedWords(scan, upTo)}
            {scan.unclear > 0 &&
              ` ${formatCount(scan.unclear)} of them have more entries than one answer takes, so their kind is not known.`}
            {scan.next === 0n && ' That is the whole history.'}
            {scan.sought?.isOfToday && ' Tables by their names of today.'}
          </>
        )}
        {isBusy && ' Looking further…'}
      </span>
      {failure !== null && !isBusy && (
        <span className="text-error">
          <Sentence text={sentence(failure)} />
        </span>
      )}
      <span className="ms-auto">
        {isBusy ? (
          <Button onClick={onStop} size="small">
            Stop
          </Button>
        ) : (
          (scan === null || scan.next > 0n) && (
            <Button onClick={onFurther} size="small">
              Look further
            </Button>
          )
        )}
      </span>
    </footer>
  )
}
