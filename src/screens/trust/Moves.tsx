import { useAtomValue } from 'jotai'
import { hexOf, type TrustRecord } from '~/atoms/trust/record'
import { timezoneAtom } from '~/atoms/view'
import { howWords } from '~/lib/how-words'
import { formatMoment, formatTx } from '~/lib/text'
import { Hash } from '~/ui/Hash'

/** How the point came to where it is, the newest first. */
export function Moves({ record: { history } }: { record: TrustRecord }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <section aria-label="Moves">
      <h2 className="mb-1 font-medium">
        {history.length === 1 ? 'No moves so far' : `The last ${history.length} trusted states`}
      </h2>
      <table className="w-full text-sm">
        <thead className="text-muted">
          <tr className="border-line border-b">
            <th className="py-1.5 pe-3 text-end font-normal" scope="col">
              Transaction
            </th>
            <th className="py-1.5 pe-3 text-start font-normal" scope="col">
              Hash
            </th>
            <th className="hidden py-1.5 pe-3 text-start font-normal xs:table-cell" scope="col">
              How
            </th>
            <th className="py-1.5 text-start font-normal" scope="col">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {history.toReversed().map(({ txId, txHash, at, how }) => (
            <tr className="border-line border-b last:border-0" key={`${txId} ${at}`}>
              <td className="py-1 pe-3 text-end font-mono tabular-nums">{formatTx(txId)}</td>
              <td className="whitespace-nowrap py-1 pe-3">
                <Hash copy={false} hash={hexOf(txHash)} />
              </td>
              <td className="hidden py-1 pe-3 xs:table-cell">{howWords(how)}</td>
              <td className="py-1">{formatMoment(at, timezone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
