import * as RadixSelect from '@radix-ui/react-select'
import { visibleText } from '~/lib/visible-text'
import { ChevronDownIcon, TickIcon } from '~/ui/Icon'
import { portalContainer } from '../portal-container'
import { SafeName, SafeText } from '../SafeText'
import { type SelectOption, type SelectProps, triggerClass } from './select'

/** Radix names an option by its first line; what is seen of it should be heard as well. */
const wholeName = { 'aria-labelledby': undefined }

/** Radix refuses empty values, which are ordinary values here. */
const wrap = (value: string) => `=${value}`
const unwrap = (value: string) => value.slice(1)

/** The box with its list, which is open when it first appears. */
export function OpenSelect({ id, ...props }: SelectProps & { id: string }) {
  const { label, value, onChange, options, placeholder = 'Choose', disabledReason } = props
  return (
    <RadixSelect.Root
      defaultOpen
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
  )
}

function SelectList({ options }: { options: readonly SelectOption[] }) {
  return (
    <RadixSelect.Portal container={portalContainer()}>
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
              {...(option.detail !== undefined && wholeName)}
              textValue={visibleText(option.label)}
              value={wrap(option.value)}
            >
              <RadixSelect.ItemIndicator className="absolute start-2 text-primary">
                <TickIcon />
              </RadixSelect.ItemIndicator>
              <RadixSelect.ItemText>
                <SafeName text={option.label} />
              </RadixSelect.ItemText>
              {option.detail !== undefined && (
                <span className="text-muted text-xs">
                  {' '}
                  <SafeText text={option.detail} />
                </span>
              )}
            </RadixSelect.Item>
          ))}
        </RadixSelect.Viewport>
      </RadixSelect.Content>
    </RadixSelect.Portal>
  )
}
