import { formatCount } from '~/lib/text'
import { cx } from './cx'
import { SafeText } from './SafeText'

type Props = {
  label: string
  items: readonly { line: number; text: string }[]
  /** How many more there are than are listed. */
  more?: number
  tone?: string
}

/** Lines of a file, with what is to be said of each. */
export function LineList({ label, items, more = 0, tone }: Props) {
  return (
    <ul
      aria-label={label}
      className={cx('max-h-48 overflow-auto rounded border border-line px-2 py-1 text-sm', tone)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
    >
      {items.map(({ line, text }) => (
        <li className="[overflow-wrap:anywhere]" key={JSON.stringify([line, text])}>
          <span className="text-muted">Line {formatCount(line)}: </span>
          <SafeText text={text} value />
        </li>
      ))}
      {more > 0 && <li className="text-muted">and {formatCount(more)} more</li>}
    </ul>
  )
}
