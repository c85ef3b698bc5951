import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { choose, entered, press, rename, shown, tab, tabs, tabsAre } from '../support/editors-page'
import { expectAccessible, phone, wide } from '../support/looks'
import { readStorage } from '../support/page-storage'
import { corpus } from '../support/recorded'
import { createSmallTable } from '../support/sql-samples'

describe('several editors', () => {
  test(
    'have their own texts and output, by keyboard, through reload and log-out',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.signIn('/query?db=defaultdb')
      const { page } = console
      await console.runSql("SELECT 'of the first' AS x;")
      await console.cell(1, 'of the first').waitFor()
      await console.editor.focus()
      await press(console, 'Alt+t', '')
      await page.keyboard.type("SELECT 'of the second' AS x;")
      await page.keyboard.press('Control+Enter')
      await console.cell(2, 'of the second').waitFor()
      expect(await console.result(1).count()).toBe(0)
      await console.editor.focus()
      await press(console, 'Alt+PageUp', "SELECT 'of the first' AS x;")
      await console.cell(1, 'of the first').waitFor()
      expect(await console.result(2).count()).toBe(0)
      await press(console, 'Alt+PageDown', "SELECT 'of the second' AS x;")
      await rename(console, 'Editor 2', 'Orders')
      await tabsAre(console, ['Editor', 'Orders'])
      await page.keyboard.press('Alt+Shift+PageUp')
      await tabsAre(console, ['Orders', 'Editor'])
      await tab(console, 'Orders').dragTo(tab(console, 'Editor'))
      await tabsAre(console, ['Editor', 'Orders'])
      await tab(console, 'Orders').dragTo(tab(console, 'Editor'))
      await tabsAre(console, ['Orders', 'Editor'])
      // WebKit takes a press where the drag began for the second of a double click.
      await tab(console, 'Orders').click()
      // No address names the first editor, which now stands behind another.
      await tab(console, 'Editor').click()
      await console.holds("SELECT 'of the first' AS x;")
      await tab(console, 'Orders').click()
      await console.holds("SELECT 'of the second' AS x;")
      const id = shown(console)
      expect(id).not.toBeNull()
      await console.keeps("SELECT 'of the second' AS x;")
      await page.reload()
      await console.signedIn()
      await tabsAre(console, ['Orders', 'Editor'])
      await console.holds("SELECT 'of the second' AS x;")
      expect(shown(console)).toBe(id)
      await console.logOut()
      await console.signedOut()
      await page.getByText(/Your drafts are kept: log in again to continue/).waitFor()
      await console.submitLogin()
      await console.signedIn()
      await tabsAre(console, ['Orders', 'Editor'])
      await console.holds("SELECT 'of the second' AS x;")
      expect(shown(console)).toBe(id)
    },
  )

  test('that are closed come back with their output, by key, by menu and from the list', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, wide)
    await console.enter('/query')
    const { page } = console
    await console.runSql("SELECT 'one' AS x;")
    await console.cell(1, 'one').waitFor()
    await console.editor.focus()
    await press(console, 'Alt+t', '')
    await page.keyboard.type('SELECT 2;')
    await press(console, 'Alt+PageUp', "SELECT 'one' AS x;")
    await press(console, 'Alt+w', 'SELECT 2;')
    await tabsAre(console, ['Editor 2'])
    await press(console, 'Alt+w', '')
    await tabsAre(console, ['Editor'])
    // The empty one cannot be closed: another would stand in its place.
    await page.keyboard.press('Alt+w')
    await tabsAre(console, ['Editor'])
    await press(console, 'Alt+Shift+T', 'SELECT 2;')
    await tabsAre(console, ['Editor 2'])
    await choose(console, /^Reopen Editor/)
    await console.cell(1, 'one').waitFor()
    await tabsAre(console, ['Editor', 'Editor 2'])
    // Where the first one of several is not the one that is shown next.
    await press(console, 'Alt+PageDown', 'SELECT 2;')
    await press(console, 'Alt+t', '')
    await page.keyboard.type('SELECT 3;')
    await press(console, 'Alt+w', 'SELECT 2;')
    await tabsAre(console, ['Editor', 'Editor 2'])
    await tab(console, 'Editor 2').focus()
    await page.keyboard.press('Delete')
    await tabsAre(console, ['Editor'])
    await choose(console, /^All editors/)
    await console.dialog.getByRole('textbox', { name: 'Search the editors' }).fill('SELECT 2')
    await expectAccessible(page, 'the list of all editors')
    await console.dialog.getByRole('button', { name: 'Reopen Editor 2' }).click()
    await entered(console, 'SELECT 2;')
    await tabsAre(console, ['Editor', 'Editor 2'])
  })

  test('keep the caret and what can be undone', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    await console.editor.focus()
    await page.keyboard.type('SELECT first')
    await press(console, 'Alt+t', '')
    await page.keyboard.type('SELECT second')
    await press(console, 'Alt+PageUp', 'SELECT first')
    await page.keyboard.type('!')
    await console.holds('SELECT first!')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await console.holds('')
    await press(console, 'Alt+PageDown', 'SELECT second')
  })
})

describe('an editor and its database', () => {
  test('stay together: another database is opened for all to see', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('other')
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    const { page } = console
    await console.write('DROP TABLE one;')
    await console.pickDatabase('other')
    await console.holds('')
    await console.write('SELECT 2;')
    await choose(console, /^All editors/)
    const list = console.dialog
    await list.getByRole('heading', { name: 'Open in other databases' }).waitFor()
    await list.getByRole('button', { name: 'Show Editor' }).last().click()
    await entered(console, 'DROP TABLE one;')
    expect(new URL(page.url()).searchParams.get('db')).toBe('defaultdb')
    await expect.poll(() => console.database.textContent()).toBe('defaultdb')
    await page.goBack()
    await console.holds('SELECT 2;')
    await expect.poll(() => console.database.textContent()).toBe('other')
  })

  test('of a database that is gone can be copied and forgotten', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('fleeting')
    const console = await open(server.url)
    await console.enter('/query?db=fleeting')
    await console.write('SELECT fleeting;')
    await console.keeps('SELECT fleeting;')
    await console.pickDatabase('defaultdb')
    await console.holds('')
    await db.call('/db/unload', { database: 'fleeting' })
    await db.call('/db/delete', { database: 'fleeting' })
    await console.page.reload()
    await console.signedIn()
    await choose(console, /^All editors/)
    const list = console.dialog
    const gone = list.getByRole('listitem').filter({ hasText: 'fleeting, which is gone' })
    await gone.getByText('SELECT fleeting;').waitFor()
    const show = gone.getByRole('button', { name: 'Show Editor' })
    expect(await show.getAttribute('aria-disabled')).toBe('true')
    await gone.getByRole('button', { name: 'Forget Editor for good' }).click()
    await gone.waitFor({ state: 'hidden' })
  })

  test('a link of another database opens there, and nowhere else', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('linked')
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    await console.write('SELECT mine;')
    await console.goTo(`/query?db=linked&sql=${encodeURIComponent('SELECT linked;')}`)
    await console.holds('SELECT linked;')
    await expect.poll(() => console.database.textContent()).toBe('linked')
    await console.page.getByText(/came with a link. It was not run/).waitFor()
    await console.pickDatabase('defaultdb')
    await console.holds('SELECT mine;')
    await tabsAre(console, ['Editor'])
  })

  test('each has its own moment', async ({ server, open }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'aged')
    const before = String(await db.txId())
    await db.exec("UPDATE aged SET name = 'newer' WHERE id = 1;")
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    const back = page.getByRole('button', { name: 'Back to now' })
    await console.write('SELECT name FROM aged WHERE id = 1;')
    await console.travelTo(before)
    await console.editor.focus()
    await press(console, 'Alt+t', '')
    await back.waitFor({ state: 'hidden' })
    await page.keyboard.type('SELECT 2;')
    await press(console, 'Alt+PageUp', 'SELECT name FROM aged WHERE id = 1;')
    await back.waitFor()
    await console.run.click()
    await console.cell(1, 'a1').waitFor()
    await console.editor.focus()
    await press(console, 'Alt+PageDown', 'SELECT 2;')
    await back.waitFor({ state: 'hidden' })
    await console.keeps('SELECT 2;')
    await page.reload()
    await console.signedIn()
    await console.holds('SELECT 2;')
    await console.editor.focus()
    await press(console, 'Alt+PageUp', 'SELECT name FROM aged WHERE id = 1;')
    await back.waitFor()
  })

  test('an address of an editor that is not here says so and shows an empty one', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT mine;')
    await console.keeps('SELECT mine;')
    await console.open('/query?db=defaultdb&editor=nosuch')
    await console.signedIn()
    const note = console.page.getByText(/does not have the editor of this address/)
    await note.waitFor()
    await console.holds('')
    await console.write('SELECT new;')
    await note.waitFor({ state: 'hidden' })
    await tab(console, 'Editor').first().click()
    await console.holds('SELECT mine;')
  })
})

describe('what runs', () => {
  test('goes on in its own editor, is cancelled there, and closing it asks', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/db/sqlquery', async (route) => {
      if (/'slow'/.test(route.request().postData() ?? '')) await held
      await route.continue()
    })
    await console.runSql("SELECT 'slow' AS x;")
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
    await console.editor.focus()
    await press(console, 'Alt+t', '')
    await console.runSql("SELECT 'quick' AS x;")
    await console.cell(2, 'quick').waitFor()
    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
    await tab(console, 'Editor').click()
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
    await page.keyboard.press('Alt+w')
    await console.dialog.getByText(/1 statement of it is still to be done/).waitFor()
    await console.dialog.getByRole('button', { name: 'Close it' }).click()
    await tabsAre(console, ['Editor 2'])
    release()
    await page.keyboard.press('Alt+Shift+T')
    await console.cell(1, 'slow').waitFor()
    await tabsAre(console, ['Editor', 'Editor 2'])
  })

  test('USE takes its run and its output along', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('used')
    const console = await open(server.url)
    await console.enter('/query?db=used')
    await console.write('SELECT 1;')
    await console.editor.focus()
    await press(console, 'Alt+t', '')
    await console.pickDatabase('defaultdb')
    await expect.poll(() => console.database.textContent()).toBe('defaultdb')
    await console.write("SELECT 'before' AS x; USE used; SELECT 'after' AS x;")
    await console.runAll.click()
    await console.cell(3, 'after').waitFor()
    await console.cell(1, 'before').waitFor()
    await expect.poll(() => console.database.textContent()).toBe('used')
    // Where one was there before.
    await tabsAre(console, ['Editor', 'Editor 2'])
    await console.holds('')
  })

  test('a database shows the editor again that it showed last', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('again')
    const console = await open(server.url)
    await console.enter('/query?db=again')
    await console.write('SELECT 1;')
    await console.editor.focus()
    await press(console, 'Alt+t', '')
    await console.page.keyboard.type('SELECT second;')
    const id = shown(console)
    await console.pickDatabase('defaultdb')
    await console.holds('')
    expect(shown(console)).toBeNull()
    await console.pickDatabase('again')
    await console.holds('SELECT second;')
    expect(shown(console)).toBe(id)
    await console.link('Keys').click()
    await console.pickDatabase('defaultdb')
    await expect.poll(() => console.database.textContent()).toBe('defaultdb')
    expect(shown(console)).toBeNull()
  })
})

describe('files', () => {
  const file = (name: string, content: string | Buffer) => ({
    name,
    mimeType: 'application/sql',
    buffer: Buffer.from(content),
  })

  test('open as editors, and are not run; what is no text is refused in words', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    const input = page.getByLabel('SQL files')
    await input.setInputFiles([
      file('one.sql', 'SELECT 1;\r\nSELECT 2;'),
      file('two.sql', '\ufeffSELECT 3;'),
      file('latin.sql', Buffer.from([0x53, 0xe4, 0x20])),
    ])
    await page.getByText('latin.sql is not text in UTF-8. Nothing of it was opened.').waitFor()
    await tabsAre(console, ['one.sql', 'two.sql'])
    await console.holds('SELECT 3;')
    await tab(console, 'one.sql').click()
    await console.holds('SELECT 1;\nSELECT 2;')
    await input.setInputFiles([file('long.sql', `-- ${'x'.repeat(2_000_000)}`)])
    await page.getByText(/long.sql is too long for an editor/).waitFor()
    await tabsAre(console, ['one.sql', 'two.sql'])
    expect(await console.page.getByRole('region', { name: /^Result/ }).count()).toBe(0)
  })

  test('are saved without passwords', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write("CREATE USER bob WITH PASSWORD 'c4nary' READ; SELECT 1;")
    const download = console.page.waitForEvent('download')
    await choose(console, /^Save as a file/)
    const saved = await download
    expect(saved.suggestedFilename()).toBe('Editor.sql')
    const text = await readFile(await saved.path(), 'utf8')
    expect(text).toBe("CREATE USER bob WITH PASSWORD '' READ; SELECT 1;")
    await console.keeps("CREATE USER bob WITH PASSWORD '' READ; SELECT 1;")
    expect([...(await readStorage(console.page))].join()).not.toContain('c4nary')
  })
})

describe('two tabs of a browser', () => {
  test('do not undo each other', async ({ server, open }) => {
    const left = await open(server.url)
    await left.signIn('/query?db=defaultdb')
    await left.keepsSession()
    await left.write('SELECT 1;')
    await left.keeps('SELECT 1;')
    const right = new ConsolePage(left.visit, server.url, await left.visit.tab())
    await right.open('/query?db=defaultdb')
    await right.signedIn()
    await right.holds('SELECT 1;')
    await right.editor.focus()
    await press(right, 'Alt+t', '')
    await right.page.keyboard.type('SELECT right;')
    await right.keeps('SELECT right;')
    await left.page.bringToFront()
    await rename(left, 'Editor', 'Left')
    await tabsAre(left, ['Left'])
    await left.editor.focus()
    await press(left, 'Alt+t', '')
    await left.page.keyboard.type('SELECT left;')
    await left.keeps('SELECT left;')
    const third = new ConsolePage(left.visit, server.url, await left.visit.tab())
    await third.open('/query?db=defaultdb')
    await third.signedIn()
    await expect
      .poll(async () => (await tabs(third).allTextContents()).sort())
      .toEqual(['Editor', 'Editor 2', 'Left'])
  })
})

describe('small windows and long lists', () => {
  test('the bar is one line at 1024×700, also while statements run, and the editor has room', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { viewport: { width: 1024, height: 700 } })
    await console.enter('/query')
    const { page } = console
    const bar = page.getByRole('region', { name: 'Editor', exact: true }).locator('header')
    // All that can be pressed stands in one line and inside of the bar.
    const isOneLine = () =>
      bar.evaluate((one) => {
        const { left, right } = one.getBoundingClientRect()
        const boxes = [...one.querySelectorAll('button')].map((of) => of.getBoundingClientRect())
        const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2)
        const isInside = boxes.every((box) => box.left >= left && box.right <= right)
        return isInside && Math.max(...middles) - Math.min(...middles) < 4
      })
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/db/sqlquery', async (route) => {
      if (/'slow'/.test(route.request().postData() ?? '')) await held
      await route.continue()
    })
    await console.write("SELECT 'quick' AS x; SELECT 'slow' AS x;")
    expect(await isOneLine()).toBe(true)
    await console.runAll.click()
    await bar.getByText('2 of 2').waitFor()
    expect(await isOneLine()).toBe(true)
    release()
    await console.cell(2, 'slow').waitFor()
    const box = await page.locator('.cm-editor').boundingBox()
    expect(box?.height).toBeGreaterThan(150)
    await bar.getByRole('button', { name: 'As of now' }).waitFor()
  })

  test('a phone has the editors in a menu', async ({ server, open }) => {
    const console = await open(server.url, phone)
    await console.enter('/query')
    const { page } = console
    await console.write('SELECT 1;')
    await choose(console, /^New editor/)
    await entered(console, '')
    await page.keyboard.type('SELECT 2;')
    await page.getByRole('tab', { name: 'Editor 2', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Editors', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Editor', exact: true }).click()
    await console.holds('SELECT 1;')
    await expectAccessible(page, 'editors on a phone')
  })

  test('30 editors with any names: the shown tab is in sight', async ({ server, open }) => {
    const console = await open(server.url, wide)
    await console.enter('/query')
    const { page } = console
    await console.write('SELECT 1;')
    const names = corpus('name').flatMap(({ text }) => (text?.trim() ? [text] : []))
    for (let at = 0; at < 29; at += 1) {
      await console.editor.focus()
      await press(console, 'Alt+t', '')
      await page.keyboard.type(`SELECT ${at}`)
      await console.holds(`SELECT ${at}`)
    }
    expect(await tabs(console).count()).toBe(30)
    for (const name of names.slice(0, 8)) {
      await tabs(console).last().focus()
      await page.keyboard.press('F2')
      await console.dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.keyboard.press('Enter')
      await console.dialog.waitFor({ state: 'hidden' })
    }
    const isInSight = () =>
      tabs(console)
        .last()
        .evaluate((one) => {
          const list = one.parentElement?.getBoundingClientRect()
          const { left, right } = one.getBoundingClientRect()
          return list !== undefined && left >= list.left - 1 && right <= list.right + 1
        })
    await expect.poll(isInSight).toBe(true)
    expect(await page.evaluate(() => Reflect.get(window, '__pwn'))).toBeUndefined()
    await expectAccessible(page, '30 editors')
  })

  test('a user who may only read has editors, too', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('bare')
    await db.createUser('reader', 'Reader#2026', 1, 'bare')
    const console = await open(server.url)
    await console.enter('/query?db=bare', 'reader', 'Reader#2026')
    await console.write('SELECT 1;')
    await console.editor.focus()
    await press(console, 'Alt+t', '')
    await console.runSql('SELECT 2 AS x;')
    await console.cell(1, '2').waitFor()
    await tabsAre(console, ['Editor', 'Editor 2'])
  })
})
