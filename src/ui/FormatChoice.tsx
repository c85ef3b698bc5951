import { type ByteFormat, formatNames } from '~/lib/byte-formats'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'

type Props = {
  /** Says what is written in the format. */
  label: string
  formats: readonly ByteFormat[]
  value: ByteFormat
  onChange: (format: ByteFormat) => void
  /** Why a format cannot be chosen; undefined when it can. */
  reasonAgainst?: (format: ByteFormat) => string | undefined
}

/** Chooses how bytes are written. */
export function FormatChoice({ label, formats, value, onChange, reasonAgainst }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and cannot be a flex row everywhere.
    <div aria-label={visibleText(label)} className="flex items-center gap-0.5" role="group">
      {formats.map((format) => (
        <Button
          aria-pressed={format === value}
          disabledReason={format === value ? undefined : reasonAgainst?.(format)}
          key={format}
          onClick={() => onChange(format)}
          size="small"
          variant={format === value ? 'plain' : 'quiet'}
        >
          {formatNames[format]}
        </Button>
      ))}
    </div>
  )
}
