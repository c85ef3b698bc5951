import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { counted, formatTx } from '~/lib/text'
import { deepAuditOfAtom, pauseDeepAudit } from '~/trust/audit/deep-audit'
import { trustsAtom } from '~/trust/trust'
import { Button } from '~/ui/Button'
import { Sentence } from '~/ui/Sentence'
import { remainingWords } from '~/words/audit'
import { AuditBar } from './AuditBar'

type Props = {
  database: string
  /**
   * Reads the names and columns of tables, and the names of collections, from the history, and
   * verifies again. Resolves with why that did not work, or null.
   */
  read: (database: string) => Promise<string | null>
}

/**
 * The press that supplies what an object is only verified in part for: what its table or collection
 * is called. A description is proven by all that was read, for nothing shows what was left out.
 */
export function ReadDescription({ database, read }: Props) {
  const trust = useAtomValue(trustsAtom).get(database)
  const { state } = useAtomValue(deepAuditOfAtom)(database)
  const pause = useAct(pauseDeepAudit)
  const [isReading, setReading] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  const record = trust && 'record' in trust ? trust.record : null
  if (!record) return null
  const start = async () => {
    setReading(true)
    setWhy(null)
    setWhy(await read(database))
    setReading(false)
  }
  const progress = state.kind === 'running' ? state.progress : null
  const isRunning = isReading || state.kind === 'running'
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button busy={isReading} onClick={() => void start()} size="small">
          Read from the history
        </Button>
        {isRunning ? (
          <Button onClick={() => void pause(database)} size="small" variant="quiet">
            Pause
          </Button>
        ) : (
          <span className="text-muted">
            {counted(BigInt(record.point.txId), 'transaction')}, by their digests
          </span>
        )}
      </div>
      {progress && (
        <>
          <AuditBar {...progress} />
          <p className="text-muted tabular-nums">
            Transaction {formatTx(progress.txId)} of {formatTx(progress.last)}
            {progress.rate > 0 && ` · ${remainingWords(leftOf(progress), progress.rate)}`}
          </p>
        </>
      )}
      {why !== null && (
        <p role="alert">
          <Sentence text={why} />
        </p>
      )}
    </div>
  )
}

type Place = { txId: string; last: string }

const leftOf = ({ txId, last }: Place) => Number(BigInt(last) - BigInt(txId))
