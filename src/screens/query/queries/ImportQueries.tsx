import { useMemo, useState } from 'react'
import {
  type BrowserQuery,
  mostBrowserQueries,
  queryNotKept,
  takeBrowserQueries,
} from '~/atoms/queries/browser-queries'
import {
  type FileQuery,
  type GivenQuery,
  queryFileLimit,
  readQueryFile,
} from '~/atoms/queries/query-files'
import { copyOf } from '~/atoms/queries/query-saving'
import { useAct } from '~/core/act'
import { counted, formatCount } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import { Badge } from '~/ui/Badge'
import { FileDrop } from '~/ui/FileDrop'
import { readChosen } from '~/ui/file'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { Sentence } from '~/ui/Sentence'
import { showToast } from '~/ui/toast'
import { ChangedLines } from '../../tables/ChangedValue'
import { QueryParts } from './QueryParts'

type Props = { known: readonly BrowserQuery[]; onClose: () => void }

type Conflicts = 'leave' | 'copy' | 'replace'

const ways = [
  { value: 'leave', label: 'Leave mine as they are' },
  { value: 'copy', label: 'Take them over as copies' },
  { value: 'replace', label: 'Replace mine' },
]

/** Lines that are drawn; the others are counted. */
const mostLines = 300

/** Looks into a file of queries, and takes over what is chosen into this browser. */
export function ImportQueries({ known, onClose }: Props) {
  const [file, setFile] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [way, setWay] = useState<Conflicts>('leave')
  const take = useAct(takeBrowserQueries)
  // Against what is known now: another tab may have changed it.
  const read = file === null ? null : readQueryFile(file, known)
  const given = read !== null && 'given' in read ? read.given : []
  const numberOf = (sought: GivenQuery['kind']) =>
    given.filter(({ kind }) => kind === sought).length
  const conflicts = numberOf('conflict')
  const added = numberOf('new') + (way === 'copy' ? conflicts : 0)
  const room = Math.max(0, mostBrowserQueries - known.length)
  const count = Math.min(added, room) + (way === 'replace' ? conflicts : 0)
  const look = async (chosen: File) => {
    const tooLarge = 'This file is too large to hold saved queries. Nothing was taken over.'
    const text = await readChosen(chosen, queryFileLimit, tooLarge)
    setProblem('problem' in text ? text.problem : null)
    setFile('text' in text ? text.text : null)
  }
  const why = problem ?? (read !== null && 'problem' in read ? read.problem : null)
  return (
    <AskDialog
      action={count === 0 ? 'Take over' : `Take over ${counted(count, 'query', 'queries')}`}
      description="The queries are kept in this browser. Nothing is sent, and nothing of yours is overwritten unless you choose so."
      onAction={async () => {
        const done = await take(takenOf(given, way)).catch(() => null)
        if (done === null) {
          setProblem(queryNotKept)
          return false
        }
        showToast({ kind: 'success', text: wordsOf(done) })
        return true
      }}
      onClose={onClose}
      refusal={count === 0 ? 'Nothing would be taken over.' : undefined}
      title="Import queries"
      width="wide"
    >
      <div className="grid grid-cols-1 gap-3">
        <FileDrop
          accept="application/json,.json"
          action="Choose a file…"
          label="File with saved queries"
          onFile={(chosen) => void look(chosen)}
        >
          or drop an export of saved queries here.
        </FileDrop>
        {why !== null && (
          <p className="text-error text-sm" role="alert">
            <Sentence text={why} />
          </p>
        )}
        {conflicts > 0 && (
          <Select
            label={`${counted(conflicts, 'query of the file differs', 'queries of the file differ')} from yours`}
            labelled
            onChange={(to) => setWay(to === 'copy' || to === 'replace' ? to : 'leave')}
            options={ways}
            value={way}
          />
        )}
        {added > room && (
          <p className="text-sm" role="status">
            This browser keeps at most {formatCount(mostBrowserQueries)} queries, so only the first{' '}
            {formatCount(room)} of {formatCount(added)} are added.
          </p>
        )}
        {given.length > 0 && <Given given={given} known={known} />}
      </div>
    </AskDialog>
  )
}

type Taken = Parameters<typeof takeBrowserQueries>[1][number]

/** What of a file is taken over. */
function takenOf(given: readonly GivenQuery[], way: Conflicts): readonly Taken[] {
  return given.flatMap((one): readonly Taken[] => {
    if (one.kind === 'new') return [{ query: one.query, base: null }]
    if (one.kind !== 'conflict' || way === 'leave') return []
    return way === 'copy'
      ? [{ query: copyOf(one.query), base: null }]
      : [{ query: one.query, base: one.stored.mark }]
  })
}

function wordsOf({ added, replaced, left }: { added: number; replaced: number; left: number }) {
  return [
    `${counted(added, 'query was', 'queries were')} added`,
    ...(replaced > 0 ? [`, ${replaced} replaced`] : []),
    ...(left > 0 ? [`, ${left} left out: they changed here meanwhile, or there is no room`] : []),
    '.',
  ].join('')
}

const badges = {
  new: { tone: 'info', text: 'New' },
  same: { tone: 'neutral', text: 'Same' },
  conflict: { tone: 'warning', text: 'Differs' },
  unreadable: { tone: 'error', text: 'Cannot be read' },
} as const

type GivenProps = { given: readonly GivenQuery[]; known: readonly BrowserQuery[] }

function Given({ given, known }: GivenProps) {
  const rest = given.length - mostLines
  const taken = useMemo(() => new Set(known.map(placeOf)), [known])
  return (
    <>
      <ul aria-label="Queries of the file" className="divide-y divide-line">
        {given.slice(0, mostLines).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file have only their place.
          <li className="grid grid-cols-1 gap-1 py-1.5 text-sm" key={index}>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 [overflow-wrap:anywhere]">
              <Badge tone={badges[one.kind].tone}>{badges[one.kind].text}</Badge>
              {one.kind === 'unreadable' ? (
                `Query ${one.number} of the file. ${one.why}`
              ) : (
                <>
                  <SafeName text={[one.query.folder, one.query.name].filter(Boolean).join('/')} />
                  <span className="text-muted">
                    for <SafeName text={one.query.database} />
                  </span>
                </>
              )}
            </p>
            {one.kind === 'new' && taken.has(placeOf(one.query)) && (
              <p className="text-muted">You have another query of this name there. It stays.</p>
            )}
            {one.kind === 'new' && <QueryParts {...one.query} />}
            {one.kind === 'conflict' && <Differs {...one} />}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-muted text-sm">And {counted(rest, 'more', 'more')}.</p>}
    </>
  )
}

/** Where a query is listed, and as what. */
const placeOf = ({ database, folder, name }: FileQuery) => JSON.stringify([database, folder, name])

function Differs({ query, stored }: Extract<GivenQuery, { kind: 'conflict' }>) {
  return (
    <details>
      <summary className="cursor-pointer text-primary">Show both</summary>
      <Version of={stored} title="Yours" />
      <Version of={query} title="In the file" />
      {query.text === stored.text ? (
        <p className="text-muted">The texts are the same.</p>
      ) : (
        <ChangedLines newer={query.text} older={stored.text} />
      )}
    </details>
  )
}

function Version({ title, of }: { title: string; of: FileQuery }) {
  return (
    <>
      <p className="py-1 [overflow-wrap:anywhere]">
        {title}: <SafeText text={[of.folder, of.name].filter(Boolean).join('/')} /> for{' '}
        <SafeName text={of.database} />
      </p>
      <QueryParts {...of} />
    </>
  )
}
