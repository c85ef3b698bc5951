import { visibleText } from '~/lib/visible-text'
import { CloseIcon } from './Icon'
import { SafeText } from './SafeText'

/** A part of what is shown, such as a condition, that can be taken out. */
export function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const label = `Remove “${visibleText(text)}”`
  return (
    <span className="inline-flex min-w-0 max-w-full items-center rounded-full border border-line bg-panel ps-2.5 text-sm">
      <span className="truncate" title={visibleText(text)} translate="no">
        <SafeText text={text} />
      </span>
      <button
        aria-label={label}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted fades hover:bg-hover hover:text-text xs:size-6"
        onClick={onRemove}
        title={label}
        type="button"
      >
        <CloseIcon />
      </button>
    </span>
  )
}
