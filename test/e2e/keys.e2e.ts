import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api, logIn } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { corpusBytes } from '../support/corpus-bytes'
import { test, walk } from '../support/e2e'
import { exportedLines } from '../support/exported'
import { setAndCopyAll } from '../support/keys-in-page'
import { base64, getValue, KeysPage, setKeys } from '../support/keys-page'
import { readStorage } from '../support/page-storage'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'

const password = 'C0rrect-horse'
const roles = [
  { role: 'admin', level: 254 },
  { role: 'writer', level: 2 },
] as const

/** Runs in the page: keeps what is copied, since a page may not read the clipboard. */
function keepCopies() {
  const kept = { copied: '' }
  Object.assign(window, { kept })
  const clipboard = {
    writeText: async (text: string) => {
      kept.copied = text
    },
  }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard })
}

describe('keys', () => {
  test(
    'a system admin sets, finds, changes, looks back at, proves and deletes a key',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.enter()
      await console.keepsSession()
      await console.link('Keys').click()
      const keys = new KeysPage(console.page)
      await keys.set(Buffer.from('order:1'), Buffer.from('{"total":9007199254740993}'), true)
      await keys.entry.getByText(/^Stored in tx \d+\.$/).waitFor()
      await keys.entry.getByRole('treeitem', { name: '"total": 9007199254740993' }).waitFor()
      await keys.button('List').click()
      await keys.option('order:1').waitFor()
      await keys.change('second')
      await keys.button('Save').click()
      await keys.entry.getByText('second', { exact: true }).waitFor()
      await keys.entry.getByRole('link', { name: /^rev 1/ }).click()
      await keys.entry.getByText('This is revision 1.').waitFor()
      expect(new URL(console.page.url()).searchParams.get('rev')).toBe('1')
      await console.page.reload()
      await console.signedIn()
      await keys.entry.getByRole('treeitem', { name: '"total": 9007199254740993' }).waitFor()
      await keys.entry.getByRole('link', { name: 'Show the newest' }).click()
      await keys.entry.getByText('second', { exact: true }).waitFor()
      await keys.button('Verify').click()
      await console.dialog.getByText('Verified in this browser').waitFor()
      await console.page.keyboard.press('Escape')
      await keys.button('Delete…').click()
      await keys.button('Delete the key').click()
      await keys.entry.getByText(/^Deleted in tx \d+\./).waitFor()
      await keys.entry.getByText(/This key was deleted/).waitFor()
      await keys.option('order:1').waitFor({ state: 'detached' })
      await keys.entry.getByRole('link', { name: /^rev 2/ }).click()
      await keys.entry.getByText('second', { exact: true }).waitFor()
    },
  )

  test.for(roles)('a user of level $level may write', async ({ role, level }, { server, open }) => {
    await (await api(server.url)).createUser(role, password, level, 'defaultdb')
    const console = await open(server.url)
    await console.enter('/keys', role, password)
    const keys = new KeysPage(console.page)
    await keys.set(Buffer.from(`of ${role}`), Buffer.from('x'), true)
    await keys.entry.getByText(/^Stored in tx \d+\.$/).waitFor()
    await keys.button('Delete…').click()
    await keys.button('Delete the key').click()
    await keys.entry.getByText(/^Deleted in tx \d+\./).waitFor()
  })

  test('a reader reads and proves; writing is disabled with the reason', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    await admin.createUser('reader', password, 1, 'defaultdb')
    await setKeys(admin, [['for:readers', 'seen']])
    const console = await open(server.url)
    await console.enter('/keys?key=for:readers', 'reader', password)
    const keys = new KeysPage(console.page)
    await keys.entry.getByText('seen').waitFor()
    await keys.entry.getByRole('link', { name: /^rev 1/ }).waitFor()
    for (const name of ['Set a key', 'Change the value', 'Delete…']) {
      await expect
        .poll(() => keys.button(name).getAttribute('title'))
        .toBe('This needs the permission “Read & write” on the database.')
      expect(await keys.button(name).getAttribute('aria-disabled')).toBe('true')
    }
    await keys.button('Verify').click()
    await console.dialog.getByText('Verified in this browser').waitFor()
  })

  test('the form has the focus, sets an expiry and a reference', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/keys?prefix=made:')
    const keys = new KeysPage(console.page)
    const { page } = console
    await page.getByRole('button', { name: 'Set a key' }).first().click()
    const field = page.getByLabel('Key', { exact: true })
    await expect
      .poll(() => field.evaluate((box) => box === document.activeElement).catch(() => false))
      .toBe(true)
    await page.keyboard.type('made:target')
    await page.getByLabel('Value', { exact: true }).fill('kept for long')
    await page.getByLabel('Expires at (UTC)').fill('2999-12-31 23:59:00')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await keys.entry.getByText('kept for long').waitFor()
    await keys.option('made:target').getByText('expires').waitFor()
    await page.getByRole('button', { name: 'Set a key' }).first().click()
    await page.getByLabel('Key', { exact: true }).fill('made:ref')
    await page.getByRole('checkbox', { name: /^Refer to another key/ }).check()
    await page.getByLabel('Refers to', { exact: true }).fill('made:target')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await keys.option('made:ref').getByText('reference').waitFor()
    await keys.entry.getByText('kept for long').waitFor()
    await keys.entry.getByText(/^Verified at tx \d+$/).waitFor()
  })

  test('references, expiry and deletions are shown as such', async ({ server, open }) => {
    const db = await api(server.url)
    await setKeys(db, [
      ['shown:target', 'the target'],
      ['shown:gone', 'x'],
    ])
    await db.call('/db/setreference', {
      key: base64('shown:ref'),
      referencedKey: base64('shown:target'),
    })
    const expiring = (key: string, expiresAt: string) =>
      db.call('/db/set', {
        KVs: [{ key: base64(key), value: base64('x'), metadata: { expiration: { expiresAt } } }],
      })
    await expiring('shown:later', '4102444800')
    await expiring('shown:over', '1600000000')
    await db.call('/db/deletekey', { keys: [base64('shown:gone')] })
    const console = await open(server.url)
    await console.enter('/keys?prefix=shown:')
    const keys = new KeysPage(console.page)
    await keys.option('shown:later').getByText('expires').waitFor()
    await keys.option('shown:ref').getByText('reference').waitFor()
    await expect.poll(() => keys.list.getByRole('option').count()).toBe(3)
    await keys.option('shown:ref').click()
    await keys.entry.getByText('the target').waitFor()
    await keys.entry.getByRole('link', { name: 'shown:target' }).waitFor()
    await keys.get('shown:over')
    await keys.entry.getByText(/This value has expired/).waitFor()
    await keys.get('shown:gone')
    await keys.entry.getByText(/This key was deleted/).waitFor()
    await keys.get('shown:never')
    await keys.entry.getByText(/no such key and no revision of it/).waitFor()
  })

  test('those of a list are saved with their values, whatever their bytes', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const many = Array.from({ length: 1_200 }, (_, at) => [`saved:n:${at}`, `${at}`] as const)
    for (const from of [0, 600]) await setKeys(db, many.slice(from, from + 600))
    await setKeys(db, [
      ['saved:a', '\uFEFFAda\n"'],
      [Buffer.from('saved:b\xff', 'latin1'), Buffer.from([0xff, 0])],
    ])
    await db.call('/db/setreference', {
      key: base64('saved:r'),
      referencedKey: base64('saved:a'),
    })
    const console = await open(server.url)
    await console.enter('/keys?prefix=saved:')
    const saved = () => exportedLines(console.page)
    const { name, lines } = await saved()
    expect(name).toBe('defaultdb-1203-keys.ndjson')
    expect(lines).toHaveLength(1_203)
    expect(lines[0]).toMatchObject({ key: 'saved:a', value: '\uFEFFAda\n"', revision: '1' })
    expect(lines[1]).toMatchObject({
      keyBase64: Buffer.from('saved:b\xff', 'latin1').toString('base64'),
      valueBase64: '/wA=',
    })
    expect(lines.at(-1)).toMatchObject({
      key: 'saved:r',
      value: '\uFEFFAda\n"',
      refersTo: 'saved:a',
    })
    await console.page.getByText('Complete: 1,203 keys in defaultdb-1203-keys.ndjson.').waitFor()
    await setKeys(db, [['saved:large', Buffer.alloc(4_500_000)]])
    expect((await saved()).name).toBe('defaultdb-1203-keys-incomplete.ndjson')
    await console.page
      .getByText(/1 key with a value over 4 MiB or one that is gone cannot be read\.$/)
      .waitFor()
  })

  test('more than 2,500 keys are read to the last one', async ({ server, open }) => {
    const db = await api(server.url)
    const names = Array.from({ length: 2_750 }, (_, at) => `many:${String(at).padStart(5, '0')}`)
    for (let at = 0; at < names.length; at += 1_000) {
      await setKeys(
        db,
        names.slice(at, at + 1_000).map((name) => [name, 'x']),
      )
    }
    const console = await open(server.url)
    await console.enter('/keys?prefix=many:')
    const keys = new KeysPage(console.page)
    for (const count of ['500', '1,000', '1,500', '2,000', '2,500']) {
      await console.page.getByText(`${count} keys, more exist`).waitFor()
      await keys.button('Read more keys').click()
    }
    await console.page.getByText('2,750 keys', { exact: true }).waitFor()
    await keys.list.focus()
    await console.page.keyboard.press('End')
    await console.page.keyboard.press('Enter')
    await keys.heading('many:02749').waitFor()
    expect(await keys.list.getByRole('option').count()).toBeLessThan(80)
  })
})

describe('hostile keys and values', () => {
  test('A01: every value of the corpus goes in by the form and comes out exactly', {
    timeout: 400_000,
  }, async ({ server, open }) => {
    const db = await api(server.url)
    const cases = corpusBytes('value').filter(({ bytes }) => bytes.length <= 65_536)
    expect(cases.length).toBeGreaterThan(100)
    const console = await open(server.url, { before: keepCopies })
    await console.enter('/keys?prefix=a01:none')
    const keys = new KeysPage(console.page)
    // Else it is read again behind each of the saves.
    await keys.button('Tree').click()
    const entries = cases.map(({ id, category, bytes }) => {
      const key = Buffer.from(`a01:value:${id}`)
      const isText = category !== 'bytes' && !bytes.some((byte) => byte < 0x20 && byte !== 9)
      return {
        key: key.toString(),
        keyHex: key.toString('hex'),
        typed: isText ? bytes.toString() : bytes.toString('hex'),
        format: isText ? ('Text' as const) : ('Hex' as const),
        base64: bytes.toString('base64'),
      }
    })
    // One of each kind by the hand that the other tests use, which proves the way of the rest.
    const kinds = new Set(cases.map(({ category }) => category))
    for (const kind of kinds) {
      const at = cases.findIndex(({ category }) => category === kind)
      const entry = entries[at]
      const bytes = cases[at]?.bytes
      if (!entry || !bytes) throw new Error(`${kind} has no case`)
      await keys.set(Buffer.from(entry.key), bytes, entry.format === 'Text')
      await keys.heading(entry.key).waitFor()
      await keys.entry.getByText(/^Stored in tx/).waitFor()
      await keys.format(`Format of the value of ${entry.key}`, 'Base64').click()
      await keys.button(`Copy the value of ${entry.key} as base64`).click()
      await until(
        () => console.page.evaluate(() => Reflect.get(window, 'kept').copied),
        (copied) => copied === entry.base64,
      )
    }
    const firsts = new Set(
      [...kinds].map((kind) => cases.findIndex((one) => one.category === kind)),
    )
    const rest = entries.filter((_, at) => !firsts.has(at))
    expect(rest.length + kinds.size).toBe(cases.length)
    expect(await console.page.evaluate(setAndCopyAll, rest)).toEqual(
      rest.map(({ base64: copied }) => copied),
    )
    for (const { id, bytes } of cases) {
      expect((await getValue(db, `a01:value:${id}`)).equals(bytes), id).toBe(true)
    }
    expect(await console.page.locator('img, iframe, base, main form[name]').count()).toBe(0)
    await console.visit.watch.assertClean()
  })

  test('A01, A13: every key of the corpus is listed, opened by its address and copied', {
    timeout: 400_000,
  }, async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('hostilekeys')
    await db.use('hostilekeys')
    const cases = corpusBytes('key').filter(({ bytes }) => bytes.length <= 1_024)
    expect(cases.length).toBeGreaterThan(80)
    await setKeys(
      db,
      [...new Map(cases.map(({ bytes }) => [bytes.toString('hex'), bytes])).values()].map(
        (bytes) => [bytes, `of ${bytes.toString('hex')}`],
      ),
    )
    const console = await open(server.url, { before: keepCopies })
    await console.enter('/keys?db=hostilekeys')
    const keys = new KeysPage(console.page)
    await keys.button('List').click()
    await keys.list.waitFor()
    for (const { id, bytes } of cases) {
      const key = `b64:${bytes.toString('base64url')}`
      // Inside the page, as a link there would: loading it again each time takes minutes.
      await console.goTo(`/keys?${new URLSearchParams({ db: 'hostilekeys', key })}`)
      await keys.entry.getByText(`of ${bytes.toString('hex')}`.slice(0, 200)).waitFor()
      await keys.button('Copy the key').click()
      await until(
        () => console.page.evaluate(() => Reflect.get(window, 'kept').copied),
        (copied) => copied === bytes.toString() || copied === bytes.toString('hex'),
      )
      expect(id).toBeTruthy()
    }
    await console.visit.watch.assertClean()
  })

  test('addresses of keys survive a reload', async ({ server, open }) => {
    const db = await api(server.url)
    const cases = corpusBytes('key').filter(({ category }) => category === 'key-url')
    await setKeys(
      db,
      cases.map(({ id, bytes }) => [bytes, `value of ${id}`]),
    )
    const console = await open(server.url)
    await console.enter('/keys')
    await console.keepsSession()
    const keys = new KeysPage(console.page)
    for (const { id, bytes } of cases) {
      const address = new URLSearchParams({ key: bytes.toString() })
      await console.open(`/keys?${address}`)
      await keys.entry.getByText(`value of ${id}`).waitFor()
    }
  })

  test('what is typed comes back after a reload, in another tab and after the log-out, until it is erased', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/keys')
    await console.keepsSession()
    const keys = new KeysPage(console.page)
    await keys.button('Set a key').click()
    await console.page.getByLabel('Key', { exact: true }).fill('half')
    await keys.value.fill('canary-typed')
    await console.page.reload()
    await expect.poll(() => keys.value.inputValue()).toBe('canary-typed')
    await until(
      async () => [...(await readStorage(console.page))].map(String).join('\n'),
      (stored) => /keyvaluepairs\/webconsole\.drafts\.keys.*canary-typed/.test(stored),
    )
    const other = new ConsolePage(console.visit, server.url, await console.visit.tab())
    await other.open('/keys')
    await expect.poll(() => new KeysPage(other.page).value.inputValue()).toBe('canary-typed')
    await other.logOut()
    await console.signedOut()
    await console.page.getByText(/Your drafts are kept/).waitFor()
    await console.submitLogin()
    await console.signedIn()
    await console.link('Keys').click()
    await keys.button('Set a key').click()
    await expect.poll(() => keys.value.inputValue()).toBe('canary-typed')
    await console.account.click()
    await console.page.getByRole('menuitem', { name: 'Log out and erase drafts…' }).click()
    await console.dialog.getByRole('button', { name: 'Log out and erase' }).click()
    await console.page.getByText('You are logged out. Your drafts were erased.').waitFor()
    await expect
      .poll(async () => [...(await readStorage(console.page)).values()].join('\n'))
      .not.toContain('canary-typed')
    await console.submitLogin()
    await console.signedIn()
    await console.link('Keys').click()
    await keys.entry.getByText('No key is open').waitFor()
  })

  test('A04: a link opens and never writes', async ({ server, proxy, open }) => {
    await setKeys(await api(server.url), [['a04', 'kept']])
    const console = await open(proxy.url)
    await console.enter('/keys?key=a04&value=changed&set=1&delete=1')
    await new KeysPage(console.page).entry.getByText('kept').waitFor()
    await new TrustPage(console).known()
    expect(proxy.count({ path: /\/db\/(set|deletekey|execall)/ })).toBe(0)
  })
})

describe('large values', () => {
  test('F11: a value of 5 MiB is said to be too large; its key can be changed and deleted', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const huge = corpusBytes().find(({ id }) => id === 'C287')?.bytes ?? ''
    await setKeys(db, [['f11:huge', huge]])
    await setKeys(db, [['f11:small', 'x']])
    const console = await open(server.url)
    await console.enter('/keys?prefix=f11:')
    const keys = new KeysPage(console.page)
    await keys.option('f11:small').waitFor()
    await keys.option('larger than 4 MiB').waitFor()
    await keys.get('f11:huge')
    await keys.entry
      .getByText('This value is larger than 4 MiB, which cannot be read over HTTP.')
      .waitFor()
    await keys.button('Set a value').click()
    await keys.value.fill('small now')
    await keys.button('Save').click()
    await keys.entry.getByText(/^Stored in tx/).waitFor()
    await keys.entry.getByText('small now').waitFor()
    await keys.entry.getByRole('link', { name: /^rev 1/ }).waitFor()
  })

  test('F68: 4 MiB on one line are shown by their beginning and downloaded intact', async ({
    server,
    open,
  }) => {
    const bytes = corpusBytes().find(({ id }) => id === 'C286')?.bytes ?? Buffer.alloc(0)
    await setKeys(await api(server.url), [['f68:big', bytes]])
    const console = await open(server.url)
    await console.enter('/keys?prefix=f68:')
    await console.keepsSession()
    const keys = new KeysPage(console.page)
    const cdp = await console.visit.context.newCDPSession(console.page)
    // Processor time, because others use the machine as well.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    const busy = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    }
    const view = keys.entry.getByRole('region', { name: 'the value of f68:big' })
    const costs: number[] = []
    // The fastest of three is the most telling.
    do {
      await console.open('/keys?prefix=f68:')
      await new TrustPage(console).known()
      await keys.option('f68:big').waitFor()
      const before = await busy()
      await keys.option('f68:big').click()
      await view.waitFor()
      costs.push(((await busy()) - before) * 1_000)
    } while (Math.min(...costs) >= 300 && costs.length < 3)
    expect(Math.min(...costs)).toBeLessThan(300)
    await expect.poll(async () => (await view.textContent())?.length).toBe(65_536)
    const download = console.page.waitForEvent('download')
    await keys.button('Download the value of f68:big').click()
    const saved = await readFile(await (await download).path())
    const sha256 = (of: Buffer) => createHash('sha256').update(of).digest('hex')
    expect(sha256(saved)).toBe(sha256(bytes))
  })
})

const set = { method: 'POST', path: '/db/set' }

describe.concurrent('writes under faults', () => {
  test('F17: a save without an answer is said to be held up, then unknown; the check finds it', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/keys')
    const keys = new KeysPage(console.page)
    proxy.fault({ ...set, fault: { kind: 'hangAnswer' } })
    await keys.set(Buffer.from('f17'), Buffer.from('mine'), true)
    await keys.entry.getByText(/does not finish it/).waitFor()
    await keys.entry
      .getByText(/It is not known whether this was stored/)
      .waitFor({ timeout: 45_000 })
    expect((await getValue(db, 'f17')).toString()).toBe('mine')
    await keys.button('Check now').click()
    await keys.entry.getByText(/holds exactly this value/).waitFor()
    expect(proxy.count(set)).toBe(1)
  })

  test('F19: a save that never arrived is unknown; a click sends it again, and it is stored once', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/keys')
    const keys = new KeysPage(console.page)
    await keys.button('List').click()
    await keys.list.or(console.page.getByText('No keys')).first().waitFor()
    const rule = proxy.fault({ ...set, fault: { kind: 'reset' } })
    await keys.set(Buffer.from('f19'), Buffer.from('mine'), true)
    await keys.entry.getByText(/It is not known whether this was stored/).waitFor()
    rule()
    await keys.button('Check now').click()
    await keys.entry.getByText(/^Not stored so far/).waitFor()
    await keys.button('Save once more').click()
    await keys.entry.getByText(/^Stored in tx \d+\.$/).waitFor()
    const { entries } = await db.call<{ entries: unknown[] }>('/db/history', {
      key: base64('f19'),
    })
    expect(entries).toHaveLength(1)
  })

  test('F42: two tabs change the same key: the second sees both versions', async ({
    server,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    await setKeys(db, [['f42', 'first']])
    const console = await open(server.url)
    await console.enter('/keys?key=f42')
    await console.keepsSession()
    const other = new KeysPage(await console.visit.tab())
    await other.page.goto(console.page.url())
    const keys = new KeysPage(console.page)
    await keys.entry.getByText('first').waitFor()
    await other.entry.getByText('first').waitFor()
    await keys.change('from the first tab')
    await other.change('from the second tab')
    await keys.button('Save').click()
    await keys.entry.getByText(/^Stored in tx/).waitFor()
    await other.button('Save').click()
    await other.alert.getByText(/Nothing was stored: this key was changed meanwhile/).waitFor()
    await other.alert.getByText('from the first tab').waitFor()
    await other.alert.getByText('from the second tab').waitFor()
    expect((await getValue(db, 'f42')).toString()).toBe('from the first tab')
    await other.button('Save mine over it').click()
    await other.entry.getByText(/^Stored in tx/).waitFor()
    expect((await getValue(db, 'f42')).toString()).toBe('from the second tab')
  })

  test('F31: a level taken away is a plain refusal; one stays signed in and keeps the text', async ({
    server,
    open,
    expect,
  }) => {
    const admin = await api(server.url)
    await admin.createUser('lowered', password, 2, 'defaultdb')
    const console = await open(server.url)
    console.visit.watch.expectAway()
    const underWay = new Set<Request>()
    const end = (request: Request) => underWay.delete(request)
    console.page.on('request', (request) => underWay.add(request))
    console.page.on('requestfinished', end).on('requestfailed', end)
    await console.enter('/keys', 'lowered', password)
    const keys = new KeysPage(console.page)
    await keys.button('Set a key').click()
    // The form is a part of its own, which must be there before the way to the server is cut.
    await keys.page.getByLabel('Key', { exact: true }).waitFor()
    await new TrustPage(console).known()
    // The grant ends the only login; a second one brings the old token back with fresh rights. No
    // poll may come between.
    await console.visit.context.setOffline(true)
    // One that was sent before may still reach the server.
    await expect.poll(() => underWay.size).toBe(0)
    await admin.call('/user/changepermission', {
      action: 'GRANT',
      username: 'lowered',
      database: 'defaultdb',
      permission: 1,
    })
    await logIn(server.url, { user: 'lowered', password })
    // Nor may the page learn of the new level before the write does.
    await console.page.route('**/api/user/list', () => {})
    await console.visit.context.setOffline(false)
    await keys.page.getByLabel('Key', { exact: true }).fill('f31')
    await keys.value.fill('kept text')
    await keys.button('Save').click()
    await keys.alert.getByText(/permission denied/i).waitFor()
    expect(await keys.value.inputValue()).toBe('kept text')
    expect(await console.logIn.count()).toBe(0)
  })
})
