import type { ImportFile } from '~/atoms/documents/import-file'
import type { Collection } from '~/immudb/collection'
import { counted, formatCount } from '~/lib/text'
import { SafeName, SafeText } from '~/ui/SafeText'

export function Preview({ file, of }: { file: ImportFile; of: Collection }) {
  const { documents, problems, problemCount, withId, warned, warnings } = file
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p role="status">
        <SafeName text={file.name} />: {counted(documents.length, 'document')}
        {problemCount > 0 && `, ${counted(problemCount, 'line')} that cannot be imported`}.
      </p>
      {withId > 0 && (
        <p>
          {counted(withId, 'document has', 'documents have')} a field {of.idField}. Their old ids
          are left out: the server makes new ones.
        </p>
      )}
      <Listed
        items={problems.map(({ line, reason }) => ({ line, text: reason }))}
        more={problemCount - problems.length}
        tone="text-error"
      />
      {warned > 0 && <p>{counted(warned, 'document')} will not be stored exactly as written:</p>}
      <Listed items={warnings} more={warned - warnings.length} tone="text-warning" />
    </div>
  )
}

type ListedProps = {
  items: readonly { line: number; text: string }[]
  more: number
  tone: string
}

function Listed({ items, more, tone }: ListedProps) {
  if (items.length === 0) return null
  return (
    <ul className={`grid max-h-48 gap-1 overflow-auto ${tone}`}>
      {items.map(({ line, text }) => (
        <li className="break-words [overflow-wrap:anywhere]" key={line}>
          Line {line}: <SafeText text={text} />
        </li>
      ))}
      {more > 0 && <li>{formatCount(more)} more.</li>}
    </ul>
  )
}
