import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { DocumentsPage, makeCollection } from '../support/documents-page'
import { test } from '../support/e2e'
import { changed } from '../support/faults'
import { TrustPage } from '../support/trust-page'

const path = (collection: string, rest = '') =>
  `/documents?db=defaultdb&collection=${collection}${rest}`

async function opened(console: ConsolePage, collection: string): Promise<DocumentsPage> {
  await console.enter(path(collection))
  const documents = new DocumentsPage(console.page)
  await documents.openSession()
  return documents
}

async function chooseFile(documents: DocumentsPage, bytes: Buffer | string): Promise<void> {
  await documents.button('Import NDJSON').click()
  await documents.page.getByLabel('NDJSON file').setInputFiles({
    name: 'in.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(bytes),
  })
}

async function countOf(db: Api, collection: string): Promise<number> {
  const { count = '0' } = await db.call<{ count?: string }>(
    `/v2/collection/${collection}/documents/count`,
    { query: {} },
  )
  return Number(count)
}

const linesOf = (count: number, line = (n: number) => `{"n":${n}}`) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

describe('a file of documents', () => {
  test('is looked through for everything that would not be stored as it is written', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'odd', [['n', 'INTEGER']])
    const documents = await opened(await open(server.url), 'odd')
    const { dialog } = documents
    const lines = [
      Buffer.from('\uFEFF{"n":1}\r'),
      Buffer.from('\r'),
      Buffer.from('  \t\r'),
      Buffer.concat([Buffer.from('{"n":2,"x":"'), Buffer.from([0xff]), Buffer.from('"}\r')]),
      Buffer.from(`{"n":3,"x":"${'é'.repeat(2_200_000)}"}`),
      Buffer.from('{"n":9007199254740993}'),
      Buffer.from('{"_id":"a","n":4,"_id":"b"}'),
      Buffer.from('{"n":5,"x":1,"x":2}'),
      Buffer.from('{"n":6,"__proto__":{"a":1},"constructor":"c"}'),
    ]
    const whole = (some: readonly Buffer[]) =>
      Buffer.concat(some.flatMap((line) => [line, Buffer.from('\n')]))
    await chooseFile(documents, whole(lines))
    await dialog.getByText('in.ndjson: 6 documents, 1 line that cannot be imported.').waitFor()
    await dialog.getByText(/^Line 4: This is not UTF-8/).waitFor()
    await dialog.getByText(/^1 document has a field _id/).waitFor()
    await dialog.getByText('3 documents will not be stored exactly as written:').waitFor()
    await dialog.getByText(/^Line 5: This takes more than 4 MiB/).waitFor()
    await dialog.getByText(/^Line 6: .*9007199254740993 becomes 9007199254740992/).waitFor()
    await dialog.getByText(/^Line 8: A name stands twice in one object: “x”/).waitFor()
    const send = documents.button(/^Import 6 documents$/)
    expect(await send.getAttribute('title')).toBe('Correct the file, or leave lines out.')
    await documents.page.getByLabel('NDJSON file').setInputFiles({
      name: 'right.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: whole(lines.filter((_, at) => at !== 3)),
    })
    await dialog.getByText('right.ndjson: 6 documents.').waitFor()
    expect(await send.getAttribute('title')).toMatch(/^Decide what becomes of the documents/)
    await documents.pick('Documents that would be stored otherwise', 'Import them as listed')
    await send.click()
    await dialog.getByText(/^Documents 1–6 are committed: .* in line 8\.$/).waitFor()
    expect(await countOf(db, 'odd')).toBe(6)
  })

  test('of which the server refuses one is committed up to it, and the report names its line', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'refused', [['n', 'INTEGER']], [{ fields: ['n'], isUnique: true }])
    await db.insertDocument('refused', '{"n":733}')
    const documents = await opened(await open(server.url), 'refused')
    await chooseFile(documents, linesOf(1_200))
    await documents.button('Import 1,200 documents').click()
    await documents.dialog
      .getByText(/^Not stored: document 734 \(line 734\)\. Later lines were not sent\./)
      .waitFor()
    await documents.dialog.getByText(/^Documents 1–733 are committed: .* in line 733\.$/).waitFor()
    await documents.dialog.getByText(/another document has the value of a unique field/).waitFor()
    expect(await countOf(db, 'refused')).toBe(734)
    // The report stays until it is continued or given up.
    await documents.button('Continue later').click()
    await documents.button('Import stopped…').click()
    await documents.button('Leave out line 734 and continue').click()
    await documents.imported()
    await documents.dialog
      .getByText(/^Documents 1–1,200 are committed, without 1 document left out: /)
      .waitFor()
    await documents.dialog
      .getByText(/ Line 734 was left out, because the server refused it\.$/)
      .waitFor()
    expect(await countOf(db, 'refused')).toBe(1_200)
    await documents.dialog.getByRole('button', { name: 'Close' }).first().click()
    await chooseFile(documents, linesOf(1_200))
    const before = documents.dialog.getByRole('region', { name: 'This file was imported before' })
    await before.getByText(/Documents 1–1,200 are committed, without 1 document left out/).waitFor()
    const again = documents.button('Import 1,200 documents')
    expect(await again.getAttribute('title')).toBe('This file was imported before: decide first.')
    await documents.button('Start over').click()
    expect(await again.getAttribute('aria-disabled')).toBeNull()
  })

  test('of which lines are refused is told so before anything is sent, and goes in without them', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const types = [
      ['n', 'INTEGER'],
      ['s', 'STRING'],
      ['b', 'BOOLEAN'],
      ['u', 'UUID'],
      ['a.d', 'DOUBLE'],
    ] as const
    await makeCollection(db, 'wrong', types)
    const lines = [
      '{"n":1,"s":"a","b":true,"u":"11111111-1111-4111-8111-111111111111","a":{"d":1.5}}',
      '{"n":"1"}',
      '{"s":7}',
      '{"b":"true"}',
      '{"u":"nope"}',
      '{"a":{"d":"1.5"}}',
      `{"s":"${'x'.repeat(513)}"}`,
      '{"n":null,"s":null,"b":null,"u":null,"a":null}',
      '{"_doc":1}',
      `{"s":"${'é'.repeat(256)}","u":"{11111111-1111-4111-8111-111111111111}"}`,
      '{"n":4.5}',
    ]
    // What the check says is what the server does.
    const isTaken: boolean[] = []
    for (const line of lines) {
      const sent = db.insertDocument('wrong', line)
      isTaken.push(
        await sent.then(
          () => true,
          () => false,
        ),
      )
    }
    const taken = isTaken.filter(Boolean).length
    const documents = await opened(await open(server.url), 'wrong')
    await chooseFile(documents, Buffer.from(lines.join('\n')))
    const { dialog } = documents
    await dialog
      .getByText(`in.ndjson: ${taken} documents, 7 lines that cannot be imported.`)
      .waitFor()
    const listed = dialog.getByRole('list', { name: 'Lines that cannot be imported' })
    const numbers = (await listed.getByRole('listitem').allTextContents()).map(
      (text) => /^Line (\d+):/.exec(text)?.[1],
    )
    expect(numbers).toEqual(lines.flatMap((_, at) => (isTaken[at] ? [] : [String(at + 1)])))
    await dialog.getByLabel('Leave out 7 lines').check()
    await documents.pick('Documents that would be stored otherwise', 'Leave them out')
    await documents.button('Import 3 documents').click()
    await documents.imported()
    expect(await countOf(db, 'wrong')).toBe(taken + 3)
  })

  test('may be an array of documents', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'array', [['n', 'INTEGER']])
    const documents = await opened(await open(server.url), 'array')
    await chooseFile(documents, Buffer.from('[\n {"n": 1},\n {\n  "n": 2\n },\n {"n": "x"}\n]\n'))
    await documents.dialog.getByText(/^Line 6: “n” is of type INTEGER/).waitFor()
    await documents.dialog.getByLabel('Leave out 1 line').check()
    await documents.button('Import 2 documents').click()
    await documents.dialog.getByText(/^Documents 1–2 are committed: .* in line 3\.$/).waitFor()
    expect(await countOf(db, 'array')).toBe(2)
  })

  test('goes into a database that takes fewer entries', async ({ server, open }) => {
    const admin = await api(server.url)
    const settings = { maxTxEntries: { value: 50 } }
    await admin.call('/db/create/v2', { name: 'smalltx', settings })
    const db = await admin.use('smalltx')
    await makeCollection(db, 'small', [['n', 'INTEGER']])
    const console = await open(server.url)
    await console.enter('/documents?db=smalltx&collection=small')
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    await chooseFile(documents, linesOf(120))
    await documents.button('Import 120 documents').click()
    await documents.imported()
    expect(await countOf(db, 'small')).toBe(120)
  })

  test('whose page is left half-way has its report after a reload and a log-out, and goes on', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'halfway', [['n', 'INTEGER']], [{ fields: ['n'], isUnique: true }])
    const console = await open(proxy.url)
    const documents = await opened(console, 'halfway')
    const { page } = console
    await console.keepsSession()
    const batch = { path: /\/halfway\/documents$/, body: /"n":500[,}]/ }
    proxy.fault({ ...batch, fault: { kind: 'hangAnswer' } })
    await chooseFile(documents, linesOf(1_300))
    await documents.button('Import 1,300 documents').click()
    await documents.dialog.getByText(/^Documents 1–500 are committed/).waitFor()
    await expect.poll(() => countOf(db, 'halfway')).toBe(1_000)
    await page.reload()
    proxy.clearFaults()
    await console.signedIn()
    const { dialog } = documents
    const report = async () => {
      await documents.button('Import stopped…').click()
      await dialog
        .getByText(
          /Documents 1–500 are committed: .* in line 500\. It is not known whether documents 501–1,000/,
        )
        .waitFor()
    }
    await report()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await console.logOut()
    await console.submitLogin()
    await console.signedIn()
    await console.open(path('halfway', '&tab=structure'))
    await console.signedIn()
    await report()
    const choose = (text: string) =>
      page.getByLabel('NDJSON file').setInputFiles({
        name: 'in.ndjson',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(text),
      })
    // Another file begins at its first line.
    await choose(linesOf(1_299))
    await documents.button('Import 1,299 documents').waitFor()
    await choose(linesOf(1_300))
    // What was sent is looked up first.
    await documents.button('Continue after document 500').click()
    await documents.imported()
    expect(await countOf(db, 'halfway')).toBe(1_300)
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await documents.button('Import NDJSON').waitFor()
    await page.reload()
    await console.signedIn()
    await documents.button('Import NDJSON').waitFor()
  })

  test('whose server is killed half-way can be finished, with no line twice', async ({
    ownServer,
    open,
  }) => {
    await makeCollection(await api(ownServer.url), 'killed', [['n', 'INTEGER']])
    const console = await open(ownServer.url)
    const documents = await opened(console, 'killed')
    await chooseFile(
      documents,
      linesOf(20_000, (n) => `{"n":${n},"x":"${'x'.repeat(300)}"}`),
    )
    await documents.button('Import 20,000 documents').click()
    await documents.dialog.getByText(/^Documents 1–[\d,]+ are committed/).waitFor()
    await ownServer.restart('SIGKILL')
    await console.submitLogin()
    await console.signedIn()
    await documents.button('Import stopped…').click()
    await console.page.getByRole('dialog', { name: 'Import stopped' }).waitFor()
    const again = documents.button('They are not: send them again')
    const next = documents.button('Continue')
    if (await documents.button('Check now').isVisible()) {
      expect(await again.getAttribute('aria-disabled')).toBe('true')
      await documents.button('Check now').click()
    } else await next.click()
    // Found, refused before it was sent, or looked for and not found: then the operator decides.
    const end = console.page.getByRole('dialog', { name: 'Import complete' })
    const mayRepeat = () => again.and(console.page.locator(':not([aria-disabled])'))
    await expect.poll(async () => (await end.or(mayRepeat()).count()) > 0).toBe(true)
    if ((await end.count()) === 0) await again.click()
    await documents.imported()
    expect(await countOf(await api(ownServer.url), 'killed')).toBe(20_000)
  })
})

describe('an export', () => {
  test('has every document as of its beginning while others write', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'busy', [['n', 'INTEGER']])
    const ids: string[] = []
    for (let part = 0; part < 4; part += 1) {
      const documents = Array.from({ length: 1_000 }, (_, n) => ({ n: part * 1_000 + n }))
      const made = await db.call<{ documentIds: string[] }>('/v2/collection/busy/documents', {
        documents,
      })
      ids.push(...made.documentIds)
    }
    const console = await open(server.url)
    const documents = await opened(console, 'busy')
    await documents.cell('busy', '0').waitFor()
    const search = console.page.waitForResponse(/\/busy\/documents\/search$/)
    const download = console.page.waitForEvent('download')
    await documents.button('Export').click()
    await search
    for (const id of ids.slice(0, 3)) await db.deleteDocument('busy', id)
    await db.insertDocument('busy', '{"n":4000}')
    const file = await readFile(await (await download).path(), 'utf8')
    const found = file
      .trimEnd()
      .split('\n')
      .map((line): number => JSON.parse(line).n)
    expect(found).toEqual(Array.from({ length: 4_000 }, (_, n) => n))
    await console.page.getByText(/^Complete: 4,000 documents in/).waitFor()
  })

  test('that is stopped says so, in its name as well', async ({ server, proxy, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'stopped', [['n', 'INTEGER']])
    const documents = Array.from({ length: 400 }, (_, n) => ({ n }))
    await db.call('/v2/collection/stopped/documents', { documents })
    const console = await open(proxy.url)
    const page = await opened(console, 'stopped')
    await page.cell('stopped', '0').waitFor()
    proxy.fault({ path: /\/documents\/search\/.+$/, body: /"page":3/, fault: { kind: 'hang' } })
    const download = console.page.waitForEvent('download')
    await page.button('Export').click()
    await console.page.getByText('256 documents so far…').waitFor()
    expect(await page.button('Read more documents').getAttribute('title')).toBe(
      'A file is being written.',
    )
    await page.button('Stop the export').click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('defaultdb-stopped-256-documents-incomplete.ndjson')
    expect((await readFile(await saved.path(), 'utf8')).trimEnd().split('\n')).toHaveLength(256)
    await console.page
      .getByText(/^Not complete: only the first 256 documents are in .* It was stopped\.$/)
      .waitFor()
  })
})

describe('a document that is nested deeply', () => {
  test('is listed, shown and exported, and its proof breaks nothing', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'deep', [['n', 'INTEGER']])
    const id = await db.insertDocument(
      'deep',
      `{"n":1,"a":${'{"a":'.repeat(190)}1${'}'.repeat(190)}}`,
    )
    const text = `${'['.repeat(4_500)}9${']'.repeat(4_500)}`
    const deepest = await db.insertDocument('deep', `{"n":2,"a":${text}}`)
    const console = await open(server.url)
    const documents = await opened(console, 'deep')
    await documents.cell('deep', '2').waitFor()
    const download = console.page.waitForEvent('download')
    await documents.button('Export').click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`"a":${text}`)
    await console.goTo(path('deep', `&doc=${deepest}`))
    await documents.document.getByText('revision 1').waitFor()
    await documents.document.getByText(/^[\d.,]+ MiB \(/).waitFor()
    await documents.button('Verify').click()
    await console.dialog.getByText(/This says nothing about what is stored/).waitFor()
    await console.page.keyboard.press('Escape')
    await console.goTo(path('deep', `&doc=${id}`))
    await documents.button('Verify').click()
    await console.dialog
      .getByText(/^Verified/)
      .first()
      .waitFor()
    await console.page.keyboard.press('Escape')
    await documents.button('Edit').click()
    await documents.text.waitFor()
  })
})

describe('a broken history', () => {
  test('holds every write of documents, and says why', async ({ server, proxy, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'held', [['n', 'INTEGER']])
    const id = await db.insertDocument('held', '{"n":1}')
    const console = await open(proxy.url)
    await console.enter(path('held', `&doc=${id}`))
    const trust = new TrustPage(console)
    await trust.known()
    proxy.fault({ path: '/db/state', fault: changed('txHash') })
    await trust.checkNow()
    await trust.bar.getByText(/^BROKEN/).waitFor()
    const documents = new DocumentsPage(console.page)
    for (const name of ['New document', 'New collection', 'Import NDJSON', 'Edit', 'Delete…']) {
      await expect
        .poll(() => documents.button(name).getAttribute('title'))
        .toMatch(/^The history of defaultdb is broken\./)
    }
    await console.page.getByRole('tab', { name: 'Structure' }).click()
    for (const name of ['Add field', 'Delete collection…', 'Remove the field n']) {
      expect(await documents.button(name).getAttribute('title')).toMatch(/is broken\./)
    }
    expect(await countOf(db, 'held')).toBe(1)
  })
})
