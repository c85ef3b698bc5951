import { counted, formatCount, formatTx } from '~/lib/text'
import type { DocumentImport } from './import-file'

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
export function importWords(now: DocumentImport): string[] {
  const { committed, done, file } = now
  const [first, last] = [committed[0], committed.at(-1)]
  if (!first || !last) return ['Nothing is committed.']
  const txs =
    first.tx === last.tx
      ? `tx ${formatTx(first.tx)}`
      : `tx ${formatTx(first.tx)} to ${formatTx(last.tx)}`
  const whole = `${formatCount(done)} of ${counted(file.documents.length, 'document')}`
  return [
    `${whole} ${done === 1 ? 'is' : 'are'} committed: lines ${first.from} to ${last.to} in ${counted(committed.length, 'transaction')} (${txs}).`,
  ]
}
