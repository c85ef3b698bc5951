import * as Radix from '@radix-ui/react-dropdown-menu'
import { TickIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import type { MenuEntry, MenuProps } from './menu'

const line =
  'relative flex min-h-11 cursor-default select-none items-center gap-2 rounded-sm px-2 outline-none data-highlighted:bg-hover data-disabled:opacity-55 xs:min-h-8'

/** The button with its menu, which is open when it first appears. */
export function OpenMenu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Radix.Root defaultOpen modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          className="pop z-menu max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-[min(360px,calc(100vw-16px))] overflow-auto rounded border border-line bg-raised p-1 text-text shadow-float"
          collisionPadding={8}
          sideOffset={4}
        >
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity beyond their place.
            <MenuLine entry={entry} key={index} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function MenuLine({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case 'separator':
      return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
    case 'heading':
      return (
        <Radix.Label className="px-2 py-1.5 text-muted text-xs">
          {entry.label}
          {entry.detail && <span className="block text-base text-text">{entry.detail}</span>}
        </Radix.Label>
      )
    case 'choice':
      return <MenuChoice entry={entry} />
    case 'action':
      return <MenuAction entry={entry} />
  }
}

function MenuAction({ entry }: { entry: Extract<MenuEntry, { kind: 'action' }> }) {
  const detail = entry.disabledReason ?? entry.detail
  return (
    <Radix.Item
      className={join(line, entry.danger && 'text-error')}
      disabled={entry.disabledReason !== undefined}
      onSelect={entry.onSelect}
      textValue={entry.label}
    >
      {entry.icon && <span className={entry.danger ? '' : 'text-muted'}>{entry.icon}</span>}
      <span className="flex-1">{entry.label}</span>
      {detail && <span className="ps-4 text-muted text-xs">{detail}</span>}
    </Radix.Item>
  )
}

function MenuChoice({ entry }: { entry: Extract<MenuEntry, { kind: 'choice' }> }) {
  return (
    <Radix.RadioGroup aria-label={entry.label} onValueChange={entry.onChange} value={entry.value}>
      <Radix.Label className="px-2 py-1.5 text-muted text-xs">{entry.label}</Radix.Label>
      {entry.options.map((option) => (
        <Radix.RadioItem className={line} key={option.value} value={option.value}>
          {option.icon && <span className="text-muted">{option.icon}</span>}
          <span className="flex-1">{option.label}</span>
          <Radix.ItemIndicator className="text-primary">
            <TickIcon />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
