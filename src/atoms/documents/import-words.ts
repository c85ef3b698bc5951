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
export function importWords({ committed, done, file }: DocumentImport): string[] {
  return committedWords({ committed, done }, file.documents.length)
}

/** The same for an import that this browser remembers. */
export function keptWords({ committed, done, file, open }: ImportRecord): string[] {
  return [
    ...committedWords({ committed, done }, file.documents),
    ...(open === null ? [] : [unknownWords(open)]),
  ]
}

/** The lines of a transaction without an answer. */
export function unknownWords({ from, to }: { from: number; to: number }): string {
  return `Not known: lines ${from} to ${to}. All of them are committed, or none.`
}

function committedWords(
  { committed, done }: Pick<DocumentImport, 'committed' | 'done'>,
  count: number,
): string[] {
  if (committed === null) return ['Nothing is committed.']
  const { from, to, firstTx, lastTx, transactions } = committed
  const txs =
    firstTx === lastTx
      ? `tx ${formatTx(firstTx)}`
      : `tx ${formatTx(firstTx)} to ${formatTx(lastTx)}`
  const whole = `${formatCount(done)} of ${counted(count, 'document')}`
  return [
    `${whole} ${done === 1 ? 'is' : 'are'} committed: lines ${from} to ${to} in ${counted(transactions, 'transaction')} (${txs}).`,
  ]
}
