import { useAtomValue } from 'jotai'
import type { DocumentState } from '~/atoms/documents/document'
import { timezoneAtom } from '~/core/page-view'
import { formatMoment } from '~/lib/time'
import { Badge } from '~/ui/Badge'
import { SafeName } from '~/ui/SafeText'
import { TxLink } from '~/ui/TxLink'
import { useDocumentsAddress } from './address'

/** Which revision it is, and who wrote it when. */
export function Origin({ state }: { state: DocumentState }) {
  const { database } = useDocumentsAddress()
  const timezone = useAtomValue(timezoneAtom)
  if (!('revision' in state)) return null
  const { revision, tx, ts, author } = state.revision
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      {state.kind === 'deleted' && <Badge tone="warning">Deleted</Badge>}
      <span>revision {revision}</span>
      {author !== '' && (
        <span>
          by <SafeName text={author} />
        </span>
      )}
      <span className="font-mono">
        <TxLink database={database} id={tx} />
      </span>
      <time>{formatMoment(Number(ts) * 1_000, timezone)}</time>
    </div>
  )
}
