import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { formatMoment } from '~/lib/time'
import { removeAside } from '~/trust/decisions'
import type { Unreadable } from '~/trust/trust-record'
import { unreadableText } from '~/trust/unreadable-text'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { GuideLink } from '~/ui/GuideLink'
import { WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { unreadableWords } from '~/words/unreadable-record'

/** Records of this browser that cannot be read: what is done without them, and what to do. */
export function UnreadableRecords({ records }: { records: readonly Unreadable[] }) {
  return (
    <section
      aria-labelledby="unreadable"
      className="grid grid-cols-1 gap-2 rounded border border-warning/45 bg-warning-tint px-4 py-3"
    >
      <h2 className="flex items-center gap-2 font-medium" id="unreadable">
        <WarningIcon className="shrink-0 text-warning" size={20} />
        Records that cannot be read
      </h2>
      <p className="max-w-[680px] text-sm">
        They are in the storage of this browser. This console did not delete them.{' '}
        <GuideLink to="verify-records">What to do</GuideLink>
      </p>
      <ul className="grid grid-cols-1 gap-3">
        {records.map((record) => (
          <Lost key={`${record.store} ${record.key} ${record.at}`} record={record} />
        ))}
      </ul>
    </section>
  )
}

function Lost({ record }: { record: Unreadable }) {
  const timezone = useAtomValue(timezoneAtom)
  const [isAsked, setAsked] = useState(false)
  const { kind, at } = record
  const { what, without, todo } = unreadableWords(record)
  const why = kind === 'damaged' ? 'is damaged' : 'was written by a newer version of this console'
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-80 [overflow-wrap:anywhere]">
        <b className="font-medium">
          <SafeText text={what} /> {why}.
        </b>{' '}
        {without} {todo}{' '}
        <span className="text-muted">
          {at === null ? 'The record is where it was.' : `Set aside ${formatMoment(at, timezone)}.`}
        </span>
      </p>
      <SaveRecord record={record} />
      {at !== null && (
        <Button onClick={() => setAsked(true)} size="small">
          Remove…
        </Button>
      )}
      {isAsked && (
        <RemoveDialog onClose={() => setAsked(false)} record={record} what={what}>
          <SaveRecord record={record} />
        </RemoveDialog>
      )}
    </li>
  )
}

function SaveRecord({ record }: { record: Unreadable }) {
  return (
    <SaveButton
      details={technicalDetails}
      size="small"
      text="Save the record"
      what="The record"
      write={async () => [{ name: `unreadable ${record.store}`, text: unreadableText(record) }]}
    />
  )
}

type Props = {
  record: Unreadable
  /** What it is in words. */
  what: string
  onClose: () => void
  /** Saves it. */
  children: ReactNode
}

/** Says what is lost when a record that was set aside is removed, and offers to save it first. */
function RemoveDialog({ record, what, onClose, children }: Props) {
  const remove = useAct(removeAside)
  return (
    <AskDialog
      action="Remove"
      description="This browser deletes the damaged text that it kept. Nobody can read or repair it afterwards. Save it first if you may still need it. Nothing else is deleted."
      failure={{ title: 'It could not be removed.', notDone: 'The record is still there.' }}
      isDanger
      onAction={() => remove(record)}
      onClose={onClose}
      title="Remove this record?"
    >
      <p className="pb-3 font-medium [overflow-wrap:anywhere]">
        <SafeText text={what} />
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </AskDialog>
  )
}
