import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useAct } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import { changeStoredPart } from '~/core/storage/stored'
import { compareStates, readStateText, type WrittenState } from '~/immudb/state-text'
import { hexOf } from '~/lib/bytes'
import { counted, formatCount, formatTx } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { readStates, serverOfFile } from '~/proof/immuclient-state'
import { type Comparison, importState, isPastAgreementAtom } from '~/trust/compared-state'
import { type DroppedFile, droppedStatesAtom, takeDroppedStates } from '~/trust/dropped-states'
import { notesOf } from '~/trust/object-verdict'
import { openProofDrawer } from '~/trust/proof-drawer'
import { writeRecords } from '~/trust/recorded-state'
import { isUncompared, type TrustRecord } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { AskDialog } from '~/ui/AskDialog'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { FileDrop } from '~/ui/FileDrop'
import { readChosen, saveFile } from '~/ui/file'
import { Hash } from '~/ui/Hash'
import { DownloadIcon } from '~/ui/Icon'
import { SafeName, SafeText } from '~/ui/SafeText'
import { TextArea } from '~/ui/TextArea'
import { type ComparisonWords, comparisonWords, serverWords } from '~/words/comparison'

// Outside React: a file that was dropped elsewhere.

/** Saves trusted states as text, and compares or takes over those of others. */
export function Exchange({ records }: { records: readonly TrustRecord[] }) {
  const changeStored = useAct(changeStoredPart)
  const noteSaved = () => changeStored((stored) => ({ ...stored, statesSaved: Date.now() }))
  const sightings = useAtomValue(trustRecordsAtom)?.sightings
  const all = () => writeRecords(records, sightings)
  return (
    <section
      aria-labelledby="exchange"
      className="grid grid-cols-1 gap-3 rounded border border-line bg-panel px-4 py-3"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-medium" id="exchange">
          Compare with others
        </h2>
        {records.length > 0 && (
          <span className="ms-auto flex gap-2">
            <CopyButton text={all} what="all trusted states" worded />
            <Button
              icon={<DownloadIcon />}
              onClick={() => {
                saveFile('trusted-states.txt', all(), 'text/plain')
                void noteSaved()
              }}
              size="small"
            >
              Save all as text
            </Button>
          </span>
        )}
      </header>
      <p className="max-w-[680px] text-muted text-sm">
        A first contact believes the server. Someone else’s state, received another way, can show
        that you see two histories.
      </p>
      <p className="max-w-[680px] text-muted text-sm">
        Two servers:{' '}
        <code className="xs:whitespace-nowrap" translate="no">
          webconsole --server A=URL --server B=URL
        </code>
      </p>
      <Compare records={records} />
    </section>
  )
}

/** Files larger than this hold no trusted states. */
const sizeLimit = 1_000_000
/** Longer ones are compared without being put into the field, which would take seconds to draw. */
const fieldLimit = 20_000
/** Characters of a name in the dialog. */
const longestName = 200
/** Compared states that are shown until more are asked for. */
const shownPoints = 50

function Compare({ records }: { records: readonly TrustRecord[] }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [points, setPoints] = useState<readonly WrittenState[]>([])
  const [file, setFile] = useState<string | null>(null)
  const compare = (given: string, server?: string) => {
    const states = readStates(given, server)
    const read = states ? { points: states } : readStateText(given)
    setError('error' in read ? read.error : undefined)
    setPoints('points' in read ? read.points : [])
  }
  const drop = async (file: DroppedFile) => {
    const given = await readChosen(file, sizeLimit, 'This file is too large to hold states.')
    if ('problem' in given) return setError(given.problem)
    const isShort = given.text.length <= fieldLimit
    setText(isShort ? given.text : '')
    setFile(isShort ? null : file.name)
    compare(given.text, serverOfFile(file.name))
  }
  const dropped = useAtomValue(droppedStatesAtom)
  const take = useAct(takeDroppedStates)
  const dropElsewhere = useEffectEvent(() => {
    const waiting = take()
    if (waiting) void drop(waiting)
  })
  useEffect(() => {
    if (dropped) dropElsewhere()
  }, [dropped])
  return (
    <div className="grid grid-cols-1 gap-2">
      <form
        className="grid grid-cols-1"
        onSubmit={(event) => {
          event.preventDefault()
          setFile(null)
          compare(text)
        }}
      >
        <TextArea
          error={error}
          label="States from elsewhere"
          mono
          onChange={(next) => {
            setText(next)
            setError(undefined)
          }}
          placeholder={'database: …\ntransaction: …\nhash: …'}
          rows={4}
          value={text}
        />
        <div>
          <Button type="submit">Compare</Button>
        </div>
      </form>
      <FileDrop
        accept="*/*"
        action="Choose a file…"
        label="File with states"
        onFile={(file) => void drop(file)}
      >
        or drop it here, also .state-… of immuclient.
      </FileDrop>
      {points.length > 0 && <Points file={file} points={points} records={records} />}
    </div>
  )
}

type PointsProps = {
  points: readonly WrittenState[]
  records: readonly TrustRecord[]
  /** The file that they are from, when it is not in the field. */
  file: string | null
}

/** What contradicts comes first: it must not be among those that are not shown. */
const ranks = { different: 0, same: 1, older: 1, newer: 1, unknown: 2 } as const

function Points({ points, records, file }: PointsProps) {
  const idOf = useAtomValue(databaseIdAtom)
  const [limit, setLimit] = useState(shownPoints)
  const sorted = useMemo(() => {
    const rank = (point: WrittenState) =>
      ranks[compareHere(point, idOf(point.database), records).found.kind]
    return points.map((point) => ({ point, at: rank(point) })).sort((a, b) => a.at - b.at)
  }, [points, records, idOf])
  return (
    <>
      {file !== null && (
        <p role="status">
          {counted(points.length, 'state')} in <SafeText text={file} />.
        </p>
      )}
      <ul aria-label="Compared states" className="grid grid-cols-1 gap-2">
        {sorted.slice(0, limit).map(({ point }, index) => (
          <ComparedState key={keyOf(point, index)} point={point} records={records} />
        ))}
      </ul>
      {points.length > limit && (
        <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
          {counted(limit, 'state')} of {formatCount(points.length)} are shown.
          <Button onClick={() => setLimit(limit + shownPoints)} size="small">
            Show more
          </Button>
        </p>
      )}
    </>
  )
}

/**
 * An answer about one state must not stay beside another one with the same hash. The same state may
 * come twice.
 */
const keyOf = (point: WrittenState, index: number) => `${JSON.stringify(point)} ${index}`

type Props = { point: WrittenState; records: readonly TrustRecord[] }

/** A state from elsewhere beside what is recorded here, and what the server says about the two. */
export function ComparedState({ point, records }: Props) {
  const id = useAtomValue(databaseIdAtom)(point.database)
  const ask = useAct(importState)
  const [given, setAnswer] = useState<Comparison | null>(null)
  const open = useAct(openProofDrawer)
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const isHere = point.server === '' || point.server === id.server
  const { record, found } = compareHere(point, id, records)
  const isPastAgreement = useAtomValue(isPastAgreementAtom)
  const answer = isPastAgreement(given) ? null : given
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
          {/* A state recorded at another address cannot be the start of a proof for this one. */}
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
        <AskDialog
          action="Take over"
          description={
            <>
              From now on this browser follows the history in which transaction{' '}
              {formatTx(point.txId)} has this hash. Any other is reported as broken. Take over only
              what did not reach you through this server.
            </>
          }
          isDanger
          onAction={() => void send()}
          onClose={() => setAsked(false)}
          title="Trust this state?"
        >
          <p className="[overflow-wrap:anywhere]">
            Database: <SafeName text={cutText(point.database, longestName)} />
          </p>
        </AskDialog>
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

/** What is recorded here of the database, and how the state from elsewhere compares with it. */
function compareHere(point: WrittenState, here: DatabaseId, records: readonly TrustRecord[]) {
  const record = recordOf(point, here, records)
  const recorded = record ? [record.point, ...record.history, record.firstContact] : []
  return { record, found: compareStates(point, recorded) }
}

/** Of the server that the state names, or of the one that answers. */
function recordOf(point: WrittenState, here: DatabaseId, records: readonly TrustRecord[]) {
  const server = point.server || here.server
  const of = records.filter(({ id }) => id.database === point.database && id.server === server)
  return of.find(({ id }) => id.origin === here.origin) ?? of[0]
}
