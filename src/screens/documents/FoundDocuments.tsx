import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { continueSearchAtom, searchesAtom } from '~/atoms/documents/search'
import { hasDocumentSessionAtom, NoDocumentSession } from '~/atoms/documents/session'
import { failureWords } from '~/atoms/session/failure'
import { modeAtom } from '~/atoms/session/session'
import type { Collection } from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { LockIcon } from '~/ui/Icon'
import { useDocumentsAddress } from './address'
import { Result } from './SearchResult'
import { SessionDialog } from './SessionDialog'
import { useDocumentDrafts } from './use-document-drafts'

export type FoundProps = { of: Collection; name: string; onAll: () => void }

export function Found({ of, name, onAll }: FoundProps) {
  const { database, id } = useDocumentsAddress()
  const { draft } = useDocumentDrafts()
  const [search, tell] = useAtom(useAtomValue(searchesAtom)(database, of.name, name))
  const hasSession = useAtomValue(hasDocumentSessionAtom)(database)
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const more = useSetAtom(continueSearchAtom)
  // A document that is open, or being written, needs no session.
  const [isAsking, setAsking] = useState(
    hasLogin && !hasSession && id === null && draft?.collection !== of.name,
  )
  const isLost = search?.error instanceof NoDocumentSession
  const dialog = isAsking && (
    <SessionDialog
      isAgain={isLost}
      onClose={() => setAsking(false)}
      onOpened={() => {
        setAsking(false)
        // A search that was under way goes on where it stopped.
        void (isLost && search.documents.length > 0 ? more() : tell('start'))
      }}
    />
  )
  if (!hasLogin) {
    return (
      <EmptyState
        icon={<LockIcon />}
        text="This server runs without login, and so without the sessions that a search needs. Counts, the structure and a document by its link need no session."
        title="Documents cannot be searched here"
      />
    )
  }
  if (!search || (isLost && search.documents.length === 0)) {
    return (
      <>
        {dialog}
        <EmptyState
          action={
            <Button onClick={() => setAsking(true)} variant="primary">
              Open document session…
            </Button>
          }
          icon={<LockIcon />}
          text="The server searches documents only in a session, which needs your password. Counts, the structure and a document by its link need no session."
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
            <Button onClick={() => setAsking(true)} size="small">
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
