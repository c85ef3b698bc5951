import type { ConsolePage } from './console-page'

/** The guide as a reader meets it. */
export class GuidePage {
  readonly #console: ConsolePage

  constructor(console: ConsolePage) {
    this.#console = console
  }

  get page() {
    return this.#console.page
  }

  get field() {
    return this.page.getByRole('textbox', { name: 'Search the guide', exact: true })
  }

  get contents() {
    return this.page.getByRole('navigation', { name: 'Contents of the guide', exact: true })
  }

  /** The line of the contents that is marked. */
  get current() {
    return this.contents.locator('[aria-current="location"]')
  }

  heading(name: string) {
    return this.page.getByRole('heading', { name, exact: true })
  }

  /** An example by the first line of its code. */
  example(line: string) {
    return this.page.getByRole('figure', { name: `Example: ${line}`, exact: true })
  }

  async ready(): Promise<void> {
    await this.heading('First steps').waitFor()
  }
}
