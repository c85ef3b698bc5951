import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { timezoneAtom } from '~/atoms/view'
import { formatMoment, formatTx } from '~/lib/text'
import type { DocumentFacts } from '~/proof/facts'
import { Badge } from '~/ui/Badge'
import { fetchedLater } from '~/ui/fetched-later'
import { Fact, Facts } from './Facts'

const JsonTree = fetchedLater(() => import('~/ui/JsonTree').then((module) => module.JsonTree))

/** A proven document. */
export function DocumentContent({ facts }: { facts: DocumentFacts }) {
  const zone = useAtomValue(timezoneAtom)
  return (
    <div className="grid grid-cols-1 gap-3">
      <Facts>
        <Fact name="Document">
          <code className="font-mono [overflow-wrap:anywhere]">{facts.documentId}</code>
        </Fact>
        <Fact name="Written in">
          <span className="font-mono">tx {formatTx(facts.tx)}</span>,{' '}
          {formatMoment(Number(facts.ts) * 1_000, zone)}
        </Fact>
        {facts.deleted && (
          <Fact name="State">
            <Badge tone="warning">Deleted</Badge> in this transaction; this is its last content.
          </Fact>
        )}
      </Facts>
      <Suspense fallback={<p className="late text-muted">Drawing…</p>}>
        <JsonTree label="The proven document" text={JSON.stringify(facts.document)} />
      </Suspense>
    </div>
  )
}
