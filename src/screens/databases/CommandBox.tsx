import type { Commands } from '~/immudb/immuadmin'
import { CopyButton } from '~/ui/CopyButton'
import { SafeText } from '~/ui/SafeText'

/** The same thing for a shell, ready to be copied. */
export function CommandBox({ commands: { text, missing } }: { commands: Commands }) {
  return (
    <div>
      <div className="flex items-start gap-1 rounded-sm border border-line bg-page">
        <pre
          translate="no"
          className="min-w-0 grow overflow-x-auto whitespace-pre-wrap break-words px-2 py-1.5 font-mono text-muted text-xs"
        >
          {text.split('\n').map((line) => (
            <Line key={line} text={line} />
          ))}
        </pre>
        <CopyButton size="tiny" text={text} what="the immuadmin command" />
      </div>
      {missing.length > 0 && (
        <p className="mt-1 text-muted text-xs">immuadmin has no flag for: {missing.join(', ')}.</p>
      )}
    </div>
  )
}

/** Broken between words only: a flag that is broken at its dashes cannot be read. */
function Line({ text }: { text: string }) {
  return (
    <span className="block">
      {text.split(' ').map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity beyond their place.
        <span key={index}>
          {index > 0 && ' '}
          <span className="inline-block max-w-full break-words">
            <SafeText text={word} />
          </span>
        </span>
      ))}
    </span>
  )
}
