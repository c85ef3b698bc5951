import { type ClipboardEvent, type RefObject, useState } from 'react'
import {
  passwordProblem,
  passwordRules,
  passwordStrength,
  type Rule,
} from '~/immudb/password-rules'
import { Checkbox } from '~/ui/Checkbox'
import { cx } from '~/ui/cx'
import { TickIcon } from '~/ui/Icon'
import { PasswordField } from '~/ui/PasswordField'

/** A password as typed, and whether it is wanted although it is weak. */
export type Chosen = { password: string; isWeakWanted: boolean }

export const nothingChosen: Chosen = { password: '', isWeakWanted: false }

function isWeak(password: string): boolean {
  return password !== '' && passwordRules(password).some(({ isMet }) => !isMet)
}

/** Why the password cannot be sent yet; undefined when it can. */
export function chosenProblem({ password, isWeakWanted }: Chosen): string | undefined {
  const problem = passwordProblem(password)
  if (problem || !isWeak(password) || isWeakWanted) return problem
  return 'Does not meet all of the rules below.'
}

type Props = {
  label: string
  /** The user it is for, whose name is a bad part of a password. */
  user: string
  value: Chosen
  onChange: (value: Chosen) => void
  box: RefObject<HTMLInputElement | null>
  /** Also says what is missing, not only what is wrong. */
  isSubmitted: boolean
}

/** A new password with its rules and its strength; what is typed is sent as it is. */
export function NewPassword({ label, user, value, onChange, box, isSubmitted }: Props) {
  const [refused, setRefused] = useState<string>()
  const { password, isWeakWanted } = value
  const wrong = password === '' ? undefined : passwordProblem(password)
  const error = refused ?? (isSubmitted ? chosenProblem(value) : wrong)
  const change = (next: string) => {
    setRefused(undefined)
    onChange({ password: next, isWeakWanted: isWeakWanted && isWeak(next) })
  }
  // The browser would drop the line breaks silently.
  const paste = (event: ClipboardEvent) => {
    if (!/[\r\n]/.test(event.clipboardData.getData('text'))) return
    event.preventDefault()
    setRefused('The pasted text has a line break, which does not fit here. Nothing was pasted.')
  }
  return (
    <>
      <PasswordField
        autoComplete="new-password"
        error={error}
        label={label}
        onChange={change}
        onPaste={paste}
        ref={box}
        value={password}
      />
      <StrengthMeter password={password} user={user} />
      <RuleList
        isEmpty={password === ''}
        label="Rules for the password"
        rules={passwordRules(password)}
      />
      {isWeak(password) && !passwordProblem(password) && (
        <div className="mb-2">
          <Checkbox
            checked={isWeakWanted}
            hint="immudb takes any password; these rules are the console's."
            label="Use it although it does not meet the rules"
            onChange={(next) => onChange({ password, isWeakWanted: next })}
          />
        </div>
      )}
    </>
  )
}

const tones = ['bg-error', 'bg-error', 'bg-warning', 'bg-info', 'bg-info'] as const
const steps = [1, 2, 3, 4] as const

function StrengthMeter({ password, user }: { password: string; user: string }) {
  const { score, word } = passwordStrength(password, user)
  const shown = password === '' ? 0 : Math.max(1, score)
  const text = password === '' ? 'No password yet' : word
  return (
    <div className="mb-3 flex items-center gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot be drawn in both themes. */}
      <div
        aria-label="Password strength"
        aria-valuemax={4}
        aria-valuemin={0}
        aria-valuenow={shown}
        aria-valuetext={text}
        className="flex w-40 gap-1"
        role="meter"
      >
        {steps.map((step) => (
          <span
            className={cx('h-1 flex-1 rounded-full', step <= shown ? tones[score] : 'bg-line')}
            key={step}
          />
        ))}
      </div>
      <span aria-live="polite" className="text-muted text-xs">
        {password === '' ? '' : word}
      </span>
    </div>
  )
}

type RuleListProps = {
  label: string
  rules: readonly Rule[]
  /** Nothing is typed yet: the rules are shown, but none as met or unmet. */
  isEmpty: boolean
}

/** Conditions that are ticked off while the user types. */
export function RuleList({ label, rules, isEmpty }: RuleListProps) {
  const met = rules.filter(({ isMet }) => isMet).length
  return (
    <>
      <ul aria-label={label} className="mb-3 grid gap-x-4 gap-y-1 text-xs xs:grid-cols-2">
        {rules.map(({ text, isMet }) => (
          <li
            className={cx(
              'flex items-start gap-1.5',
              isMet && !isEmpty ? 'text-text' : 'text-muted',
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
