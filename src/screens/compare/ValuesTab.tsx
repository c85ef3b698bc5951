import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useMemo, useState } from 'react'
import { documentValuesAtom, writtenDocuments } from '~/atoms/compare/compared-documents'
import { keyValuesAtom, writtenKeys } from '~/atoms/compare/compared-keys'
import type { ComparedValues } from '~/atoms/compare/comparison-export'
import { valuesExport } from '~/atoms/compare/comparison-export'
import {
  type ComparedAs,
  stepsOf,
  textOf,
  type ValueDifference,
  type ValueThen,
  type valueLists,
  type Written,
} from '~/atoms/compare/values'
import { collectionNamesAtom } from '~/atoms/documents/collection-names'
import { openRevisionsAtom } from '~/atoms/revisions/open-revisions'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import type { RangeRead } from '~/core/history/transaction-reader'
import { failureWords } from '~/core/session/failure-words'
import { keyToAddress } from '~/immudb/key-address'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar, rowFormats } from '~/ui/ExportBar'
import { Field } from '~/ui/Field'
import { Grid } from '~/ui/Grid'
import { type Cell, type GridColumn, plainMark, type RowMark } from '~/ui/grid/cell'
import { DatabaseIcon, KeyIcon } from '~/ui/Icon'
import { useNavigate } from '~/ui/location'
import { Select } from '~/ui/Select'
import { Unanswered } from '~/ui/Unanswered'
import { useCompareAddress } from './address'
import { HowMuch, useComparedAs } from './ComparedAs'
import { More } from './FetchMore'
import { Between } from './RangeReader'

type Ends = { from: string; to: string }

const spanOf = (database: string, { from, to }: Ends) => ({
  database,
  from: BigInt(from) + 1n,
  to: BigInt(to),
})

/** The keys that were written between two moments, with their values at both. */
export function KeysTab(ends: Ends) {
  const { database } = useCompareAddress()
  return (
    <Between span={spanOf(database, ends)} what="Keys">
      {(range) => <Keys ends={ends} range={range} />}
    </Between>
  )
}

function Keys({ ends, range }: { ends: Ends; range: RangeRead }) {
  const { database, prefix, change } = useCompareAddress()
  const navigate = useNavigate()
  const [typed, setTyped] = useState<string | null>(null)
  const [as, setAs] = useComparedAs(ends)
  const start = prefix ?? ''
  const all = useMemo(() => writtenKeys(range, start), [range, start])
  const written = useCompared(all, as)
  const query = useAtomValue(keyValuesAtom)
  const unlisted = range.unlisted.length
  const isWhole = unlisted === 0
  const values = useMemo(
    () => query({ database, ...ends, isWhole }, start, as, written),
    [query, database, ends, isWhole, start, as, written],
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = typed === null ? start : bytesToBase64(encodeUtf8(typed))
    setTyped(null)
    change({ prefix: wanted === '' ? undefined : keyToAddress(wanted) })
  }
  return (
    <>
      <form className="flex items-end gap-2 px-4 pt-3" onSubmit={submit}>
        <div className="min-w-0 max-w-80 flex-1">
          <Field
            autoComplete="off"
            bare
            label="Beginning of the keys"
            mono
            onChange={setTyped}
            placeholder="Beginning of the keys"
            spellCheck={false}
            value={typed ?? (start === '' ? '' : textOf(start))}
          />
        </div>
        <Button type="submit">Filter</Button>
      </form>
      {prefix === null && (
        <p className="px-4 pt-2 text-sm text-warning">
          The prefix in the address is not valid. All keys are shown.
        </p>
      )}
      <Values
        key={start}
        nameOf={textOf}
        nothing="No key with this beginning was written in these transactions."
        of={{ what: 'key', as, database, ...ends, prefix: start, unlisted, written }}
        onAs={setAs}
        onOpen={({ id }) => navigate(pathTo('keys', { db: database, key: keyToAddress(id) }))}
        lists={values}
      />
    </>
  )
}

/** The documents of a collection that were written between two moments. */
export function DocumentsTab(ends: Ends) {
  const { database } = useCompareAddress()
  return (
    <Between span={spanOf(database, ends)} what="Documents">
      {(range) => <Documents ends={ends} range={range} />}
    </Between>
  )
}

function Documents({ ends, range }: { ends: Ends; range: RangeRead }) {
  const { database, collection, change } = useCompareAddress()
  const collections = useAtomValue(useAtomValue(collectionNamesAtom)(database))
  const { data } = collections
  const written = useMemo(() => writtenDocuments(range), [range])
  if (written.length === 0) {
    return (
      <EmptyState
        icon={<DatabaseIcon />}
        text="None of these transactions wrote a document."
        title="No document differs"
      />
    )
  }
  if (!data) {
    return (
      <div className="p-4">
        <Unanswered asked={collections} lines={3} words={failureWords} />
      </div>
    )
  }
  const name = collection || (data[0] ?? '')
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3">
        <Select
          label="Collection"
          onChange={(next) => change({ collection: next })}
          options={data.map((value) => ({ value, label: value }))}
          placeholder="Choose a collection"
          size="small"
          value={name === '' ? undefined : name}
        />
        <span className="text-muted text-sm">
          {counted(written.length, 'document was', 'documents were')} written in all collections.
        </span>
      </div>
      {data.includes(name) ? (
        <OfCollection
          collection={name}
          database={database}
          ends={ends}
          key={name}
          unlisted={range.unlisted.length}
          written={written}
        />
      ) : (
        <EmptyState
          icon={<DatabaseIcon />}
          text="Documents of deleted collections cannot be read any more."
          title={
            name === '' ? 'There are no collections now' : `There is no collection ${name} now`
          }
        />
      )}
    </>
  )
}

type OfCollectionProps = {
  database: string
  collection: string
  ends: Ends
  unlisted: number
  written: readonly Written[]
}

function OfCollection({ database, collection, ends, unlisted, written }: OfCollectionProps) {
  const open = useSetAtom(openRevisionsAtom)
  const query = useAtomValue(documentValuesAtom)
  const [as, setAs] = useComparedAs(ends)
  const compared = useCompared(written, as)
  const values = useMemo(
    () => query({ database, ...ends, collection }, as, compared),
    [query, database, ends, collection, as, compared],
  )
  return (
    <Values
      nameOf={(id) => id}
      nothing="No document of this collection was written in these transactions."
      of={{ what: 'document', as, database, ...ends, collection, unlisted, written: compared }}
      onAs={setAs}
      onOpen={({ id }) => open({ kind: 'document', database, collection, id })}
      lists={values}
    />
  )
}

/** What is compared, or each write of it. */
function useCompared(written: readonly Written[], as: ComparedAs): readonly Written[] {
  return useMemo(() => (as === 'steps' ? stepsOf(written) : written), [written, as])
}

type ValuesProps = {
  of: ComparedValues
  onAs: (as: ComparedAs) => void
  lists: ReturnType<typeof valueLists>
  nameOf: (id: string) => string
  nothing: string
  onOpen: (row: ValueDifference) => void
}

function Values(props: ValuesProps) {
  const { of, nothing } = props
  if (of.written.length === 0) {
    return <EmptyState icon={<KeyIcon />} text={nothing} title={`No ${of.what} differs`} />
  }
  return <ReadValues {...props} />
}

const noRows: readonly ValueDifference[] = []

function ReadValues({ of, onAs, lists, nameOf, nothing, onOpen }: ValuesProps) {
  const { what, as, written } = of
  const found = useAtomValue(useAtomValue(lists.listsAtom)())
  const more = useAct(lists.more)
  const [wanted, setWanted] = useState('')
  const all = found.data?.rows ?? noRows
  const rows = useMemo(
    () => (wanted === '' ? all : all.filter(({ action }) => action === wanted)),
    [all, wanted],
  )
  const isRead = found.data !== undefined
  const hasMore = isRead && found.data.next !== null
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 px-4 py-2 text-sm" role="status">
        {hasMore && <span className="text-muted">So far:</span>}
        {kinds.flatMap((action) => {
          const count = all.filter((row) => row.action === action).length
          if (!isRead || (count === 0 && !always.has(action))) return []
          return (
            <span className="rounded border border-line px-2 tabular-nums" key={action}>
              {`${formatCount(count)} ${said[action]}`}
            </span>
          )
        })}
      </p>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        <HowMuch as={as} from={of.from} onChange={onAs} to={of.to} />
        <Select
          label="Kind of change"
          onChange={setWanted}
          options={[
            { value: '', label: 'All kinds' },
            ...kinds.map((value) => ({ value, label: signs[value] })),
          ]}
          size="small"
          value={wanted}
        />
        <ExportBar
          {...useExport(valuesExport(of))}
          formats={rowFormats}
          title={`All ${what}s of this comparison`}
        />
      </div>
      {!isRead ? (
        <div className="p-4">
          <Unanswered
            asked={found}
            lines={4}
            notDone={`The values of the ${what}s were not read.`}
            words={failureWords}
          />
        </div>
      ) : rows.length > 0 ? (
        <ValueGrid as={as} nameOf={nameOf} onOpen={onOpen} rows={rows} what={what} />
      ) : (
        !hasMore && (
          <EmptyState
            icon={<KeyIcon />}
            text={all.length > 0 ? 'Other kinds of change are there.' : nothing}
            title={all.length > 0 ? `No ${what} of this kind` : `No ${what} differs`}
          />
        )
      )}
      {isRead && (
        <More
          hasMore={hasMore}
          key={as}
          more={() => more()}
          problem={found.problem}
          said={saidOf(of, all.length, written.length)}
        />
      )}
      {what === 'key' && (
        <p className="px-4 pb-3 text-muted text-sm">
          A reference is shown by the key that it refers to. Keys that have expired since count as
          they were written, but the server no longer sends their values. Sorted sets, and entries
          that are in no index, are not compared.
        </p>
      )}
    </>
  )
}

/** Of documents only those of the collection are counted, which are not known before. */
function saidOf({ what, as }: ComparedValues, read: number, written: number): string {
  const noun = as === 'steps' ? 'write' : what
  if (what === 'document') return `${counted(read, noun)} read`
  return `${formatCount(read)} of ${counted(written, as === 'steps' ? noun : 'written key')} read`
}

const kinds = ['added', 'changed', 'deleted', 'rewritten', 'passing'] as const
const always: ReadonlySet<string> = new Set(['added', 'changed', 'deleted'])
const said = {
  added: 'added',
  changed: 'changed',
  deleted: 'deleted',
  rewritten: 'written again with the same value',
  passing: 'came and went',
}
const signs = {
  added: '+ added',
  changed: '~ changed',
  deleted: '− deleted',
  rewritten: '= same again',
  passing: '± came and went',
}

const opens: Readonly<Record<'key' | 'document', RowMark>> = {
  key: plainMark('Open this key'),
  document: plainMark('History of this document'),
}

type ValueGridProps = {
  as: ComparedAs
  what: 'key' | 'document'
  rows: readonly ValueDifference[]
  nameOf: (id: string) => string
  onOpen: (row: ValueDifference) => void
}

function ValueGrid({ as, what, rows, nameOf, onOpen }: ValueGridProps) {
  const { database } = useCompareAddress()
  const columns = useMemo(() => columnsOf(as, what), [as, what])
  const cell = useMemo(() => {
    const kind = what === 'document' ? 'json' : 'text'
    return (row: number, column: number): Cell => {
      const of = rows[row]
      if (!of) return { kind: 'empty', text: '' }
      if (column === 0) return { kind: 'boolean', text: signs[of.action] }
      if (column === 1) {
        return { kind: what === 'document' ? 'uuid' : 'text', text: nameOf(of.id) }
      }
      if (column === 3) {
        return {
          kind: 'number',
          text: of.tx,
          to: pathTo('transactions', { db: database, id: of.tx }),
        }
      }
      if (column === 4) return { kind: 'number', text: String(of.writes) }
      const now = valueCell(of.after ?? of.before, kind)
      return of.action === 'changed' ? { ...now, before: valueCell(of.before, kind) } : now
    }
  }, [rows, what, nameOf, database])
  return (
    <div className="border-line border-y">
      <Grid
        cell={cell}
        columns={columns}
        label="Differences"
        mark={() => opens[what]}
        onMark={(row) => rows[row] && onOpen(rows[row])}
        rowCount={rows.length}
      />
    </div>
  )
}

function valueCell(value: ValueThen, kind: 'json' | 'text'): Cell {
  if (value === null) return { kind: 'text', text: '–' }
  return value.text === '' ? { kind: 'empty', text: '' } : { kind, text: value.text }
}

function columnsOf(as: ComparedAs, what: 'key' | 'document'): GridColumn[] {
  const shared: GridColumn[] = [
    { title: 'Change', align: 'start' },
    { title: what === 'key' ? 'Key' : 'Document', align: 'start' },
    { title: 'Value', align: 'start' },
  ]
  return as === 'steps'
    ? [...shared, { title: 'Tx', align: 'end' }]
    : [...shared, { title: 'Last tx', align: 'end' }, { title: 'Writes', align: 'end' }]
}
