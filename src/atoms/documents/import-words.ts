import { counted, formatCount, formatTx } from '~/lib/text'
import type { DocumentImport } from './import-file'
import type { ImportRecord } from './import-records'

/** The lines whose outcome is not known, or that were refused; null when there are none. */
export function openLines({
  file,
  done,
  sent,
}: DocumentImport): { from: number; to: number } | null {
  const [first, last] = [file.documents[done], file.documents[done + sent - 1]]
  return sent === 0 || !first || !last ? null : { from: first.line, to: last.line }
}

/** What an import has done, as a sentence for each part. */
export function importWords({ committed, done, file, leftOut }: DocumentImport): string[] {
  return committedWords({ committed, done, leftOut }, file.documents.length)
}

/** The same for an import that this browser remembers. */
export function keptWords({ committed, done, file, open, leftOut = [] }: ImportRecord): string[] {
  return [
    ...committedWords({ committed, done, leftOut }, file.documents),
    ...(open === null ? [] : [unknownWords(open)]),
  ]
}

/** The lines of a transaction without an answer. */
export function unknownWords({ from, to }: { from: number; to: number }): string {
  return `Not known: lines ${from} to ${to}. All of them are committed, or none.`
}

/** Most lines that are named. */
const mostNamed = 20

function committedWords(
  { committed, done, leftOut }: Pick<DocumentImport, 'committed' | 'done' | 'leftOut'>,
  count: number,
): string[] {
  const more = leftOut.length - mostNamed
  const left =
    leftOut.length === 0
      ? []
      : [
          `Left out, because the server refused ${leftOut.length === 1 ? 'it' : 'them'}: ${leftOut.length === 1 ? 'line' : 'lines'} ${leftOut.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`,
        ]
  if (committed === null) return ['Nothing is committed.', ...left]
  const { from, to, firstTx, lastTx, transactions } = committed
  const txs =
    firstTx === lastTx
      ? `tx ${formatTx(firstTx)}`
      : `tx ${formatTx(firstTx)} to ${formatTx(lastTx)}`
  const stored = done - leftOut.length
  const whole = `${formatCount(stored)} of ${counted(count, 'document')}`
  return [
    `${whole} ${stored === 1 ? 'is' : 'are'} committed: lines ${from} to ${to} in ${counted(transactions, 'transaction')} (${txs}).`,
    ...left,
  ]
}
