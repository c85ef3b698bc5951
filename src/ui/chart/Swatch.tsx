import { lineLook } from './look'

/** A piece of the line. */
export function Swatch({ index }: { index: number }) {
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
