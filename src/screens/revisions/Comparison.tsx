import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { columnNote, columnPastsAtom, droppedParts } from '~/atoms/revisions/column-names'
import type { History, RevisionContent } from '~/atoms/revisions/history'
import {
  isContentHeldAtom,
  pageOf,
  revisionQueriesAtom,
  wantLines,
} from '~/atoms/revisions/revision-list'
import { useAct } from '~/core/act'
import { failureWords, sentence, technicalDetails } from '~/core/session/failure-words'
import { formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeText'
import { TxLink } from '~/ui/TxLink'
import { Unanswered } from '~/ui/Unanswered'
import { ReadHistory } from '../moments/ReadHistory'
import { useLine, useLineTimes } from './line-times'
import { RevisionChanges } from './RevisionChanges'
import { changesOf, type PartChange } from './shown-part'

type Props = {
  history: History
  number: number
  /** 0 when there is nothing before. */
  against: number
  onNumber: (number: number) => void
  onAgainst: (number: number) => void
}

/** One revision beside another, by default the one before it. */
export function Comparison({ history, number, against, onNumber, onAgainst }: Props) {
  const queries = useAtomValue(revisionQueriesAtom)(history)
  const newer = useAtomValue(queries.content(String(number)))
  const isHeld = useAtomValue(isContentHeldAtom)
  return (
    <section aria-label={`Revision ${number}`} className="grid grid-cols-1 gap-4 px-4 pb-6">
      <div className="grid grid-cols-2 gap-3">
        <Picker count={history.count} label="Revision" onPick={onNumber} value={number} />
        <Picker
          count={history.count}
          label="Compared with"
          none={against < 1}
          onPick={onAgainst}
          value={against}
        />
      </div>
      <Facts history={history} number={number} />
      {newer.data ? (
        <Changes against={against} history={history} number={number} />
      ) : isHeld(history, number) ? (
        <Held history={history} number={number} />
      ) : (
        <Unanswered asked={newer} label="Reading the revision" lines={4} words={failureWords} />
      )}
    </section>
  )
}

type PickerProps = {
  label: string
  value: number
  count: number
  none?: boolean
  onPick: (number: number) => void
}

/** The number of a revision, to be typed: a list of 10,000 helps no one. */
function Picker({ label, value, count, none = false, onPick }: PickerProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (none ? '' : String(value))
  const isNumber = /^[1-9]\d{0,14}$/.test(shown) && Number(shown) <= count
  const isWrong = typed !== null && !isNumber
  return (
    <Field
      error={isWrong ? `A whole number from 1 to ${formatCount(BigInt(count))}.` : undefined}
      inputMode="numeric"
      label={label}
      onBlur={() => setTyped(null)}
      onChange={(text) => {
        setTyped(text)
        if (/^[1-9]\d{0,14}$/.test(text) && Number(text) <= count) onPick(Number(text))
      }}
      placeholder={none ? 'nothing before' : undefined}
      value={shown}
    />
  )
}

function Facts({ history, number }: { history: History; number: number }) {
  const line = useLine(history, number)
  const before = useLine(history, number - 1)
  const time = useLineTimes(history, line ? [line] : [])
  if (!line) return null
  const { database } = history.subject
  const did =
    line.kind === 'deleted'
      ? 'Deleted in'
      : before?.kind === 'deleted'
        ? 'Inserted again in'
        : number === 1
          ? 'Inserted in'
          : 'Written in'
  return (
    <div className="grid gap-1 text-sm">
      <p>
        {line.tx === null ? (
          'The transaction of this revision is not known.'
        ) : (
          <>
            {did} <TxLink database={database} id={line.tx} />, {time(line)}
          </>
        )}
        {line.author !== null && (
          <>
            , by <SafeName text={line.author} />
          </>
        )}
      </p>
      <p className="text-muted text-xs">
        immudb keeps only the last of several changes within one transaction.
      </p>
    </div>
  )
}

/** Offers to look for a revision that takes long to find. */
function Held({ history, number }: Pick<Props, 'history' | 'number'>) {
  const want = useAct(wantLines)
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      Revision {formatCount(number)} was not read yet. Finding it takes a while.
      <Button onClick={() => want(history, pageOf(history, number))} size="small">
        Look up revision {formatCount(number)}
      </Button>
    </div>
  )
}

type ChangesProps = Pick<Props, 'history' | 'number' | 'against'>

function Changes({ history, number, against }: ChangesProps) {
  const queries = useAtomValue(revisionQueriesAtom)(history)
  const { data: newer } = useAtomValue(queries.content(String(number)))
  const olderAnswer = useAtomValue(queries.content(String(Math.max(1, against))))
  const older = against < 1 ? undefined : olderAnswer.data
  const [isWhole, setWhole] = useState(false)
  const newerTx = useLine(history, number)?.tx ?? null
  const olderTx = useLine(history, against)?.tx ?? null
  const names = useColumnNames(history)
  const isHeld = useAtomValue(isContentHeldAtom)
  if (!newer) return null
  const wholeOf = (content: RevisionContent, tx: string | null) => [
    ...content.parts,
    ...droppedParts(content.dropped, names?.pasts ?? null, tx),
  ]
  const changes = changesOf(older ? wholeOf(older, olderTx) : [], wholeOf(newer, newerTx))
  const noteOf = (change: PartChange) =>
    names && columnNote(change, names.pasts, older ? [newerTx, olderTx] : [newerTx])
  const isAlone = older === undefined
  const same = changes.filter(({ change }) => change === 'same')
  const shown = isWhole || isAlone ? changes : changes.filter(({ change }) => change !== 'same')
  return (
    <>
      {newer.note !== null && <p className="text-sm">{newer.note}</p>}
      {older?.note && (
        <p className="text-muted text-sm">
          Revision {against}: {older.note}
        </p>
      )}
      {against >= 1 && !older && isHeld(history, against) && (
        <Held history={history} number={against} />
      )}
      {against >= 1 && olderAnswer.error && (
        <ErrorNote
          details={technicalDetails(olderAnswer.error)}
          onRetry={() => void olderAnswer.refetch()}
          title={`Revision ${against} could not be read. ${sentence(olderAnswer.error)}`}
        />
      )}
      {!isAlone && shown.length === 0 && (
        <p className="text-sm" role="status">
          Both revisions have the same content.
        </p>
      )}
      {shown.length > 0 && (
        <RevisionChanges
          against={isAlone ? 0 : against}
          changes={shown}
          database={history.subject.database}
          noteOf={noteOf}
          number={number}
        />
      )}
      {!isAlone && same.length > 0 && (
        <div>
          <Button onClick={() => setWhole(!isWhole)} size="small" variant="quiet">
            {isWhole
              ? 'Hide what is the same'
              : `Show ${formatCount(BigInt(same.length))} more that are the same`}
          </Button>
        </div>
      )}
      {names && (
        <>
          {!names.pasts && (
            <ReadHistory
              action="Look for it"
              database={history.subject.database}
              text={
                newer.dropped.length + (older?.dropped.length ?? 0) > 0
                  ? 'Earlier transactions have the names of dropped and renamed columns.'
                  : 'Earlier transactions show whether columns were renamed since.'
              }
            />
          )}
          <p className="text-muted text-xs">
            Columns have the names that the table has now. One that was added since is NULL in older
            revisions.
          </p>
        </>
      )}
    </>
  )
}

/** What the columns of a row were called; null for anything else than a row. */
function useColumnNames({ subject }: History) {
  const { database } = subject
  const table = subject.kind === 'row' ? subject.table : ''
  return useAtomValue(useAtomValue(columnPastsAtom)(database, table))
}
