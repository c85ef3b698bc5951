import { useAtomValue } from 'jotai'
import {
  isCatalogueComingAtom,
  readCatalogueHistory,
  readingAtom,
} from '~/atoms/tables/catalogue-history'
import { useAct } from '~/core/act'
import { formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'

type Props = {
  database: string
  /** What is not known before. */
  text: string
  /** What the button says. */
  action?: string
}

/** Offers to read all transactions, to learn names and what came before. */
export function ReadHistory({ database, text, action = 'Read the history' }: Props) {
  const isComing = useAtomValue(useAtomValue(isCatalogueComingAtom)(database))
  const reading = useAtomValue(readingAtom)(database)
  const read = useAct(readCatalogueHistory)
  if (isComing) return <p className="text-muted text-sm">Reading the history…</p>
  if (reading?.kind === 'busy') {
    const { progress, stop } = reading
    return (
      <p className="flex flex-wrap items-center gap-3 text-sm" role="status">
        Read {formatCount(progress.read)} of {formatCount(progress.of)} transactions.
        <Button onClick={() => stop.abort()} size="small">
          Stop reading
        </Button>
      </p>
    )
  }
  return (
    <p className="flex flex-wrap items-center gap-3 text-muted text-sm">
      {reading?.kind === 'failed' ? reading.text : text}
      <Button onClick={() => void read(database)} size="small">
        {action}
      </Button>
    </p>
  )
}
