import type { ReactNode } from 'react'
import { TickIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

export type MenuEntry =
  | {
      kind: 'action'
      label: string
      onSelect: () => void
      icon?: ReactNode
      /** Muted text at the end of the line, such as keys. */
      detail?: string
      danger?: boolean
      disabledReason?: string | undefined
    }
  | {
      kind: 'choice'
      /** Names the group. */
      label: string
      value: string
      options: readonly { value: string; label: string; icon?: ReactNode }[]
      onChange: (value: string) => void
    }
  | { kind: 'heading'; label: string; detail?: string }
  | { kind: 'separator' }

const line =
  'flex min-h-11 w-full select-none items-center gap-2 rounded-sm px-2 text-start -outline-offset-2 hover:bg-hover focus:bg-hover aria-disabled:opacity-55 xs:min-h-8'

type Props = { entry: MenuEntry; close: () => void }

/** One part of a menu; choosing closes it. */
export function MenuLine({ entry, close }: Props) {
  switch (entry.kind) {
    case 'separator':
      return <hr className="-mx-1 my-1 border-line" />
    case 'heading':
      return (
        <p className="break-words px-2 py-1.5 font-medium" role="presentation">
          <SafeName text={entry.label} />
          {entry.detail && (
            <span className="block font-normal text-muted text-xs">
              <SafeText text={entry.detail} />
            </span>
          )}
        </p>
      )
    case 'choice':
      return <MenuChoice close={close} entry={entry} />
    case 'action':
      return <MenuAction close={close} entry={entry} />
  }
}

function MenuAction({
  entry,
  close,
}: {
  entry: Extract<MenuEntry, { kind: 'action' }>
  close: () => void
}) {
  const isDead = entry.disabledReason !== undefined
  const detail = entry.disabledReason ?? entry.detail
  const select = () => {
    if (isDead) return
    close()
    entry.onSelect()
  }
  return (
    <button
      aria-disabled={isDead || undefined}
      className={join(line, entry.danger && 'text-error')}
      onClick={select}
      role="menuitem"
      tabIndex={-1}
      type="button"
    >
      {entry.icon && <span className={entry.danger ? '' : 'text-muted'}>{entry.icon}</span>}
      <span className="flex-1">{entry.label}</span>
      {detail && (
        <span className="ps-4 text-muted text-xs">
          <SafeText text={detail} />
        </span>
      )}
    </button>
  )
}

function MenuChoice({
  entry,
  close,
}: {
  entry: Extract<MenuEntry, { kind: 'choice' }>
  close: () => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
    <div aria-label={entry.label} role="group">
      <p aria-hidden="true" className="px-2 py-1.5 text-muted text-xs">
        {entry.label}
      </p>
      {entry.options.map((option) => (
        <button
          aria-checked={option.value === entry.value}
          className={line}
          key={option.value}
          onClick={() => {
            close()
            entry.onChange(option.value)
          }}
          role="menuitemradio"
          tabIndex={-1}
          type="button"
        >
          {option.icon && <span className="text-muted">{option.icon}</span>}
          <span className="flex-1">{option.label}</span>
          {option.value === entry.value && (
            <span className="text-primary">
              <TickIcon />
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
