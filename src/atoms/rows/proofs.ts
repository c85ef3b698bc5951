import type { Getter } from 'jotai'
import { isTooLarge } from '~/api/errors'
import type { Io } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import type { Cause } from '~/proof/verdict'
import { primaryKey } from '~/sql/keyset'
import { type NoRowSource, type RowMap, rowMap, rowSource } from '~/sql/row-source'
import { readDescriptions } from '~/trust/audit/deep-audit'
import { noteContradictions } from '~/trust/incidents'
import { unequalLeaves } from '~/trust/object-verdict'
import { openProofDrawer } from '~/trust/proof-drawer'
import type { Proof } from '~/trust/verification'
import { readDetails, readTables } from '../tables/table-list'
import { markOf, nameOfRow, type RowOf, rowFacts } from './compare-row'
import { isContradicted, isOfPresent, proofOfShown } from './past-rows'
import {
  changeRowProofs,
  controllersAtom,
  type ResultProofs,
  type RowMark,
  rowProofsAtom,
} from './row-marks'
import { checkRowsOfTx } from './rows-of-transaction'

async function planVerification(io: Io, rowSet: RowSet): Promise<Omit<RowOf, 'row'> | null> {
  const { database, number, rows: result, txBefore: readAt } = rowSet
  const map = await planRows(io.get, rowSet)
  if ('why' in map) {
    changeRowProofs(io, number, { refusal: map.why })
    return null
  }
  await ensureDatabaseToken(io, io.get(clientAtom), database)
  return { database, result, map, readAt }
}

/** Verifies one row again and opens its proof. */
export async function openProofOfRow(io: Io, rowSet: RowSet, row: number): Promise<void> {
  const plan = await planVerification(io, rowSet)
  if (!plan) return
  const shown: ShownRow = { rowSet, of: { ...plan, row } }
  await openProofDrawer(io, { what: nameOfRow(shown.of), of: shown, prove: proveShownRow })
}

/** A row of a result, as its grid shows it. */
type ShownRow = { rowSet: RowSet; of: RowOf }

/** Verifies a row and marks it with what was found out. */
async function proveShownRow(io: Io, { rowSet, of }: ShownRow): Promise<readonly Proof[]> {
  const turn = nextTurn()
  const proof = await proofOfShown(io, rowSet, of)
  if (isContradicted(rowSet, of, proof)) await noteContradictions(io, [proof])
  const mark = inTurn(turn, markOf(proof))
  const { number } = rowSet
  const before = io.get(rowProofsAtom)(number).marks.get(of.row)
  showMarks(io, rowSet, new Map([[of.row, mark]]))
  const isShown = io.get(rowProofsAtom)(number).marks.get(of.row) === mark
  // The summary would count the row under its old result.
  const isChanged = isShown && before && kindOf(before) !== kindOf(mark)
  if (isChanged) changeRowProofs(io, number, { summary: null })
  return [proof]
}

/** The order of checks: for the same row, the check that began later counts. */
const turns = new WeakMap<RowMark, number>()
let lastTurn = 0

function nextTurn(): number {
  lastTurn += 1
  return lastTurn
}

function inTurn(turn: number, mark: RowMark): RowMark {
  turns.set(mark, turn)
  return mark
}

/** Shows marks, but never over those of a later check. */
function showMarks(
  io: Io,
  { number }: RowSet,
  marks: ReadonlyMap<number, RowMark>,
  more: Pick<Partial<ResultProofs>, 'run'> = {},
): void {
  const shown = io.get(rowProofsAtom)(number).marks
  const turnOf = (mark: RowMark | undefined) => (mark && turns.get(mark)) ?? 0
  const latest = [...marks].filter(([row, mark]) => turnOf(shown.get(row)) <= turnOf(mark))
  changeRowProofs(io, number, { marks: new Map(latest), ...more })
}

/** Verifies rows of a result; the summary shows every failure. */
export async function verifyEach(
  io: Io,
  rowSet: RowSet,
  rows: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const verification = new RowVerification(io, rowSet, rows, signal)
  let problem: string | null = null
  try {
    const plan = await planVerification(io, rowSet)
    if (plan) await verification.go(plan)
  } catch (error) {
    if (!signal.aborted) problem = sentence(error)
  }
  verification.end()
  problem ??= verification.limit
  await noteRows(io, verification.contradicted)
  const summary = summaryOf(verification.shownMarks, rows, problem, signal.aborted)
  changeRowProofs(io, rowSet.number, { summary })
}

/** Rows of one run with separate incidents; the others share one, or they would fill the log. */
const mostNoted = 10

/** Notes rows that contradict what was shown, in the order of the result. */
async function noteRows(io: Io, rows: ReadonlyMap<number, Contradicted>): Promise<void> {
  const sorted = [...rows].sort(([one], [other]) => one - other).map(([, found]) => found)
  const [each, rest] = [sorted.slice(0, mostNoted), sorted.slice(mostNoted)]
  await noteContradictions(
    io,
    each.map(({ proof }) => proof),
  )
  const [first] = rest
  if (!first) return
  const what = `${counted(rest.length, 'more row')} of ${first.of.map.table}`
  const doubts = rest.flatMap(({ proof }) => unequalLeaves(proof))
  await noteContradictions(io, [
    { ...first.proof, verification: { ...first.proof.verification, what }, doubts },
  ])
}

type Contradicted = { of: RowOf; proof: Proof }

/** Requests under way at a time. */
const lanes = 4
/** A transaction of at least so many entries is proven as a whole for at least so many rows. */
const manyEntries = 8
const manyRows = 4
/**
 * Characters of single proofs of wide transactions that one run reads. Each of them brings the keys
 * of its whole transaction, which may be over 1 MB.
 */
const mostOfWide = 67_108_864
/** Milliseconds between two progress updates. */
const showPeriod = 150

/** Verifies the rows of a result, several at a time, and shows the progress. */
class RowVerification {
  readonly marks = new Map<number, RowMark>()
  /** Rows that contradict what was shown. */
  readonly contradicted = new Map<number, Contradicted>()
  readonly #io: Io
  readonly #rowSet: RowSet
  readonly #rows: readonly number[]
  readonly #signal: AbortSignal
  readonly #left: Set<number>
  readonly #transactions = new Set<string>()
  #whole: Promise<void> = Promise.resolve()
  #shownAt = 0
  #isOver = false
  #readOfWide = 0
  /** Why the run ended before all rows were looked at; null when it did not. */
  limit: string | null = null

  constructor(io: Io, rowSet: RowSet, rows: readonly number[], signal: AbortSignal) {
    this.#io = io
    this.#rowSet = rowSet
    this.#rows = rows
    this.#signal = signal
    this.#left = new Set(rows)
  }

  async go(plan: Omit<RowOf, 'row'>): Promise<void> {
    const [first] = this.#left
    if (first === undefined) return
    // The first row may show that one proof covers many others.
    await this.#one({ ...plan, row: first })
    await Promise.all(Array.from({ length: lanes }, () => this.#lane(plan)))
  }

  async #lane(plan: Omit<RowOf, 'row'>): Promise<void> {
    for (;;) {
      await this.#whole
      const [row] = this.#left
      if (row === undefined || this.#signal.aborted) return
      await this.#one({ ...plan, row })
    }
  }

  async #one(of: RowOf): Promise<void> {
    this.#left.delete(of.row)
    const turn = nextTurn()
    const tell = (mark: RowMark) => this.#tell(of.row, inTurn(turn, mark))
    try {
      const proof = await proofOfShown(this.#io, this.#rowSet, of, this.#signal)
      tell(markOf(proof))
      if (isContradicted(this.#rowSet, of, proof)) this.contradicted.set(of.row, { of, proof })
      const facts = rowFacts(proof)
      const { outcome } = proof.verification
      if (outcome.kind === 'refused' && outcome.refusal.reason !== 'schema-changed') {
        this.#left.clear()
      } else if (facts && outcome.kind === 'ok') {
        const width = outcome.verified.steps.find(({ name }) => name === 'entry')?.inputs.width
        const isWide = Number(width) >= manyEntries
        if (isWide && isOfPresent(this.#rowSet, of)) this.#takeWhole(facts.tx, of)
        if (isWide) this.#count(proof)
      }
    } catch (error) {
      // One answer that is too large is no reason to stop.
      if (!isTooLarge(error)) this.#left.clear()
      if (!this.#signal.aborted) tell({ verdict: null, cause: 'unasked', why: sentence(error) })
      if (!isTooLarge(error)) throw error
    }
  }

  /** Ends the run where single proofs of wide transactions become too much together. */
  #count({ verification: { response } }: Proof) {
    this.#readOfWide += JSON.stringify(response)?.length ?? 0
    if (this.#readOfWide <= mostOfWide || this.#left.size === 0) return
    this.#left.clear()
    this.limit = wideLimit
  }

  /** Proves all rows of a transaction at once, as far as they are among those that are left. */
  #takeWhole(tx: string, plan: Omit<RowOf, 'row'>) {
    if (this.#transactions.has(tx) || this.#left.size < manyRows) return
    this.#transactions.add(tx)
    const rows = [...this.#left].map((row) => ({ ...plan, row }))
    const work = async () => {
      const turn = nextTurn()
      const tell = ({ row }: RowOf, mark: RowMark) => {
        this.#left.delete(row)
        this.#tell(row, inTurn(turn, mark))
      }
      await checkRowsOfTx(this.#io, { tx, rows, tell })
    }
    // If this fails, each row can still be verified alone.
    this.#whole = this.#whole.then(work).catch(() => {})
  }

  #tell(row: number, mark: RowMark) {
    // Other rows may still be in progress when one ends the run.
    if (this.#isOver) return
    this.marks.set(row, mark)
    if (performance.now() - this.#shownAt < showPeriod) return
    this.#shownAt = performance.now()
    this.#show({ done: this.marks.size, total: this.#rows.length })
  }

  #show(run: ResultProofs['run']) {
    showMarks(this.#io, this.#rowSet, this.marks, { run })
  }

  end() {
    this.#isOver = true
    this.#show(null)
  }

  /** The marks of the checked rows, including later checks of the same rows. */
  get shownMarks(): ReadonlyMap<number, RowMark> {
    const { marks } = this.#io.get(rowProofsAtom)(this.#rowSet.number)
    return new Map([...this.marks].map(([row, mark]) => [row, marks.get(row) ?? mark]))
  }
}

const wideLimit = `The proofs of these rows are large, because each brings all keys of its transaction. The check ended after ${formatSize(mostOfWide)}. Choose the rows that are left and verify again.`

/** The result in one sentence, by kind of finding. */
function summaryOf(
  marks: ReadonlyMap<number, RowMark>,
  rows: readonly number[],
  problem: string | null,
  isStopped: boolean,
): ResultProofs['summary'] {
  if (marks.size === 0 && problem === null && !isStopped) return null
  const count = (kind: MarkKind) =>
    [...marks.values()].filter((mark) => kindOf(mark) === kind).length
  const verified = count('whole')
  const parts = [
    `${formatCount(verified)} of ${counted(rows.length, 'row')} verified`,
    ...inPart(marks),
    ...sentences.flatMap(([kind, words]) => {
      const found = count(kind)
      return found === 0 ? [] : [`${formatCount(found)} ${words}`]
    }),
  ]
  const left = rows.length - marks.size
  if (left > 0) parts.push(`${formatCount(left)} not looked at`)
  const end = isStopped ? ' Stopped.' : problem === null ? '' : ` ${problem}`
  return { text: `${parts.join(', ')}.${end}`, rows }
}

/** What rows are counted by; the kinds of a refusal are one. */
type MarkKind = 'unasked' | Exclude<Cause, 'redescribed' | 'memory'>

function kindOf(mark: RowMark): MarkKind {
  if (mark.cause === 'redescribed') return 'refused'
  return mark.cause === 'memory' ? 'first' : mark.cause
}

/** Kinds of gaps that are named one by one. */
const mostGaps = 3

function inPart(marks: ReadonlyMap<number, RowMark>): string[] {
  const counts = new Map<string, number>()
  // In the order of the rows, whichever answer came first.
  for (const [, mark] of [...marks].sort(([one], [other]) => one - other)) {
    if (mark.cause !== 'open') continue
    const { gap = 'see the proof' } = mark
    counts.set(gap, (counts.get(gap) ?? 0) + 1)
  }
  const named = [...counts].map(([gap, count]) => `${formatCount(count)} in part (${gap})`)
  const rest = [...counts.values()].slice(mostGaps).reduce((sum, count) => sum + count, 0)
  return [...named.slice(0, mostGaps), ...(rest > 0 ? [`${formatCount(rest)} in part`] : [])]
}

const sentences: readonly (readonly [MarkKind, string])[] = [
  ['first', 'at first contact'],
  ['late', 'not compared, because the storage of this browser has not answered'],
  ['different', 'not as shown here'],
  ['outdated', 'written again since'],
  ['refused', 'refused'],
  ['none', 'not provable'],
  ['unasked', 'could not be asked for'],
]

/** Finds the primary key of the rows in a result. Never rejects. */
export async function planRows(get: Getter, rowSet: RowSet): Promise<RowMap | NoRowSource> {
  const { database, sql, rows } = rowSet
  const found = rowSource(sql)
  if ('why' in found) return found
  const { table } = found
  try {
    const tables = await readTables(get, database, (known) => (known.has(table) ? [] : [table]))
    if (!tables.has(table)) {
      return { why: `${table} is not a table: only stored rows can be verified.` }
    }
    const key = primaryKey(await readDetails(get, database, table))
    return rowMap(found, rows.columns, { primaryKey: key.map(({ name }) => name) })
  } catch (error) {
    return { why: `The primary key of ${table} could not be read. ${sentence(error)}` }
  }
}

/** Verifies one row again and opens its proof. */
export async function openRowProof(io: Io, rowSet: RowSet, row: number) {
  try {
    await openProofOfRow(io, rowSet, row)
  } catch {
    changeRowProofs(io, rowSet.number, { summary: incomplete })
  }
}

/** Verifies several rows of a result; progress, marks and a summary are told as they come. */
export async function verifyRows(io: Io, rowSet: RowSet, rows: readonly number[]): Promise<void> {
  const { number } = rowSet
  if (io.get(rowProofsAtom)(number).run) return
  const controller = new AbortController()
  io.set(controllersAtom, new Map(io.get(controllersAtom)).set(number, controller))
  changeRowProofs(io, number, { run: { done: 0, total: rows.length }, summary: null })
  try {
    await verifyEach(io, rowSet, rows, controller.signal)
  } catch {
    changeRowProofs(io, number, { run: null, summary: incomplete })
  }
}

/** Reads the definitions of tables from the history and verifies rows again; why it did not, or null. */
export async function describeRows(
  io: Io,
  rowSet: RowSet,
  rows: readonly number[],
): Promise<string | null> {
  const why = await readDescriptions(io, rowSet.database)
  if (why === null) await verifyRows(io, rowSet, rows)
  return why
}

const incomplete = {
  text: 'Nothing was verified: a part of the console could not be fetched. Try again.',
  rows: [],
}
