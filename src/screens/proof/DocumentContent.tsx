import { Suspense } from 'react'
import type { DocumentFacts } from '~/proof/facts'
import { fetchedLater } from '~/ui/fetched-later'
import { Fact, Facts } from './Facts'
import { WrittenIn } from './WrittenIn'

const JsonTree = fetchedLater(() => import('~/ui/JsonTree').then((module) => module.JsonTree))

/** A proven document. */
export function DocumentContent({ facts }: { facts: DocumentFacts }) {
  const json = JSON.stringify(facts.document, (_, value: unknown) =>
    isBeyondJson(value) ? nameOf(value) : value,
  )
  return (
    <div className="grid grid-cols-1 gap-3">
      <Facts>
        <Fact name="Document">
          <code className="font-mono [overflow-wrap:anywhere]">{facts.documentId}</code>
        </Fact>
        <WrittenIn facts={facts} />
      </Facts>
      <Suspense fallback={<p className="late text-muted">Drawing…</p>}>
        <JsonTree label="The document in the proof" text={json} />
      </Suspense>
      {json !== JSON.stringify(facts.document) && (
        <p className="text-muted text-sm">
          JSON has no NaN, Infinity or −0. Where a number of this document is one, it is shown as
          text.
        </p>
      )}
    </div>
  )
}

/** A number that JSON would write as null, or as another number. */
function isBeyondJson(value: unknown): value is number {
  return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
}

const nameOf = (value: number) => (Object.is(value, -0) ? '-0' : String(value))
