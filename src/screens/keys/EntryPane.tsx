import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { sentence, technicalDetails } from '~/atoms/failure'
import { keyStatesAtom } from '~/atoms/keys'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'
import { ChevronRightIcon, KeyIcon } from '~/ui/Icon'
import { Part } from '~/ui/Part'
import { Skeleton } from '~/ui/Skeleton'
import { useNarrow } from '~/ui/use-narrow'
import { useKeysAddress } from './address'
import { KeyHeading } from './KeyHeading'
import { KeyName } from './KeyName'
import { OpenKey } from './OpenKey'
import { useDrafts } from './use-drafts'
import { Written } from './Written'

const EntryForm = fetchedLater(() => import('./EntryForm').then((module) => module.EntryForm))

/** The open key, or the form that writes one. */
export function EntryPane() {
  const { key, database, revision, go } = useKeysAddress()
  const { draft } = useDrafts()
  const isWritten = draft !== null && draft.key === key
  return (
    <section
      aria-label="The open key"
      className="h-full overflow-auto bg-page outline-none"
      id="open-key"
      tabIndex={-1}
    >
      {useNarrow() && (key !== null || isWritten) && (
        <div className="border-line border-b bg-panel px-2 py-1">
          <Button
            icon={<ChevronRightIcon className="rotate-180" />}
            onClick={() => go({ key: null, revision: '' })}
            size="small"
            variant="quiet"
          >
            All keys
          </Button>
        </div>
      )}
      {!isWritten && <Unfinished />}
      {!isWritten && key !== null && <Written of={key} />}
      <Part
        details={technicalDetails}
        isPane
        resetKey={`${database} ${key} ${revision}`}
        what="The key"
      >
        {isWritten ? (
          <Suspense fallback={<Waiting />}>
            <EntryForm key={`${database} ${key}`} />
          </Suspense>
        ) : key === null ? (
          <EmptyState
            icon={<KeyIcon />}
            text="Choose one from the list, or get one by its name."
            title="No key is open"
          />
        ) : (
          <Asked key={`${database} ${key} ${revision}`} of={key} />
        )}
      </Part>
    </section>
  )
}

function Asked({ of }: { of: string }) {
  const { database, revision } = useKeysAddress()
  const { data, error, refetch, isFetching } = useAtomValue(
    useAtomValue(keyStatesAtom)(database, of, revision),
  )
  if (data) {
    return (
      <>
        {error && (
          <p className="px-4 pt-3 text-sm text-warning" role="status">
            This is the key as last read. {sentence(error)}
          </p>
        )}
        <OpenKey of={of} state={data} />
      </>
    )
  }
  if (!error) return <Waiting />
  return (
    <div className="mx-auto grid max-w-[1000px] gap-3 p-4">
      <KeyHeading of={of} />
      <ErrorNote
        busy={isFetching}
        details={technicalDetails(error)}
        onRetry={() => void refetch()}
        title={sentence(error)}
      />
    </div>
  )
}

function Waiting() {
  return (
    <div className="p-4">
      <Skeleton lines={5} />
    </div>
  )
}

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDrafts()
  if (!draft) return null
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warningtint px-4 py-2 text-sm"
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
