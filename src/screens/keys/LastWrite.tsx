import { useAtomValue } from 'jotai'
import { keyViewAtom } from '~/atoms/keys/key-view'
import { formatCount, formatTx } from '~/lib/text'
import { useTxTimes } from './Moment'

type Line = { readonly tx: string; readonly revision: string | null }

/** Lines whose times are asked for together. */
const together = 25

/** The transactions of the lines around one, whose times one answer should bring. */
export function txsAround(lines: readonly (Line | null)[], index: number): readonly string[] {
  const first = index - (index % together)
  return lines.slice(first, first + together).flatMap((line) => line?.tx ?? [])
}

/** Whether the list shows the last write of each key. */
export const useLastWrites = (): boolean => useAtomValue(keyViewAtom)?.isHistoryShown ?? false

type Props = { database: string; of: Line; txs: readonly string[] }

/** The transaction that wrote a key last, its time where there is room, and the revision. */
export function LastWrite({ database, of: { tx, revision }, txs }: Props) {
  const time = useTxTimes(database, txs)(tx)
  return (
    <>
      <span className="font-mono" title={time ?? undefined}>
        tx {formatTx(tx)}
      </span>
      {time !== null && <time className="hidden @md:inline">{time}</time>}
      {revision !== null && <span>rev {formatCount(BigInt(revision))}</span>}
    </>
  )
}
