import { describe, expect } from 'vitest'
import { DocumentsPage } from '../support/documents-page'
import { test } from '../support/e2e'

describe('documents', () => {
  test('a collection is made, searched, written to, looked back at, proven and deleted', async ({
    server,
    open,
  }) => {
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
    await documents.document.getByText(/is in the history$/).waitFor()
    await documents.document.getByRole('treeitem', { name: '"note": 9007199254740992' }).waitFor()
    await documents.cell('orders', 'NL').waitFor()
    await documents.document.getByText('by immudb').waitFor()
    const address = page.url()

    await documents.button('Edit').click()
    await documents.text.fill('{"total": 13, "country": "BE", "zero": -0}')
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
    await documents.pick('Operator 1.1', 'GT')
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
  })
})
