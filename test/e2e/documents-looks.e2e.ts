import { describe } from 'vitest'
import { api } from '../support/api'
import { DocumentsPage, makeCollection } from '../support/documents-page'
import { test } from '../support/e2e'
import { look, phone, sizes, staysOpenWhenTurned, unhurried } from '../support/looks'

describe.for(sizes)('axe on documents, $size', unhurried, ({ size, viewport }) => {
  test('list, document, forms and dialogs have no violation', async ({ server, open }) => {
    const db = await api(server.url)
    const name = `look_${size}`
    const fields = [
      ['country', 'STRING'],
      ['total', 'INTEGER'],
      ['address.city', 'STRING'],
      ['paid', 'BOOLEAN'],
    ] as const
    await makeCollection(db, name, fields, [{ fields: ['country', 'total'] }])
    await makeCollection(db, `${name}_empty`)
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const json = `{"country":"NL","total":${at * 1_000},"address":{"city":"Utrecht"},"paid":true,"note":"abc\u202edef","tags":["a","b"],"large":9007199254740993}`
      ids.push(await db.insertDocument(name, json))
    }
    const first = await db.txId()
    const console = await open(server.url, { viewport })
    await console.enter('/documents')
    await console.keepsSession()
    const documents = new DocumentsPage(console.page)
    const { page } = console
    await documents.list.getByRole('option', { name: new RegExp(`^${name} `) }).click()
    await documents.session.waitFor()
    await look(console, 'documents-session')
    await documents.openSession()
    await documents.cell(name, 'NL').first().waitFor()
    await look(console, 'documents-list')
    await documents.button('Search…').click()
    await documents.button('Add a comparison').click()
    await documents.pick('Operator 1.1', 'is like')
    await page.getByLabel('Value 1.1').fill('N%')
    await page.getByText('Request', { exact: true }).click()
    await look(console, 'documents-search')
    await documents.button('Search').click()
    await documents.cell(name, '1000').first().click()
    await documents.document.getByText('revision 1').waitFor()
    await documents.document.getByRole('treeitem', { name: /"country"/ }).waitFor()
    await look(console, 'documents-open')
    await documents.button('Delete…').click()
    await look(console, 'documents-delete')
    await documents.button('Cancel').click()
    await documents.button('Edit').click()
    await documents.write('{"total": 9007199254740993, "country": "NL"}')
    await documents.document.getByText(/exact up to 2\^53/).waitFor()
    await look(console, 'documents-form')
    await documents.button('Cancel').click()
    await console.goTo(`/documents?collection=${name}&tab=structure&doc=${ids[0]}`)
    if (size === 'phone') await documents.button('All documents').click()
    await page.getByRole('list', { name: 'Fields' }).waitFor()
    await look(console, 'documents-structure')
    await documents.button('Rename the field _id').click()
    await documents.dialog.getByLabel('New name').fill('a.b')
    await look(console, 'documents-rename')
    await documents.button('Cancel').click()
    await documents.button('Import NDJSON').click()
    await page.getByLabel('NDJSON file').setInputFiles({
      name: 'orders.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from('{"total": 9007199254740993}\n{"_id":"aa","total":1}\n[1]\n'),
    })
    await console.dialog.getByText(/Line 3/).waitFor()
    await look(console, 'documents-import')
    await console.dialog.getByRole('button', { name: 'Close' }).first().click()
    await console.goTo('/documents')
    await documents.button('New collection').click()
    await documents.button('Add a field').click()
    await documents.button('Add an index').click()
    await documents.dialog.getByLabel('Name', { exact: true }).fill('a b')
    await look(console, 'documents-create')
    await console.open(`/documents?collection=${name}&at=tx:${first}`)
    await console.signedIn()
    await page.getByText(/^12 documents as of/).waitFor()
    await look(console, 'documents-past')
    await console.goTo('/documents?collection=nothing')
    await page.getByText('There is no collection nothing').waitFor()
    await look(console, 'documents-none')
  })
})

test('a question about a document stays open when a phone is turned', async ({ server, open }) => {
  const db = await api(server.url)
  await makeCollection(db, 'turned')
  const id = await db.insertDocument('turned', '{"a":1}')
  const console = await open(server.url, phone)
  await console.enter(`/documents?collection=turned&doc=${id}`)
  const documents = new DocumentsPage(console.page)
  await documents.button('Delete…').click()
  const question = documents.button('Delete the document')
  await question.waitFor()
  await staysOpenWhenTurned(console.page, question)
})
