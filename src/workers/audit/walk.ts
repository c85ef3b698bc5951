import type { KeyValue } from '~/immudb/key-address'
import { pause } from '~/lib/work-in-slices'
import type { AuditProgress, Fresh, StartAudit } from '~/proof/audit-messages'
import { saveAudit } from '~/proof/audit-walk'
import { schemasOf } from '~/proof/catalog'
import { compareColumns, compareNames, type TableFinding } from '~/proof/compare-tables'
import {
  type DeepAudit,
  type FetchedTx,
  goOnBehindUnlisted,
  goOnTo,
  isAtEnd,
  startDeepAudit,
  takePage,
} from '~/proof/deep-audit'
import { type Context, type TrustedState, writePoint } from '~/proof/kernel/context'
import type { Schema } from '~/proof/kernel/schema'
import { ProofError } from '~/proof/kernel/steps'
import { verify } from '~/proof/kernel/verify'
import { pkValues } from '~/proof/sample-row'
import {
  goOnFrom,
  readTarget,
  resumeDeepAudit,
  type SavedDeepAudit,
  saveDeepAudit,
} from '~/proof/saved-audit'
import type { AuditedServer } from './audited-server'
import { isAnswer, provePending, Refusal } from './proofs'
import { Pages } from './tx-pages'

/** Transactions checked in one slice; answers and orders are handled in between. */
const slice = 200
/** Milliseconds between two reports, and between two saved states. */
const reportPeriod = 250
const savePeriod = 2_000
/** The rate is measured over about this many milliseconds. */
const rateWindow = 5_000

export type WalkOptions = {
  server: AuditedServer
  database: string
  /** Called now and then; with `saved` when enough was done since the last one. */
  report: (progress: AuditProgress, saved: SavedDeepAudit | null) => void
  /** The trusted state now; null when not available. */
  newestPoint: () => Promise<TrustedState | null>
  isWanted: () => boolean
  /** Milliseconds that the clock of the server is ahead. */
  clockOffset?: number
  /** See `Context`. */
  hasNewerForm?: boolean
  mayLackAdvance?: boolean
  now?: () => number
}

export type Walked = { isAtEnd: boolean; audit: DeepAudit; tables: TableFinding[] | null }

/** The audit for an order. @throws ProofError in step `context` for an unusable record */
export function auditOf(from: StartAudit['from']): DeepAudit {
  if ('resume' in from) return resumeDeepAudit(from.resume)
  if ('since' in from) return goOnFrom(from.since, from)
  return startDeepAudit(readTarget((from satisfies Fresh).target), from.withValues)
}

/** Walks to the end, or until the user stops it. */
export class Walk {
  #audit: DeepAudit
  readonly #options: WalkOptions
  readonly #now: () => number
  #pages: Pages
  /** The last fetched transaction, until the next one confirms it. */
  #held: FetchedTx[] = []
  /** The transaction after which a first refusal came. */
  #refusedAt: bigint | null = null
  #step: AuditProgress['step'] = 'transactions'
  #active = 0
  #began = 0
  #reported = 0
  #saved = 0
  #rate = 0
  #rateFrom = { at: 0, txId: 0n }

  constructor(audit: DeepAudit, options: WalkOptions) {
    this.#audit = audit
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#pages = this.#newPages()
  }

  /** @throws Refusal for what fails twice; `ApiError` for calls that fail */
  async run(): Promise<Walked> {
    this.#began = this.#now()
    this.#rateFrom = { at: this.#began, txId: this.#audit.chain.txId }
    this.#report(true)
    // Reports must also come while an answer is pending.
    const clock = setInterval(() => this.#report(), reportPeriod)
    try {
      await this.#walk()
      const tables = await this.#tables()
      const isEnd = isAtEnd(this.#audit) && this.#options.isWanted()
      return { isAtEnd: isEnd, audit: this.#audit, tables }
    } finally {
      clearInterval(clock)
      this.#report(true)
    }
  }

  get context(): Context {
    const { database, hasNewerForm = false, mayLackAdvance = false } = this.#options
    const trusted = writePoint(this.#audit.target)
    return { db: database, trusted, publicKey: null, hasNewerForm, mayLackAdvance }
  }

  #newPages(): Pages {
    const { withValues, isCatalogWhole } = this.#audit
    // Without the whole catalog, a part of it is worth nothing.
    const what = withValues ? 'values' : isCatalogWhole ? 'catalog' : 'digests'
    return new Pages(this.#options.server, what)
  }

  async #walk(): Promise<void> {
    await this.#pending()
    while (!isAtEnd(this.#audit) && this.#options.isWanted()) {
      const { chain, target } = this.#audit
      const asked = this.#now()
      const from = chain.txId + BigInt(this.#held.length) + 1n
      const page = await this.#pages.take(from, target.txId)
      const came = this.#now()
      await this.#take(page)
      this.#pages.balance(came - asked, this.#now() - came)
    }
  }

  async #take(page: readonly FetchedTx[]): Promise<void> {
    const all = [...this.#held, ...page]
    this.#held = []
    const { chain, target } = this.#audit
    // Only the next transaction, or the trusted state, confirms the last one.
    const isOpen = page.length > 0 && BigInt(all.length) < target.txId - chain.txId
    const count = isOpen ? all.length - 1 : all.length
    for (let at = 0; at < Math.max(count, page.length === 0 ? 1 : 0); at += slice) {
      if (!this.#options.isWanted()) return
      const end = Math.min(at + slice, count)
      // Nothing after a refused part can follow from it.
      if (!this.#takePart(all.slice(at, end), all[end])) return
      await this.#pending()
      this.#report()
      await pause()
    }
    if (isOpen) this.#held = all.slice(count)
  }

  /** False for a part that fails. It is fetched once more before the audit reports anything. */
  #takePart(part: readonly FetchedTx[], next: FetchedTx | undefined): boolean {
    const { txId } = this.#audit.chain
    try {
      takePage(this.#audit, part, this.#serverTime(), next)
      return true
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      if (this.#refusedAt === txId) throw this.#refusalOf(next ? [...part, next] : part, error)
    }
    this.#refusedAt = txId
    this.#pages = this.#newPages()
    return false
  }

  /** Unix seconds by the clock of the server. */
  #serverTime(): number {
    return (Date.now() + (this.#options.clockOffset ?? 0)) / 1000
  }

  #refusalOf(part: readonly FetchedTx[], error: ProofError): Refusal {
    const { chain, rest } = goOnBehindUnlisted(this.#audit.chain, part)
    const after = saveAudit(chain)
    const request = { initialTx: String(chain.txId + 1n), limit: rest.length, after }
    const txs = rest.map(({ tx }) => tx)
    const response = { txs, values: rest.map(({ values }) => values ?? null) }
    const what = `the history of ${this.#options.database} behind transaction ${chain.txId}`
    const of = { kind: 'audit', what, context: this.context } as const
    return new Refusal({ ...of, answered: { request, response } }, error)
  }

  async #pending(): Promise<void> {
    const { server, isWanted } = this.#options
    while (this.#audit.pending.length > 0 && isWanted()) {
      const started = this.#now()
      // Stops now and then to report progress.
      const isTime = () => isWanted() && this.#now() - started < reportPeriod
      const now = () => this.#serverTime()
      await provePending(this.#audit, server, this.context, { isWanted: isTime, now })
      this.#report()
    }
  }

  async #tables(): Promise<TableFinding[] | null> {
    const { server, isWanted, newestPoint } = this.#options
    if (!isWanted() || !this.#audit.isCatalogWhole) return null
    this.#step = 'tables'
    this.#report(true)
    const found = await compareTables(this.#audit, server, this.context)
    if (found.every(({ kind }) => kind === 'agrees')) return found
    // Tables may have been altered after the target of this audit.
    const newest = await newestPoint()
    if (!newest || BigInt(newest.txId) <= this.#audit.target.txId) return found
    this.#audit = goOnTo(this.#audit, readTarget(newest))
    this.#step = 'transactions'
    await this.#walk()
    if (!isWanted() || !this.#audit.isCatalogWhole) return null
    this.#step = 'tables'
    return compareTables(this.#audit, server, this.context)
  }

  #report(isForced = false): void {
    const now = this.#now()
    if (!isForced && now - this.#reported < reportPeriod) return
    this.#reported = now
    this.#active = now - this.#began
    const isSaveTime = isForced || now - this.#saved >= savePeriod
    const saved = isSaveTime ? saveDeepAudit(this.#audit) : null
    if (saved) this.#saved = now
    this.#options.report(this.#progress(now), saved)
  }

  #progress(now: number): AuditProgress {
    const { chain, target, first, withValues, counts, exceptions, pending } = this.#audit
    const past = now - this.#rateFrom.at
    if (past >= reportPeriod / 2) {
      const rate = (Number(chain.txId - this.#rateFrom.txId) / past) * 1000
      const share = Math.min(1, past / rateWindow)
      this.#rate = this.#rate === 0 ? rate : this.#rate * (1 - share) + rate * share
      this.#rateFrom = { at: now, txId: chain.txId }
    }
    return {
      first: String(first),
      txId: String(chain.txId),
      last: String(target.txId),
      withValues,
      entries: chain.entries,
      counts: { ...counts },
      exceptions: { counts: { ...exceptions.counts }, list: [...exceptions.list] },
      pending: pending.length,
      active: this.#active,
      rate: this.#rate,
      step: this.#step,
    }
  }
}

/**
 * Compares every table in the history with what the server claims: its list, its columns and, where
 * a row is known, the column numbers in that row's proof.
 */
export async function compareTables(
  { catalog, rows }: DeepAudit,
  server: AuditedServer,
  context: Context,
): Promise<TableFinding[]> {
  const derived = schemasOf(catalog)
  const listed = await server.tables()
  const found = compareNames(derived, listed)
  for (const schema of derived) {
    if (!listed.includes(schema.table)) continue
    const columns = compareColumns(schema, await server.describe(schema.table))
    const row = rows.get(schema.tableId)
    const values = row && pkValues(row, schema)
    const isSame = columns.kind === 'differs' || !row || !values
    found.push(isSame ? columns : await compareRow(schema, { server, context, row, values }))
  }
  return found
}

async function compareRow(
  schema: Schema,
  {
    server,
    context,
    row,
    values,
  }: {
    server: AuditedServer
    context: Context
    row: { tx: string }
    values: Record<string, unknown>[]
  },
): Promise<TableFinding> {
  const { table } = schema
  const compared = { table, row: 'compared' } as const
  const what = `a row of ${table} in transaction ${row.tx}`
  const pinned = { ...context, schema }
  for (let again = 0; ; again += 1) {
    const answered = await asked(() => server.row(table, values as KeyValue[], row.tx)) // as it takes
    if (!answered) return { table, kind: 'agrees', what: '', row: 'refused' }
    try {
      const { verdict } = await verify('row', pinned, answered.request, answered.response)
      // An answer in an older form describes the table in part, and agrees as far as it does.
      return { ...compared, kind: 'agrees', what: '', ...(verdict !== 'ok' && { row: 'refused' }) }
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      if (error.reason === 'schema-changed') {
        return { ...compared, kind: 'differs', what: 'the numbers or lengths of its columns' }
      }
      if (error.reason === 'older-form') {
        return { ...compared, kind: 'differs', what: 'the form of its description, which is older' }
      }
      if (again > 0) throw new Refusal({ kind: 'row', what, context: pinned, answered }, error)
    }
  }
}

/** Null when the server does not return the row; then only the columns are compared. */
async function asked<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isAnswer(error)) return null
    throw error
  }
}
