import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { History } from '~/atoms/revisions/history'
import type { OpenRevisions, Subject } from '~/atoms/revisions/open-revisions'
import { historiesAtom } from '~/atoms/revisions/revision-list'
import { failureWords, sentence, technicalDetails } from '~/core/session/failure-words'
import { areSingleKeysOnAtom } from '~/core/settings.ts'
import { keyFromAddress, keyToAddress } from '~/immudb/key-address'
import { rowFromAddress, rowToAddress } from '~/immudb/row-address'
import { actionOf, keysOf, type Press } from '~/lib/shortcuts'
import { counted, formatCount } from '~/lib/text'
import { beginning, visibleText } from '~/lib/visible-text'
import { lowerAscii } from '~/sql/names'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { HistoryIcon } from '~/ui/QueryIcons'
import { SafeText } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Sentence } from '~/ui/Sentence'
import { Sheet } from '~/ui/Sheet'
import { Unanswered } from '~/ui/Unanswered'
import { Comparison } from './Comparison'
import { RevisionActions } from './RevisionActions'
import { RevisionLines } from './RevisionLines'

const BlamePane = lazyWithRetry(() => import('./BlamePane').then((part) => part.BlamePane))

const lastChangesOf = {
  row: 'Last change of each column',
  key: 'Last change of each part',
  document: 'Last change of each field',
}

const blameFailed = (error: unknown, retry: () => void) => (
  <ErrorNote
    details={technicalDetails(error)}
    notDone="A part of the console could not be fetched."
    onRetry={retry}
    title="The last changes could not be shown."
  />
)

/** How an address names a row or a key. */
type Address = { database: string; table: string; row: string } | { database: string; key: string }

type Props = {
  address?: Address
  opened?: OpenRevisions | null
  /** Empty for the newest one. */
  revision: string
  /** Shows the last change of each part in place of the revision. */
  isBlame?: boolean
  onChoose: (revision: string) => void
  onBlame?: (isBlame: boolean, revision?: string) => void
  onClose: () => void
}

/** Every revision of a row, a key or a document, beside the screen it was opened on. */
export function RevisionDrawer({ address, opened, ...place }: Props) {
  const subject = address ? named(address) : opened && bare(opened)
  if (subject) return <Known {...place} key={JSON.stringify(subject)} subject={subject} />
  return (
    <Sheet onClose={place.onClose} open side="right" title="No row in the address">
      <p className="p-4">
        The address does not name a row. It needs its primary key with types, such as row=n:1.
      </p>
    </Sheet>
  )
}

/** Null for an address that names nothing. */
function named(address: Address): Subject | null {
  const { database } = address
  if ('row' in address) {
    const key = rowFromAddress(address.row)
    // The server has tables in lower case.
    return key && { kind: 'row', database, table: lowerAscii(address.table), key }
  }
  const key = keyFromAddress(address.key)
  return key ? { kind: 'key', database, key } : null
}

function bare({ revision: _at, isBlame: _is, ...subject }: OpenRevisions): Subject {
  return subject
}

type KnownProps = Omit<Props, 'address' | 'opened'> & { subject: Subject }

function Known({ subject, onClose, ...place }: KnownProps) {
  const asked = useAtomValue(useAtomValue(historiesAtom)(JSON.stringify(subject)))
  const { data, error } = asked
  const areKeysOn = useAtomValue(areSingleKeysOnAtom)
  const { isBlame = false, onBlame } = place
  const press = (event: Press & Pick<Event, 'preventDefault'>) => {
    if (!areKeysOn || !onBlame || actionOf('history', event) !== 'blame') return
    event.preventDefault()
    onBlame(!isBlame)
  }
  return (
    <Sheet
      onClose={onClose}
      onKey={press}
      open
      side="right"
      title={
        <>
          History of <SafeText text={data?.what ?? nameOf(subject)} />
        </>
      }
      wide
    >
      <SectionBoundary details={technicalDetails} what="The history">
        {data ? (
          <>
            {error && (
              <p className="px-4 pt-3 text-sm text-warning" role="status">
                These are the revisions as last read. <Sentence text={sentence(error)} />
              </p>
            )}
            <Here {...place} history={data} />
          </>
        ) : (
          <div className="p-4">
            <Unanswered asked={asked} label="Reading the history" lines={6} words={failureWords} />
          </div>
        )}
      </SectionBoundary>
    </Sheet>
  )
}

function nameOf(subject: Subject): string {
  switch (subject.kind) {
    case 'row':
      return `row ${rowToAddress(subject.key)} of ${subject.table}`
    case 'key':
      return `key ${keyToAddress(subject.key)}`
    case 'document':
      return `document ${subject.id} of ${subject.collection}`
  }
}

/** Characters of a number in an address that are shown. */
const shownLength = 20

function shortened(text: string): string {
  const shown = visibleText(beginning(text, shownLength), 'name')
  return text.length > shownLength ? `${shown}…` : shown
}

type HereProps = Omit<KnownProps, 'subject' | 'onClose'> & { history: History }

function Here({ history, revision, onChoose, isBlame = false, onBlame }: HereProps) {
  const { count } = history
  const [other, setOther] = useState<number | null>(null)
  // A revision that was typed may be far from those in sight, so the list starts there again.
  const [jumps, setJumps] = useState(0)
  if (count === 0) return <EmptyState text={history.missing} title="Nothing has this name" />
  const asked = /^[1-9]\d{0,14}$/.test(revision) ? Number(revision) : null
  const isMissing = revision !== '' && (asked === null || asked > count)
  const number = asked === null || isMissing ? count : asked
  const against = other ?? number - 1
  return (
    <div className="flex h-full min-h-0 flex-col sm:flex-row">
      <div className="flex h-2/5 min-h-40 shrink-0 flex-col border-line border-b sm:h-auto sm:w-72 sm:border-r sm:border-b-0">
        <p className="px-4 py-2 text-muted text-sm">{counted(count, 'revision')}, newest first</p>
        <RevisionLines
          chosen={number}
          history={history}
          key={`${history.id} ${jumps}`}
          onChoose={(next) => onChoose(String(next))}
        />
      </div>
      <div className="min-h-0 min-w-0 grow overflow-auto">
        {history.notice && (
          <p className="px-4 pt-3 text-sm text-warning" role="status">
            {history.notice}
          </p>
        )}
        {isMissing && (
          <p className="px-4 pt-3 text-sm text-warning" role="status">
            There is no revision {shortened(revision)}; the newest is {count}.
          </p>
        )}
        {onBlame && (
          <div className="px-4 pt-3">
            <Button
              icon={<HistoryIcon />}
              onClick={() => onBlame(!isBlame)}
              size="small"
              title={keysOf('history', 'blame')}
            >
              {isBlame
                ? `Show revision ${formatCount(number)}`
                : lastChangesOf[history.subject.kind]}
            </Button>
          </div>
        )}
        {isBlame && onBlame ? (
          <Boundary fallback={blameFailed}>
            <BlamePane
              history={history}
              key={`${history.id} ${number}`}
              number={number}
              onRevision={(next) => {
                setJumps(jumps + 1)
                onBlame(false, String(next))
              }}
            />
          </Boundary>
        ) : (
          <>
            <RevisionActions against={against} history={history} number={number} />
            <Comparison
              against={against}
              history={history}
              number={number}
              onAgainst={(next) => setOther(next === number - 1 ? null : next)}
              onNumber={(next) => {
                setJumps(jumps + 1)
                onChoose(String(next))
              }}
            />
          </>
        )}
      </div>
    </div>
  )
}
