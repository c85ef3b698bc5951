import { type DocumentQuery, queryJson } from '~/immudb/document-query'
import { CopyButton } from '~/ui/CopyButton'
import { SafeText } from '~/ui/SafeText'

/** The query as the request has it. */
export function Request({ query }: { query: DocumentQuery }) {
  const text = `{\n  "query": ${queryJson(query, '  ')}\n}`
  return (
    <details className="min-w-0 open:basis-full">
      <summary className="w-max rounded-sm py-2 text-muted text-sm hover:text-text xs:py-1">
        Request
      </summary>
      <div className="flex items-start gap-1">
        <pre
          translate="no"
          className="min-w-0 grow whitespace-pre-wrap rounded-sm border border-line bg-panel px-2 py-1.5 font-mono text-sm [overflow-wrap:anywhere]"
        >
          <SafeText lines text={text} />
        </pre>
        <CopyButton text={text} what="the request" />
      </div>
    </details>
  )
}
