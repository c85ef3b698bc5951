import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { pointIdAtom } from '~/atoms/session'
import type { TrustRecord } from '~/atoms/trust/record'
import { writtenOf } from '~/atoms/trust/written-point'
import { readPoints, type WrittenPoint, writePoints } from '~/lib/point-text'
import { counted, formatCount } from '~/lib/text'
import { readStates, serverOfFile } from '~/proof/immuclient-state'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { readChosen } from '~/ui/chosen-file'
import { FileDrop } from '~/ui/FileDrop'
import { DownloadIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { saveFile } from '~/ui/save-file'
import { TextArea } from '~/ui/TextArea'
import { ComparedPoint, compareHere } from './ComparedPoint'

/** Takes points along as text, and compares or takes over those of others. */
export function Exchange({ records }: { records: readonly TrustRecord[] }) {
  const all = () => writePoints(records.map(writtenOf))
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
              onClick={() => saveFile('trusted-states.txt', all(), 'text/plain')}
              size="small"
            >
              Save all as text
            </Button>
          </span>
        )}
      </header>
      <p className="max-w-[680px] text-muted text-sm">
        A first contact believes the server. Someone else’s trusted state, from another computer and
        not by way of this server, can tell whether both of you were shown the same history.
      </p>
      <Compare records={records} />
    </section>
  )
}

/** Files larger than this hold no points. */
const sizeLimit = 1_000_000
/** Longer ones are compared without being put into the field, which would take seconds to draw. */
const fieldLimit = 20_000
/** Compared points that are shown until more are asked for. */
const shownPoints = 50

function Compare({ records }: { records: readonly TrustRecord[] }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [points, setPoints] = useState<readonly WrittenPoint[]>([])
  const [file, setFile] = useState<string | null>(null)
  const compare = (given: string, server?: string) => {
    const states = readStates(given, server)
    const read = states ? { points: states } : readPoints(given)
    setError('error' in read ? read.error : undefined)
    setPoints('points' in read ? read.points : [])
  }
  const drop = async (file: File) => {
    const given = await readChosen(file, sizeLimit, 'This file is too large to hold states.')
    if ('problem' in given) return setError(given.problem)
    const isShort = given.text.length <= fieldLimit
    setText(isShort ? given.text : '')
    setFile(isShort ? null : file.name)
    compare(given.text, serverOfFile(file.name))
  }
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
        or drop a file with states here, also one that immuclient keeps (.state-…).
      </FileDrop>
      {points.length > 0 && <Points file={file} points={points} records={records} />}
    </div>
  )
}

type PointsProps = {
  points: readonly WrittenPoint[]
  records: readonly TrustRecord[]
  /** The file that they are from, when it is not in the field. */
  file: string | null
}

/** What contradicts comes first: it must not be among those that are not shown. */
const ranks = { different: 0, same: 1, older: 1, newer: 1, unknown: 2 } as const

function Points({ points, records, file }: PointsProps) {
  const idOf = useAtomValue(pointIdAtom)
  const [limit, setLimit] = useState(shownPoints)
  const sorted = useMemo(() => {
    const rank = (point: WrittenPoint) =>
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the same point may come twice.
          <ComparedPoint key={`${point.txHash} ${index}`} point={point} records={records} />
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
