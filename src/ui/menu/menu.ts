import type { ComponentProps, ReactElement, ReactNode } from 'react'

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

export type MenuProps = {
  /** A button with a name of its own, such as `IconButton` or `Button`. */
  trigger: ReactElement<ComponentProps<'button'>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'center' | 'end'
}
