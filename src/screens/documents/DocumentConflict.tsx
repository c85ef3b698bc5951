import { useAtomValue, useSetAtom } from 'jotai'
import { documentStatesAtom } from '~/atoms/documents/document'
import { openRevisionsAtom } from '~/atoms/revisions/open-revisions'
import { failureWords } from '~/core/session/failure-words'
import { Button } from '~/ui/Button'
import { Conflict } from '~/ui/Conflict'
import { Unanswered } from '~/ui/Unanswered'
import { useDocumentsAddress } from './address'
import { Content } from './DocumentContent'
import { Origin } from './DocumentOrigin'

type Props = {
  id: string
  /** Why it cannot be saved over what is stored. */
  reason: string | undefined
  isBusy: boolean
  /** Replaces a revision, which is the one that is shown. */
  onSaveOver: (revision: string) => void
  onDiscard: () => void
}

/** Someone else was quicker: what they wrote, and what can be done with the own text. */
export function DocumentConflict({ id, reason, isBusy, onSaveOver, onDiscard }: Props) {
  const { database, collection } = useDocumentsAddress()
  const asked = useAtomValue(useAtomValue(documentStatesAtom)(database, collection ?? '', id, ''))
  const openHistory = useSetAtom(openRevisionsAtom)
  const { data } = asked
  const stored = data && 'revision' in data ? data : null
  const isThere = stored !== null && stored.kind !== 'deleted'
  return (
    <Conflict
      buttons={
        <>
          {collection !== null && (
            <Button
              onClick={() => openHistory({ kind: 'document', database, collection, id })}
              variant="quiet"
            >
              Show the history
            </Button>
          )}
          <Button onClick={onDiscard}>Discard mine</Button>
          <Button
            busy={isBusy}
            disabledReason={
              reason ?? (isThere ? undefined : 'There is no revision that can be replaced.')
            }
            onClick={() => stored && onSaveOver(stored.revision.revision)}
          >
            {isThere ? `Save mine over revision ${stored.revision.revision}` : 'Save mine over it'}
          </Button>
        </>
      }
      title="Stored now"
    >
      {data ? (
        <>
          <Origin state={data} />
          <Content state={data} />
        </>
      ) : (
        <Unanswered asked={asked} lines={3} words={failureWords} />
      )}
    </Conflict>
  )
}
