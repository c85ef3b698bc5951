import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { expectAccessible, wide } from '../support/looks'
import { readStorage } from '../support/page-storage'
import { until } from '../support/until'

const password = 'Str0ng!pass'

type Listed = { name: string; loaded?: boolean; settings: Record<string, unknown> }

async function listed(admin: Api): Promise<readonly Listed[]> {
  return (await admin.call<{ databases: Listed[] }>('/db/list/v2', {})).databases
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const panel = (page: Page, name: string) =>
  page.getByRole('region', { name: new RegExp(`^${name}`) })
const report = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text })

async function openPanel({ page }: ConsolePage, name: string) {
  await button(page, name).click()
  await page.getByRole('tab', { name: 'Operations' }).waitFor()
}

async function confirmDialog(page: Page, action: string, typed?: string) {
  const dialog = page.getByRole('dialog')
  if (typed !== undefined) await dialog.getByLabel('Name').fill(typed)
  await dialog.getByRole('button', { name: action, exact: true }).click()
}

/** Signs in on the databases screen. */
async function databasesOf(console: ConsolePage, user?: string) {
  await console.enter('/databases', user, user === undefined ? undefined : password)
  await console.page.getByRole('table', { name: 'Databases' }).waitFor()
}

/** Before they are known everything is disabled, whatever they are. */
async function knowsRights(page: Page, words: string) {
  await page.getByRole('cell', { name: words, exact: true }).waitFor()
}

describe('the system admin', () => {
  test('creates, uses, unloads, loads and deletes a database', walk, async ({ server, open }) => {
    const admin = await api(server.url)
    const console = await open(server.url)
    const { page } = console
    await databasesOf(console)
    await button(page, 'Create database').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Life')
    await dialog.getByText('It will be stored in lower case, as life.').waitFor()
    await dialog.getByText('Storage', { exact: true }).click()
    await dialog.getByLabel('Longest key').fill('512')
    await dialog.getByText('Index', { exact: true }).click()
    await dialog.getByLabel('Delay', { exact: true }).fill('20')
    await dialog.getByLabel('Clean-up at a flush').fill('0.5')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('life was created.').waitFor()
    const created = (await listed(admin)).find(({ name }) => name === 'life')
    expect(created?.settings).toMatchObject({
      maxKeyLen: { value: 512 },
      indexSettings: { delayDuringCompaction: { value: 20 }, cleanupPercentage: { value: 0.5 } },
    })
    await panel(page, 'life').getByRole('button', { name: 'Use life', exact: true }).click()
    await page.getByText('Using life now.').waitFor()
    await expect.poll(() => console.database.textContent()).toContain('life')
    await button(page, 'Unload: life').click()
    await confirmDialog(page, 'Unload')
    await report(page, /Unloaded/).waitFor()
    await page.getByText(/nothing in it can be read or written/).waitFor()
    await button(page, 'Load: life').click()
    await report(page, /Loaded/).waitFor()
    await page.getByText(/nothing in it can be read or written/).waitFor({ state: 'detached' })
    await button(page, 'Unload: life').click()
    await confirmDialog(page, 'Unload')
    await report(page, /Unloaded/).waitFor()
    await button(page, 'Delete: life').click()
    await confirmDialog(page, 'Delete', 'life')
    await report(page, /Deleted, with its files/).waitFor()
    expect((await listed(admin)).map(({ name }) => name)).not.toContain('life')
    // The database of this tab is gone, so it is in another one.
    await expect.poll(() => console.database.textContent()).toContain('defaultdb')
    await page.getByText(/life no longer exists|life could not be opened again/).waitFor()
  })

  test('flushes, compacts and truncates; what has nothing to do is information', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    await admin.createDatabase('upkeep')
    await (await api(server.url, { database: 'upkeep' })).exec(
      'CREATE TABLE t (id INTEGER, PRIMARY KEY id);',
    )
    const console = await open(server.url)
    const { page } = console
    await databasesOf(console)
    const opened = (await console.database.textContent()) ?? ''
    await openPanel(console, 'upkeep')
    await panel(page, 'upkeep').getByLabel('Clean-up').fill('1.5')
    await button(page, 'Flush the index: upkeep').click()
    await report(page, /flushed to disk/).waitFor()
    await button(page, 'Compact the index: upkeep').click()
    await report(page, /too little to compact/).waitFor()
    await panel(page, 'upkeep').getByLabel('Keep the last').fill('1')
    await button(page, 'Truncate: upkeep').click()
    await confirmDialog(page, 'Truncate', 'upkeep')
    await report(page, /No value is older/).waitFor()
    expect(await console.alerts.count()).toBe(0)
    expect(await console.database.textContent()).toBe(opened)
    await console.page.getByText('--retention-period=24h upkeep').waitFor()
  })

  test('changes settings by their difference; the password stays on the server', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    const canary = 'Replica-canary-7'
    await admin.call('/db/create/v2', {
      name: 'copy',
      settings: {
        replicationSettings: {
          replica: { value: true },
          primaryUsername: { value: 'far' },
          primaryPassword: { value: canary },
        },
      },
    })
    const console = await open(server.url)
    const { page } = console
    console.visit.watch.keepSecret(canary)
    await databasesOf(console)
    await openPanel(console, 'copy')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('set, hidden').waitFor()
    await button(page, 'Change settings…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Performance', { exact: true }).click()
    await dialog.getByLabel('Parallel commits', { exact: true }).fill('12')
    await dialog.getByText('Retention', { exact: true }).click()
    await dialog.getByLabel('Retention period').fill('86400000')
    await dialog.getByRole('button', { name: 'Review 2 changes' }).click()
    await dialog.getByText('--retention-period=86400000ms').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await report(
      page,
      /2 settings saved. 1 of them in effect the next time the database is loaded/,
    ).waitFor()
    const { settings } = (await listed(admin)).find(({ name }) => name === 'copy') ?? {}
    expect(settings).toMatchObject({
      maxConcurrency: { value: 12 },
      truncationSettings: { retentionPeriod: { value: '86400000' } },
      replicationSettings: { primaryPassword: { value: canary } },
    })
    const kept = [...(await readStorage(page)).values()].join()
    expect(kept).not.toContain(canary)
    await console.visit.watch.assertClean()
    // It stops being a replica: what only a replica may have goes with it.
    await button(page, 'Change settings…').click()
    await dialog.getByText('Replication', { exact: true }).click()
    await dialog.getByLabel(/^Replica/).uncheck()
    await dialog.getByRole('button', { name: /Review/ }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await report(page, /settings saved. In effect now/).waitFor()
    await page.getByText('set, hidden').waitFor({ state: 'detached' })
  })

  test('reads the words of a refusal by the server, with nothing lost', async ({
    server,
    open,
    proxy,
  }) => {
    const console = await open(proxy.url)
    const { page } = console
    await databasesOf(console)
    proxy.fault({
      path: '/db/create/v2',
      times: 1,
      fault: {
        kind: 'answer',
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: '{"error":"<img src=x onerror=window.__pwn=1>","code":3,"message":"x"}',
      },
    })
    await button(page, 'Create database').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('refused')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByText('<img src=x onerror=window.__pwn=1>').waitFor()
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('refused')
    expect((await listed(await api(server.url))).map(({ name }) => name)).not.toContain('refused')
  })
})

describe('others', () => {
  test('the admin of a database manages it and nothing else', async ({ server, open }) => {
    const admin = await api(server.url)
    for (const name of ['own', 'other']) await admin.createDatabase(name)
    await admin.createUser('keeper', password, 254, 'own')
    const console = await open(server.url)
    const { page } = console
    await databasesOf(console, 'keeper')
    expect(await button(page, 'other').count()).toBe(0)
    await knowsRights(page, 'Admin')
    expect(await button(page, 'Create database').getAttribute('aria-disabled')).toBe('true')
    await openPanel(console, 'own')
    await button(page, 'Unload: own').click()
    await confirmDialog(page, 'Unload')
    await report(page, /Unloaded/).waitFor()
    await button(page, 'Load: own').click()
    await report(page, /Loaded/).waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await button(page, 'Change settings…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Storage', { exact: true }).click()
    await dialog.getByLabel(/Load at start/).uncheck()
    await dialog.getByRole('button', { name: 'Review 1 change' }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await report(page, /1 setting saved/).waitFor()
  })

  test.for([
    ['writer', 2, 'Read & write'],
    ['reader', 1, 'Read'],
  ] as const)(
    'a %s looks and uses, the rest is disabled with the reason',
    async ([user, level, words], { server, open }) => {
      const admin = await api(server.url)
      const name = `of_${user}`
      await admin.createDatabase(name)
      await admin.createUser(user, password, level, name)
      const console = await open(server.url)
      const { page } = console
      await databasesOf(console, user)
      await knowsRights(page, words)
      await openPanel(console, name)
      for (const work of ['Unload', 'Flush the index', 'Compact the index', 'Truncate', 'Delete']) {
        const one = button(page, `${work}: ${name}`)
        expect(await one.getAttribute('aria-disabled'), work).toBe('true')
        expect(await one.getAttribute('title')).toContain('“Admin”')
      }
      await page.getByRole('tab', { name: 'Settings' }).click()
      await page.getByText('Longest key').waitFor()
      expect(await button(page, 'Change settings…').getAttribute('aria-disabled')).toBe('true')
      await admin.call('/db/unload', { database: name })
      await button(page, 'Refresh the databases').click()
      const load = panel(page, name).getByRole('button', { name: `Load and use ${name}` })
      await page.getByText('Load it', { exact: true }).or(load).first().waitFor()
      await admin.call('/db/load', { database: name })
    },
  )
})

describe('while others change things', () => {
  test('F25: a database unloaded elsewhere is said in the query and offered to be loaded', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    await admin.createDatabase('shared')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/query?db=shared')
    await console.runSql('SELECT 1;')
    await console.cell(1, '1').waitFor()
    await admin.call('/db/unload', { database: 'shared' })
    await console.runSql('SELECT 2;')
    await console.result(2).getByText('The database is unloaded on the server.').waitFor()
    await button(page, 'Load it').click()
    await page.getByText(/nothing in it can be read or written/).waitFor({ state: 'detached' })
    await console.run.click()
    await console.cell(3, '2').waitFor()
    await admin.call('/db/unload', { database: 'shared' })
    await admin.call('/db/delete', { database: 'shared' })
  })

  test('F25: picking an unloaded one says so and leads to where it can be loaded', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    await admin.createDatabase('asleep')
    await admin.call('/db/unload', { database: 'asleep' })
    const console = await open(server.url)
    await console.enter('/query')
    await console.database.click()
    await console.page.getByRole('option', { name: /^asleep/ }).click()
    const refused = console.alerts.filter({
      hasText: 'asleep was not opened. The database is unloaded',
    })
    await refused.getByRole('button', { name: 'Load it…', exact: true }).click()
    await panel(console.page, 'asleep').getByRole('button', { name: 'Load and use asleep' }).click()
    await console.page.getByText('Using asleep now.').waitFor()
    await expect.poll(() => console.database.textContent()).toContain('asleep')
  })

  test('F26: a database deleted elsewhere leads back to the list with the reason', async ({
    server,
    proxy,
    open,
  }) => {
    const admin = await api(server.url)
    await admin.createDatabase('doomed')
    const console = await open(proxy.url)
    await console.enter('/query?db=doomed')
    await console.editor.waitFor()
    // What asks by itself would find it out before the statement is written.
    const others = proxy.hold({ path: /\/db\/(state|verifiable)/ })
    await admin.call('/db/unload', { database: 'doomed' })
    await admin.call('/db/delete', { database: 'doomed' })
    await console.runSql('SELECT 1;')
    await console.page.getByText('doomed no longer exists. You are in').waitFor()
    await console.page.getByRole('heading', { name: 'Databases', level: 1 }).waitFor()
    others()
    expect(await console.database.textContent()).toContain('defaultdb')
    await button(console.page, 'defaultdb').waitFor()
    await button(console.page, 'doomed').waitFor({ state: 'detached' })
  })

  test('F26: a permission on a deleted database locks nobody out', async ({ server, open }) => {
    const admin = await api(server.url)
    for (const name of ['stays', 'leaves']) await admin.createDatabase(name)
    await admin.createUser('heir', password, 1, 'stays')
    await admin.call('/user/changepermission', {
      action: 'GRANT',
      username: 'heir',
      database: 'leaves',
      permission: 1,
    })
    await admin.call('/db/unload', { database: 'leaves' })
    await admin.call('/db/delete', { database: 'leaves' })
    const heir = await api(server.url, { user: 'heir', password, database: 'stays' })
    // It is the server that cannot list them any more.
    await expect(listed(heir)).rejects.toThrow('key not found')
    const console = await open(server.url)
    await databasesOf(console, 'heir')
    await expect.poll(() => console.database.textContent()).toContain('stays')
    await openPanel(console, 'stays')
    expect(await button(console.page, 'leaves').count()).toBe(0)
    expect(await console.alerts.count()).toBe(0)
  })
})

describe('when the connection is bad', () => {
  test('F13: an empty list is an error in place, and the screen lives', async ({ open, proxy }) => {
    const console = await open(proxy.url)
    await databasesOf(console)
    const mend = proxy.fault({ path: '/db/list/v2', fault: { kind: 'answer', status: 204 } })
    await button(console.page, 'Refresh the databases').click()
    await console.alerts.filter({ hasText: 'could not be listed' }).waitFor()
    await console.page.getByRole('table', { name: 'Databases' }).waitFor()
    mend()
    await button(console.page, 'Try again').click()
    await console.alerts.waitFor({ state: 'detached' })
  })

  test('F35: Enter and a double click create one database', async ({ server, open, proxy }) => {
    const console = await open(proxy.url)
    const { page } = console
    await databasesOf(console)
    const create = proxy.hold({ path: '/db/create/v2' })
    await button(page, 'Create database').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('once')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Create', exact: true }).dblclick({ force: true })
    create()
    await page.getByText('once was created.').waitFor()
    expect(proxy.count({ path: '/db/create/v2' })).toBe(1)
    expect(
      (await listed(await api(server.url))).filter(({ name }) => name === 'once'),
    ).toHaveLength(1)
  })

  test('a lost answer to a deletion is unknown, is not sent again, and a look finds it', async ({
    server,
    open,
    proxy,
  }) => {
    const admin = await api(server.url)
    await admin.createDatabase('vague')
    await admin.call('/db/unload', { database: 'vague' })
    const console = await open(proxy.url)
    const { page } = console
    await databasesOf(console)
    await openPanel(console, 'vague')
    // On a fresh connection the browser itself does not send it again.
    proxy.dropIdle()
    proxy.fault({ path: '/db/delete', times: 1, fault: { kind: 'truncate' } })
    await button(page, 'Delete: vague').click()
    await confirmDialog(page, 'Delete', 'vague')
    await console.alerts.filter({ hasText: 'not known whether' }).waitFor()
    await button(page, 'Check now').click()
    await report(page, /no longer exists/).waitFor()
    expect(proxy.count({ path: '/db/delete' })).toBe(1)
  })
})

describe('many and odd ones', () => {
  test('F67: 1,000 databases are windowed and filtered within 50 ms', async ({ open, proxy }) => {
    const databases = Array.from({ length: 1_000 }, (_, index) => ({
      name: `db_${String(index).padStart(4, '0')}`,
      loaded: true,
      diskSize: String(5_478 + index),
      numTransactions: String(index),
      created_at: '1795254201',
      created_by: 'immudb',
    }))
    const console = await open(proxy.url)
    const { page } = console
    proxy.fault({
      path: '/db/list/v2',
      fault: {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ databases: [{ name: 'defaultdb', loaded: true }, ...databases] }),
      },
    })
    await databasesOf(console)
    await page.getByText('1,001 databases').waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    const table = page.getByRole('table', { name: 'Databases' })
    await expect
      .poll(() => table.evaluate(({ scrollHeight }) => scrollHeight))
      .toBeGreaterThan(20_000)
    await table.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
    await button(page, 'defaultdb').waitFor()
    const filter = page.getByLabel('Filter by name')
    await filter.focus()
    const filtered = async (field: HTMLInputElement) => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      const times: number[] = []
      for (const text of ['9', '99', '999', '99', '9', '', 'db_0']) {
        const started = performance.now()
        set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
        times.push(performance.now() - started)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    }
    const rounds = []
    // The machine may be busy; the fastest round is the most telling.
    for (let round = 0; round < 3; round++) rounds.push(await filter.evaluate(filtered))
    expect(Math.min(...rounds)).toBeLessThan(50)
    await page.getByText('1,000 of 1,001 databases').waitFor()
  })

  test('C22 among 1,500 databases one is found by typing, and none is asked for unasked', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    for (const name of ['shard_0007', 'shard_0700', 'shard_1499']) await admin.createDatabase(name)
    const asleep = ['shard_0007', 'shard_1499']
    for (const database of asleep) await admin.call('/db/unload', { database })
    const console = await open(server.url, { viewport: wide.viewport })
    const { page } = console
    const names = Array.from({ length: 1_500 }, (_, at) => `shard_${String(at).padStart(4, '0')}`)
    const isUnloaded = (name: string) => asleep.includes(name) || Number(name.slice(-4)) % 13 === 5
    await page.route('**/db/list/v2', async (route) => {
      const response = await route.fetch()
      const { databases } = await response.json()
      const real = new Set(databases.map(({ name }: Listed) => name))
      const [like] = databases
      const madeUp = names
        .filter((name) => !real.has(name))
        .map((name) => ({
          ...like,
          name,
          loaded: !isUnloaded(name),
        }))
      await route.fulfill({ response, json: { databases: [...databases, ...madeUp] } })
    })
    const named: string[] = []
    page.on('request', (request) => {
      const text = `${request.url()} ${request.postData() ?? ''}`
      if (/shard_\d+/.test(text)) named.push(text)
    })
    await console.signIn('/')
    const screens = console.navigation.getByRole('link')
    for (let at = 0; at < (await screens.count()); at += 1) {
      await screens.nth(at).click()
      await page.waitForLoadState('networkidle')
    }
    const opened = named.splice(0).map((text) => text.replace(/ .*/, '').slice(server.url.length))
    // A first login opens the fullest, which is loaded.
    expect(opened.filter((path) => path !== '/api/db/use/shard_0700')).toEqual([])
    expect((await listed(admin)).filter(({ loaded }) => !loaded).map(({ name }) => name)).toEqual(
      asleep,
    )
    await console.database.click()
    const find = page.getByRole('combobox', { name: 'Find in Database' })
    await find.waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(60)
    await expectAccessible(page, 'a list of many databases')
    await find.fill('0700')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await find.press('Enter')
    await expect.poll(() => console.database.textContent()).toContain('shard_0700')
    await console.database.click()
    await find.fill('0007')
    await page.getByRole('option', { name: 'shard_0007 not loaded' }).click()
    await console.alerts.filter({ hasText: 'shard_0007 was not opened.' }).waitFor()
    expect(await page.getByText(/shard_0700/).count()).toBeGreaterThan(0)
  })

  test('A02, A12, A13: odd names are text, marked, and usable; invented ones do no harm', async ({
    server,
    open,
    proxy,
  }) => {
    const admin = await api(server.url)
    for (const name of ['__proto__', 'constructor', 'аdmin', 'ﬁle'])
      await admin.createDatabase(name)
    const console = await open(proxy.url)
    const { page } = console
    await databasesOf(console)
    await openPanel(console, '__proto__')
    await button(page, 'Compact the index: __proto__').click()
    await report(page, /too little to compact/).waitFor()
    await button(page, 'аdmin')
      .or(button(page, /^аdmin/))
      .first()
      .click()
    await panel(page, 'аdmin')
      .getByText(/can look like others: а \(U\+0430\)/)
      .waitFor()
    await button(page, 'Truncate: аdmin').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/U\+0430/).waitFor()
    // The Latin name is not the Cyrillic one.
    await dialog.getByLabel('Name').fill('admin')
    const action = dialog.getByRole('button', { name: 'Truncate', exact: true })
    expect(await action.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Name').fill('аdmin')
    await expect.poll(() => action.getAttribute('aria-disabled')).toBeNull()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const markup = '<img src=x onerror=window.__pwn=1>'
    proxy.fault({
      path: '/db/list/v2',
      fault: {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          databases: [
            { name: markup, loaded: true, created_by: markup, created_at: '1' },
            { name: 'a\u202eb', loaded: true },
          ],
        }),
      },
    })
    await button(page, 'Refresh the databases').click()
    await button(page, markup).click()
    await page.getByRole('heading', { name: markup }).waitFor()
    await button(page, /^a\s*⟨U\+202E⟩\s*b/).click()
    await button(page, /^Delete: a/).waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
  })
})

test('all of it can be done by the keyboard', walk, async ({ server, open }) => {
  const admin = await api(server.url)
  await admin.createDatabase('keyed')
  const console = await open(server.url)
  const { page } = console
  await databasesOf(console)
  await button(page, 'keyed').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Operations' }).waitFor()
  await until(
    () => page.evaluate(() => document.activeElement?.tagName),
    (tag) => tag === 'H2',
  )
  const unload = button(page, 'Unload: keyed')
  for (let press = 0; press < 20; press++) {
    if (await unload.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  // The dialog takes the focus and begins to listen in one go.
  await page.getByRole('dialog').locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until(
    () => unload.evaluate((element) => element === document.activeElement),
    (isFocused) => isFocused,
  )
})
