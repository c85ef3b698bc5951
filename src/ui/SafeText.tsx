import { mixedScriptsNote, visibleParts } from '~/lib/visible-parts'
import { hasHidden, type TextKind } from '~/lib/visible-text'

type SafeTextProps = {
  text: string
  /** A stored value: emoji stay whole. */
  value?: boolean
  /** A value that keeps tabs and line feeds, for a view that preserves white space. */
  lines?: boolean
}

/**
 * Text from outside: it cannot reorder what stands around it, and characters that would not be
 * seen are shown as marks. For names there is `SafeName`.
 */
export function SafeText({ text, value = false, lines = false }: SafeTextProps) {
  return <Marked kind={value || lines ? 'value' : 'text'} lines={lines} text={text} />
}

type MarkedProps = { text: string; kind: TextKind; lines?: boolean }

/**
 * The text, each unseen character of it as a mark with its name. A browser that translates the page
 * leaves names and values as they are stored; sentences it may translate.
 */
function Marked({ text, kind, lines = false }: MarkedProps) {
  const translate = kind === 'text' ? undefined : 'no'
  if (!hasHidden(text, kind)) return <bdi translate={translate}>{text}</bdi>
  return (
    <bdi translate={translate}>
      {visibleParts(text, { kind, lines }).map((part, index) =>
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

/**
 * The name of a user, database, table, column or key: besides what hides, spaces that would be
 * lost and letters of several scripts are marked, since two names must never look the same.
 */
export function SafeName({ text }: { text: string }) {
  const note = mixedScriptsNote(text)
  return (
    <>
      <Marked kind="name" text={text} />
      {note && (
        <span className="chip ms-1" title={note}>
          mixed scripts
        </span>
      )}
    </>
  )
}
