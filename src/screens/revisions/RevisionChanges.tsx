import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { columnNote } from '~/atoms/revisions/column-names'
import { timezoneAtom } from '~/core/page-view'
import { formatCount } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { TxLink } from '~/ui/TxLink'
import { ChangedLines, ChangedValue, isByLine } from '../tables/ChangedValue'
import { type PartChange, textOf } from './shown-part'

type Note = ReturnType<typeof columnNote>

type TableProps = {
  changes: readonly PartChange[]
  number: number
  against: number
  database: string
  noteOf: (change: PartChange) => Note
}

/** Parts that are drawn at first: a document may have thousands of fields. */
const mostParts = 200

/** The parts of two revisions beside each other, or of one alone (`against` is 0). */
export function RevisionChanges(props: TableProps) {
  const { changes, ...of } = props
  const [most, setMost] = useState(mostParts)
  const more = changes.length - most
  return (
    <>
      <Parts {...of} changes={changes.slice(0, most)} />
      {more > 0 && (
        <div>
          <Button onClick={() => setMost(most + mostParts)} size="small">
            Show {formatCount(BigInt(Math.min(more, mostParts)))} of {formatCount(BigInt(more))}{' '}
            more
          </Button>
        </div>
      )}
    </>
  )
}

function Parts({ changes, number, against, database, noteOf }: TableProps) {
  return (
    <Table
      caption={against < 1 ? `Revision ${number}` : `Revision ${number} compared with ${against}`}
      look="table-fixed"
      titles={[
        { title: 'Name', look: 'w-[28%]' },
        against < 1 ? null : `Revision ${against}`,
        `Revision ${number}`,
      ]}
    >
      {changes.map((one) => (
        <ChangeRow
          database={database}
          isAlone={against < 1}
          key={one.id}
          note={noteOf(one)}
          of={one}
        />
      ))}
    </Table>
  )
}

const marks = { same: null, changed: '± changed', added: '+ added', removed: '− removed' }

type RowProps = { of: PartChange; isAlone: boolean; note: Note; database: string }

function ChangeRow({ of, isAlone, note, database }: RowProps) {
  const zone = useAtomValue(timezoneAtom)
  const older = of.older ? textOf(of.older, zone) : null
  const newer = of.newer ? textOf(of.newer, zone) : null
  const isLong =
    of.change === 'changed' && older !== null && newer !== null && isByLine(older, newer)
  const name = (
    <th className="break-words" scope="row">
      <PartName name={of.name} />
      <span className="block text-muted text-xs">{of.type === 'KEY' ? '' : of.type}</span>
      {note && (
        <span className="block text-muted text-xs">
          <SafeText text={note.text} />
          {note.tx !== null && (
            <>
              {' '}
              <TxLink database={database} id={note.tx} />
            </>
          )}
        </span>
      )}
      {!isAlone && marks[of.change] && (
        <Badge tone={of.change === 'changed' ? 'info' : 'neutral'}>{marks[of.change]}</Badge>
      )}
    </th>
  )
  return (
    <tr>
      {name}
      {isLong ? (
        <td colSpan={2}>
          <ChangedLines newer={newer} older={older} />
        </td>
      ) : (
        <>
          {!isAlone && (
            <td>
              <Value isStruck={of.change === 'changed'} part={of.older} text={older} />
            </td>
          )}
          <td>
            <Value isNew={!isAlone && of.change !== 'same'} part={of.newer} text={newer} />
          </td>
        </>
      )}
    </tr>
  )
}

/** Characters of a name that are shown. */
const nameLength = 200

/** The name of a part. Fields of documents may have any name, even an empty one. */
export function PartName({ name }: { name: string }) {
  if (name === '') return <span className="font-mono text-muted">''</span>
  return (
    <>
      <SafeName text={beginning(name, nameLength)} />
      {name.length > nameLength && `… (${formatCount(name.length)} characters)`}
    </>
  )
}

type ValueProps = {
  part: PartChange['newer']
  text: string | null
  isStruck?: boolean
  isNew?: boolean
}

function Value({ part, ...shown }: ValueProps) {
  if (!part) return <span className="text-muted">–</span>
  return <ChangedValue {...shown} none={part.type === 'SECONDS' ? 'never' : 'NULL'} />
}
