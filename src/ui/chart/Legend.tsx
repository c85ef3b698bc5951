import { type Line, newest } from '~/lib/series'
import { visibleText } from '~/lib/visible-text'
import { formatValue, lineLook, type Unit } from '~/ui/chart/look'
import { SafeText } from '~/ui/SafeText'

type Props = {
  lines: readonly Line[]
  unit: Unit
  /** The values at the chosen moment; null shows the newest ones. */
  values: readonly (number | null)[] | null
  /** The chosen moment. */
  at: string | null
}

/** Which line is which, with its value at the chosen moment. */
export function Legend({ lines, unit, values, at }: Props) {
  return (
    <div
      aria-hidden="true"
      className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-1 pb-3 text-xs"
    >
      {lines.map((line, index) => {
        const value = values ? (values[index] ?? null) : newest(line)
        return (
          <span className="inline-flex min-w-0 items-center gap-1.5" key={line.name}>
            <Swatch index={index} />
            <span className="max-w-[26ch] truncate text-muted" title={visibleText(line.name)}>
              <SafeText text={line.name} />
            </span>
            <span className="font-mono tabular-nums">
              {value === null ? '–' : formatValue(value, unit)}
            </span>
          </span>
        )
      })}
      {at !== null && <span className="ms-auto text-muted tabular-nums">{at}</span>}
    </div>
  )
}

/** A piece of the line. */
function Swatch({ index }: { index: number }) {
  const { colour, dash } = lineLook(index)
  return (
    <svg aria-hidden="true" className="shrink-0" focusable="false" height="8" width="22">
      <line
        strokeDasharray={dash.join(' ')}
        strokeWidth="2"
        style={{ stroke: `var(${colour})` }}
        x1="0"
        x2="22"
        y1="4"
        y2="4"
      />
    </svg>
  )
}
