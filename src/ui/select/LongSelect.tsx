import { type KeyboardEvent, type MouseEvent, useCallback, useId, useRef, useState } from 'react'
import { counted } from '~/lib/text'
import { ChevronDownIcon } from '~/ui/Icon'
import { cx } from '../cx'
import { useLinesInSight } from '../lines-in-sight'
import { SafeName, SafeText } from '../SafeText'
import { steps } from '../steps'
import { useNarrow } from '../use-narrow'
import { type SelectOption, type SelectProps, triggerClass } from './select'

/** Options that are seen at once, where the window has room for them. */
const mostShown = 16

/**
 * The box with a list of many options, which is open when it first appears: typing leaves those that
 * have the text in their name, and only those in sight are drawn.
 */
export function LongSelect({ id, ...props }: SelectProps & { id: string }) {
  const { label, value, onChange, options, placeholder = 'Choose', disabledReason } = props
  const [isOpen, setOpen] = useState(true)
  const trigger = useRef<HTMLButtonElement>(null)
  const finderId = useId()
  const shown = options.find((option) => option.value === value)
  const close = () => {
    setOpen(false)
    trigger.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <button
        aria-controls={isOpen ? finderId : undefined}
        aria-disabled={disabledReason !== undefined || undefined}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label={label}
        className={triggerClass(props)}
        id={id}
        onClick={() => disabledReason === undefined && setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (!['ArrowDown', 'ArrowUp'].includes(event.key) || disabledReason !== undefined) return
          event.preventDefault()
          setOpen(true)
        }}
        ref={trigger}
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
      {isOpen && (
        <Finder
          id={finderId}
          label={label}
          onClose={close}
          onGone={() => setOpen(false)}
          onPick={(picked) => {
            close()
            onChange(picked)
          }}
          options={options}
          trigger={trigger}
          value={value}
        />
      )}
    </>
  )
}

type FinderProps = Pick<SelectProps, 'label' | 'options' | 'value'> & {
  id: string
  trigger: { readonly current: HTMLElement | null }
  onPick: (value: string) => void
  onClose: () => void
  /** A press elsewhere has closed it, and has the focus. */
  onGone: () => void
}

function Finder({ id, label, options, value, trigger, onPick, onClose, onGone }: FinderProps) {
  const [text, setText] = useState('')
  const [moved, setMoved] = useState<number | null>(null)
  const height = useNarrow() ? 44 : 32
  const found = matching(options, text)
  const { lines, attach, boxHeight, page, reveal } = useLinesInSight(found.length, height)
  const picked = found.findIndex((option) => option.value === value)
  /** Where the list opens. */
  const [first] = useState(picked)
  const active = Math.min(found.length - 1, Math.max(0, moved ?? (text === '' ? picked : 0)))
  const [listId, activeId] = [useId(), useId()]
  const open = useCallback(
    (box: HTMLDivElement | null) => {
      if (!box || !trigger.current) return
      place(box, trigger.current)
      // In the top layer nothing cuts it off.
      box.showPopover?.()
      box.querySelector('input')?.focus({ preventScroll: true })
    },
    [trigger],
  )
  const list = useCallback(
    (box: HTMLDivElement | null) => {
      const detach = attach(box)
      if (box && first > 0) box.scrollTop = (first - 2) * height
      return detach
    },
    [attach, height, first],
  )
  const take = (index: number) => {
    const option = found[index]
    if (option && !option.disabled) onPick(option.value)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Tab') return onClose()
    const to = steps(active, page(), found.length)[event.key]
    const isInText = event.key === 'Home' || event.key === 'End'
    if (event.key === 'Enter') take(active)
    else if (event.key === 'Escape') onClose()
    else if (to === undefined || isInText) return
    else {
      const next = Math.min(found.length - 1, Math.max(0, to))
      setMoved(next)
      reveal(next)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const type = (typed: string) => {
    setText(typed)
    setMoved(null)
    reveal(0)
  }
  return (
    <div
      aria-label={label}
      className="pop m-0 flex flex-col overflow-hidden rounded border border-line bg-raised p-0 text-text shadow-float"
      data-escape=""
      id={id}
      onToggle={(event) => event.newState === 'closed' && onGone()}
      popover="auto"
      ref={open}
      role="dialog"
    >
      <input
        aria-autocomplete="list"
        aria-activedescendant={lines.some(({ index }) => index === active) ? activeId : undefined}
        aria-controls={listId}
        aria-expanded
        aria-label={`Find in ${label}`}
        autoComplete="off"
        className="h-11 w-full shrink-0 border-line border-b bg-input px-3 text-base outline-none placeholder:text-muted xs:h-9 xs:text-sm"
        maxLength={128}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
        role="combobox"
        placeholder={`Find among ${counted(options.length, 'name')}`}
        spellCheck={false}
        type="search"
        value={text}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys. */}
      <div
        aria-label={label}
        className="min-h-0 overflow-auto overscroll-contain"
        id={listId}
        onClick={({ target }: MouseEvent) => {
          const line = target instanceof Element && target.closest('[data-index]')
          if (line) take(Number(line.getAttribute('data-index')))
        }}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
        ref={list}
        role="listbox"
        style={{ height: Math.min(mostShown, Math.max(1, found.length)) * height }}
      >
        <div className="relative" role="presentation" style={{ height: boxHeight }}>
          {lines.map(({ index, start }) => (
            <Line
              activeId={activeId}
              count={found.length}
              index={index}
              isActive={index === active}
              isPicked={index === picked}
              key={found[index]?.value ?? index}
              look={{ transform: `translateY(${start}px)`, height }}
              option={found[index]}
            />
          ))}
        </div>
      </div>
      <p
        aria-live="polite"
        className={found.length === 0 ? 'px-3 pb-2 text-muted text-sm' : 'sr-only'}
      >
        {text !== '' && (found.length === 0 ? 'No such name' : counted(found.length, 'name'))}
      </p>
    </div>
  )
}

type LineProps = {
  option: SelectOption | undefined
  index: number
  count: number
  isActive: boolean
  isPicked: boolean
  activeId: string
  look: { transform: string; height: number }
}

function Line({ option, index, count, isActive, isPicked, activeId, look }: LineProps) {
  if (!option) return null
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
    <div
      aria-disabled={option.disabled || undefined}
      aria-posinset={index + 1}
      aria-selected={isPicked}
      aria-setsize={count}
      className={cx(
        'absolute top-0 left-0 flex w-full cursor-default select-none items-center gap-3 px-3 text-sm hover:bg-hover',
        isActive && 'outline-2 outline-primary -outline-offset-2',
        isPicked && 'bg-selected',
        option.disabled && 'opacity-55',
      )}
      data-index={index}
      id={isActive ? activeId : undefined}
      role="option"
      style={look}
    >
      <span className="min-w-0 flex-1 truncate">
        <SafeName text={option.label} />
      </span>
      {option.detail !== undefined && (
        <span className="shrink-0 text-muted text-xs">
          {' '}
          <SafeText text={option.detail} />
        </span>
      )}
    </div>
  )
}

/** Those with the text in their name, whatever its case; first those that begin with it. */
function matching(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return options
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted))
  const isFirst = ({ label }: SelectOption) => label.toLowerCase().startsWith(wanted)
  return [...found.filter(isFirst), ...found.filter((option) => !isFirst(option))]
}

const [gap, edge, widest] = [4, 8, 420]

/** Below the box, or above it where there is more room. */
function place(panel: HTMLElement, box: HTMLElement): void {
  const { left, right, top, bottom, width } = box.getBoundingClientRect()
  const [roomBelow, roomAbove] = [window.innerHeight - bottom, top]
  const isAbove = roomBelow < 240 && roomAbove > roomBelow
  const wide = Math.min(Math.max(width, 280), widest, window.innerWidth - 2 * edge)
  const start = Math.min(Math.max(edge, left), window.innerWidth - edge - wide)
  Object.assign(panel.style, {
    position: 'fixed',
    inset: 'auto',
    left: `${right - wide < edge ? edge : start}px`,
    width: `${wide}px`,
    maxHeight: `${(isAbove ? roomAbove : roomBelow) - gap - edge}px`,
    ...(isAbove ? { bottom: `${window.innerHeight - top + gap}px` } : { top: `${bottom + gap}px` }),
  })
}
