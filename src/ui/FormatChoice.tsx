import { type ByteFormat, formatName } from '~/lib/byte-formats'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'

type Props = {
  /** Says what is written in the format. */
  label: string
  formats: readonly ByteFormat[]
  /** Formats that are chosen from a list beside the buttons. */
  more?: readonly ByteFormat[]
  value: ByteFormat
  onChange: (format: ByteFormat) => void
  /** What would be shown in one of these; null where that is not known. */
  preview?: (format: ByteFormat) => string | null
  /** Why a format cannot be chosen; undefined when it can. */
  reasonAgainst?: (format: ByteFormat) => string | undefined
}

/** Chooses how bytes are written. */
export function FormatChoice(props: Props) {
  const { label, formats, more, value, onChange, reasonAgainst } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and cannot be a flex row everywhere.
    <div
      aria-label={visibleText(label)}
      className="flex flex-wrap items-center gap-0.5"
      role="group"
    >
      {formats.map((format) => (
        <Button
          aria-pressed={format === value}
          disabledReason={format === value ? undefined : reasonAgainst?.(format)}
          key={format}
          onClick={() => onChange(format)}
          size="small"
          variant={format === value ? 'plain' : 'quiet'}
        >
          {formatName(format)}
        </Button>
      ))}
      {more && (
        <Select
          label="Number or time"
          onChange={(next) => {
            const format = more.find((one) => one === next)
            if (format) onChange(format)
          }}
          options={optionsOf(more, props)}
          placeholder="Number or time"
          quiet={!more.includes(value)}
          size="small"
          value={more.includes(value) ? value : undefined}
        />
      )}
    </div>
  )
}

/** Only those that the bytes fit, each with what it would show; of the others their number. */
function optionsOf(more: readonly ByteFormat[], { value, preview, reasonAgainst }: Props) {
  const fitting = more.filter((format) => format === value || reasonAgainst?.(format) === undefined)
  const others = more.length - fitting.length
  const options = fitting.map((format) => {
    const shown = preview?.(format) ?? null
    const option = { value: format as string, label: formatName(format) }
    return shown === null ? option : { ...option, detail: shown }
  })
  if (others === 0) return options
  const words = fitting.length === 0 ? 'None fits' : 'Others do not fit'
  return [...options, { value: 'others', label: `${words} (${others})`, disabled: true }]
}
