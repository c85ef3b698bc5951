import { useAtomValue } from 'jotai'
import { operationsAtom } from '~/atoms/keys/drafts'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { useChangeSearch } from '~/ui/location'
import { KeyName } from './KeyName'
import { useDrafts } from './use-drafts'

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
export function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDrafts()
  if (!draft) return null
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warning-tint px-4 py-2 text-sm"
      role="status"
    >
      <span className="min-w-0 grow break-words">
        {draft.key === null ? (
          'A new key is not saved yet.'
        ) : (
          <>
            A value for <KeyName of={draft.key} /> is not saved yet.
          </>
        )}
      </span>
      <Button onClick={resume} size="small">
        Continue
      </Button>
      <Button disabledReason={reasonAgainstDiscard} onClick={discard} size="small" variant="quiet">
        Discard
      </Button>
    </div>
  )
}

/** Operations are collected and not sent; they are kept until they are sent or discarded. */
export function Unsent() {
  const { length } = useAtomValue(operationsAtom)
  const change = useChangeSearch()
  if (length === 0) return null
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warning-tint px-4 py-2 text-sm"
      role="status"
    >
      <span className="min-w-0 grow break-words">{counted(length, 'operation')} not sent yet.</span>
      <Button onClick={() => change({ dialog: 'operations' })} size="small">
        Continue with them
      </Button>
    </div>
  )
}
