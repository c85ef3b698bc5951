import type { ConsolePage } from './console-page'
import { until } from './until'

/** Presses a key that shows another editor, and waits until one can type in it. */
export async function press(console: ConsolePage, key: string, text: string): Promise<void> {
  await console.page.keyboard.press(key)
  await entered(console, text)
}

/** Waits until the shown editor has this text and the focus. */
export async function entered(console: ConsolePage, text: string): Promise<void> {
  await console.holds(text)
  const hasFocus = () => console.editor.evaluate((one) => one === document.activeElement)
  await until(hasFocus, (has) => has)
}

/** The tabs of the editors and of the opened tables, as a wide window has them. */
export const tabs = ({ page }: ConsolePage) =>
  page.getByRole('tablist', { name: 'Editor and tables' }).getByRole('tab')

export const tab = ({ page }: ConsolePage, name: string) =>
  page.getByRole('tab', { name, exact: true })

/** Waits until the tabs have these names, in this order. */
export async function tabsAre(console: ConsolePage, names: readonly string[]): Promise<void> {
  await until(
    () => tabs(console).allTextContents(),
    (drawn) => JSON.stringify(drawn) === JSON.stringify(names),
  )
}

/** Opens the menu of all editors and chooses one of its lines. */
export async function choose(console: ConsolePage, entry: RegExp): Promise<void> {
  await console.page.getByRole('button', { name: 'Editors', exact: true }).click()
  await console.page.getByRole('menuitem', { name: entry }).click()
}

/** Renames the editor of a tab by keyboard alone. */
export async function rename(console: ConsolePage, name: string, next: string): Promise<void> {
  await tab(console, name).focus()
  await console.page.keyboard.press('F2')
  const field = console.dialog.getByRole('textbox', { name: 'Name' })
  await field.fill(next)
  await console.page.keyboard.press('Enter')
  await console.dialog.waitFor({ state: 'hidden' })
}

/** The editor that the address names. */
export const shown = (console: ConsolePage) =>
  new URL(console.page.url()).searchParams.get('editor')
