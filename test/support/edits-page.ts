import type { Locator } from 'playwright-core'
import type { ConsolePage } from './console-page'

/** The rows of a table as someone who changes them meets them. */
export class EditsPage {
  readonly console: ConsolePage
  readonly table: string

  constructor(console: ConsolePage, table: string) {
    this.console = console
    this.table = table
  }

  get grid() {
    return this.console.page.getByRole('grid', { name: `Rows of ${this.table}`, exact: true })
  }

  get review() {
    return this.console.page.getByRole('dialog', { name: `Review changes of ${this.table}` })
  }

  button(name: string): Locator {
    return this.console.page.getByRole('button', { name, exact: true })
  }

  /** A cell by the number of its row and of its column, both counted from one. */
  cell(row: number, column: number): Locator {
    return this.grid
      .locator(`[role=row][aria-rowindex="${row + 1}"]`)
      .locator(`[role=gridcell][aria-colindex="${column + 1}"]`)
  }

  async open(database = 'defaultdb'): Promise<void> {
    await this.console.enter(`/query?db=${database}&table=${this.table}`)
    await this.grid.waitFor()
  }

  /** Opens the field of a cell, types a value and leaves the field. */
  async type(row: number, column: number, name: string, text: string): Promise<void> {
    await this.cell(row, column).dblclick()
    const field = this.grid.getByRole('textbox', { name, exact: true })
    await field.fill(text)
    await this.grid.getByRole('button', { name: 'Done', exact: true }).click()
    await field.waitFor({ state: 'detached' })
  }

  /** Chooses rows by their numbers, counted from one. */
  async choose(...rows: number[]): Promise<void> {
    for (const row of rows) {
      await this.grid
        .locator(`[role=row][aria-rowindex="${row + 1}"] [role=rowheader]`)
        .click({ position: { x: 30, y: 10 } })
    }
  }

  /** Reviews what is staged and commits it. */
  async commit(): Promise<void> {
    await this.button('Review changes').click()
    await this.review.getByRole('button', { name: 'Commit', exact: true }).click()
  }
}
