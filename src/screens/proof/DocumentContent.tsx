import { Suspense } from 'react'
import type { DocumentFacts } from '~/proof/facts'
import { fetchedLater } from '~/ui/fetched-later'
import { Fact, Facts } from './Facts'
import { WrittenIn } from './WrittenIn'

const JsonTree = fetchedLater(() => import('~/ui/JsonTree').then((module) => module.JsonTree))

/** A proven document. */
export function DocumentContent({ facts }: { facts: DocumentFacts }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <Facts>
        <Fact name="Document">
          <code className="font-mono [overflow-wrap:anywhere]">{facts.documentId}</code>
        </Fact>
        <WrittenIn facts={facts} />
      </Facts>
      <Suspense fallback={<p className="late text-muted">Drawing…</p>}>
        <JsonTree label="The proven document" text={JSON.stringify(facts.document)} />
      </Suspense>
    </div>
  )
}
