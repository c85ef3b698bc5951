import type { CheckboxProps } from '~/ui/Checkbox'
import { SafeText } from '~/ui/SafeText'

/** An on-off setting that takes effect at once. */
export function Switch({ label, hint, checked, onChange, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 items-center justify-between gap-4 py-1 xs:min-h-0">
      <span className="min-w-0 break-words">
        <SafeText text={label} />
        {hint && (
          <span className="block text-muted text-xs">
            {typeof hint === 'string' ? <SafeText text={hint} /> : hint}
          </span>
        )}
      </span>
      <span className="relative inline-flex h-[18px] w-8 shrink-0">
        <input
          {...input}
          aria-checked={checked}
          checked={checked}
          className="peer size-full appearance-none rounded-full border border-field bg-input fades checked:border-primary checked:bg-primary disabled:opacity-55"
          onChange={(event) => onChange(event.target.checked)}
          role="switch"
          type="checkbox"
        />
        <span className="pointer-events-none absolute top-[3px] left-[3px] size-3 rounded-full bg-field transition-transform duration-100 peer-checked:translate-x-3.5 peer-checked:bg-on-primary" />
      </span>
    </label>
  )
}
