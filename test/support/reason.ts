import type { Locator } from 'playwright-core'

/** Why a control is disabled, as assistive technology reads it; null when it can be used. */
export async function reasonOf(control: Locator): Promise<string | null> {
  await control.waitFor()
  return control.evaluate((element) => {
    const isOff =
      element.getAttribute('aria-disabled') === 'true' ||
      ('disabled' in element && element.disabled === true)
    if (!isOff) return null
    const ids = element.getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  })
}
