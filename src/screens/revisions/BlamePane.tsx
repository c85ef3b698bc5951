import { useAtomValue } from 'jotai'
import { useState } from 'react'
import {
  type Blame,
  blamesAtom,
  openChangeProof,
  type PartBlame,
  readBlame,
  stopBlame,
} from '~/atoms/revisions/blame'
import type { History } from '~/atoms/revisions/history'
import { useAct } from '~/core/act'
import { asOfTxAtom } from '~/core/history/as-of'
import { timezoneAtom } from '~/core/page-view'
import type { LastChange } from '~/core/revisions/last-changes'
import type { RevisionLine } from '~/core/revisions/revisions'
import { keyToAddress } from '~/immudb/key-address'
import { pathTo } from '~/lib/paths'
import { counted, formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { ShieldIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { Table } from '~/ui/Table'
import { TxLink } from '~/ui/TxLink'
import { ChangedValue } from '../tables/ChangedValue'
import { useLineSeconds } from './line-times'
import { PartName } from './RevisionChanges'
import { textOf } from './shown-part'

type Props = {
  history: History
  number: number
  /** Shows a revision. */
  onRevision: (number: number) => void
}

const nouns = { row: 'column', document: 'field', key: 'part' } as const

/** Which revision changed each part of one last, with its transaction, its time and who wrote it. */
export function BlamePane({ history, number, onRevision }: Props) {
  const blame = useAtomValue(useAtomValue(blamesAtom)(history, number))
  const noun = nouns[history.subject.kind]
  return (
    <section
      aria-label={`Last changes up to revision ${number}`}
      className="grid grid-cols-1 gap-3 px-4 pt-3 pb-6"
    >
      {blame?.of ? (
        <>
          <Later line={blame.of.line} />
          <Progress blame={blame} history={history} noun={noun} number={number} />
          <Nothing blame={blame} noun={noun} />
          {blame.parts.length > 0 && (
            <>
              <Parts {...{ blame, history, number, onRevision, noun }} />
              <p className="text-muted text-xs">
                The server reports which revisions exist. Verify proves that a transaction wrote
                these values and, where it shows the values before, that an earlier one wrote those.
                It cannot prove that nothing came between the two, or after: a server that hides
                revisions moves a change to another one. A deep audit reads every transaction.
                {noun === 'column' && ' A column that was added later is NULL in older revisions.'}
              </p>
            </>
          )}
        </>
      ) : blame?.problem ? (
        <Failed history={history} number={number} problem={blame.problem} />
      ) : (
        <Skeleton lines={4} />
      )}
    </section>
  )
}

/** The list of revisions goes on to now, whatever moment the page shows. */
function Later({ line }: { line: RevisionLine }) {
  const moment = useAtomValue(asOfTxAtom)
  if (moment === null || line.tx === null || BigInt(line.tx) <= BigInt(moment)) return null
  return (
    <p className="rounded border border-warning/45 bg-warning-tint px-3 py-2 text-sm">
      You look at the database as of tx {formatTx(moment)}. This revision was written later, in tx{' '}
      {formatTx(line.tx)}. For the last changes up to that moment, choose the newest revision that
      is not later in the list.
    </p>
  )
}

type OfBlame = { blame: Blame; history: History; number: number; noun: string }

/** How far the search is, and what stops it or continues it. */
function Progress({ blame, history, number, noun }: OfBlame) {
  const read = useAct(readBlame)
  const stop = useAct(stopBlame)
  const { state, parts, count, left } = blame
  if (parts.length === 0) return null
  const found = parts.filter(({ change }) => change !== null).length
  const looked =
    blame.read === count
      ? count === 1
        ? 'The only revision up to here was read.'
        : `All ${counted(count, 'revision')} up to here were read.`
      : `The newest ${formatCount(blame.read)} of ${counted(count, 'revision')} up to here were read.`
  const open = counted(parts.length - found, noun)
  return (
    <div className="grid gap-2 text-sm">
      <p role="status">
        {state === 'done'
          ? `Found the last change of ${parts.length === 1 ? `the ${noun}` : `all ${counted(parts.length, noun)}`}. ${looked}`
          : state === 'reading'
            ? `Looking for the last change of ${open}…`
            : `${open} did not change in the revisions that were read. ${looked}`}
      </p>
      {state === 'reading' && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          <progress
            aria-label="Revisions looked at"
            className="h-1.5 w-24"
            max={count}
            value={blame.read}
          />
          <span className="tabular-nums">
            {formatCount(blame.read)} of {counted(count, 'revision')}
            {left > 1 && `, about ${counted(left, 'request')} until the next`}
          </span>
          <Button onClick={() => stop(history, number)} size="small">
            Stop
          </Button>
        </p>
      )}
      {(state === 'paused' || state === 'stopped') && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          A value may have come and gone, so each revision before must be looked at.
          <Button onClick={() => void read(history, number, true)} size="small">
            Look further back
          </Button>
        </p>
      )}
      {state === 'failed' && (
        <Failed history={history} number={number} problem={blame.problem ?? ''} />
      )}
    </div>
  )
}

function Failed({
  history,
  number,
  problem,
}: Omit<OfBlame, 'blame' | 'noun'> & { problem: string }) {
  const read = useAct(readBlame)
  return (
    <ErrorNote
      notDone="What was found before stays."
      onRetry={() => void read(history, number, true)}
      title={problem}
    />
  )
}

/** Why a revision has no parts to ask about. */
function Nothing({ blame: { of, parts }, noun }: Pick<OfBlame, 'blame' | 'noun'>) {
  if (!of || parts.length > 0) return null
  return (
    <p className="text-sm" role="status">
      {of.content.note ?? `This revision has no ${noun} that could change.`}
      {of.line.kind === 'deleted' && ' Choose the revision before it.'}
    </p>
  )
}

/** Parts that are drawn at first: a table may have hundreds of columns. */
const mostParts = 200

function Parts({ blame, ...of }: OfBlame & Props) {
  const { noun } = of
  const [most, setMost] = useState(mostParts)
  const more = blame.parts.length - most
  const lines = blame.parts.flatMap(({ change }) => change?.line ?? [])
  const before = blame.parts.flatMap(({ change }) => change?.before ?? [])
  const secondsOf = useLineSeconds(of.history, distinct([...lines, ...before]))
  const title = `${noun[0]?.toUpperCase()}${noun.slice(1)}`
  return (
    <>
      <Table
        caption={`The last change of each ${noun}`}
        look="table-fixed"
        titles={[
          { title, look: 'w-[22%] xs:w-[24%]' },
          { title: 'Value', look: 'w-[28%] xs:w-[36%]' },
          'Last change',
        ]}
      >
        {blame.parts.slice(0, most).map((one) => (
          <PartRow {...of} blame={blame} key={one.part.name} of={one} secondsOf={secondsOf} />
        ))}
      </Table>
      {more > 0 && (
        <div>
          <Button onClick={() => setMost(most + mostParts)} size="small">
            Show {formatCount(Math.min(more, mostParts))} of {formatCount(more)} more
          </Button>
        </div>
      )}
    </>
  )
}

function distinct(lines: readonly RevisionLine[]): readonly RevisionLine[] {
  return [...new Map(lines.map((line) => [line.number, line])).values()]
}

type RowProps = Omit<OfBlame, 'noun'> &
  Props & { of: PartBlame; secondsOf: (line: RevisionLine) => string | null }

function PartRow({ of: { part, change, before }, ...of }: RowProps) {
  const zone = useAtomValue(timezoneAtom)
  const none = part.type === 'SECONDS' ? 'never' : 'NULL'
  return (
    <tr>
      <th className="break-words" scope="row">
        <PartName name={part.name} />
        <span className="block text-muted text-xs">{part.type === 'KEY' ? '' : part.type}</span>
      </th>
      <td>
        <ChangedValue none={none} text={textOf(part, zone)} />
        {before && (
          <span className="block text-muted text-xs">
            before: <ChangedValue isStruck none={none} text={textOf(before, zone)} />
          </span>
        )}
      </td>
      <td>
        {change ? (
          <Change {...of} change={change} name={part.name} zone={zone} />
        ) : (
          <span className="text-muted">
            {of.blame.state === 'reading' ? 'looking for it…' : 'not found yet'}
          </span>
        )}
      </td>
    </tr>
  )
}

const words: Readonly<Record<LastChange['how'], string>> = {
  changed: 'Changed in',
  added: 'Added in',
  inserted: 'Inserted in',
  'inserted again': 'Inserted again in',
  unread: 'No later than in',
}

type ChangeProps = Omit<RowProps, 'of'> & { change: LastChange; name: string; zone: string }

function Change({ change, name, zone, ...of }: ChangeProps) {
  const { history, secondsOf, onRevision } = of
  const { line, how, before } = change
  const { database } = history.subject
  const openProof = useAct(openChangeProof)
  const seconds = secondsOf(line)
  const shown = visibleText(name, 'name')
  return (
    <div className="grid gap-1 [overflow-wrap:anywhere]">
      <p>
        {words[how]}{' '}
        {line.tx === null ? (
          'a transaction that is not known'
        ) : (
          <TxLink database={database} id={line.tx} />
        )}
        {seconds !== null && <>, {formatMoment(Number(seconds) * 1_000, zone)}</>}
        {line.author !== null && (
          <>
            , by <SafeName text={line.author} />
          </>
        )}
      </p>
      {how === 'unread' && (
        <p className="text-muted text-xs">
          Revision {formatCount(line.number - 1)} cannot be read
          {before?.kind === 'too-large' && ': it is larger than 4 MiB'}
          {before?.kind === 'expired' && ': it has expired'}, so a change may be hidden there.
        </p>
      )}
      <p className="flex flex-wrap items-center gap-1">
        <Button
          aria-label={`rev ${formatCount(line.number)}: show the revision with the last change of ${shown}`}
          onClick={() => onRevision(line.number)}
          size="small"
          variant="quiet"
        >
          rev {formatCount(line.number)}
        </Button>
        {line.tx !== null && (
          <>
            <Button
              aria-label={`Verify the last change of ${shown}`}
              icon={<ShieldIcon />}
              onClick={() => void openProof({ history, blame: of.blame, change, secondsOf })}
              size="small"
              variant="quiet"
            >
              Verify
            </Button>
            <CompareLink change={change} history={history} name={shown} />
          </>
        )}
      </p>
    </div>
  )
}

/** What else the transactions since the revision before changed. */
function CompareLink({
  change: { line, before },
  history: { subject },
  name,
}: {
  change: LastChange
  history: History
  name: string
}) {
  const { database: db } = subject
  const from = before?.tx ?? (line.tx === null ? null : String(BigInt(line.tx) - 1n))
  if (line.tx === null || from === null || from === '0') return null
  const place =
    subject.kind === 'row'
      ? { table: subject.table }
      : subject.kind === 'document'
        ? { tab: 'documents', collection: subject.collection }
        : { tab: 'keys', prefix: keyToAddress(subject.key) }
  return (
    <Link
      aria-label={`Compare the database before and after the last change of ${name}`}
      className="px-2 text-primary underline"
      to={pathTo('compare', { db, from, to: line.tx, ...place })}
    >
      Compare
    </Link>
  )
}
