import { useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { removeAsideAtom } from '~/atoms/trust/decisions'
import type { Unreadable } from '~/atoms/trust/record'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'
import { useAttempt } from '../use-attempt'

type Props = {
  record: Unreadable
  /** What it is in words. */
  what: string
  onClose: () => void
  /** Saves it. */
  children: ReactNode
}

/** Says what is lost when a record that was set aside is removed, and offers to save it first. */
export function RemoveDialog({ record, what, onClose, children }: Props) {
  const remove = useSetAtom(removeAsideAtom)
  const { isBusy, hasFailed, attempt } = useAttempt(onClose)
  return (
    <ConfirmDialog
      action="Remove"
      busy={isBusy}
      description="This browser deletes the damaged text that it kept. Nobody can read or repair it afterwards. Save it first if you may still need it. Nothing else is deleted."
      onClose={onClose}
      onConfirm={() => void attempt(() => remove(record))}
      open
      persistent={isBusy}
      title="Remove this record?"
    >
      {hasFailed && (
        <div className="pb-3">
          <ErrorNote notDone="The record is still there." title="It could not be removed." />
        </div>
      )}
      <p className="pb-3 font-medium [overflow-wrap:anywhere]">
        <SafeText text={what} />
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </ConfirmDialog>
  )
}
