import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { Theme } from '../support/browser'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { shot } from '../support/shots'
import { createSmallTable } from '../support/sql-samples'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes: readonly Theme[] = ['dark', 'light']
const looks = Object.entries(sizes).flatMap(([size, viewport]) =>
  themes.map((theme) => ({ size, viewport, theme })),
)

async function checked(console: ConsolePage, name: string) {
  await shot(console.page, name)
  expect((await axeViolations(console.page)).join('\n'), name).toBe('')
}

describe.for(looks)('axe, $theme, $size', ({ size, viewport, theme }) => {
  test('login, shell and query have no violation', async ({ server, open }) => {
    const table = `seen_${theme}_${size}`
    await createSmallTable(await api(server.url), table)
    const console = await open(server.url, { viewport })
    await console.seed({ view: { theme } })
    await console.open()
    await console.signedOut()
    await checked(console, `login-${theme}-${size}`)
    await console.logIn.click()
    await expect.poll(() => console.page.getByText('This field is required').count()).toBe(2)
    await checked(console, `login-required-${theme}-${size}`)
    await console.submitLogin()
    await console.signedIn()
    await console.page.getByRole('heading', { level: 1 }).waitFor()
    await checked(console, `shell-${theme}-${size}`)
    await console.open('/query')
    await console.signedIn()
    await console.editor.waitFor()
    await checked(console, `query-empty-${theme}-${size}`)
    await console.runSql(`SELECT id, name, amount FROM ${table};`)
    await console.cell(1, '9007199254740993').waitFor()
    await console.runSql('SELECT id FROM FROM x;')
    await console.result(2).getByRole('alert').waitFor()
    await checked(console, `query-${theme}-${size}`)
  })
})
