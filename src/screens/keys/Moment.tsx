import { useAtomValue } from 'jotai'
import { txTimesAtom } from '~/atoms/keys/list'
import { timezoneAtom } from '~/atoms/settings/view'
import { formatMoment } from '~/lib/time'
import { TxLink } from '~/ui/TxLink'

/** When each of some transactions was committed, as a sentence; null as long as that is not known. */
export function useTxTimes(database: string, ids: readonly string[]) {
  const times = useAtomValue(useAtomValue(txTimesAtom)(database, ids.join())).data
  const timezone = useAtomValue(timezoneAtom)
  return (id: string): string | null => {
    const seconds = times?.[id]
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
