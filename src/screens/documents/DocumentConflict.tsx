import { useAtomValue, useSetAtom } from 'jotai'
import { documentStatesAtom } from '~/atoms/documents/document'
import { openRevisionsAtom } from '~/atoms/revisions/open'
import { failureWords } from '~/core/session/failure-words'
import { Button } from '~/ui/Button'
import { WarningIcon } from '~/ui/Icon'
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
    <section
      aria-labelledby="document-conflict"
      className="grid min-w-0 gap-3 rounded border border-warning/45 bg-warning-tint px-3 py-3"
      ref={show}
    >
      <h3 className="flex flex-wrap items-center gap-2 font-medium" id="document-conflict">
        <span className="text-warning">
          <WarningIcon />
        </span>
        Stored now
      </h3>
      {data ? (
        <>
          <Origin state={data} />
          <Content state={data} />
        </>
      ) : (
        <Unanswered asked={asked} lines={3} words={failureWords} />
      )}
      <div className="flex flex-wrap justify-end gap-2">
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
      </div>
    </section>
  )
}

/** It stands below the text, which may fill the pane. One function, so that it is called once. */
const show = (section: HTMLElement | null) => section?.scrollIntoView?.({ block: 'nearest' })
