import { useEffect, useMemo, useState } from 'react'
import { type JudgedScript, readStatement, type ShownStatement } from '~/atoms/scripts/script-file'
import { type Fate, fates, type ScriptReport, withoutTx } from '~/atoms/scripts/script-report'
import { sentence } from '~/core/session/failure-words'
import { capital, UnreadableFile } from '~/core/upload-progress'
import { counted, formatCount } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { type Judgement, judgements } from '~/sql/script-tables'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { PickList } from '~/ui/PickList'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { Sentence } from '~/ui/Sentence'
import { TxLink } from '~/ui/TxLink'
import { ChangedLines } from '../tables/ChangedValue'

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

type Props = {
  file: File
  judged: JudgedScript
  /** Of a script that was run. */
  run?: {
    readonly report: ScriptReport
    readonly database: string
    /** Looks up what has no answer; missing where it cannot be looked up now. */
    readonly onCheck?: (() => void) | undefined
  }
}

/** Every statement of a script with its judgement or what became of it, and the one that is chosen. */
export function StatementList({ file, judged, run }: Props) {
  const { index } = judged
  const report = run?.report
  const groups = useMemo(() => index.groups(), [index])
  const [judgement, setJudgement] = useState('all')
  const [fate, setFate] = useState('all')
  const [label, setLabel] = useState('all')
  const [picked, setPicked] = useState(0)
  const numbers = useMemo(
    () =>
      index.numbersOf((of, name, hasBadRows, at) => {
        const isIt = of === judgement || (judgement === 'cannot run' && hasBadRows)
        const wanted = fates.find((one) => one === fate)
        if (report && wanted && !report.has(at, wanted)) return false
        return (judgement === 'all' || isIt) && (label === 'all' || label === name)
      }),
    [index, judgement, label, report, fate],
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
        {report
          ? fates.map((one) => `${formatCount(report.counts[one])} ${one}`).join(', ')
          : judgements.map((one) => `${formatCount(counts[one])} ${words[one]}`).join(', ')}
        .{index.badRows > 0 && ` ${counted(index.badRows, 'row')} cannot be sent.`}
      </p>
      {!report && (
        <p className="text-muted text-sm">
          Consecutive rows of one table share transactions. Every other statement has its own. BEGIN
          and COMMIT join nothing into one transaction.
        </p>
      )}
      <div className={cx('grid grid-cols-1 gap-3', report ? 'xs:grid-cols-3' : 'xs:grid-cols-2')}>
        {report && (
          <Select
            label="Outcome"
            onChange={(value) => show(() => setFate(value))}
            options={[
              { value: 'all', label: `All outcomes (${formatCount(index.count)})` },
              ...fates.map((value) => ({
                value,
                label: `${capital(value)} (${formatCount(report.counts[value])})`,
              })),
            ]}
            value={fate}
            wide
          />
        )}
        <Select
          label="What is sent"
          onChange={(value) =>
            show(() => {
              setJudgement(value)
              setLabel('all')
            })
          }
          options={[
            { value: 'all', label: `All statements (${formatCount(index.count)})` },
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
              isFollowed
              label="Statements of the script"
              onPick={setPicked}
              picked={picked}
              render={(at) => <Line index={index} number={numbers[at] ?? 0} report={report} />}
            />
          )}
        </div>
        {number !== undefined && (
          <Statement file={file} judged={judged} key={number} number={number} run={run} />
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

type LineProps = {
  index: JudgedScript['index']
  number: number
  report: ScriptReport | undefined
}

function Line({ index, number, report }: LineProps) {
  const { line, label, judgement, hasDanger, hasBadRows } = index.listed(number)
  const isBad = hasBadRows || judgement === 'cannot run'
  const became = report?.fatesOf(number)
  return (
    <>
      <span className="w-16 shrink-0 text-end text-muted text-xs tabular-nums">
        {formatCount(line)}
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-sm">
        <SafeText text={label} />
      </span>
      {hasDanger && <span className="shrink-0 font-medium text-xs">Destroys</span>}
      <span className={cx('shrink-0 text-xs', (became ? isOpen(became) : isBad) && 'font-medium')}>
        {became
          ? capital(became.join(', '))
          : hasBadRows && judgement !== 'cannot run'
            ? `${titles[judgement]}, in part`
            : titles[judgement]}
      </span>
    </>
  )
}

const isOpen = (all: readonly Fate[]) => all.includes('refused') || all.includes('unknown')

/** Characters of a statement that are compared here; all of it can be copied. */
const mostShown = 40_000

type StatementProps = Omit<Props, 'run'> & { number: number; run: Props['run'] | undefined }

/** One statement: what stands in the file, what is sent of it, and why. */
function Statement({ file, judged, number, run }: StatementProps) {
  const { line } = judged.index.listed(number)
  const { shown, failure } = useStatement(file, judged, number)
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
      {run && <Became number={number} run={run} />}
      {failure !== null && (
        <p className="text-error text-sm">
          <Sentence text={failure} />
        </p>
      )}
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

type BecameProps = { run: NonNullable<Props['run']>; number: number }

/** What became of a statement, where, and why. */
function Became({ run: { report, database, onCheck }, number }: BecameProps) {
  const became = report.fatesOf(number)
  const { txs, hasMore } = report.txsOf(number)
  const told = txs.flatMap((tx) => withoutTx(tx) ?? [])
  return (
    <div className="space-y-1 text-sm">
      <p>
        {capital(became.join(', '))}
        {txs.map((tx) =>
          tx === null || withoutTx(tx) !== null ? null : (
            <span key={tx}>
              {' '}
              <TxLink database={database} id={tx} />
            </span>
          ),
        )}
        {hasMore && ' and more'}.
      </p>
      {[...told, ...report.reasonsOf(number)].map((why) => (
        <p className="[overflow-wrap:anywhere]" key={why}>
          <Sentence text={why} />
        </p>
      ))}
      {became.includes('unknown') &&
        (onCheck ? (
          <Button onClick={onCheck} size="small">
            Check
          </Button>
        ) : (
          <p>“Continue” looks it up before anything is sent.</p>
        ))}
    </div>
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
