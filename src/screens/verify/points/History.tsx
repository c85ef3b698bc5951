import { useAtomValue } from 'jotai'
import { type How, hexOf, type Move } from '~/atoms/trust-record'
import { timezoneAtom } from '~/atoms/view'
import { formatMoment, formatTx } from '~/lib/text'
import { Hash } from '~/ui/Hash'

const hows: Record<How, string> = {
  first: 'first contact',
  state: 'proven from the one before',
  audit: 'deep audit',
  import: 'taken over from elsewhere',
}

/** The last points, the newest first. */
export function History({ moves }: { moves: readonly Move[] }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <details>
      <summary className="w-max rounded-sm py-3 text-muted text-sm hover:text-text xs:py-0.5">
        History of the point
      </summary>
      <div className="mt-1 max-h-72 overflow-auto rounded border border-line">
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-raised">
            <tr>
              {['Transaction', 'Hash', 'Recorded', 'How'].map((title) => (
                <th className="px-2 py-1 text-start font-medium" key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...moves].reverse().map(({ txId, txHash, at, how }) => (
              <tr className="border-line border-t" key={`${txId} ${at}`}>
                <td className="px-2 py-0.5 font-mono">{formatTx(txId)}</td>
                <td className="px-2 py-0.5">
                  <Hash hash={hexOf(txHash)} what={`hash of tx ${txId}`} />
                </td>
                <td className="px-2 py-0.5">{formatMoment(at, timezone)}</td>
                <td className="px-2 py-0.5">{hows[how]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
