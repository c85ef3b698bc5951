import { useAtomValue } from 'jotai'
import { txTimesAtom } from '~/core/history/tx-times'
import { timezoneAtom } from '~/core/page-view'
import { formatMoment } from '~/lib/time'
import { provenTimeAtom } from '~/trust/proven-content'
import { TxLink } from '~/ui/TxLink'

/**
 * When each of some transactions was committed, in seconds since 1970: as it is proven, or else as
 * the server says; null as long as that is not known.
 */
export function useTxSeconds(database: string, ids: readonly string[]) {
  const times = useAtomValue(useAtomValue(txTimesAtom)(database, ids.join())).data
  const provenTime = useAtomValue(provenTimeAtom)
  return (id: string): string | null => provenTime(database, id) ?? times?.[id] ?? null
}

/** The same as a sentence. */
export function useTxTimes(database: string, ids: readonly string[]) {
  const secondsOf = useTxSeconds(database, ids)
  const timezone = useAtomValue(timezoneAtom)
  return (id: string): string | null => {
    const seconds = secondsOf(id)
    return seconds ? formatMoment(Number(seconds) * 1_000, timezone) : null
  }
}

/** A transaction and when it was committed. */
export function Moment({ database, tx }: { database: string; tx: string }) {
  const time = useTxTimes(database, [tx])(tx)
  return (
    <>
      <span className="font-mono">
        <TxLink database={database} id={tx} />
      </span>
      {time && <time>{time}</time>}
    </>
  )
}
