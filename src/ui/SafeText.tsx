import { hasHidden, visibleParts } from '~/lib/visible-text'

type SafeTextProps = {
  text: string
  /** Keeps tabs and line ends, for a view that preserves white space. */
  lines?: boolean
}

/**
 * Text from outside: it cannot reorder what stands around it, and characters that would not be
 * seen are shown as marks.
 */
export function SafeText({ text, lines = false }: SafeTextProps) {
  if (!hasHidden(text)) return <bdi>{text}</bdi>
  return (
    <bdi>
      {visibleParts(text, { lines }).map((part, index) =>
        part.kind === 'plain' ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity beyond their place.
          <span className="chip" key={index} title={part.name}>
            {part.shown}
          </span>
        ),
      )}
    </bdi>
  )
}
