import type { TxEntries } from '~/api/transactions'
import { isTouching, touchedBy } from '~/atoms/transactions/tx-kind'
import { txHash } from '~/core/history/transaction-memory'
import { documentJson } from '~/immudb/document-json'
import { base64ToBytes } from '~/lib/bytes'
import { formatCount, formatTx } from '~/lib/text'
import { formatMoment, isoMoment } from '~/lib/time'
import { formatDay } from '~/screens/databases/moments'
import { type FormattedCell, formatCell } from '~/sql/cells'
import type { ResultTable } from '~/sql/result'

/** What the fields of answers hold, by their names after they were read. */
const bytes = /^(key|value|hValue|prevAlh|eH|blRoot|extra|txHash|precommittedTxHash|set)$/
const ids = /^(id|tx|txId|precommittedTxId|blTxId|truncatedTxID|atTx|numTransactions|diskSize)$/
const seconds = /^(ts|expiresAt|createdAt|startedAt)$/
const counts = /^(nentries|version|vLen|updatedRows)$/

/** Draws what a call handed on as the screens do; throws where they would. */
export function draw(found: unknown): void {
  if (Array.isArray(found)) found.forEach(draw)
  if (typeof found !== 'object' || found === null) return
  if ('rowCount' in found && 'columns' in found) drawRows(found as ResultTable)
  if ('header' in found && 'entries' in found) drawTransaction(found as TxEntries)
  if ('document' in found && found.document !== null) documentJson(Object(found.document))
  for (const [name, value] of Object.entries(found)) {
    if (name !== 'document') drawField(name, value)
  }
}

function drawField(name: string, value: unknown): void {
  if (typeof value === 'string' && bytes.test(name)) base64ToBytes(value)
  if (typeof value === 'string' && ids.test(name) && /^[-\d]/.test(value)) formatTx(value)
  if (seconds.test(name) && value !== null) drawTime(Number(value))
  if (counts.test(name) && typeof value === 'number') drawCount(value)
  draw(value)
}

function drawCount(value: number): void {
  formatCount(BigInt(value))
}

function drawTime(value: number): void {
  formatMoment(value * 1_000, 'utc')
  isoMoment(value * 1_000)
  // Inside the calendar it does not differ, and it takes long.
  if (Math.abs(value) > 8.64e12) formatDay(value, 'utc')
}

function drawRows({ columns }: ResultTable): FormattedCell[] {
  return columns.flatMap(({ type, values }) =>
    values.map((value) => {
      if (type === 'TIMESTAMP') BigInt(value ?? '0')
      return formatCell(type, value, 'local')
    }),
  )
}

function drawTransaction(tx: TxEntries): void {
  txHash(tx.header)
  touchedBy(tx.entries ?? [])
  isTouching(tx, { text: 'a', tables: new Set(), collections: new Set(), isOfToday: false })
}
