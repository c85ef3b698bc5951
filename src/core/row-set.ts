import type { ResultTable } from '~/sql/result'

/** Rows that are shown and can be proven: the result of a statement, or a page of a table. */
export type RowSet = {
  readonly database: string
  /**
   * Names them in this tab and is never used twice: results count up from one, pages of tables down
   * from zero.
   */
  readonly number: number
  /** The statement whose rows they are, as it was sent. */
  readonly sql: string
  readonly rows: ResultTable
  /** The newest transaction that was known before they were read. */
  readonly txBefore: string
}
