import * as RadixSelect from '@radix-ui/react-select'
import { type ReactNode, useId } from 'react'
import { ChevronDownIcon, TickIcon } from '~/ui/Icon'
import { join } from '~/ui/join'

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

/** Radix refuses empty values, which are ordinary values here. */
const wrap = (value: string) => `=${value}`
const unwrap = (value: string) => value.slice(1)

/** Chooses one of a list; opens with the keyboard and finds options by typing. */
export function Select(props: SelectProps) {
  const { label, value, onChange, options, placeholder = 'Choose', labelled, wide } = props
  const { disabledReason } = props
  const id = useId()
  return (
    <div className={join('min-w-20', wide && 'w-full')}>
      {labelled && (
        <label className="mb-1 block font-medium text-sm" htmlFor={id}>
          {label}
        </label>
      )}
      <RadixSelect.Root
        disabled={disabledReason !== undefined}
        onValueChange={(wrapped) => onChange(unwrap(wrapped))}
        value={value === undefined ? '' : wrap(value)}
      >
        <RadixSelect.Trigger
          aria-label={label}
          className={triggerClass(props)}
          id={id}
          title={disabledReason}
        >
          {props.icon}
          <span className="min-w-0 flex-1 truncate text-start">
            <RadixSelect.Value placeholder={<span className="text-muted">{placeholder}</span>} />
          </span>
          <ChevronDownIcon className="shrink-0 text-muted" />
        </RadixSelect.Trigger>
        <SelectList options={options} />
      </RadixSelect.Root>
    </div>
  )
}

function triggerClass({ size = 'normal', quiet, wide, disabledReason }: SelectProps): string {
  return join(
    'inline-flex h-11 min-w-0 max-w-full items-center gap-2 rounded border px-2.5 text-base transition-colors duration-100',
    size === 'small' ? 'xs:h-7 xs:text-sm' : 'xs:h-8',
    quiet ? 'border-transparent hover:bg-hover' : 'border-field bg-input hover:border-muted',
    wide && 'w-full',
    disabledReason !== undefined && 'opacity-55',
  )
}

function SelectList({ options }: { options: readonly SelectOption[] }) {
  return (
    <RadixSelect.Portal>
      <RadixSelect.Content
        className="pop z-menu max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[min(420px,calc(100vw-16px))] overflow-hidden rounded border border-line bg-raised text-text shadow-float"
        collisionPadding={8}
        position="popper"
        sideOffset={4}
      >
        <RadixSelect.Viewport className="p-1">
          {options.map((option) => (
            <RadixSelect.Item
              className="relative flex min-h-11 cursor-default select-none flex-col justify-center rounded-sm py-1 ps-8 pe-3 outline-none data-disabled:opacity-55 data-highlighted:bg-hover xs:min-h-8"
              disabled={option.disabled ?? false}
              key={option.value}
              textValue={option.label}
              value={wrap(option.value)}
            >
              <RadixSelect.ItemIndicator className="absolute start-2 text-primary">
                <TickIcon />
              </RadixSelect.ItemIndicator>
              <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
              {option.detail !== undefined && (
                <span className="text-muted text-xs">{option.detail}</span>
              )}
            </RadixSelect.Item>
          ))}
        </RadixSelect.Viewport>
      </RadixSelect.Content>
    </RadixSelect.Portal>
  )
}
