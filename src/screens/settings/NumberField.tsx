import { useState } from 'react'
import { Field } from '~/ui/Field'

type Props = {
  label: string
  value: number
  bounds: { min: number; max: number }
  /** Shown after the number. */
  unit: string
  onChange: (value: number) => void
}

/** A whole number within bounds; any other gets a message and is not used. */
export function NumberField({ label, value, bounds, unit, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? String(value)
  const read = wholeNumber(text, label, bounds)
  const change = (next: string) => {
    setTyped(next)
    const found = wholeNumber(next, label, bounds)
    if ('value' in found) onChange(found.value)
  }
  return (
    <div className="xs:max-w-60">
      <Field
        error={'error' in read ? read.error : undefined}
        hint={`${bounds.min} to ${bounds.max}`}
        inputMode="numeric"
        label={label}
        onBlur={() => 'value' in read && setTyped(null)}
        onChange={change}
        trailing={<span className="shrink-0 px-2.5 text-muted">{unit}</span>}
        value={text}
      />
    </div>
  )
}

/** The whole number in a text, if it is within bounds; otherwise a sentence about what is wrong. */
export function wholeNumber(
  text: string,
  field: string,
  { min, max }: { min: number; max: number },
): { value: number } | { error: string } {
  if (text.trim() === '') return { error: `The ${field} field is required` }
  if (!/^-?\d+$/.test(text.trim())) return { error: `${field} must be a whole number.` }
  const value = Number(text)
  const isWithin = value >= min && value <= max
  return isWithin ? { value } : { error: `${field} must be between ${min} and ${max}.` }
}
