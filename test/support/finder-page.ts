import type { Locator, Page } from 'playwright-core'
import type { ConsolePage } from './console-page'
import { until } from './until'

/** The panel that finds everything, as someone at the keyboard meets it. */
export class FinderPage {
  readonly page: Page

  constructor({ page }: Pick<ConsolePage, 'page'>) {
    this.page = page
  }

  get panel() {
    return this.page.getByRole('dialog', { name: 'Find anything', exact: true })
  }

  get field() {
    return this.page.getByRole('combobox', { name: 'Find anything', exact: true })
  }

  get options() {
    return this.page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  }

  get questions() {
    return this.page.getByRole('region', { name: 'Questions to the server' })
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+K')
    await this.field.waitFor()
    await until(
      () => this.field.evaluate((box) => box === document.activeElement),
      (hasFocus) => hasFocus,
    )
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape')
    await this.panel.waitFor({ state: 'hidden' })
  }

  /** Opens the first result once it is the one that is meant. */
  async find(text: string, first: string): Promise<void> {
    await this.open()
    await this.field.fill(text)
    await until(
      () => this.options.first().textContent(),
      (shown) => shown?.includes(first) ?? false,
    )
    await this.page.keyboard.press('Enter')
    await this.panel.waitFor({ state: 'hidden' })
  }
}

/** Drops a file of text where the pointer of a user would. */
export function dropFile(target: Locator, name: string, text: string): Promise<void> {
  return target.evaluate(
    (element, [fileName, content]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content ?? ''], fileName ?? ''))
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      element.dispatchEvent(event)
    },
    [name, text],
  )
}
