import { formatCount, formatTx } from '~/lib/text'
import type { AuditFacts, StateFacts } from '~/proof/facts'
import { Hash } from '~/ui/Hash'
import { Fact, Facts } from './Facts'

/** A proven state: the transaction that a history ends with, and how much an audit went through. */
export function StateContent({ facts }: { facts: StateFacts | AuditFacts }) {
  return (
    <Facts>
      <Fact name="Transaction">
        <span className="font-mono">tx {formatTx(facts.txId)}</span>
      </Fact>
      <Fact name="Hash">
        <Hash hash={facts.alh} what="hash of the transaction" />
      </Fact>
      {'entries' in facts && <Fact name="Entries before it">{formatCount(facts.entries)}</Fact>}
    </Facts>
  )
}
