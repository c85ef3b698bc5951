import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { beginSearch, continueSearch, searchesAtom } from '~/atoms/documents/search'
import {
  hasDocumentSessionAtom,
  NoDocumentSession,
  unaskedCollectionAtom,
} from '~/atoms/documents/session'
import { useAct } from '~/core/act'
import { failureWords } from '~/core/session/failure-words'
import { modeAtom } from '~/core/session/session'
import type { Collection } from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { LockIcon } from '~/ui/Icon'
import { Skeleton } from '~/ui/Skeleton'
import { useDocumentsAddress } from './address'
import { Result } from './SearchResult'
import { SessionDialog } from './SessionDialog'
import { useDocumentDrafts } from './use-document-drafts'

export type FoundProps = { of: Collection; name: string; onAll: () => void }

export function Found({ of, name, onAll }: FoundProps) {
  const { database, id } = useDocumentsAddress()
  const { draft } = useDocumentDrafts()
  const search = useAtomValue(useAtomValue(searchesAtom)(database, of.name, name))
  const begin = useAct(beginSearch)
  const hasSession = useAtomValue(hasDocumentSessionAtom)
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const more = useAct(continueSearch)
  const isLost = search?.error instanceof NoDocumentSession
  const isNeeded = isLost ? search.documents.length === 0 : !hasSession && !search
  // Nobody asked for the documents of a collection that opened because it is the only one.
  const isUnasked = useAtomValue(unaskedCollectionAtom) === database
  // A document that is open, or being written, needs no session.
  const isAskedFor = isNeeded && !isUnasked && id === null && draft?.collection !== of.name
  const [answer, setAnswer] = useState<'asks' | 'declined' | null>(null)
  const dialog = (answer === 'asks' || (isAskedFor && answer === null)) && (
    <SessionDialog
      isAgain={isLost}
      onClose={() => setAnswer('declined')}
      onOpened={() => {
        setAnswer(null)
        // A search that was under way goes on where it stopped.
        void (isLost && search.documents.length > 0 ? more() : begin(database, of.name, name))
      }}
    />
  )
  if (!hasLogin) {
    return (
      <EmptyState
        icon={<LockIcon />}
        text="A search needs a session, and this server runs without login. Counts, the structure and links to documents work."
        title="Documents cannot be searched here"
      />
    )
  }
  if (!search && hasSession) {
    return (
      <div className="p-4">
        <Skeleton lines={6} />
      </div>
    )
  }
  if (!search || isNeeded) {
    return (
      <>
        {dialog}
        <EmptyState
          action={
            <Button onClick={() => setAnswer('asks')} variant="primary">
              Open document session…
            </Button>
          }
          icon={<LockIcon />}
          text="A search needs a session, and a session your password. Counts, the structure and links to documents work without."
          title={isLost ? 'The session has ended' : 'Searching needs a session'}
        />
      </>
    )
  }
  return (
    <>
      {dialog}
      <Result name={name} of={of} onAll={onAll} search={search} />
      {search.error !== null &&
        (isLost ? (
          <p className="flex flex-wrap items-center gap-2 px-3 py-2 text-sm" role="status">
            The server has ended the session.
            <Button onClick={() => setAnswer('asks')} size="small">
              Open document session…
            </Button>
          </p>
        ) : (
          <div className="p-3">
            <ErrorNote
              {...failureWords(search.error)}
              notDone="No more documents were read."
              onRetry={() => void more()}
            />
          </div>
        ))}
    </>
  )
}
