import { useAtomValue } from 'jotai'
import { indexLagAtom } from '~/atoms/overview/attention'
import { isMeasuringAtom } from '~/atoms/overview/metrics'
import { stateAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { hexOf } from '~/lib/bytes'
import { counted, formatTx } from '~/lib/text'
import { formatClock } from '~/lib/time'
import { Badge } from '~/ui/Badge'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { Fact } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { DatabaseIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { TxLink } from '~/ui/TxLink'
import { Card } from './Card'

/** How far the open database is, in the server's words; nothing of it is verified. */
export function StateCard() {
  return (
    <Card
      aside={<Badge title="Not verified by this browser">reported by server</Badge>}
      title="State"
    >
      <Content />
    </Card>
  )
}

function Content() {
  const database = useAtomValue(databaseAtom)
  const { data, error, isPending, isFetching, refetch } = useAtomValue(stateAtom)
  if (database === null) {
    return (
      <EmptyState
        icon={<DatabaseIcon />}
        text="An administrator can grant you a permission on one."
        title="No database is open"
      />
    )
  }
  if (!data && error) {
    return <ErrorNote busy={isFetching} onRetry={() => void refetch()} title={sentence(error)} />
  }
  if (!data || isPending) return <Skeleton lines={5} />
  return <Facts database={database} state={data} />
}

type State = NonNullable<ReturnType<typeof useStateData>>
function useStateData() {
  return useAtomValue(stateAtom).data
}

function Facts({ database, state }: { database: string; state: State }) {
  const { dataUpdatedAt } = useAtomValue(stateAtom)
  const zone = useAtomValue(timezoneAtom)
  const lag = useAtomValue(indexLagAtom)
  const isMeasuring = useAtomValue(isMeasuringAtom)
  const isEmpty = state.txId === '0'
  const ahead = BigInt(state.precommittedTxId) - BigInt(state.txId)
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5">
      <Fact name="Database">
        <SafeName text={database} />
      </Fact>
      <Fact name="Transaction">
        <span className="font-mono">
          {isEmpty ? 'none yet' : <TxLink database={database} id={state.txId} />}
        </span>
      </Fact>
      <Fact name="Hash">
        {isEmpty ? (
          '– (no transactions yet)'
        ) : (
          <Hash hash={hexOf(state.txHash)} what="hash of the state" />
        )}
      </Fact>
      <Fact name="Precommitted">
        {ahead > 0n ? (
          <>
            <span className="font-mono">tx {formatTx(state.precommittedTxId)}</span>,{' '}
            {counted(ahead, 'transaction')} ahead
          </>
        ) : ahead === 0n ? (
          'same as committed'
        ) : (
          'not known'
        )}
      </Fact>
      <Fact name="Index">{indexWords(lag, isMeasuring)}</Fact>
      <Fact name="Signature">{state.signature ? 'signed, not checked here' : 'none'}</Fact>
      <Fact name="As of">
        <span className="tabular-nums">{formatClock(dataUpdatedAt, zone)}</span>
      </Fact>
    </dl>
  )
}

function indexWords(lag: number | null, isMeasuring: boolean): string {
  if (lag === null) return isMeasuring ? 'measuring…' : 'not known without metrics'
  return lag === 0 ? 'up to date' : `${counted(lag, 'transaction')} behind`
}
