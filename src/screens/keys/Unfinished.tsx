import { useAtomValue } from 'jotai'
import { operationsAtom } from '~/atoms/keys/keep-operations'
import { operationsStateAtom } from '~/atoms/keys/send-operations'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { useChangeSearch } from '~/ui/location'
import { UnfinishedBar, UnfinishedDraft } from '~/ui/UnfinishedBar'
import { KeyName } from './KeyName'
import { useDrafts } from './use-drafts'

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
export function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDrafts()
  if (!draft) return null
  return (
    <UnfinishedDraft
      onContinue={resume}
      onDiscard={discard}
      reasonAgainstDiscard={reasonAgainstDiscard}
    >
      {draft.key === null ? (
        'A new key is not saved yet.'
      ) : (
        <>
          A value for <KeyName of={draft.key} /> is not saved yet.
        </>
      )}
    </UnfinishedDraft>
  )
}

/** Operations are collected and not sent; they are kept until they are sent or discarded. */
export function Unsent() {
  const { length } = useAtomValue(operationsAtom)
  const { kind } = useAtomValue(operationsStateAtom)
  const change = useChangeSearch()
  if (length === 0) return null
  return (
    <UnfinishedBar
      buttons={
        <Button onClick={() => change({ dialog: 'operations' })} size="small">
          Continue with them
        </Button>
      }
    >
      {counted(length, 'operation')}{' '}
      {kind === 'unknown' ? 'sent. It is not known whether they were stored.' : 'not sent yet.'}
    </UnfinishedBar>
  )
}
