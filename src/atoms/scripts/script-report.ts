import { inFormat, plainNames, rowsEnding, typeOfRows } from '~/core/files/export-rows'
import type { Exportable } from '~/core/files/exports'
import { sentence } from '~/core/session/failure-words'
import {
  type BatchTx,
  type CommittedItems,
  type LeftItems,
  txOfItem,
  UnreadableFile,
  type UploadProgress,
} from '~/core/upload-progress'
import { withoutQuoted } from '~/lib/without-quoted'
import type { ResultColumn, ResultTable } from '~/sql/result'
import type { ExportFormat } from '~/sql/result-text'
import type { JudgedPart } from '~/sql/script-judge'
import { judgedParts, type ScriptSource } from './script-file'
import type { ScriptIndex } from './script-index'

/** What became of a statement, or of a row of it. */
export const fates = ['committed', 'refused', 'left out', 'not sent', 'unknown'] as const
export type Fate = (typeof fates)[number]

/** How far a run is, as far as a report tells of it. */
export type Reported = Pick<UploadProgress, 'item' | 'pending'> &
  Required<Pick<UploadProgress, 'fates'>>

/** Most transactions and reasons that are told of one statement. */
const mostTold = 20

/** What became of each statement of a script, a byte for each. */
export class ScriptReport {
  readonly counts: Readonly<Record<Fate, number>>
  readonly #index: ScriptIndex
  readonly #reported: Reported
  readonly #left = new Map<number, LeftItems>()
  readonly #marks: Uint8Array

  constructor(index: ScriptIndex, reported: Reported) {
    this.#index = index
    this.#reported = reported
    const { left, stoppedAt } = reported.fates
    for (const some of stoppedAt ? [...left, stoppedAt] : left) {
      for (const number of some.numbers) this.#left.set(number, some)
    }
    this.#marks = new Uint8Array(index.count)
    this.counts = this.#mark()
  }

  #mark(): Record<Fate, number> {
    const counts = { committed: 0, refused: 0, 'left out': 0, 'not sent': 0, unknown: 0 }
    let copy = -1
    for (let number = 0; number < this.#index.count; number += 1) {
      const { kind } = this.#index.placeAt(number)
      const { from, to } = this.#index.itemsOf(number)
      const { judgement, hasBadRows } = this.#index.listed(number)
      const isSent = judgement === 'runs' || judgement === 'rewritten'
      if (kind !== 'row') copy = kind === 'copy' ? number : -1
      // A COPY itself is sent with its rows.
      let marks = hasBadRows || (!isSent && to < from) ? markOf('left out') : 0
      for (let item = from; item <= to; item += 1) marks |= markOf(this.#fateOf(item))
      this.#marks[number] = marks
      if (kind === 'row' && copy >= 0) this.#marks[copy] = (this.#marks[copy] ?? 0) | marks
    }
    for (let number = 0; number < this.#index.count; number += 1) {
      // A COPY without rows sends nothing.
      this.#marks[number] ||= markOf('left out')
      for (const fate of this.fatesOf(number)) counts[fate] += 1
    }
    return counts
  }

  #fateOf(item: number): Fate {
    const left = this.#left.get(item)
    if (left) return left.isRefused ? 'refused' : 'left out'
    const { pending } = this.#reported
    if (pending && item >= pending.from && item <= pending.to) return 'unknown'
    return item <= this.#reported.item ? 'committed' : 'not sent'
  }

  /** Several, where its rows fared differently. */
  fatesOf(number: number): readonly Fate[] {
    return fates.filter((fate) => this.has(number, fate))
  }

  has(number: number, fate: Fate): boolean {
    return ((this.#marks[number] ?? 0) & markOf(fate)) !== 0
  }

  /** Its transactions, the first of them where they are many, each once. */
  txsOf(number: number): { readonly txs: readonly BatchTx[]; readonly hasMore: boolean } {
    const { from, to } = this.#index.itemsOf(number)
    const txs: BatchTx[] = []
    for (const run of runsIn(this.#reported.fates.committed, from, to)) {
      let item = Math.max(run.from, from)
      const end = Math.min(run.to, to)
      while (item <= end) {
        const next = run.from + (Math.floor((item - run.from) / run.each) + 1) * run.each
        while (item < next && item <= end && this.#fateOf(item) !== 'committed') item += 1
        if (item < next && item <= end) {
          if (txs.length === mostTold) return { txs, hasMore: true }
          txs.push(txOfItem(run, item))
        }
        item = next
      }
    }
    return { txs: [...new Set(txs)], hasMore: false }
  }

  /** Why rows of it were left out when they were sent, each reason once. */
  reasonsOf(number: number): readonly string[] {
    const { from, to } = this.#index.itemsOf(number)
    const found = new Set<string>()
    for (let item = from; item <= to && this.#left.size > 0 && found.size < mostTold; item += 1) {
      const why = this.#left.get(item)?.why
      if (why !== undefined) found.add(why)
    }
    return [...found]
  }
}

const markOf = (fate: Fate): number => 1 << fates.indexOf(fate)

/** Those that have items of a span; all of them stand in the order of their items. */
function* runsIn(runs: readonly CommittedItems[], from: number, to: number) {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.to ?? 0) < from) low = middle + 1
    else high = middle
  }
  for (let at = low; at < runs.length; at += 1) {
    const run = runs[at]
    if (!run || run.from > to) return
    yield run
  }
}

const unknownTxs = {
  'not known': 'Found there; its transaction is not known.',
  'stored nothing': 'It changed nothing, so it has no transaction.',
} as const

/** A transaction without a number as a sentence; null for one with a number. */
export function withoutTx(tx: BatchTx): string | null {
  if (tx === null) return 'It counts as committed because you said so.'
  return tx === 'not known' || tx === 'stored nothing' ? unknownTxs[tx] : null
}

/** The whole report as a file of rows, without a value of the script. */
export function reportExport(source: ScriptSource, reported: Reported): Exportable<ExportFormat> {
  const { file } = source
  return {
    kind: 'script report',
    name: JSON.stringify([file.name, file.size, file.lastModified, reported]),
    begin: (_io, format) => ({
      what: 'statement',
      kept: 'the first',
      type: typeOfRows(format),
      pages: (signal) => inFormat(format, reportTables(source, reported, signal)),
      nameOf: (rows, isComplete) =>
        `${plainNames([file.name])}-report${rowsEnding(format, rows, isComplete)}`,
      sentence: (error) => (error instanceof UnreadableFile ? error.message : sentence(error)),
    }),
  }
}

async function* reportTables(
  source: ScriptSource,
  reported: Reported,
  signal: AbortSignal,
): AsyncGenerator<ResultTable> {
  const { index } = source.script
  const report = new ScriptReport(index, reported)
  let number = 0
  for await (const parts of judgedParts(source, signal)) {
    const rows = parts.map((part, at) => rowOf(report, index, number + at, part))
    number += parts.length
    yield {
      rowCount: rows.length,
      columns: columnNames.map((name, at) =>
        column(
          name,
          rows.map((row) => row[at] ?? null),
        ),
      ),
    }
  }
}

const columnNames = [
  'statement',
  'line',
  'kind',
  'judgement',
  'fate',
  'transaction',
  'reason',
] as const

function column(name: (typeof columnNames)[number], values: (string | null)[]): ResultColumn {
  const type = name === 'statement' || name === 'line' ? 'INTEGER' : 'VARCHAR'
  return { name, table: '', label: name, type, values }
}

/** What judges rows quotes their values. */
const storesRows = /^(?:INSERT|REPLACE|UPSERT|UPDATE|DELETE|COPY|data)\b/i

function rowOf(
  report: ScriptReport,
  index: ScriptIndex,
  number: number,
  { label, judgement, notes, badRows }: JudgedPart,
): readonly (string | null)[] {
  const { line } = index.listed(number)
  const { txs, hasMore } = report.txsOf(number)
  const known = txs.filter((tx) => withoutTx(tx) === null).join(' ')
  const isTold = badRows > 0 || judgement === 'left out' || judgement === 'cannot run'
  const told = isTold
    ? notes.map((note) => (storesRows.test(label) ? withoutQuoted(note) : note))
    : []
  const reasons = [
    ...told,
    ...report.reasonsOf(number),
    ...txs.flatMap((tx) => withoutTx(tx) ?? []),
  ].join(' ')
  return [
    String(number + 1),
    String(line),
    label,
    judgement,
    report.fatesOf(number).join(', '),
    known === '' ? null : known + (hasMore ? ' …' : ''),
    reasons === '' ? null : reasons,
  ]
}
