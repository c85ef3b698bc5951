import { firstChecksum } from '~/lib/checksum'
import { counted, formatCount, formatTx } from '~/lib/text'
import { type ImportSource, problemText, rowSize } from '~/sql/import-rows'
import { type ImportRow, type ImportTarget, insertSql } from '~/sql/import-statements'
import type { ParamSql } from '~/sql/restore'
import { type FileId, readRows, UnreadableFile } from './import-file'

/** What an import does; it holds no value of the file. */
export type ImportPlan = {
  readonly database: string
  readonly file: FileId
  readonly source: ImportSource
  readonly target: ImportTarget
  /** The table is made first. */
  readonly isNew: boolean
  /** Rows of the whole file. */
  readonly rows: number
  /** Most rows of one transaction. */
  readonly rowsEach: number
  /** Numbers of the rows that are not inserted. */
  readonly leftOut: readonly number[]
}

/** Transactions that follow each other. */
export type TxIds = { readonly from: string; readonly to: string }

/** Rows that were sent, and whose outcome is not known yet. */
export type PendingRows = {
  readonly from: number
  readonly to: number
  /** The newest transaction known before they were sent. */
  readonly txBefore: string
}

/** How far an import is. Row numbers count from 1, as the file has them. */
export type ImportProgress = {
  readonly isCreated: boolean
  /** Every row up to this one is committed or left out. */
  readonly row: number
  readonly line: number
  /** Of the rows up to that one. */
  readonly checksum: number
  readonly inserted: number
  readonly transactions: number
  readonly txs: readonly TxIds[]
  readonly pending: PendingRows | null
  /** The statement that makes the table was sent, and its outcome is not known yet. */
  readonly isTablePending: boolean
  /** Rows that the operator took for committed, without a known transaction. */
  readonly assumed: readonly { readonly from: number; readonly to: number }[]
}

export function firstProgress({ isNew }: Pick<ImportPlan, 'isNew'>): ImportProgress {
  return {
    isCreated: !isNew,
    row: 0,
    line: 0,
    checksum: firstChecksum,
    inserted: 0,
    transactions: 0,
    txs: [],
    pending: null,
    isTablePending: false,
    assumed: [],
  }
}

/** The rows of one transaction. */
export type Batch = {
  readonly rows: readonly ImportRow[]
  readonly sql: ParamSql
  readonly to: number
  readonly line: number
  readonly checksum: number
  /** Bytes of the file that were read so far. */
  readonly bytes: number
}

/** A transaction gets no more rows once its values take this many bytes. */
const batchSize = 1_048_576

/**
 * The rows that are still to be sent, in transactions.
 * @throws UnreadableFile when it is not the file whose first rows are committed
 */
export async function* batchesOf(
  file: File,
  { source, target, rowsEach, leftOut }: ImportPlan,
  { row: done, checksum, pending }: ImportProgress,
): AsyncGenerator<Batch> {
  const without = new Set(leftOut)
  let rows: ImportRow[] = []
  let [size, reached, ended] = [0, 0, done]
  let last = { number: 0, line: 0, checksum: firstChecksum }
  const batch = (bytes: number): Batch => {
    const made = { rows, sql: insertSql(target, rows), to: last.number, bytes }
    rows = []
    size = 0
    ended = last.number
    return { ...made, line: last.line, checksum: last.checksum }
  }
  for await (const part of readRows(file, source, target)) {
    for (const read of part.rows) {
      reached = read.number
      if (read.number === done && read.checksum !== checksum) throw changedFile(done)
      if (read.number <= done) continue
      last = read
      if (!without.has(read.number)) {
        if (read.row === null) throw new UnreadableFile(unfit(read))
        rows.push(read.row)
        size += rowSize(read.row)
      }
      const isFull = rows.length >= rowsEach || size >= batchSize
      if (isFull || read.number === pending?.to) yield batch(part.bytes)
    }
  }
  if (reached < done) throw changedFile(done)
  if (last.number > ended) yield batch(file.size)
}

function changedFile(row: number): UnreadableFile {
  const rows = row === 1 ? 'row 1' : `rows 1–${formatCount(row)}`
  return new UnreadableFile(
    `The file is another one than before: its ${rows} are not those that were imported.`,
  )
}

function unfit({
  line,
  problem,
}: {
  line: number
  problem: Parameters<typeof problemText>[0] | null
}) {
  const why = problem ? problemText(problem) : ''
  return `The file has changed since it was checked. Line ${formatCount(line)}: ${why}`
}

/** The progress once a batch is committed; the transaction is null where it is not known. */
export function afterBatch(
  before: ImportProgress,
  batch: Pick<Batch, 'to' | 'line' | 'checksum' | 'rows'>,
  tx: string | null,
): ImportProgress {
  const { to: row, line, checksum, rows } = batch
  const isSent = rows.length > 0
  return {
    ...before,
    row,
    line,
    checksum,
    pending: null,
    inserted: before.inserted + rows.length,
    transactions: before.transactions + (isSent ? 1 : 0),
    txs: tx === null ? before.txs : withTx(before.txs, tx),
    assumed:
      tx === null && isSent
        ? [...before.assumed, { from: rows[0]?.number ?? row, to: row }]
        : before.assumed,
  }
}

function withTx(spans: readonly TxIds[], tx: string): TxIds[] {
  const last = spans.at(-1)
  if (last && BigInt(last.to) + 1n === BigInt(tx)) {
    return [...spans.slice(0, -1), { from: last.from, to: tx }]
  }
  return [...spans, { from: tx, to: tx }]
}

/** What is committed for certain, as a sentence. */
export function committedText({
  row,
  inserted,
  transactions,
  txs,
  assumed,
}: ImportProgress): string {
  if (row === 0) return 'No row is known to be committed.'
  const left = row - inserted
  const without = left > 0 ? `, without ${counted(left, 'row')} left out` : ''
  const rows = row === 1 ? 'Row 1 is' : `Rows 1–${formatCount(row)} are`
  const where = txs.length === 0 ? '' : ` in ${txText(txs)}`
  const guessed = assumed
    .map(
      ({ from, to }) =>
        ` Rows ${formatCount(from)}–${formatCount(to)} count as committed because you said so.`,
    )
    .join('')
  return `${rows} committed${without}: ${counted(transactions, 'transaction')}${where}.${guessed}`
}

const mostSpans = 5

function txText(spans: readonly TxIds[]): string {
  const each = spans
    .slice(0, mostSpans)
    .map(({ from, to }) => (from === to ? formatTx(from) : `${formatTx(from)}–${formatTx(to)}`))
  const last = spans.at(-1)
  const more = spans.length > mostSpans && last ? ` … ${formatTx(last.to)}` : ''
  return `tx ${each.join(', ')}${more}`
}
