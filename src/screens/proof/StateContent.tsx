import { formatTx } from '~/lib/text'
import type { AuditFacts, StateFacts } from '~/proof/facts'
import { Hash } from '~/ui/Hash'
import { Fact, Facts } from './Facts'

/**
 * The transaction that a proven history ends with. How many entries an audit counted is not shown:
 * evidence may hold its last step only.
 */
export function StateContent({ facts }: { facts: StateFacts | AuditFacts }) {
  return (
    <Facts>
      <Fact name="Transaction">
        <span className="font-mono">tx {formatTx(facts.txId)}</span>
      </Fact>
      <Fact name="Hash">
        <Hash hash={facts.alh} what="hash of the transaction" />
      </Fact>
    </Facts>
  )
}
