import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { corpusBytes } from '../support/corpus-bytes'
import { test } from '../support/e2e'
import { corpus } from '../support/recorded'

/** What a JSON answer of the server can carry: text, and not so much that the rows stay behind. */
const texts = corpusBytes()
  .map(({ id, bytes }) => ({ id, bytes, text: bytes.toString() }))
  .filter(({ bytes, text }) => bytes.length < 20_000 && Buffer.from(text).equals(bytes))
  .map(({ id, text }, index) => ({ id, index, text }))

async function fill(db: Api, table: string, type: string, stored: (text: string) => string) {
  await db.exec(`CREATE TABLE ${table} (id INTEGER, body ${type}, PRIMARY KEY id);`)
  for (const { index, text } of texts) {
    await db.call('/db/sqlexec', {
      sql: `INSERT INTO ${table} (id, body) VALUES (@id, @body);`,
      params: [
        { name: 'id', value: { n: index } },
        { name: 'body', value: { s: stored(text) } },
      ],
    })
  }
}

/** The rows of the only result as the JSON file of them holds them. */
async function exported(console: ConsolePage): Promise<unknown> {
  const { page } = console
  const result = console.result(1)
  await result.getByRole('button', { name: 'Export result 1' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^JSON/ }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  await result.getByText(/^Complete:/).waitFor()
  return JSON.parse(text)
}

/** Every row comes into sight once. */
async function scrollThrough(console: ConsolePage): Promise<void> {
  await console.grid(1).evaluate(async (grid) => {
    for (let top = 0; top <= grid.scrollHeight; top += grid.clientHeight) {
      grid.scrollTop = top
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  await console.visit.watch.assertClean()
}

describe('A01: everything of the corpus in rows', () => {
  test('A01: as text it is inert in cells, and the export gives it back exactly', async ({
    server,
    open,
  }) => {
    expect(texts.length).toBeGreaterThan(150)
    await fill(await api(server.url), 'corpus_text', 'VARCHAR', (text) => text)
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT id, body FROM corpus_text ORDER BY id;')
    await console.cell(1, '0').waitFor()
    await scrollThrough(console)
    expect(await exported(console)).toEqual(
      texts.map(({ index, text }) => ({ id: index, body: text })),
    )
    expect(await console.page.locator('[src=x], [onerror], iframe, object, embed').count()).toBe(0)
  })

  test('A01: as JSON it is inert in cells and in the tree', async ({ server, open }) => {
    const json = (text: string) => JSON.stringify({ value: text })
    await fill(await api(server.url), 'corpus_json', 'JSON', json)
    const console = await open(server.url)
    await console.enter('/query')
    const markup = corpus('markup').flatMap(({ text }) => (text === undefined ? [] : [text]))
    await console.runSql('SELECT body FROM corpus_json ORDER BY id;')
    await console.grid(1).waitFor()
    await scrollThrough(console)
    const first = texts.find(({ text }) => text === markup[0])
    await console.runSql(`SELECT body FROM corpus_json WHERE id = ${first?.index};`)
    await console.grid(2).press('Enter')
    await console.dialog.getByRole('tree').getByText(/value/).first().waitFor()
    await console.visit.watch.assertClean()
    expect(await console.page.locator('[src=x], [onerror], iframe, object, embed').count()).toBe(0)
  })
})

test('A01: statements of the corpus stand in the editor as they were pasted, and nothing runs', async ({
  server,
  open,
}) => {
  const console = await open(server.url)
  await console.enter('/query')
  const sent: string[] = []
  console.page.on('request', (request) => {
    if (/sqlexec|sqlquery/.test(request.url())) sent.push(request.postData() ?? '')
  })
  for (const { text = '' } of [...corpus('sql'), ...corpus('line-end')]) {
    await console.paste(text)
    // The editor marks hidden characters; what it holds is what it stores.
    await console.keeps(text)
  }
  expect(sent.filter((sql) => !sql.includes('information_schema'))).toEqual([])
})

test('A01: what is pasted is what is sent, each carriage return in it, and what comes back is seen', async ({
  server,
  open,
}) => {
  const console = await open(server.url)
  await console.enter('/query')
  const value = 'a\r\nb\rc'
  const sent: unknown[] = []
  console.page.on('request', (request) => {
    if (/sqlquery/.test(request.url())) sent.push(request.postDataJSON().sql)
  })
  await console.paste(`SELECT '${value}' = 'a\nb\nc' AS same, '${value}' AS body;`)
  await console.run.click()
  await console.cell(1, 'false').waitFor()
  const cell = console.grid(1).getByRole('gridcell').last()
  await expect.poll(() => cell.textContent()).toBe('a⟨CR⟩↵b⟨CR⟩c')
  await cell.click()
  expect(sent).toContain(`SELECT '${value}' = 'a\nb\nc' AS same, '${value}' AS body;`)
  await console.grid(1).press('Enter')
  const shown = console.dialog.getByRole('region', { name: 'Value' })
  expect(await shown.textContent()).toBe('a⟨CR⟩\nb⟨CR⟩c')
})

test('A02: names of the corpus in the form for a database: what it lets through the server takes', async ({
  server,
  open,
}) => {
  const db = await api(server.url)
  const console = await open(server.url)
  await console.enter('/databases')
  const { page, dialog } = console
  let created = 0
  for (const { id, text } of corpus('name')) {
    if (text === undefined || /[\r\n]/.test(text)) continue
    await page.getByRole('button', { name: 'Create database', exact: true }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(text)
    const create = dialog.getByRole('button', { name: 'Create', exact: true })
    if ((await create.getAttribute('aria-disabled')) === 'true') {
      // What the form refuses it refuses with a reason, and the server does as well.
      expect(await create.getAttribute('title'), id).not.toBe('')
      await expect(db.createDatabase(text), `${id} ${text}`).rejects.toThrow()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    } else {
      await create.click()
      created += 1
    }
    await dialog.waitFor({ state: 'hidden' })
  }
  expect(created).toBeGreaterThan(0)
  expect(await page.locator('[src=x], [onerror]').count()).toBe(0)
})
