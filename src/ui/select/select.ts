import type { ReactNode } from 'react'
import { cx } from '../cx'

export type SelectOption = {
  value: string
  label: string
  /** A second, muted line. */
  detail?: string
  disabled?: boolean
}

export type SelectProps = {
  /** The accessible name of the combobox. */
  label: string
  value: string | undefined
  onChange: (value: string) => void
  options: readonly SelectOption[]
  /** Shown while nothing is chosen. */
  placeholder?: string
  /** Shows the label above the box; otherwise it is only spoken. */
  labelled?: boolean
  icon?: ReactNode
  size?: 'small' | 'normal'
  quiet?: boolean
  wide?: boolean
  disabledReason?: string | undefined
}

/** The look of the closed box, for both components that draw it. */
export function triggerClass({
  size = 'normal',
  quiet,
  wide,
  disabledReason,
}: SelectProps): string {
  return cx(
    'inline-flex h-11 min-w-0 max-w-full items-center gap-2 rounded border px-2.5 text-base fades',
    size === 'small' ? 'xs:h-7 xs:text-sm' : 'xs:h-8',
    quiet ? 'border-transparent hover:bg-hover' : 'border-field bg-input hover:border-muted',
    wide && 'w-full',
    disabledReason !== undefined && 'opacity-55',
  )
}
