import { useAtomValue } from 'jotai'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { TxEntries, TxEntry } from '~/api/transactions'
import { ddlOf } from '~/atoms/transactions/ddl'
import { fittingValues, isTransactionProvenAtom } from '~/atoms/transactions/proven-transaction'
import { isShown, type TxValues, txValuesAtom } from '~/atoms/transactions/transaction'
import { tablesThenAtom } from '~/atoms/transactions/tx-tables'
import { catalogueWrites, decoded } from '~/core/history/transaction-reader'
import { sentence } from '~/core/session/failure-words'
import { counted, formatCount } from '~/lib/text'
import type { StoredEntry } from '~/proof/stored-entry'
import { ErrorNote } from '~/ui/ErrorNote'
import { useSearchParam } from '~/ui/location'
import { MeasuredList } from '~/ui/MeasuredList'
import { SafeText } from '~/ui/SafeText'
import { Switch } from '~/ui/Switch'
import { ReadHistory } from '../moments/ReadHistory'
import { TableName } from '../tables/TouchedNames'
import { EntryBody } from './EntryBody'
import type { Placed } from './EntryCard'
import { RawEntry } from './RawEntry'

type Props = { database: string; tx: TxEntries; head: ReactNode }

/** A line of the screen. */
type Line =
  | { kind: 'heading'; text: ReactNode; name: string }
  | { kind: 'ddl' }
  | { kind: 'entry'; of: Placed; rows: readonly Placed[] }

/** The entries below the header, all in one scrolling box that draws what is seen. */
export function Entries({ database, tx, head }: Props) {
  const { header, entries } = tx
  const asked = useAtomValue(useAtomValue(txValuesAtom)(database, header.id))
  const isProven = useAtomValue(isTransactionProvenAtom)(database, header.id)
  const data = useMemo(
    () => (asked.data && isProven ? fittingValues(asked.data, tx) : asked.data),
    [asked.data, isProven, tx],
  )
  const values = { ...asked, data }
  const [isRaw, setRaw] = useState(false)
  const placed = useMemo(() => placedIn(entries ?? []), [entries])
  const lines = useMemo(
    () => (isRaw ? rawLines(placed) : linesOf(database, header.id, placed)),
    [database, header.id, placed, isRaw],
  )
  const hidden = useMemo(
    () => (values.data ? hiddenIn(placed, values.data) : 0),
    [placed, values.data],
  )
  const wanted = useWantedEntry(lines)
  const line = useCallback(
    (index: number) => {
      const found = lines[index]
      return (
        found && (
          <LineView
            database={database}
            isFound={index === wanted}
            isRaw={isRaw}
            line={found}
            tx={tx}
            values={values.data}
          />
        )
      )
    },
    [lines, database, wanted, isRaw, tx, values.data],
  )
  const top = (
    <>
      {head}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <h2 className="font-medium">What it changed</h2>
        <span className="text-muted text-sm">{counted(header.nentries, 'entry', 'entries')}</span>
        {entries !== null && entries.length > 0 && (
          <span className="ms-auto">
            <Switch checked={isRaw} label="Show keys and digests" onChange={setRaw} />
          </span>
        )}
      </div>
      <Notes hidden={hidden} tx={tx} values={values.data} />
      {values.error && !values.isFetching && (
        <ErrorNote
          onRetry={() => void values.refetch()}
          title={`The values could not be read. ${sentence(values.error)}`}
        />
      )}
    </>
  )
  return (
    <MeasuredList
      count={lines.length}
      estimate={(index) => (lines[index]?.kind === 'entry' ? (isRaw ? 76 : 120) : 44)}
      head={top}
      label="Transaction"
      line={line}
      lineKey={(index) => keyOfLine(lines[index])}
      wanted={wanted}
    />
  )
}

/** The line of the entry that the address names, by its number; -1 for none. */
function useWantedEntry(lines: readonly Line[]): number {
  const [text = ''] = useSearchParam('entry')
  return useMemo(
    () => lines.findIndex((line) => line.kind === 'entry' && String(line.of.number) === text),
    [lines, text],
  )
}

function keyOfLine(line: Line | undefined): string {
  if (!line) return ''
  if (line.kind === 'entry') return `entry ${line.of.number}`
  return line.kind === 'ddl' ? 'ddl' : `heading ${line.name}`
}

function placedIn(entries: readonly TxEntry[]): Placed[] {
  return entries.map((entry, at) => ({ entry, stored: decoded(entry.key), number: at + 1 }))
}

function rawLines(placed: readonly Placed[]): Line[] {
  return placed.map((of) => ({ kind: 'entry', of, rows: [] }))
}

/** The order in which kinds are shown. */
const groups: readonly (readonly [name: string, kinds: readonly StoredEntry['kind'][]])[] = [
  ['Schema', ['catalogue']],
  ['Collections', ['collection-catalogue']],
  ['Rows', ['row']],
  ['Documents', ['document']],
  ['Keys', ['key']],
  ['Sorted sets', ['sorted-set']],
  ['Entries of indexes', ['index-entry', 'document-index-entry']],
  ['Other entries', ['other']],
]

function linesOf(database: string, tx: string, placed: readonly Placed[]): Line[] {
  return groups.flatMap(([name, kinds]): Line[] => {
    const found = placed.filter(({ stored }) => kinds.includes(stored.kind))
    if (found.length === 0) return []
    if (name === 'Schema') return [{ kind: 'heading', text: name, name }, { kind: 'ddl' }]
    if (name === 'Rows') return rowLines(database, tx, found)
    const text = `${name} (${formatCount(found.length)})`
    return [
      { kind: 'heading', text, name },
      ...found.map((of): Line => ({ kind: 'entry', of, rows: [] })),
    ]
  })
}

/** The rows of each table below its name. */
function rowLines(database: string, tx: string, rows: readonly Placed[]): Line[] {
  const byTable = new Map<number, Placed[]>()
  for (const row of rows) {
    if (row.stored.kind !== 'row') continue
    const { tableId } = row.stored
    const known = byTable.get(tableId)
    if (known) known.push(row)
    else byTable.set(tableId, [row])
  }
  return [...byTable].flatMap(([tableId, found]): Line[] => [
    {
      kind: 'heading',
      name: `table ${tableId}`,
      text: (
        <>
          Rows of <TableName database={database} tableId={tableId} tx={tx} /> (
          {formatCount(found.length)})
        </>
      ),
    },
    ...found.map((of): Line => ({ kind: 'entry', of, rows: found })),
  ])
}

/** Entries whose values the server does not send, without documents, which have another call. */
function hiddenIn(placed: readonly Placed[], values: TxValues): number {
  const isOwn = ({ stored: { kind } }: Placed) => {
    if (kind === 'document') return false
    return !(kind === 'key' && values.tooLarge.includes('keys'))
  }
  return placed.filter((of) => !isShown(of.entry, values) && isOwn(of)).length
}

function Notes({
  tx: { header, entries },
  hidden,
  values,
}: {
  tx: TxEntries
  hidden: number
  values: TxValues | undefined
}) {
  const lacking = entries === null ? 0 : header.nentries - entries.length
  return (
    <>
      {entries === null && (
        <p className="text-sm text-warning" role="status">
          The digests of its {formatCount(header.nentries)} entries are more than one answer takes
          (4 MiB), so the server cannot list them over HTTP. Only the header is shown.
        </p>
      )}
      {entries?.length === 0 && header.nentries === 0 && (
        <p className="text-muted text-sm">This transaction has no entries.</p>
      )}
      {lacking > 0 && (
        <p className="text-sm text-warning" role="status">
          The server lists {formatCount(entries?.length ?? 0)} of {formatCount(header.nentries)}{' '}
          entries and leaves out {formatCount(lacking)}.
        </p>
      )}
      {hidden > 0 && (
        <p className="text-muted text-sm" role="status">
          The server {values?.areGone ? 'no longer has' : 'does not send'} the values of{' '}
          {counted(hidden, 'entry', 'entries')}. They are shown by their digests.
          {values?.areGone &&
            ' A truncation may have removed them; the header and the digests can still be verified.'}
          {values?.refusal && ` It said: “${values.refusal}”`}
        </p>
      )}
    </>
  )
}

type LineProps = {
  database: string
  tx: TxEntries
  values: TxValues | undefined
  line: Line
  isRaw: boolean
  isFound: boolean
}

function LineView({ database, tx, values, line, isRaw, isFound }: LineProps) {
  if (line.kind === 'heading') return <h3 className="pt-4 pb-2 font-medium text-sm">{line.text}</h3>
  if (line.kind === 'ddl') return <Changes database={database} tx={tx} values={values} />
  const { header } = tx
  if (isRaw) {
    return (
      <RawEntry
        database={database}
        isFound={isFound}
        of={line.of}
        tx={header.id}
        value={values?.byKey.get(line.of.entry.key)}
      />
    )
  }
  return (
    <EntryBody
      database={database}
      isFound={isFound}
      of={line.of}
      rows={line.rows}
      tx={header.id}
      values={values}
    />
  )
}

type ChangesProps = { database: string; tx: TxEntries; values: TxValues | undefined }

/** The changes of the catalogue as the statements that made them. */
function Changes({ database, tx, values }: ChangesProps) {
  const around = useAtomValue(useAtomValue(tablesThenAtom)(database, tx.header.id))
  const changes = useMemo(() => {
    const entries = (tx.entries ?? []).map((entry) => {
      const value = values?.byKey.get(entry.key)
      return value === undefined ? entry : { ...entry, value }
    })
    return ddlOf(catalogueWrites({ ...tx, entries }), around?.before ?? null)
  }, [tx, values, around])
  if (tx.header.metadata.truncatedTxID !== '0') {
    return (
      <p className="text-sm">
        The truncation wrote the catalogue again as it was, so that it is kept:{' '}
        {counted(tx.entries?.length ?? 0, 'entry', 'entries')}.
      </p>
    )
  }
  if (!values) return <p className="text-muted text-sm">Reading…</p>
  return (
    <div className="grid gap-2 pb-2">
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the statements of a transaction never change.
        <div className="grid gap-1" key={index}>
          {change.kind === 'sql' ? (
            <pre
              translate="no"
              className="overflow-x-auto rounded border border-line bg-page px-3 py-2 font-mono text-sm"
            >
              {change.sql}
            </pre>
          ) : (
            // It has names of tables and columns in it.
            <p className="text-sm">
              <SafeText lines text={change.text} />
            </p>
          )}
          {change.note && <p className="text-muted text-sm">{change.note}</p>}
        </div>
      ))}
      {!around && (
        <ReadHistory
          database={database}
          text="Names and columns are those of today. Earlier transactions show how they were then."
        />
      )}
    </div>
  )
}
