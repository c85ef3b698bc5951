import { type ComponentType, type KeyboardEvent, useId, useState } from 'react'
import { ChevronDownIcon } from '~/ui/Icon'
import { type SelectProps, triggerClass } from '~/ui/select/select'
import { showToast } from '~/ui/toast'
import { cx } from './cx'
import { loadOrReload } from './lazy-with-retry'
import { SafeName } from './SafeText'

export type { SelectProps } from '~/ui/select/select'

/** From so many options on, one types to find one. */
const many = 60

const loadShort = () => import('~/ui/select/OpenSelect').then((module) => module.OpenSelect)
const loadLong = () => import('~/ui/select/LongSelect').then((module) => module.LongSelect)
const loadFor = ({ options }: SelectProps) => (options.length < many ? loadShort() : loadLong())
const openingKeys = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp'])

/**
 * Chooses one of a list; opens with the keyboard and finds options by typing. The list and all it
 * needs are fetched when it is first opened, until then a plain box stands in its place.
 */
export function Select(props: SelectProps) {
  const { label, labelled, wide } = props
  const [Opened, setOpened] = useState<ComponentType<SelectProps & { id: string }> | null>(null)
  const id = useId()
  const open = () =>
    loadOrReload(() => loadFor(props)).then(
      (found) => setOpened(() => found),
      () =>
        showToast({
          kind: 'error',
          text: `${label} cannot be opened: a part of the console could not be loaded.`,
        }),
    )
  return (
    <div className={cx('min-w-20 max-w-full', wide && 'w-full')}>
      {labelled && (
        <label className="mb-1 block font-medium text-sm" htmlFor={id}>
          {label}
        </label>
      )}
      {Opened ? (
        <Opened {...props} id={id} />
      ) : (
        <ClosedSelect {...props} id={id} onOpen={() => void open()} />
      )}
    </div>
  )
}

function ClosedSelect(props: SelectProps & { id: string; onOpen: () => void }) {
  const { label, value, options, placeholder = 'Choose', disabledReason, id, onOpen } = props
  const shown = options.find((option) => option.value === value)
  const open = () => disabledReason === undefined && onOpen()
  const press = (event: KeyboardEvent) => {
    if (!openingKeys.has(event.key)) return
    event.preventDefault()
    open()
  }
  return (
    <button
      aria-disabled={disabledReason !== undefined || undefined}
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-label={label}
      className={triggerClass(props)}
      id={id}
      onClick={open}
      onFocus={() => void loadFor(props).catch(() => {})}
      onKeyDown={press}
      onPointerEnter={() => void loadFor(props).catch(() => {})}
      role="combobox"
      title={disabledReason}
      type="button"
    >
      {props.icon}
      <span className="min-w-0 flex-1 truncate text-start">
        {shown ? (
          <SafeName text={shown.label} />
        ) : (
          <span className="text-muted">{placeholder}</span>
        )}
      </span>
      <ChevronDownIcon className="shrink-0 text-muted" />
    </button>
  )
}
