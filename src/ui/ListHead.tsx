// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import { cx } from './cx'

type Props = {
  titles: readonly string[]
  /** The class that gives the columns their widths. */
  columnLook: string
  isNarrow: boolean
  /** The title of a column of numbers. */
  numbers?: string
}

/** The titles of the columns of a long list, read out but not shown where it is narrow. */
export function ListHead({ titles, columnLook, isNarrow, numbers }: Props) {
  return (
    <div className={isNarrow ? 'sr-only' : 'sticky top-0 z-sticky'} role="rowgroup">
      <div
        aria-rowindex={1}
        className={cx(
          'h-[30px] items-center gap-x-3 border-line border-b bg-panel px-3 text-muted text-xs',
          columnLook,
        )}
        role="row"
      >
        {titles.map((title) => (
          <span
            className={title === numbers ? 'text-end' : 'truncate'}
            key={title}
            role="columnheader"
          >
            {title}
          </span>
        ))}
      </div>
    </div>
  )
}
