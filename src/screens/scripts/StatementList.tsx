import { useEffect, useMemo, useState } from 'react'
import { type JudgedScript, readStatement, type ShownStatement } from '~/atoms/scripts/script-file'
import { sentence } from '~/core/session/failure-words'
import { UnreadableFile } from '~/core/upload-progress'
import { counted, formatCount } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { type Judgement, judgements } from '~/sql/script-tables'
import { Badge } from '~/ui/Badge'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { PickList } from '~/ui/PickList'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { ChangedLines } from '../tables/ChangedValue'
import type { ReadScript } from './use-script'

// Outside React: the file.

const titles: Readonly<Record<Judgement, string>> = {
  runs: 'Runs as it is',
  rewritten: 'Rewritten',
  'left out': 'Left out',
  'cannot run': 'Cannot run',
}

const tones = {
  runs: 'neutral',
  rewritten: 'info',
  'left out': 'neutral',
  'cannot run': 'error',
} as const

type Props = { script: ReadScript; judged: JudgedScript }

/** Every statement of a script with its judgement, and the one that is chosen. */
export function StatementList({ script, judged }: Props) {
  const { index } = judged
  const groups = useMemo(() => index.groups(), [index])
  const [judgement, setJudgement] = useState('all')
  const [label, setLabel] = useState('all')
  const [picked, setPicked] = useState(0)
  const numbers = useMemo(
    () =>
      index.numbersOf((of, name, hasBadRows) => {
        const isIt = of === judgement || (judgement === 'cannot run' && hasBadRows)
        return (judgement === 'all' || isIt) && (label === 'all' || label === name)
      }),
    [index, judgement, label],
  )
  const counts = useMemo(() => countsOf(groups), [groups])
  const labels = useMemo(() => labelsOf(groups, judgement), [groups, judgement])
  const number = numbers[picked]
  const show = (next: () => void) => {
    next()
    setPicked(0)
  }
  return (
    <section aria-label="Statements" className="space-y-3">
      <p role="status">
        {counted(index.count, 'statement')}:{' '}
        {judgements.map((one) => `${formatCount(counts[one])} ${words[one]}`).join(', ')}.
        {index.badRows > 0 && ` ${counted(index.badRows, 'row')} cannot be sent.`}
      </p>
      <div className="grid grid-cols-1 gap-3 xs:grid-cols-2">
        <Select
          label="Judgement"
          onChange={(value) =>
            show(() => {
              setJudgement(value)
              setLabel('all')
            })
          }
          options={[
            { value: 'all', label: `All judgements (${formatCount(index.count)})` },
            ...judgements.map((value) => ({
              value,
              label: `${titles[value]} (${formatCount(counts[value])})`,
            })),
          ]}
          value={judgement}
          wide
        />
        <Select
          label="Kind of statement"
          onChange={(value) => show(() => setLabel(value))}
          options={[{ value: 'all', label: 'All kinds' }, ...labels]}
          value={label}
          wide
        />
      </div>
      <div className="grid grid-cols-1 gap-3 xs:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex h-60 rounded border border-line xs:h-80">
          {numbers.length === 0 ? (
            <p className="p-3 text-muted">There is none of this kind.</p>
          ) : (
            <PickList
              count={numbers.length}
              label="Statements of the script"
              onPick={setPicked}
              picked={picked}
              render={(at) => <Line index={index} number={numbers[at] ?? 0} />}
            />
          )}
        </div>
        {number !== undefined && (
          <Statement judged={judged} key={number} number={number} script={script} />
        )}
      </div>
    </section>
  )
}

const words: Readonly<Record<Judgement, string>> = {
  runs: 'run as they are',
  rewritten: 'rewritten',
  'left out': 'left out',
  'cannot run': 'cannot run',
}

type Groups = ReturnType<JudgedScript['index']['groups']>

function countsOf(groups: Groups): Record<Judgement, number> {
  const counts = { runs: 0, rewritten: 0, 'left out': 0, 'cannot run': 0 }
  for (const { judgement, statements } of groups) counts[judgement] += statements
  return counts
}

function labelsOf(groups: Groups, judgement: string) {
  const found = new Map<string, number>()
  for (const group of groups) {
    if (judgement !== 'all' && group.judgement !== judgement) continue
    found.set(group.label, (found.get(group.label) ?? 0) + group.statements)
  }
  return [...found].map(([value, count]) => ({ value, label: `${value} (${formatCount(count)})` }))
}

type LineProps = { index: JudgedScript['index']; number: number }

function Line({ index, number }: LineProps) {
  const { line, label, judgement, hasDanger, hasBadRows } = index.listed(number)
  const isBad = hasBadRows || judgement === 'cannot run'
  return (
    <>
      <span className="w-16 shrink-0 text-end text-muted text-xs tabular-nums">
        {formatCount(line)}
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-sm">
        <SafeText text={label} />
      </span>
      {hasDanger && <span className="shrink-0 font-medium text-xs">Destroys</span>}
      <span className={cx('shrink-0 text-xs', isBad && 'font-medium')}>
        {hasBadRows && judgement !== 'cannot run'
          ? `${titles[judgement]}, in part`
          : titles[judgement]}
      </span>
    </>
  )
}

/** Characters of a statement that are compared here; all of it can be copied. */
const mostShown = 40_000

type StatementProps = Props & { number: number }

/** One statement: what stands in the file, what is sent of it, and why. */
function Statement({ script, judged, number }: StatementProps) {
  const { line } = judged.index.listed(number)
  const { shown, failure } = useStatement(script.file, judged, number)
  const sent = shown?.judged.sent.map(({ sql }) => sql).join('\n') ?? ''
  return (
    <section aria-label="Statement" className="min-w-0 space-y-2">
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">
          Statement {formatCount(number + 1)}, line {formatCount(line)}
        </h3>
        {shown && (
          <Badge tone={tones[shown.judged.judgement]}>{titles[shown.judged.judgement]}</Badge>
        )}
        {sent !== '' && <CopyButton text={sent} what="sent statement" />}
      </header>
      {failure !== null && <p className="text-error text-sm">{failure}</p>}
      {shown && (
        <>
          {shown.judged.danger !== undefined && (
            <p className="text-sm text-warning">
              It destroys: <SafeText text={shown.judged.danger} />.
            </p>
          )}
          {shown.judged.notes.length > 0 && (
            <ul aria-label="What is to be known of it" className="list-disc ps-5 text-sm">
              {shown.judged.notes.map((note) => (
                <li className="[overflow-wrap:anywhere]" key={note}>
                  <SafeText text={note} />
                </li>
              ))}
            </ul>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
          <div className="max-h-60 overflow-auto" tabIndex={0}>
            <Compared sent={sent} shown={shown} />
          </div>
        </>
      )}
    </section>
  )
}

function Compared({ shown, sent }: { shown: ShownStatement; sent: string }) {
  const written = cutText(shown.text, mostShown)
  if (sent === '' || shown.judged.judgement === 'runs') {
    return (
      <pre
        className="whitespace-pre-wrap rounded border border-line bg-page p-2 font-mono text-xs [overflow-wrap:anywhere]"
        translate="no"
      >
        <SafeText lines text={written} />
      </pre>
    )
  }
  return <ChangedLines newer={cutText(sent, mostShown)} older={written} />
}

function useStatement(file: File, judged: JudgedScript, number: number) {
  const [shown, setShown] = useState<ShownStatement | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    readStatement(file, judged, number).then(
      (found) => {
        if (!isOver) setShown(found)
      },
      (error: unknown) => {
        if (isOver) return
        setFailure(error instanceof UnreadableFile ? error.message : sentence(error))
      },
    )
    return () => {
      isOver = true
    }
  }, [file, judged, number])
  return { shown, failure }
}
