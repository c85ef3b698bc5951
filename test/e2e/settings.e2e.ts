import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'
import { readState, readStorage } from '../support/page-storage'
import { noteNews, watching } from '../support/tab-news'

const section = (console: ConsolePage, name: string) =>
  console.page.getByRole('region', { name, exact: true })
const theme = (console: ConsolePage) =>
  console.page.evaluate(() => document.documentElement.dataset.theme)

describe('settings', () => {
  test('are kept over a reload and apply at once', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/settings')
    await section(console, 'Appearance').getByRole('radio', { name: 'Light' }).check()
    await expect.poll(() => theme(console)).toBe('light')
    await section(console, 'SQL editor').getByLabel('Font size').fill('18')
    await section(console, 'SQL editor').getByRole('switch', { name: /Wrap/ }).uncheck()
    await section(console, 'Session').getByLabel('Lock after').fill('45')
    await expect.poll(() => readState(console.page)).toMatchObject({ settings: { idle: 45 } })
    await console.page.reload()
    await console.signedIn()
    await expect.poll(() => theme(console)).toBe('light')
    const fontSize = section(console, 'SQL editor').getByLabel('Font size')
    await expect.poll(() => fontSize.inputValue()).toBe('18')
    const idle = section(console, 'Session').getByLabel('Lock after')
    await expect.poll(() => idle.inputValue()).toBe('45')
    await console.link('Query').click()
    await console.editor.waitFor()
    const size = () => console.editor.evaluate((element) => getComputedStyle(element).fontSize)
    await expect.poll(size).toBe('18px')
    await expect.poll(() => console.editor.getAttribute('class')).not.toContain('lineWrapping')
  })

  test('the system’s theme is followed when it changes', async ({ server, open }) => {
    const console = await open(server.url)
    await console.page.emulateMedia({ colorScheme: 'light' })
    await console.enter('/settings')
    await expect.poll(() => theme(console)).toBe('dark')
    await section(console, 'Appearance')
      .getByRole('radio', { name: /System/ })
      .check()
    await expect.poll(() => theme(console)).toBe('light')
    await console.page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => theme(console)).toBe('dark')
    const kept = { view: { theme: 'dark', system: true } }
    await expect.poll(() => readState(console.page)).toMatchObject(kept)
    await console.page.emulateMedia({ colorScheme: 'light' })
    await console.page.reload()
    await console.signedIn()
    await expect.poll(() => theme(console)).toBe('light')
    expect(await readState(console.page)).toMatchObject(kept)
  })

  test('a named zone applies to timestamps of results too', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE moments (id INTEGER, at TIMESTAMP, PRIMARY KEY id);')
    await db.exec(
      "INSERT INTO moments (id, at) VALUES (1, CAST('2023-12-31 23:00:01' AS TIMESTAMP));",
    )
    const console = await open(server.url)
    await console.enter('/settings')
    await section(console, 'Times').getByRole('radio', { name: 'Another zone' }).check()
    await section(console, 'Times').getByLabel('Zone', { exact: true }).fill('Europe/Vienna')
    await section(console, 'Times')
      .getByText(/GMT\+[12]|CES?T/)
      .waitFor()
    await console.link('Query').click()
    await console.runSql('SELECT at FROM moments;')
    await console.cell(1, '2024-01-01 00:00:01.000000 +01:00').waitFor()
    await console.account.click()
    await console.page.getByRole('menuitemradio', { name: 'Europe/Vienna' }).waitFor()
    await console.page.getByRole('menuitemradio', { name: 'UTC' }).click()
    await console.cell(1, '2023-12-31 23:00:01.000000 UTC').waitFor()
  })

  test('stay signed in can be taken back: the token leaves storage at once', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/settings')
    const isStored = async () => {
      const kept = [...(await readStorage(console.page)).values()].join('\n')
      return console.visit.watch.secrets.some((token) => kept.includes(token))
    }
    await expect.poll(isStored).toBe(true)
    await section(console, 'Session')
      .getByRole('switch', { name: /Stay signed in/ })
      .uncheck()
    await expect.poll(isStored).toBe(false)
    await console.page.reload()
    await console.signedOut()
  })

  test(
    'settings go out as a file without secrets and come back',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.enter('/settings')
      await section(console, 'Appearance').getByRole('radio', { name: 'Light' }).check()
      const coming = console.page.waitForEvent('download')
      await console.page.getByRole('button', { name: 'Export settings' }).click()
      const download = await coming
      expect(download.suggestedFilename()).toBe('webconsole-settings.json')
      const text = await readFile(await download.path(), 'utf8')
      for (const secret of console.visit.watch.secrets) expect(text).not.toContain(secret)
      await section(console, 'Appearance').getByRole('radio', { name: 'Dark' }).check()
      await expect.poll(() => theme(console)).toBe('dark')
      await console.page.getByLabel('File with settings').setInputFiles({
        name: 'settings.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
      await expect.poll(() => theme(console)).toBe('light')
    },
  )

  test('removing everything leaves an empty browser and an untouched database', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT 1 -- to be removed')
    await console.keeps('SELECT 1 -- to be removed')
    await console.link('Settings').click()
    await console.page.getByRole('button', { name: 'Accept all' }).click()
    await console.page.getByRole('button', { name: 'Remove everything…' }).click()
    const dialog = console.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('webconsole')
    await dialog.getByRole('button', { name: 'Remove everything' }).click()
    await console.signedOut()
    await console.page
      .getByText(/Everything that this console kept in this browser was removed/)
      .waitFor()
    const kept = await readStorage(console.page)
    expect(kept.get('cookie')).toBe('')
    expect([...kept.values()].join('\n')).not.toContain('to be removed')
    await console.submitLogin()
    await console.signedIn()
  })

  test('about lists the files of the build with the hashes of the manifest', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const manifest = await (await fetch(`${server.url}/manifest.json`)).json()
    await console.enter('/settings')
    const about = section(console, 'About')
    await about.getByText(`${manifest.files.length} files`, { exact: false }).click()
    await expect.poll(() => about.getByRole('row').count()).toBe(manifest.files.length + 1)
    const [first] = manifest.files
    await about.getByTitle(first.sha256).first().waitFor()
    const licences = await about.getByRole('link', { name: /licences/ }).getAttribute('href')
    expect((await fetch(new URL(licences ?? '', server.url))).status).toBe(200)
  })

  test('F41 two tabs change theme and panes: both are kept, the token too', async ({
    server,
    open,
  }) => {
    const first = await open(server.url)
    await first.enter('/settings')
    await first.keepsSession()
    const second = new ConsolePage(first.visit, server.url, await first.visit.tab())
    await second.open('/settings')
    await second.signedIn()
    // Each change is made while the other tab still has what was before in its memory.
    const stored = () => readState(first.page)
    await section(first, 'Appearance').getByRole('radio', { name: 'Light' }).check()
    await expect.poll(stored).toMatchObject({ view: { theme: 'light' } })
    await section(second, 'Appearance')
      .getByRole('switch', { name: /only icons/ })
      .check()
    await expect.poll(stored).toMatchObject({ view: { sidebar: { mini: true } } })
    await section(first, 'SQL editor').getByLabel('Font size').fill('15')
    await expect.poll(stored).toMatchObject({
      view: { theme: 'light', sidebar: { mini: true } },
      settings: { fontSize: 15 },
      auth: { user: 'immudb' },
    })
    for (const tab of [first, second]) {
      await tab.page.reload()
      await tab.signedIn()
      await expect.poll(() => theme(tab)).toBe('light')
    }
  })

  test('F62 site data cleared under an open page: it goes on and writes again', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT 62;')
    await console.keeps('SELECT 62;')
    const session = await console.visit.context.newCDPSession(console.page)
    await session.send('Storage.clearDataForOrigin', {
      origin: new URL(server.url).origin,
      storageTypes: 'all',
    })
    await console.run.click()
    await console.cell(1, '62').waitFor()
    await console.write('SELECT 63;')
    await console.keeps('SELECT 63;')
    await console.link('Settings').click()
    await section(console, 'Appearance').getByRole('radio', { name: 'Light' }).check()
    await expect.poll(() => readState(console.page)).toMatchObject({ view: { theme: 'light' } })
  })
})

describe('cookies', () => {
  test('an ordinary build asks nobody; the bar opens from Settings, in every language', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { before: noteNews })
    await console.enter('/settings')
    const cookies = section(console, 'Cookies and privacy')
    // What would ask is there.
    await watching(console.page)
    const bar = console.page.getByRole('region', { name: 'Cookies', exact: true })
    expect(await bar.count()).toBe(0)
    await cookies.getByRole('button', { name: 'Show the cookie bar' }).click()
    await bar.getByRole('button', { name: 'Manage cookies' }).click()
    await bar.getByRole('checkbox', { name: /Functional/ }).check()
    await bar.getByRole('button', { name: 'Save' }).click()
    await bar.waitFor({ state: 'hidden' })
    const kept = await console.visit.context.cookies()
    const answer = kept.find(({ name }) => name === 'webconsole_consent')
    expect(answer?.value).toBe('necessary.functional')
    expect((answer?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(364 * 86_400)
    expect(answer?.sameSite).toBe('Lax')
    await cookies.getByRole('combobox', { name: 'Cookie language' }).click()
    await console.page.getByRole('option', { name: 'Українська' }).click()
    await cookies.getByRole('button', { name: 'Прийняти всі' }).waitFor()
    await console.keepsSession()
    await console.page.reload()
    await console.signedIn()
    await cookies.getByRole('button', { name: 'Видалити всі' }).click()
    await expect.poll(() => console.visit.context.cookies()).toEqual([])
  })
})

describe.for(sizes)('looks, $size', unhurried, ({ viewport }) => {
  test('settings, the cookie bar and the question before removing', async ({ server, open }) => {
    const console = await open(server.url, { viewport })
    const { page } = console
    await console.seed({ view: { timezone: 'Europe/Vienna' }, settings: { readOnly: ['old'] } })
    await console.signIn('/settings')
    await page.getByText(/files, .* with their SHA-256/).waitFor()
    await page.getByRole('button', { name: 'Accept all' }).waitFor()
    await look(console, 'settings-zone')
    await page.getByRole('button', { name: 'Show the cookie bar' }).click()
    const bar = page.getByRole('region', { name: 'Cookies', exact: true })
    await bar.getByRole('button', { name: 'Manage cookies' }).click()
    await look(console, 'cookie-bar')
    await bar.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Remove everything…' }).click()
    await page.getByRole('dialog').waitFor()
    await look(console, 'settings-remove')
    await page.keyboard.press('Escape')
    await page.getByText(/with their SHA-256/).click()
    await look(console, 'settings-about')
  })
})
