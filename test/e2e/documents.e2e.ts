import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { corpusBytes } from '../support/corpus-bytes'
import { DocumentsPage, makeCollection } from '../support/documents-page'
import { test, walk } from '../support/e2e'
import { exportedLines } from '../support/exported'
import { readStorage } from '../support/page-storage'
import { until } from '../support/until'

const password = 'C0rrect-horse'

/** The id of the session in the requests of a page; null before there is one. */
function sessionIn(console: ConsolePage): () => string | null {
  let found: string | null = null
  console.page.on('request', (request) => {
    found = request.headers().sessionid ?? found
  })
  return () => found
}

/** What the server says of a session. */
async function sayOf(url: string, session: string, what: 'keepalive' | 'close'): Promise<number> {
  const answer = await fetch(`${url}/api/v2/authorization/session/${what}`, {
    method: 'POST',
    headers: { sessionid: session },
    body: '{}',
  })
  return answer.status
}

const path = (collection: string, rest = '') =>
  `/documents?db=defaultdb&collection=${collection}${rest}`

describe('documents', () => {
  test(
    'a collection is made, searched, written to, looked back at, proven and deleted',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      await console.enter()
      await console.link('Documents').click()
      const { page } = console
      const documents = new DocumentsPage(page)
      await page.getByText('No collections').waitFor()
      await documents.button('New collection').last().click()
      await documents.dialog.getByLabel('Name', { exact: true }).fill('orders')
      await documents.button('Add a field').click()
      await documents.dialog.getByLabel('Name of field 1').fill('total')
      await documents.pick('Type of field 1', 'INTEGER')
      await documents.button('Add a field').click()
      await documents.dialog.getByLabel('Name of field 2').fill('country')
      await documents.button('Add an index').click()
      await documents.dialog.getByLabel('Fields of index 1').fill('country, total')
      await documents.dialog.getByRole('button', { name: 'Create', exact: true }).click()
      await documents.openSession()
      await documents.list.getByRole('option', { name: /orders/ }).waitFor()
      await page.getByText('No documents', { exact: true }).waitFor()

      await documents.insert('{"total": 12, "country": "NL", "note": 9007199254740993}')
      await documents.document.getByText(/^Stored in tx \d+\.$/).waitFor()
      const rounded =
        /immudb rounded numbers in note: stored is 9007199254740992, shown 9007199254740993/
      await documents.document.getByText(rounded).waitFor()
      await documents.document.getByRole('treeitem', { name: '"note": 9007199254740992' }).waitFor()
      await documents.cell('orders', 'NL').waitFor()
      await documents.document.getByText('by immudb').waitFor()
      const address = page.url()

      await documents.button('Edit').click()
      await documents.write('{"total": 13, "country": "BE", "zero": -0}')
      await documents.button('Save').click()
      await documents.document.getByText('revision 2').waitFor()
      await documents.document.getByRole('treeitem', { name: '"zero": -0' }).waitFor()
      await documents.button('Verify').click()
      await console.dialog
        .getByText(/^Verified/)
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await documents.button('History').click()
      await console.dialog
        .getByText(/immudb/)
        .first()
        .waitFor()
      await page.keyboard.press('Escape')

      await documents.button('Search…').click()
      await documents.button('Add a comparison').click()
      await documents.pick('Operator 1.1', '>')
      await page.getByLabel('Value 1.1').fill('12')
      await documents.button('Search').click()
      await documents.cell('orders', 'BE').waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toContain('GT')

      await documents.button('Delete…').click()
      await documents.button('Delete the document').click()
      await documents.document.getByText(/^Deleted in tx \d+\./).waitFor()
      await page.getByText('No document of the collection meets this search.').waitFor()

      await page.goto(address)
      await console.signedIn()
      await documents.document.getByText(/document was deleted/).waitFor()
      await page.goto(`${address}&rev=1`)
      await console.signedIn()
      await documents.document.getByRole('treeitem', { name: '"total": 12' }).waitFor()
    },
  )
})

describe('the session that a search needs', () => {
  test('asks for the password, keeps it nowhere, and is closed by a log-out', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'closed', [['n', 'INTEGER']])
    await db.insertDocument('closed', '{"n":1}')
    const secret = 'S3cret-of-documents'
    await db.createUser('searcher', secret, 1, 'defaultdb')
    const console = await open(server.url)
    const session = sessionIn(console)
    await console.enter(path('closed'), 'searcher', secret)
    console.visit.watch.keepSecret(secret)
    const documents = new DocumentsPage(console.page)
    await documents.session.getByLabel('Password', { exact: true }).fill('wrong')
    await documents.session.getByRole('button', { name: 'Continue' }).click()
    await documents.session.getByText(/invalid user name or password/i).waitFor()
    expect(await documents.session.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await documents.openSession(secret)
    await documents.cell('closed', '1').waitFor()
    const id = session() ?? ''
    expect(id).not.toBe('')
    console.visit.watch.keepSecret(id)
    const kept = [...(await readStorage(console.page)).values()].join('\n')
    expect(kept.includes(id) || kept.includes(secret)).toBe(false)
    await console.link('Keys').click()
    expect(await sayOf(server.url, id, 'keepalive')).toBe(200)
    await console.logOut()
    await until(
      () => sayOf(server.url, id, 'keepalive'),
      (status) => status === 403,
    )
  })

  test('is opened by the log-in that was for documents, which asks for nothing more', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'at_login', [['n', 'INTEGER']])
    await db.insertDocument('at_login', '{"n":1}')
    const secret = 'S3cret-at-login'
    await db.createUser('reader_at_login', secret, 1, 'defaultdb')
    const console = await open(server.url)
    const session = sessionIn(console)
    await console.open(path('at_login'))
    console.visit.watch.keepSecret(secret)
    await console.submitLogin('reader_at_login', secret)
    const documents = new DocumentsPage(console.page)
    await documents.cell('at_login', '1').waitFor()
    expect(await documents.session.count()).toBe(0)
    const id = session() ?? ''
    const kept = [...(await readStorage(console.page)).values()].join('\n')
    expect(kept.includes(id) || kept.includes(secret)).toBe(false)
    expect(await sayOf(server.url, id, 'keepalive')).toBe(200)
  })

  test('is asked for again when the server has ended it, and the search and a draft stay', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'ended', [['n', 'INTEGER']])
    for (let at = 0; at < 3; at += 1) await db.insertDocument('ended', `{"n":${at}}`)
    const console = await open(server.url)
    const session = sessionIn(console)
    await console.enter(path('ended'))
    const documents = new DocumentsPage(console.page)
    const { page } = console
    await documents.openSession()
    await documents.cell('ended', '2').waitFor()
    await documents.button('New document').click()
    await documents.write('{"n": 77}')
    expect(await sayOf(server.url, session() ?? '', 'close')).toBe(200)
    await documents.button('Search…').click()
    await documents.button('Add a comparison').click()
    await page.getByLabel('Value 1.1').fill('1')
    await documents.button('Search').click()
    await page.getByText('The session has ended').waitFor()
    expect(await documents.written()).toBe('{"n": 77}')
    await documents.button('Open document session…').click()
    await documents.openSession()
    await documents.cell('ended', '1').waitFor()
    expect(await documents.grid('ended').getAttribute('aria-rowcount')).toBe('2')
    await documents.button('Save').click()
    await documents.document.getByText(/^Stored in tx/).waitFor()
  })

  test('is not needed for collections, counts and a document by its link', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'linked', [['n', 'INTEGER']])
    const id = await db.insertDocument('linked', '{"n":1,"text":"seen"}')
    const console = await open(server.url)
    const session = sessionIn(console)
    await console.enter(path('linked', `&doc=${id}`))
    const documents = new DocumentsPage(console.page)
    await documents.document.getByRole('treeitem', { name: '"text": "seen"' }).waitFor()
    await console.page.getByText('1 document', { exact: true }).waitFor()
    await documents.list.getByRole('option', { name: /linked/ }).waitFor()
    expect(await documents.session.count()).toBe(0)
    expect(session()).toBe(null)
    await documents.button('Open document session…').waitFor()
  })
})

describe('who may write documents', () => {
  test('a reader searches and proves; writing is disabled with the reason', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'readable', [['n', 'INTEGER']])
    const id = await db.insertDocument('readable', '{"n":1}')
    await db.createUser('docreader', password, 1, 'defaultdb')
    const console = await open(server.url)
    await console.enter(path('readable', `&doc=${id}`), 'docreader', password)
    const documents = new DocumentsPage(console.page)
    await documents.document.getByText('revision 1').waitFor()
    for (const name of ['New document', 'New collection', 'Import NDJSON', 'Edit', 'Delete…']) {
      await expect
        .poll(() => documents.button(name).getAttribute('title'))
        .toBe('This needs the permission “Read & write” on the database.')
    }
    await documents.button('Verify').click()
    await console.dialog
      .getByText(/^Verified/)
      .first()
      .waitFor()
  })

  test('as of a moment, documents are read as they were and nothing is written', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'past', [['n', 'INTEGER']])
    const gone = await db.insertDocument('past', '{"n":1,"text":"before"}')
    const changed = await db.insertDocument('past', '{"n":2,"text":"old"}')
    const tx = await db.txId()
    await db.deleteDocument('past', gone)
    await db.replaceDocument('past', changed, '{"n":2,"text":"new"}')
    await db.insertDocument('past', '{"n":3}')
    const console = await open(server.url)
    await console.enter(path('past', `&at=tx:${tx}`))
    const documents = new DocumentsPage(console.page)
    const list = console.page.getByRole('listbox', { name: 'Documents of past' })
    await console.page.getByText(/^2 documents as of tx/).waitFor()
    await console.page.getByText('Collections as of now.').waitFor()
    const { name, lines } = await exportedLines(console.page)
    expect(name).toBe(`defaultdb-past-tx${tx}-2-documents.ndjson`)
    expect(lines).toEqual([
      { _id: gone, n: 1, text: 'before' },
      { _id: changed, n: 2, text: 'old' },
    ])
    await list.getByRole('option', { name: new RegExp(gone) }).click()
    await documents.document.getByRole('treeitem', { name: '"text": "before"' }).waitFor()
    await list.getByRole('option', { name: new RegExp(changed) }).click()
    await documents.document.getByRole('treeitem', { name: '"text": "old"' }).waitFor()
    expect(await documents.button('New document').getAttribute('title')).toMatch(/the past/)
    await documents.button('Back to now').click()
    await documents.document.getByRole('treeitem', { name: '"text": "new"' }).waitFor()
  })
})

describe('what is typed', () => {
  test('survives an error, a reload and a log-out', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'typed', [['n', 'INTEGER']])
    const id = await db.insertDocument('typed', '{"n":1}')
    const console = await open(server.url)
    await console.enter(path('typed', `&doc=${id}`))
    await console.keepsSession()
    const documents = new DocumentsPage(console.page)
    await documents.document.getByText('revision 1').waitFor()
    await documents.insert('{"n": "text"}')
    await documents.document.getByText(/is of type INTEGER and does not take text/).waitFor()
    await documents.write('{"n": 1, "kept": 9007199254740993}')
    await until(
      () => readStorage(console.page),
      (kept) =>
        [...kept].some(
          ([place, value]) => !place.startsWith('session') && value.includes('9007199254740993'),
        ),
    )
    await console.page.reload()
    await console.signedIn()
    await expect.poll(() => documents.written()).toBe('{"n": 1, "kept": 9007199254740993}')
    await console.logOut()
    await console.submitLogin()
    await console.signedIn()
    await console.open(path('typed'))
    await console.signedIn()
    await expect.poll(() => documents.written()).toBe('{"n": 1, "kept": 9007199254740993}')
    await documents.write('{"n": 2}')
    await documents.button('Save').click()
    await documents.document.getByText(/^Stored in tx/).waitFor()
  })

  test('for a new collection survives a reload and a log-out, and ends with Cancel', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/documents?db=defaultdb')
    await console.keepsSession()
    const documents = new DocumentsPage(console.page)
    const name = documents.dialog.getByLabel('Name', { exact: true })
    await documents.button('New collection').first().click()
    await name.fill('typed_first')
    await documents.button('Add a field').click()
    await documents.dialog.getByLabel('Name of field 1').fill('total')
    await documents.pick('Type of field 1', 'DOUBLE')
    await console.page.reload()
    await console.signedIn()
    await documents.button('New collection').first().click()
    await expect.poll(() => name.inputValue()).toBe('typed_first')
    await documents.button('Add an index').click()
    await documents.dialog.getByLabel('Fields of index 1').fill('total')
    await console.page.reload()
    await console.signedIn()
    await console.logOut()
    await console.submitLogin()
    await console.signedIn()
    await documents.button('New collection').first().click()
    await expect
      .poll(() => documents.dialog.getByLabel('Fields of index 1').inputValue())
      .toBe('total')
    await documents.button('Cancel').click()
    await documents.button('New collection').first().click()
    await name.waitFor()
    expect(await name.inputValue()).toBe('')
    expect(await documents.dialog.getByLabel('Name of field 1').count()).toBe(0)
  })

  test('is not written over what someone else wrote since', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'shared', [['n', 'INTEGER']])
    const id = await db.insertDocument('shared', '{"n":1}')
    const console = await open(server.url)
    await console.enter(path('shared', `&doc=${id}`))
    const documents = new DocumentsPage(console.page)
    await documents.button('Edit').click()
    await documents.write('{"n": 2}')
    await db.replaceDocument('shared', id, '{"n":3}')
    await documents.button('Save').click()
    await documents.document.getByText(/has changed since you began: revision 2/).waitFor()
    expect(await db.documentRevisions('shared', id)).toHaveLength(2)
    const stored = documents.document.getByRole('region', { name: 'Stored now' })
    await stored.getByRole('treeitem', { name: '"n": 3' }).waitFor()
    // A third change, after the second was seen.
    await db.replaceDocument('shared', id, '{"n":4}')
    await documents.button('Save mine over revision 2').click()
    await documents.document.getByText(/has changed since you began: revision 3/).waitFor()
    await stored.getByRole('treeitem', { name: '"n": 4' }).waitFor()
    expect(await db.documentRevisions('shared', id)).toHaveLength(3)
    await documents.button('Save mine over revision 3').click()
    await documents.document.getByText(/^Stored in tx \d+\.$/).waitFor()
    await documents.document.getByText('revision 4', { exact: true }).waitFor()
    await documents.document.getByRole('treeitem', { name: '"n": 2' }).waitFor()
    expect(await db.documentRevisions('shared', id)).toHaveLength(4)
  })

  test('of one field leaves every other as it was, whatever its name and number', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'odd_names', [['n', 'INTEGER']])
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`
    const rest = `"a":{"a":1,"":0,"__proto__":1,"a.b":2,"$x":3},"__proto__":{"x":-0},"":[],"f":[1.0,1e3,-0,0.1,5e-324,1e-7,12345678901234567890],"1":1,"t":"\\u0000\\ud83d\\ude00","deep":${deep}`
    const id = await db.insertDocument('odd_names', `{"n":1,${rest}}`)
    const [before] = await db.documentRevisions('odd_names', id)
    const console = await open(server.url)
    await console.enter(path('odd_names', `&doc=${id}`))
    const documents = new DocumentsPage(console.page)
    await documents.button('Edit').click()
    await documents.text.click()
    // The line before the last one.
    for (const key of [
      'ControlOrMeta+End',
      'ArrowUp',
      'ArrowUp',
      'End',
      'Backspace',
      'Backspace',
    ]) {
      await console.page.keyboard.press(key)
    }
    await console.page.keyboard.type('2,')
    await documents.button('Save').click()
    await documents.document.getByText(/^Stored in tx/).waitFor()
    const [last] = await db.documentRevisions('odd_names', id)
    const content = (of: unknown): Record<string, unknown> => Object(of).document
    expect(Object.keys(content(last))).toContain('__proto__')
    expect(content(last)).toStrictEqual({ ...content(before), n: 2 })
  })

  test('of a document that was deleted becomes a new one', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'deleted_under', [['n', 'INTEGER']])
    const id = await db.insertDocument('deleted_under', '{"n":1}')
    const console = await open(server.url)
    await console.enter(path('deleted_under', `&doc=${id}`))
    const documents = new DocumentsPage(console.page)
    await documents.button('Edit').click()
    await documents.write('{"n": 2}')
    const query = {
      expressions: [{ fieldComparisons: [{ field: '_id', operator: 'EQ', value: id }] }],
      limit: 1,
    }
    await db.call('/v2/collection/deleted_under/documents/delete', { query })
    await documents.button('Save').click()
    await documents.document.getByText(/it was deleted in the meantime/).waitFor()
    await documents.button('Make it a new document').click()
    expect(await documents.written()).toBe('{"n": 2}')
    await documents.button('Save').click()
    await documents.document.getByText(/^Stored in tx/).waitFor()
    await documents.document.getByRole('treeitem', { name: '"n": 2' }).waitFor()
  })
})

describe('an unknown outcome', () => {
  test('of an insert, a replacement and a deletion is said and can be checked', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'lost', [['n', 'INTEGER']])
    const console = await open(proxy.url)
    await console.enter(path('lost'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    const lose = (of: RegExp) => proxy.fault({ path: of, times: 1, fault: { kind: 'dropAnswer' } })
    lose(/\/documents$/)
    await documents.insert('{"n": 9007199254740993, "text": "lost"}')
    await documents.document.getByText(/It is not known whether this was stored/).waitFor()
    await documents.button('Check now').click()
    await documents.document.getByText(/inserted a document with exactly this content/).waitFor()
    lose(/\/replace$/)
    await documents.button('Edit').click()
    await documents.write('{"n": 5}')
    await documents.button('Save').click()
    await documents.document.getByText(/It is not known whether this was stored/).waitFor()
    await documents.button('Check now').click()
    await documents.document.getByText(/Revision 2 has exactly this content/).waitFor()
    lose(/\/delete$/)
    await documents.button('Delete…').click()
    await documents.button('Delete the document').click()
    await documents.dialog.getByText(/It is not known whether this was deleted/).waitFor()
    await documents.button('Check now').click()
    await documents.document.getByText(/^Deleted in tx/).waitFor()
    expect(proxy.count({ method: 'POST', path: /\/lost\/documents$/ })).toBe(1)
  })

  test('of a save stays one after another try, a reload and a log-out, until a check finds it', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'unsure', [['n', 'INTEGER']])
    const id = await db.insertDocument('unsure', '{"n":1}')
    const console = await open(proxy.url)
    await console.enter(path('unsure', `&doc=${id}`))
    await console.keepsSession()
    const documents = new DocumentsPage(console.page)
    const { document } = documents
    const lose = (of: RegExp) => proxy.fault({ path: of, times: 1, fault: { kind: 'dropAnswer' } })
    lose(/\/replace$/)
    await documents.button('Edit').click()
    await documents.write('{"n": 2}')
    await documents.button('Save').click()
    await document.getByText(/It is not known whether this was stored/).waitFor()
    await documents.button('Save once more').click()
    await document.getByText(/^It was not sent again: The document has changed/).waitFor()
    await document.getByText(/It is not known whether this was stored/).waitFor()
    expect(await document.getByText('Nothing was stored.').count()).toBe(0)
    await documents.button('Check now').click()
    await document.getByText(/Revision 2 has exactly this content/).waitFor()
    expect(await db.documentRevisions('unsure', id)).toHaveLength(2)

    lose(/\/documents$/)
    await documents.insert('{"n": 9007199254740993}')
    await document.getByText(/It is not known whether this was stored/).waitFor()
    await console.page.reload()
    await console.signedIn()
    await document.getByText(/this page saw no answer/).waitFor()
    expect(await documents.text.getAttribute('aria-readonly')).toBe('true')
    await console.logOut()
    await console.submitLogin()
    await console.signedIn()
    await console.open(path('unsure', `&doc=${id}`))
    await console.signedIn()
    await document
      .getByText(/A new document of unsure was sent. It is not known whether it was stored./)
      .waitFor()
    await documents.button('Continue').click()
    await documents.button('Check now').click()
    await document.getByText(/inserted a document with exactly this content/).waitFor()
    expect(await counted(db, 'unsure')).toBe(2)
  })
})

/** Saves a file with the button of that name and returns its text. */
async function saved(console: ConsolePage, documents: DocumentsPage): Promise<string> {
  const download = console.page.waitForEvent('download')
  await documents.button('Export').click()
  return readFile(await (await download).path(), 'utf8')
}

async function chooseFile(documents: DocumentsPage, text: string): Promise<void> {
  await documents.button('Import NDJSON').click()
  await documents.page.getByLabel('NDJSON file').setInputFiles({
    name: 'in.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(text),
  })
}

async function counted(db: Api, collection: string): Promise<number> {
  const { count = '0' } = await db.call<{ count?: string }>(
    `/v2/collection/${collection}/documents/count`,
    { query: {} },
  )
  return Number(count)
}

describe('files of documents', () => {
  test('everything of the corpus comes back as it went in', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'corpus', [['at', 'INTEGER']])
    const texts = corpusBytes()
      .map(({ bytes }) => ({ bytes, text: bytes.toString() }))
      .filter(({ bytes, text }) => Buffer.from(text).equals(bytes) && bytes.length < 100_000)
      .map(({ text }) => text)
    const numbers = ['-0', '0.1', '1e21', '5e-324', '9007199254740992', '-1.7976931348623157e308']
    const lines = [
      ...texts.map((text, at) => JSON.stringify({ at, value: text, [text]: [text, null, true] })),
      `{"at":${texts.length},"numbers":[${numbers.join()}],"__proto__":{"polluted":1}}`,
    ]
    const console = await open(server.url)
    await console.enter(path('corpus'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    await chooseFile(documents, `${lines.join('\n')}\n`)
    await documents.button(`Import ${lines.length} documents`).click()
    await documents.imported()
    await documents.dialog.getByRole('button', { name: 'Close' }).first().click()
    await documents.grid('corpus').waitFor()
    await documents.grid('corpus').evaluate(async (grid) => {
      for (let top = 0; top <= grid.scrollHeight; top += grid.clientHeight) {
        grid.scrollTop = top
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })
    await console.visit.watch.assertClean()
    const file = await saved(console, documents)
    const found = file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((one, other) => one.at - other.at)
    expect(found).toHaveLength(lines.length)
    for (const [at, line] of lines.entries()) {
      const { _id, ...content } = found[at]
      expect(content).toEqual(JSON.parse(line))
    }
    expect(file).toContain('-0,0.1,1e+21,5e-324,9007199254740992')
    // And by the form, which takes all of them as fields and texts of one document.
    const short = texts.filter((text) => text.length < 2_000)
    const all = { at: -1, texts: short, fields: Object.fromEntries(short.map((text) => [text, 1])) }
    await documents.insert(JSON.stringify(all, null, 1))
    await documents.document.getByText(/^Stored in tx/).waitFor()
    const id = new URL(console.page.url()).searchParams.get('doc') ?? ''
    const [stored] = await db.documentRevisions('corpus', id)
    const { _id, ...content } = stored?.document ?? {}
    expect(content).toEqual(all)
    expect(await console.page.locator('[src=x], [onerror], iframe, object, embed').count()).toBe(0)
  })

  test('an import that breaks off says which lines are certain, and goes on behind them', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'broken', [['n', 'INTEGER']], [{ fields: ['n'], isUnique: true }])
    const console = await open(proxy.url)
    await console.enter(path('broken'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    const lines = Array.from({ length: 1_300 }, (_, n) => JSON.stringify({ n, _id: `a${n}` }))
    await chooseFile(documents, lines.join('\n'))
    await documents.dialog.getByText(/1,300 documents have a field _id/).waitFor()
    proxy.fault({
      path: /\/documents$/,
      body: /"n":500[,}]/,
      times: 1,
      fault: { kind: 'dropAnswer' },
    })
    await documents.button('Import 1,300 documents').click()
    await documents.dialog
      .getByText(/^Documents 1–500 are committed: 1 transaction in .*line 500\.$/)
      .waitFor()
    await documents.dialog
      .getByText(/It is not known whether documents 501–1,000 \(lines 501–1,000\) are committed/)
      .waitFor()
    // Nothing is sent again before it was looked for.
    expect(await documents.button('Continue').count()).toBe(0)
    const again = documents.button('They are not: send them again')
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    await documents.button('Check now').click()
    await documents.imported()
    expect(await counted(db, 'broken')).toBe(1_300)
  })

  test('a document that no answer can hold is counted, and the others are listed', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'large', [['n', 'INTEGER']])
    const half = 'x'.repeat(2_000_000)
    for (let n = 0; n < 5; n += 1) await db.insertDocument('large', `{"n":${n},"half":"${half}"}`)
    const whole = await db.insertDocument('large', `{"n":5,"whole":"${'y'.repeat(5_000_000)}"}`)
    await db.insertDocument('large', '{"n":6}')
    const console = await open(server.url)
    await console.enter(path('large'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    await documents.cell('large', '0').waitFor()
    for (;;) {
      const more = documents.button('Read more documents')
      await console.page
        .getByText(/^\d documents(, more exist)?$/)
        .last()
        .waitFor()
      if ((await more.count()) === 0) break
      await more.click().catch(() => {})
    }
    await console.page.getByText(/1 document larger than 4 MiB cannot be listed/).waitFor()
    expect(await documents.grid('large').getAttribute('aria-rowcount')).toBe('7')
    await console.goTo(path('large', `&doc=${whole}`))
    await documents.document.getByText(/larger than 4 MiB/).waitFor()
  })
})
