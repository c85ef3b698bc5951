import { useAtomValue } from 'jotai'
import { hexOf, type Move } from '~/atoms/trust/record'
import { timezoneAtom } from '~/atoms/view'
import { howWords } from '~/lib/how-words'
import { formatMoment, formatTx } from '~/lib/text'
import { Hash } from '~/ui/Hash'

/** The last points, the newest first. */
export function History({ moves }: { moves: readonly Move[] }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <details>
      <summary className="w-max rounded-sm py-3 text-muted text-sm hover:text-text xs:py-0.5">
        History of the trusted state
      </summary>
      <ol className="mt-1 max-h-72 overflow-auto rounded border border-line text-sm">
        {[...moves].reverse().map(({ txId, txHash, at, how }) => (
          <li
            className="flex flex-wrap items-center gap-x-4 border-line border-t px-3 py-1 first:border-t-0"
            key={`${txId} ${at}`}
          >
            <span className="min-w-24 font-mono">tx {formatTx(txId)}</span>
            <Hash hash={hexOf(txHash)} what={`hash of tx ${txId}`} />
            <span className="min-w-44">{formatMoment(at, timezone)}</span>
            <span className="text-muted">{howWords(how)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
