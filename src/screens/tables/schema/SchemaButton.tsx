import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { type OpenForm, schemaFormAtom } from '~/atoms/tables/schema-change'
import { privilegeRefusalAtom } from '~/atoms/users/privileges'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { lackingAtom } from '~/core/session/server-version'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'

type Props = OpenForm & {
  privilege: 'CREATE' | 'ALTER' | 'DROP'
  /** The accessible name, where the text alone does not say what it is about. */
  label: string
  /** What is seen. */
  children?: string
  icon?: ReactNode
  /** It is what to do on an empty screen. */
  isMain?: boolean
}

/** Opens the form for one change of the schema. */
export function SchemaButton({ privilege, label, children, icon, isMain, ...form }: Props) {
  const setForm = useSetAtom(schemaFormAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const lacks = useAtomValue(privilegeRefusalAtom)
  const tooOld = useAtomValue(lackingAtom)('dropping')
  const isDrop = form.start.kind.startsWith('drop')
  const disabledReason = (isDrop ? tooOld : undefined) ?? refusal ?? lacks(privilege)
  const open = () => setForm(form)
  return icon === undefined ? (
    <Button
      aria-label={label}
      disabledReason={disabledReason}
      onClick={open}
      size={isMain ? 'normal' : 'small'}
      variant={isMain ? 'primary' : 'plain'}
    >
      {children}
    </Button>
  ) : (
    <IconButton
      disabledReason={disabledReason}
      icon={icon}
      label={label}
      onClick={open}
      size="small"
    />
  )
}
