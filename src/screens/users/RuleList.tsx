import type { Rule } from '~/immudb/password-rules'
import { cx } from '~/ui/cx'
import { TickIcon } from '~/ui/Icon'

type Props = {
  label: string
  rules: readonly Rule[]
  /** Nothing is typed yet: the rules are told, but none is called met or unmet. */
  isEmpty: boolean
}

/** Conditions that are ticked off while somebody types. */
export function RuleList({ label, rules, isEmpty }: Props) {
  const met = rules.filter(({ isMet }) => isMet).length
  return (
    <>
      <ul aria-label={label} className="mb-3 grid gap-x-4 gap-y-1 text-xs xs:grid-cols-2">
        {rules.map(({ text, isMet }) => (
          <li
            className={cx(
              'flex items-start gap-1.5',
              isMet && !isEmpty ? 'text-success' : 'text-muted',
            )}
            key={text}
          >
            <span aria-hidden="true" className="flex size-4 shrink-0 items-center justify-center">
              {isMet && !isEmpty ? (
                <TickIcon />
              ) : (
                <span className="size-1.5 rounded-full bg-field" />
              )}
            </span>
            <span>
              {text}
              {!isEmpty && <span className="sr-only">{isMet ? ': met' : ': not met yet'}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="sr-only">
        {!isEmpty && `${label}: ${met} of ${rules.length} met`}
      </p>
    </>
  )
}
