import { useId } from 'react'

type Choice<T extends string> = { value: T; label: string; hint?: string }

type Props<T extends string> = {
  label: string
  value: T
  choices: readonly Choice<T>[]
  onChange: (value: T) => void
}

/** One of a few, all of them in sight; arrow keys move as in any group of radio buttons. */
export function Choices<T extends string>({ label, value, choices, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      <div className="grid gap-x-6 xs:flex xs:flex-wrap">
        {choices.map((choice) => (
          <label
            className="flex min-h-11 items-start gap-2.5 py-3 xs:min-h-0 xs:py-1"
            key={choice.value}
          >
            <input
              checked={choice.value === value}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-field bg-input checked:border-[5px] checked:border-primary"
              name={name}
              onChange={() => onChange(choice.value)}
              type="radio"
            />
            <span className="min-w-0">
              {choice.label}
              {choice.hint && <span className="block text-muted text-xs">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
