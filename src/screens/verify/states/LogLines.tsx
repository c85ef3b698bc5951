import { useAtomValue } from 'jotai'
import { timezoneAtom } from '~/atoms/settings/view'
import type { LogLine } from '~/atoms/trust/record'
import { formatMoment, formatTx } from '~/lib/text'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

const whats: Record<LogLine['what'], string> = {
  forgotten: 'Trusted state forgotten',
  acknowledged: 'Break acknowledged',
  'matched-again': 'History matched again',
  imported: 'Trusted state taken over',
  'server-accepted': 'Server accepted',
  'server-revoked': 'Server revoked',
  'key-pinned': 'Signing key pinned',
  'key-removed': 'Signing key removed',
}

/** What was done to points and keys in this browser, the newest first. */
export function LogLines({ lines }: { lines: readonly LogLine[] }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <section aria-label="Log" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="log">
        Log
      </h2>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-labelledby="log"
        className="grid max-h-72 gap-1 overflow-auto text-sm"
      >
        {[...lines].reverse().map(({ at, what, id, reason, point }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be of the same moment.
          <li className="border-line border-b py-1 last:border-b-0" key={`${at} ${index}`}>
            <span className="text-muted">{formatMoment(at, timezone)}</span> {whats[what]}
            {id.database !== '' && (
              <>
                {' '}
                of <SafeName text={id.database} />
              </>
            )}
            {what.startsWith('server-') && (
              <>
                {' '}
                <SafeText text={id.server || 'without a name'} />
              </>
            )}
            {point && `, tx ${formatTx(point.txId)}`}
            {reason !== '' && !what.startsWith('key-') && (
              <>
                : <SafeText text={reason} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
