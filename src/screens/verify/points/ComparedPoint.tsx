import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useState } from 'react'
import { pointIdAtom } from '~/atoms/session'
import { type Comparison, importPointAtom } from '~/atoms/trust/decisions'
import { hashVerdictAtom } from '~/atoms/trust/hash-verdict'
import { notesOf } from '~/atoms/trust/open-parts'
import type { PointId } from '~/atoms/trust/point-id'
import { openProofAtom } from '~/atoms/trust/proof-drawer'
import { hexOf, isUncompared, type TrustRecord } from '~/atoms/trust/record'
import { type ComparisonWords, comparisonWords, serverWords } from '~/lib/comparison-words'
import { comparePoints, type WrittenPoint } from '~/lib/point-text'
import { formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { Hash } from '~/ui/Hash'
import { SafeName } from '~/ui/SafeName'

const ConfirmDialog = fetchedLater(() =>
  import('~/ui/ConfirmDialog').then((part) => part.ConfirmDialog),
)

type Props = { point: WrittenPoint; records: readonly TrustRecord[] }

/** A point from elsewhere beside what is recorded here, and what the server says about the two. */
export function ComparedPoint({ point, records }: Props) {
  const id = useAtomValue(pointIdAtom)(point.database)
  const ask = useSetAtom(importPointAtom)
  const [given, setAnswer] = useState<Comparison | null>(null)
  const open = useSetAtom(openProofAtom)
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const isHere = point.server === '' || point.server === id.server
  const { record, found } = compareHere(point, id, records)
  const verdictOn = useAtomValue(hashVerdictAtom)
  // A proof says nothing any more once the history is broken, or its point was forgotten.
  const isPast = given?.kind === 'agrees' && verdictOn(given.verification).verdict !== 'verified'
  const answer = isPast ? null : given
  const verification = answer && 'verification' in answer ? answer.verification : null
  const words = answer
    ? serverWords(answer)
    : comparisonWords(found, {
        isHere,
        isUncompared: record !== undefined && isUncompared(record),
      })
  const send = async () => {
    setAsked(false)
    setBusy(true)
    setAnswer(await ask(id, point).catch((): Comparison => ({ kind: 'unknown', why: '' })))
    setBusy(false)
  }
  return (
    <li className="grid grid-cols-1 gap-1.5 rounded border border-line bg-page px-3 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <b className="break-all font-medium">
          <SafeName text={point.database} />
        </b>
        <span className="font-mono">tx {formatTx(point.txId)}</span>
        <Hash hash={hexOf(point.txHash)} what="hash of the compared state" />
        <Badge tone={words.tone}>{words.word}</Badge>
      </p>
      <Words words={words} />
      {answer?.kind === 'agrees' &&
        notesOf(answer.verification).map((note) => (
          <p className="text-muted text-sm" key={note}>
            {note}
          </p>
        ))}
      {'ours' in found && found.kind === 'different' && (
        <p className="text-sm">
          Recorded here for tx {formatTx(found.txId)}:{' '}
          <Hash hash={hexOf(found.ours)} what="hash recorded here" />
        </p>
      )}
      {answer?.kind === 'differs' && found.kind !== 'different' && (
        <p className="text-sm">
          In the history recorded here, tx {formatTx(answer.txId)} has:{' '}
          <Hash hash={answer.received} what="hash in the history recorded here" />
        </p>
      )}
      {verification && (
        <div>
          <Button onClick={() => void open({ verification })} size="small">
            Show proof
          </Button>
        </div>
      )}
      {isHere && !answer && found.kind !== 'same' && (
        <div>
          {/* What is recorded at another address is no point that this one could be proven from. */}
          {record?.id.origin === id.origin ? (
            <Button busy={isBusy} onClick={() => void send()} size="small">
              Ask the server for a proof
            </Button>
          ) : (
            <Button busy={isBusy} onClick={() => setAsked(true)} size="small">
              Take over…
            </Button>
          )}
        </div>
      )}
      {isAsked && (
        <Suspense fallback={null}>
          <ConfirmDialog
            action="Take over"
            busy={false}
            description={`From now on this browser follows the history of ${point.database} in which transaction ${formatTx(point.txId)} has this hash. If the server shows another history, that is reported as broken. Take over only what reached you by a way that does not lead through this server.`}
            onClose={() => setAsked(false)}
            onConfirm={() => void send()}
            open
            title={`Trust this state for ${point.database}?`}
          />
        </Suspense>
      )}
    </li>
  )
}

function Words({ words: { text } }: { words: ComparisonWords }) {
  return (
    <p aria-live="polite" className="text-sm">
      {text}
    </p>
  )
}

/** What is recorded here of the point's database, and how the point stands to it. */
export function compareHere(point: WrittenPoint, here: PointId, records: readonly TrustRecord[]) {
  const record = recordOf(point, here, records)
  const recorded = record ? [record.point, ...record.history, record.firstContact] : []
  return { record, found: comparePoints(point, recorded) }
}

/** Of the server that the point names, or of the one that answers. */
function recordOf(point: WrittenPoint, here: PointId, records: readonly TrustRecord[]) {
  const server = point.server || here.server
  const of = records.filter(({ id }) => id.database === point.database && id.server === server)
  return of.find(({ id }) => id.origin === here.origin) ?? of[0]
}
