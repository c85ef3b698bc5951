import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useState } from 'react'
import { tablesAtom } from '~/atoms/query/tables'
import { privilegeRefusalAtom } from '~/atoms/users/privileges'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Schema, SchemaChange } from '~/sql/schema-changes'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

type Props = {
  database: string
  /** What the form begins with. */
  start: SchemaChange
  /** Columns and indexes of its table. */
  of?: Omit<Schema, 'tables'>
  privilege: 'CREATE' | 'ALTER' | 'DROP'
  /** The accessible name, where the text alone does not say what it is about. */
  label: string
  /** What is seen. */
  children?: string
  icon?: ReactNode
  /** Called when the form is closed after the change was committed. */
  onDone?: (change: SchemaChange) => void
}

/** Fetched with the first form. */
const SchemaDialog = lazyWithRetry(() => import('./SchemaDialog').then((part) => part.SchemaDialog))

const nothing: Omit<Schema, 'tables'> = { columns: [], indexes: [] }

/** Opens the form for one change of the schema. */
export function SchemaButton(props: Props) {
  const { database, start, of = nothing, privilege, label, children, icon, onDone } = props
  const [isOpen, setOpen] = useState(false)
  const tables = useAtomValue(tablesAtom).data ?? []
  const refusal = useAtomValue(writeRefusalAtom)
  const lacks = useAtomValue(privilegeRefusalAtom)
  const disabledReason = refusal ?? lacks(privilege)
  const open = () => setOpen(true)
  const close = (done: SchemaChange | null) => {
    setOpen(false)
    if (done) onDone?.(done)
  }
  return (
    <>
      {icon === undefined ? (
        <Button aria-label={label} disabledReason={disabledReason} onClick={open} size="small">
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
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <SchemaDialog
            database={database}
            onClose={close}
            schema={{ tables, ...of }}
            start={start}
          />
        </Suspense>
      )}
    </>
  )
}
