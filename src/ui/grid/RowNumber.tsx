// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active cell.

import type { ReactNode } from 'react'
import { visibleText } from '~/lib/visible-text'
import type { RowMark } from '~/ui/grid/cell'
import { CloseIcon, InfoIcon, ShieldIcon, WarningIcon } from '~/ui/Icon'
import { join } from '~/ui/join'

type RowNumberProps = {
  index: number
  width: number
  mark: RowMark | undefined
  onMark: ((row: number) => void) | undefined
  isSelectable: boolean
}

const marks: Record<RowMark['tone'], { icon: ReactNode; look: string }> = {
  verified: { icon: <ShieldIcon />, look: 'text-verified' },
  warning: { icon: <WarningIcon />, look: 'text-warning' },
  error: { icon: <CloseIcon />, look: 'text-error' },
  neutral: { icon: <InfoIcon />, look: 'text-muted' },
}

/** The number of a row, counted from one, with what is known of the row beside it. */
export function RowNumber({ index, width, mark, onMark, isSelectable }: RowNumberProps) {
  return (
    <div
      aria-colindex={1}
      className={join(
        'sticky left-0 z-sticky flex h-full items-center justify-end gap-1 border-line/55 border-e bg-panel pe-2 font-mono text-muted text-xs tabular-nums group-hover:bg-raised group-aria-selected:bg-raised group-aria-selected:text-text',
        isSelectable && 'cursor-pointer select-none',
      )}
      role="rowheader"
      style={{ width }}
    >
      {mark && (
        <button
          aria-label={visibleText(mark.label)}
          className={join('me-auto h-full ps-1.5 pe-1', marks[mark.tone].look)}
          data-mark=""
          onClick={() => onMark?.(index)}
          tabIndex={-1}
          title={visibleText(mark.label)}
          type="button"
        >
          {marks[mark.tone].icon}
        </button>
      )}
      {index + 1}
    </div>
  )
}
