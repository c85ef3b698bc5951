import type { Io } from '~/core/act'
import { inFormat, plainNames, rowsEnding, typeOfRows } from '~/core/files/export-rows'
import { type Exportable, endPages } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { counted } from '~/lib/text'
import { isoMoment } from '~/lib/time'
import { type DiffColumn, type Difference, exportTable, firstPlace } from '~/sql/comparison'
import type { ResultColumn, ResultTable } from '~/sql/result'
import type { ExportFormat } from '~/sql/result-text'
import type { Ddl } from '../transactions/ddl'
import { beginDocuments } from './compared-documents'
import { beginKeys } from './compared-keys'
import { type Comparison, comparisonFailure, readDiffPage, readSteps } from './compared-tables'
import type { SchemaStep } from './schema'
import {
  type ComparedAs,
  type Ends,
  readPage,
  textOf,
  type ValueDifference,
  type ValuePage,
  type ValueThen,
  type Written,
} from './values'

type ComparisonFile = {
  /** Which comparison it is. */
  readonly name: string
  readonly file: string
  readonly what: string
  readonly tables: (io: Pick<Io, 'get'>, signal: AbortSignal) => AsyncIterable<ResultTable>
}

/** A comparison as files of rows; one is written at a time. */
const comparable = ({ name, file, what, tables }: ComparisonFile): Exportable<ExportFormat> => ({
  kind: 'comparison',
  name,
  begin: (io, format) => ({
    what,
    kept: 'the first',
    type: typeOfRows(format),
    pages: (signal) => inFormat(format, tables(io, signal)),
    nameOf: (rows, isComplete) => file + rowsEnding(format, rows, isComplete),
    sentence: comparisonFailure,
  }),
})

/** A whole comparison of a table, whatever the screen filters. */
export const comparisonExport = (of: Comparison, as: ComparedAs): Exportable<ExportFormat> =>
  comparable({
    name: JSON.stringify([of.database, of.table, of.from, of.to]),
    file: nameOf(of, as),
    what: 'row',
    tables: (io, signal) => tablesOf(io, of, as, signal),
  })

async function* tablesOf(
  io: Pick<Io, 'get'>,
  of: Comparison,
  as: ComparedAs,
  signal: AbortSignal,
): AsyncGenerator<ResultTable> {
  for await (const { columns, rows } of partsOf(io, of, as, signal)) {
    yield exportTable(columns, rows, as === 'steps')
  }
}

type Part = {
  readonly columns: readonly DiffColumn[]
  readonly rows: readonly (Difference & { readonly tx?: string })[]
}

async function* partsOf(
  io: Pick<Io, 'get'>,
  of: Comparison,
  as: ComparedAs,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  if (as === 'net') return yield* pagesOf(io, of, signal)
  let isEmpty = true
  const start = String(BigInt(of.from) + 1n)
  const stretches = everyPage(start, (first) => readSteps(io, of, { first, action: null, signal }))
  for await (const { steps } of stretches) {
    for (const { tx } of steps) {
      const step = { ...of, from: String(BigInt(tx) - 1n), to: tx }
      for await (const { columns, rows } of pagesOf(io, step, signal)) {
        isEmpty = false
        yield { columns, rows: rows.map((row) => ({ ...row, tx })) }
      }
    }
  }
  // The heads of the columns, which a file without rows has too.
  if (isEmpty) yield* pagesOf(io, { ...of, from: of.to }, signal)
}

const pagesOf = (io: Pick<Io, 'get'>, of: Comparison, signal: AbortSignal) =>
  everyPage(
    firstPlace,
    (place) => readDiffPage(io, of, { action: null, place, signal }),
    ({ last, done }) => last ?? done,
  )

function nameOf({ database, table, from, to }: Comparison, as: ComparedAs): string {
  return `${plainNames([database, table])}-${momentsIn({ from, to })}${endingOf[as]}`
}

/** Behind the names, which are cut where they are long. */
const momentsIn = ({ from, to }: Pick<Ends, 'from' | 'to'>) => `tx${from}-tx${to}`

const endingOf = { net: '', steps: '-steps' }

/** Keys or documents at two moments, or their steps in between. */
export type ComparedValues = Ends & {
  readonly as: ComparedAs
  readonly written: readonly Written[]
  /** Transactions in between that could not be listed. */
  readonly unlisted: number
} & (
    | { readonly what: 'key'; readonly prefix: string }
    | { readonly what: 'document'; readonly collection: string }
  )

/** Reads all values at both moments, page by page. */
async function* valuePages(
  io: Pick<Io, 'get'>,
  of: ComparedValues,
  signal: AbortSignal,
): AsyncGenerator<ValuePage> {
  const begin =
    of.what === 'key'
      ? beginKeys(io, { ...of, isWhole: of.unlisted === 0 })
      : beginDocuments(io, of)
  yield* everyPage<number, ValuePage>(0, (from) => readPage(of.written, begin, from, signal))
}

const namesOf = (of: ComparedValues) =>
  of.what === 'document'
    ? [of.collection]
    : ['keys', ...(of.prefix === '' ? [] : [textOf(of.prefix)])]

/** All keys or documents that differ, or all their steps. */
export function valuesExport(of: ComparedValues): Exportable<ExportFormat> {
  const { database, from, to, as, what } = of
  return comparable({
    name: JSON.stringify([what, database, from, to, as, ...namesOf(of)]),
    file: `${plainNames([database, ...namesOf(of)])}-${momentsIn(of)}${endingOf[as]}`,
    what: as === 'steps' ? 'write' : what,
    tables: (io, signal) => valueTables(io, of, signal),
  })
}

async function* valueTables(
  io: Pick<Io, 'get'>,
  of: ComparedValues,
  signal: AbortSignal,
): AsyncGenerator<ResultTable> {
  for await (const { rows } of valuePages(io, of, signal)) yield valueTable(of, rows)
  endPages(lacking(of.unlisted, `${of.what}s`))
}

/** What a file lacks where transactions are missing. */
function lacking(unlisted: number, what: string): string[] {
  return unlisted === 0
    ? []
    : [`${counted(unlisted, 'transaction')} could not be listed, so ${what} may be missing.`]
}

/** Makes columns of a file, each with a value of every row. */
function columnsOver<Row>(rows: readonly Row[]) {
  return (label: string, type: string, of: (row: Row) => string | null): ResultColumn => ({
    name: label,
    table: '',
    label,
    type,
    values: rows.map(of),
  })
}

/** The values as they are shown; a note stands where there is none to show. */
function valueTable(
  { what, as }: Pick<ComparedValues, 'what' | 'as'>,
  rows: readonly ValueDifference[],
): ResultTable {
  const type = what === 'document' ? 'JSON' : 'VARCHAR'
  const column = columnsOver(rows)
  const value = (then: ValueThen) => (then?.kind === 'value' ? then.text : null)
  const note = (then: ValueThen) => (then && then.kind !== 'value' ? then.text : null)
  return {
    rowCount: rows.length,
    columns: [
      ...(as === 'steps' ? [column('_tx', 'INTEGER', ({ tx }) => tx)] : []),
      column('_change', 'VARCHAR', ({ action }) => action),
      column(what, 'VARCHAR', ({ id }) => (what === 'key' ? textOf(id) : id)),
      column('value (old)', type, ({ before }) => value(before)),
      column('value (new)', type, ({ after }) => value(after)),
      column('note (old)', 'VARCHAR', ({ before }) => note(before)),
      column('note (new)', 'VARCHAR', ({ after }) => note(after)),
      ...(as === 'net'
        ? [
            column('writes', 'INTEGER', ({ writes }) => String(writes)),
            column('last tx', 'INTEGER', ({ tx }) => tx),
          ]
        : []),
    ],
  }
}

/** The changes of a schema between two moments. */
export type ComparedSchema = Ends & {
  readonly steps: readonly SchemaStep[]
  /** Transactions in between that could not be listed. */
  readonly unlisted: number
}

/** The statements that changed a schema, each with its transaction. */
export const schemaExport = (of: ComparedSchema): Exportable<ExportFormat> =>
  comparable({
    name: JSON.stringify(['schema', of.database, of.from, of.to, of.steps]),
    file: `${plainNames([of.database, 'schema'])}-${momentsIn(of)}`,
    what: 'statement',
    tables: () => schemaTables(of),
  })

async function* schemaTables({ steps, unlisted }: ComparedSchema): AsyncGenerator<ResultTable> {
  yield schemaTable(steps)
  endPages(lacking(unlisted, 'statements'))
}

/** A line for each statement, or for each change that is none. */
function schemaTable(steps: readonly SchemaStep[]): ResultTable {
  const rows = steps.flatMap(({ tx, ts, ddl }) => ddl.map((of) => ({ tx, ts, of })))
  const column = columnsOver(rows)
  return {
    rowCount: rows.length,
    columns: [
      column('_tx', 'INTEGER', ({ tx }) => tx),
      column('committed (UTC)', 'VARCHAR', ({ ts }) => isoMoment(Number(ts) * 1_000)),
      column('statement', 'VARCHAR', ({ of }) => (of.kind === 'sql' ? of.sql : null)),
      column('note', 'VARCHAR', ({ of }) => noteOf(of)),
    ],
  }
}

/** A change that no statement makes is told in its note. */
function noteOf(of: Ddl): string | null {
  if (of.kind === 'sql') return of.note ?? null
  return of.note ? `${of.text} ${of.note}` : of.text
}
