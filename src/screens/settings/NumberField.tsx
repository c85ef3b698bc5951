import { useState } from 'react'
import { wholeNumber } from '~/lib/whole-number'
import { Field } from '~/ui/Field'

type Props = {
  label: string
  value: number
  bounds: { min: number; max: number }
  /** Said behind the number. */
  unit: string
  onChange: (value: number) => void
}

/** A whole number within bounds; what is out of them is said and not taken over. */
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
