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
  /** Why a format cannot be chosen; undefined when it can. */
  reasonAgainst?: (format: ByteFormat) => string | undefined
}

/** Chooses how bytes are written. */
export function FormatChoice({ label, formats, more, value, onChange, reasonAgainst }: Props) {
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
          options={more.map((format) => optionOf(format, reasonAgainst?.(format)))}
          placeholder="Number or time"
          quiet={!more.includes(value)}
          size="small"
          value={more.includes(value) ? value : undefined}
        />
      )}
    </div>
  )
}

function optionOf(format: ByteFormat, reason: string | undefined) {
  const option = { value: format, label: formatName(format) }
  return reason === undefined ? option : { ...option, detail: reason, disabled: true }
}
