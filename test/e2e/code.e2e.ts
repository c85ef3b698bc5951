import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { base64, setKeys } from '../support/keys-page'
import { expectAccessible } from '../support/looks'

const reader = { user: 'reader', password: 'S3cret-of-nobody' }
const hostile = `it's "$(touch pwned)" \`touch pwned\`; -- %s`

async function prepare(db: Api): Promise<void> {
  const { user, password } = reader
  await db.call('/user', {
    user: base64(Buffer.from(user)),
    password: base64(Buffer.from(password)),
    permission: 1,
    database: 'defaultdb',
  })
  await setKeys(db, [[Buffer.from(hostile), Buffer.from('the value')]])
  await db.exec('CREATE TABLE coded (id INTEGER, name VARCHAR, PRIMARY KEY id);')
  await db.call('/db/sqlexec', {
    sql: 'INSERT INTO coded (id, name) VALUES (9007199254740993, @name), (2, NULL)',
    params: [{ name: 'name', value: { s: hostile } }],
  })
}

const dialogOf = ({ page }: ConsolePage) => page.getByRole('dialog', { name: /^Code for / })

/** Collects what the page sends to be known by; called at the end, it returns all of it. */
function collectSecrets({ page }: ConsolePage): () => Promise<ReadonlySet<string>> {
  const sent: Promise<Record<string, string>>[] = []
  page.on('request', (request) => void sent.push(request.allHeaders()))
  return async () => {
    const secrets = new Set([reader.password])
    for (const headers of await Promise.all(sent)) {
      for (const name of ['authorization', 'webconsole-token', 'sessionid', 'cookie']) {
        const secret = headers[name]?.replace('Bearer ', '')
        if (secret) secrets.add(secret)
      }
    }
    return secrets
  }
}

/** Presses a button, and returns the code that is then shown in a language; leaves it again. */
async function codeFrom(
  console: ConsolePage,
  button: ReturnType<ConsolePage['page']['getByRole']>,
  language: string,
  shown?: () => Promise<void>,
): Promise<string> {
  await button.click()
  const dialog = dialogOf(console)
  await dialog.getByRole('tab', { name: language, exact: true }).click()
  const panel = dialog.getByRole('tabpanel', { name: language, exact: true })
  await panel.locator('pre').waitFor()
  await shown?.()
  const code = (await panel.locator('pre').textContent()) ?? ''
  await console.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  return code
}

/** Runs code of Node with the login in its environment. */
async function runInNode(code: string): Promise<string> {
  const at = mkdtempSync(join(tmpdir(), 'webconsole-code-'))
  onTestFinished(() => rmSync(at, { recursive: true, force: true }))
  writeFileSync(join(at, 'immudb.mjs'), code)
  const env = { ...process.env, IMMUDB_USER: reader.user, IMMUDB_PASSWORD: reader.password }
  const { stdout } = await promisify(execFile)(process.execPath, ['immudb.mjs'], { cwd: at, env })
  expect(readdirSync(at)).toEqual(['immudb.mjs'])
  return stdout
}

const row = JSON.stringify([{ n: '9007199254740993' }, { s: hostile }])

describe('from screen to code', () => {
  test('what a reader has open runs as code with the same result, and has no secret', async ({
    serve,
    open,
  }) => {
    const server = await serve()
    const db = await api(server.url)
    await prepare(db)
    const console = await open(server.url)
    const { page } = console
    const secretsSent = collectSecrets(console)
    const codes: string[] = []
    const run = async (code: string) => {
      codes.push(code)
      return runInNode(code)
    }
    const show = page.getByRole('button', { name: 'Show as code', exact: true })

    await console.signIn(
      `/keys?db=defaultdb&key=${encodeURIComponent(hostile)}`,
      reader.user,
      reader.password,
    )
    const entry = page.getByRole('region', { name: 'The open key', exact: true })
    const ofKey = entry.getByRole('button', { name: 'Show as code', exact: true })
    expect(await run(await codeFrom(console, ofKey, 'Node'))).toBe('the value')
    const verified = await codeFrom(console, ofKey, 'Go', async () => {
      await dialogOf(console)
        .getByRole('checkbox', { name: /^Verify/ })
        .check()
      await dialogOf(console).getByText('VerifiedGet').waitFor()
    })
    codes.push(verified)

    // The language is remembered.
    await console.goTo('/query?db=defaultdb&table=coded')
    const rows = page.getByRole('tabpanel', { name: 'Rows', exact: true })
    await rows.getByRole('gridcell', { name: '9007199254740993' }).waitFor()
    const ofTable = rows.getByRole('button', { name: 'Show as code', exact: true })
    await ofTable.click()
    await dialogOf(console).getByRole('tab', { name: 'Go', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(console).waitFor({ state: 'detached' })
    const all = await run(await codeFrom(console, ofTable, 'Node'))
    expect(all.trim().split('\n')).toEqual([JSON.stringify([{ n: '2' }, { null: null }]), row])

    await rows.getByRole('gridcell', { name: '9007199254740993' }).click()
    await page.keyboard.press('Alt+r')
    const sheet = page.getByRole('dialog', { name: /^Row id = 9007199254740993 of coded/ })
    await sheet.waitFor()
    const ofRow = sheet.getByRole('button', { name: 'Show as code', exact: true })
    expect((await run(await codeFrom(console, ofRow, 'Node'))).trim()).toBe(row)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    await rows.getByRole('gridcell', { name: '9007199254740993' }).click()
    await page.keyboard.press('Alt+v')
    const proof = page.getByRole('dialog', { name: /^Proof of / })
    const ofProof = proof.getByRole('button', { name: 'Show as code', exact: true })
    const proven = await codeFrom(console, ofProof, 'Go')
    codes.push(proven)
    expect(proven).toContain('SELECT * FROM coded WHERE id = @p1')
    expect(proven).toContain('c.VerifyRow(ctx, row, "coded"')
    expect((await run(await codeFrom(console, ofProof, 'Node'))).trim()).toBe(row)
    await page.keyboard.press('Escape')
    await proof.waitFor({ state: 'detached' })

    await console.goTo('/query?db=defaultdb')
    await console.write("SELECT id, name FROM coded WHERE id > @least AND name != 'x''\n--'")
    await page.getByRole('textbox', { name: '@least', exact: true }).fill('2')
    expect((await run(await codeFrom(console, show.first(), 'Node'))).trim()).toBe(row)
    const noPsql = await codeFrom(console, show.first(), 'psql')
    codes.push(noPsql)
    expect(noPsql).toContain('id > 2')

    // A result that is there runs as its own statement, whatever the editor says by now.
    await console.write('SELECT id, name FROM coded')
    await page.keyboard.press('Control+Enter')
    const ofResult = page.getByRole('button', { name: 'Show result 1 as code', exact: true })
    await ofResult.waitFor()
    await console.write('SELECT 1')
    expect((await run(await codeFrom(console, ofResult, 'Node'))).trim().split('\n')).toEqual([
      JSON.stringify([{ n: '2' }, { null: null }]),
      row,
    ])

    const secrets = await secretsSent()
    for (const code of codes) for (const secret of secrets) expect(code).not.toContain(secret)
    expect(secrets.size).toBeGreaterThan(1)
  })

  test(
    'an open key is shown as code, in the language that was chosen last',
    walk,
    async ({ server, open }) => {
      await setKeys(await api(server.url), [[Buffer.from(hostile), Buffer.from('the value')]])
      const console = await open(server.url)
      await console.enter(`/keys?db=defaultdb&key=${encodeURIComponent(hostile)}`)
      const entry = console.page.getByRole('region', { name: 'The open key', exact: true })
      const show = entry.getByRole('button', { name: 'Show as code', exact: true })
      const python = await codeFrom(console, show, 'Python')
      expect(python).toContain(`b"${hostile.replaceAll('"', '\\"')}"`)
      await show.click()
      await dialogOf(console).getByRole('tab', { name: 'Python', selected: true }).waitFor()
      await dialogOf(console).getByRole('tab', { name: 'curl', exact: true }).click()
      await dialogOf(console).getByText('curl 7.76 or newer').waitFor()
    },
  )

  test.for([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])('is accessible at $width × $height, by keyboard alone', async (size, { server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await page.setViewportSize(size)
    await console.enter('/keys?db=defaultdb&key=nothing')
    const entry = page.getByRole('region', { name: 'The open key', exact: true })
    await entry.getByRole('button', { name: 'Show as code', exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = dialogOf(console)
    await dialog.getByRole('tab', { name: 'curl', exact: true }).focus()
    for (const language of ['Go', 'Python', 'Java', 'Node', 'psql']) {
      await page.keyboard.press('ArrowRight')
      await dialog.getByRole('tab', { name: language, selected: true }).waitFor()
    }
    await dialog.getByText('Not in this language').waitFor()
    await expectAccessible(page, `code-psql-${size.width}`)
    await page.keyboard.press('ArrowLeft')
    await dialog
      .getByText(/immudb-node: version 1\.1\.1/)
      .first()
      .waitFor()
    await expectAccessible(page, `code-node-${size.width}`)
  })
})
