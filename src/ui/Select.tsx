import { type KeyboardEvent, lazy, Suspense, useId, useState } from 'react'
import { ChevronDownIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { loadOrReload } from '~/ui/load-chunk'
import { type SelectProps, triggerClass } from '~/ui/select/select'

export type { SelectProps } from '~/ui/select/select'

const load = () => import('~/ui/select/OpenSelect')
const OpenSelect = lazy(() => loadOrReload(load).then((module) => ({ default: module.OpenSelect })))
const openingKeys = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp'])

/**
 * Chooses one of a list; opens with the keyboard and finds options by typing. The list and all it
 * needs are fetched when it is first opened, until then a plain box stands in its place.
 */
export function Select(props: SelectProps) {
  const { label, labelled, wide } = props
  const [isOpened, setOpened] = useState(false)
  const id = useId()
  const plain = <ClosedSelect {...props} id={id} onOpen={() => setOpened(true)} />
  return (
    <div className={join('min-w-20', wide && 'w-full')}>
      {labelled && (
        <label className="mb-1 block font-medium text-sm" htmlFor={id}>
          {label}
        </label>
      )}
      {isOpened ? (
        <Suspense fallback={plain}>
          <OpenSelect {...props} id={id} />
        </Suspense>
      ) : (
        plain
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
      onFocus={() => void load().catch(() => {})}
      onKeyDown={press}
      onPointerEnter={() => void load().catch(() => {})}
      role="combobox"
      title={disabledReason}
      type="button"
    >
      {props.icon}
      <span className="min-w-0 flex-1 truncate text-start">
        {shown ? shown.label : <span className="text-muted">{placeholder}</span>}
      </span>
      <ChevronDownIcon className="shrink-0 text-muted" />
    </button>
  )
}
