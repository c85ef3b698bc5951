import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { levelAtom } from '~/atoms/users/user-list'
import { stateAtom } from '~/core/history/newest-state'
import type { Store } from '~/core/session/client'
import { permissionsAtom } from '~/core/session/session'
import { chooseReadOnly } from '~/core/settings'
import DocumentsScreen from '~/screens/documents/DocumentsScreen'
import { CollectionServer } from '../../support/collection-server'
import { replaceText, textOf } from '../../support/editor-in-page'
import { stubLayout } from '../../support/layout'
import { tabWith } from '../../support/revision-server'
import { sentence } from '../../support/sentence'
import { reportVersion } from '../../support/server-version'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 60_000 })

let server: CollectionServer
let store: Store
let history: string[]
let navigate: (path: string) => void

beforeEach(() => {
  sessionStorage.clear()
  server = new CollectionServer(['{"n":1,"text":"one"}', '{"n":2,"text":"two"}'])
  stubLayout({ width: 1_200, height: 600 })
})

async function show(path: string, permission = 2) {
  store = tabWith(server)
  store.set(permissionsAtom, [{ database: 'db', permission }])
  for (const of of [stateAtom, levelAtom]) store.sub(of, () => {})
  const location = memoryLocation({ path, record: true })
  history = location.history
  navigate = location.navigate
  await act(async () =>
    render(
      <Provider store={store}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <DocumentsScreen />
        </Router>
      </Provider>,
    ),
  )
  return userEvent.setup()
}

type User = ReturnType<typeof userEvent.setup>

async function openSession(user: User, password = 'right') {
  const dialog = await screen.findByRole('dialog', { name: 'Open document session' })
  await user.type(within(dialog).getByLabelText('Password'), password)
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }))
  return dialog
}

describe('documents', () => {
  test('are listed by collection, after the password, and open by a press', async () => {
    const user = await show('/documents?db=db')
    await user.click(await screen.findByRole('option', { name: /^c\b/ }))
    await openSession(user)
    const grid = await screen.findByRole('grid', { name: 'Documents of c' })
    await user.click(await within(grid).findByRole('gridcell', { name: 'two' }))
    const document = await screen.findByRole('region', { name: 'Document' })
    await within(document).findByText('revision 1')
    await within(document).findByText('ada')
    expect(history.at(-1)).toBe('/documents?db=db&collection=c&doc=1')
  })

  test('of the only collection ask for no password before it is chosen', async () => {
    const user = await show('/documents?db=db')
    await screen.findByRole('button', { name: 'Open document session…' })
    expect(history.at(-1)).toBe('/documents?db=db&collection=c')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('option', { name: /^c\b/ }))
    await screen.findByRole('dialog', { name: 'Open document session' })
  })

  test('without a field differ from those with an empty text or null in it', async () => {
    server.documents.splice(
      0,
      2,
      '{"n":1,"s":""}',
      '{"n":2}',
      '{"n":3,"s":null}',
      '{"n":4,"s":"\'\'"}',
    )
    const user = await show('/documents?db=db&collection=c')
    await openSession(user)
    const grid = await screen.findByRole('grid', { name: 'Documents of c' })
    await within(grid).findByRole('gridcell', { name: '4' })
    const [, ...rows] = within(grid).getAllByRole('row')
    const last = rows.map((row) => within(row).getAllByRole('gridcell').at(-1))
    expect(last.map((cell) => cell?.textContent)).toEqual(["''", '', 'NULL', "''"])
    // The mark of an empty text is muted, and a text of two quotes is not.
    expect(last[0]?.className).not.toBe(last[3]?.className)
  })

  test('a wrong password is said, and forgotten', async () => {
    const user = await show('/documents?db=db&collection=c')
    const dialog = await openSession(user, 'wrong')
    await within(dialog).findByText(/invalid user name or password/i)
    expect(within(dialog).getByLabelText<HTMLInputElement>('Password').value).toBe('')
    await openSession(user)
    await screen.findByRole('grid', { name: 'Documents of c' })
  })

  test('without a session there are counts, the structure and a document by its link', async () => {
    const user = await show('/documents?db=db&collection=c&doc=0')
    await screen.findByText('2 documents')
    const document = await screen.findByRole('region', { name: 'Document' })
    await within(document).findByText('revision 1')
    expect(screen.queryByRole('dialog')).toBe(null)
    expect(server.paths().some((path) => path.includes('session/open'))).toBe(false)
    await user.click(screen.getByRole('tab', { name: 'Structure' }))
    const fields = await screen.findByRole('list', { name: 'Fields' })
    within(fields).getByText('INTEGER')
  })

  test('a new one is sent once, as it was typed, and has a receipt', async () => {
    const user = await show('/documents?db=db&collection=c&doc=0')
    await screen.findByText('2 documents')
    await user.click(screen.getByRole('button', { name: 'New document' }))
    const text = await screen.findByRole('textbox', { name: 'Document as JSON' })
    await replaceText(text, '{"n": 9007199254740993}')
    await screen.findByText(/9007199254740993 becomes 9007199254740992/)
    await user.click(screen.getByRole('button', { name: 'Save with these changes' }))
    await screen.findByText(sentence(/^Stored in tx/))
    const sent = server.asked.filter(({ path }) => path === '/collection/c/documents')
    expect(sent.map(({ body }) => body)).toEqual(['{"documents":[{"n": 9007199254740993}]}'])
  })

  test('a copy of one begins with its content, without its id, and is sent as a new one', async () => {
    const user = await show('/documents?db=db&collection=c&doc=1')
    await user.click(await screen.findByRole('button', { name: 'Duplicate' }))
    const text = await screen.findByRole('textbox', { name: 'Document as JSON' })
    expect(JSON.parse(textOf(text))).toEqual({ n: 2, text: 'two' })
    await replaceText(text, '{"n": 22}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(sentence(/^Stored in tx/))
    const sent = server.asked.filter(({ path }) => path === '/collection/c/documents')
    expect(sent.map(({ body }) => body)).toEqual(['{"documents":[{"n": 22}]}'])
  })

  test('no copy begins while another document is written', async () => {
    const user = await show('/documents?db=db&collection=c&doc=0')
    await screen.findByText('2 documents')
    await user.click(screen.getByRole('button', { name: 'New document' }))
    await replaceText(await screen.findByRole('textbox', { name: 'Document as JSON' }), '{"n": 5}')
    act(() => navigate('/documents?db=db&collection=c&doc=1'))
    const copy = await screen.findByRole('button', { name: 'Duplicate' })
    expect(copy.title).toBe('First save or discard the document that you are writing.')
  })

  test('a refused one stays in the form, and so does one without an answer', async () => {
    const user = await show('/documents?db=db&collection=c&doc=0')
    await screen.findByText('2 documents')
    await user.click(screen.getByRole('button', { name: 'New document' }))
    const text = await screen.findByRole('textbox', { name: 'Document as JSON' })
    await replaceText(text, '{"n":3}')
    server.instead = ({ path }) =>
      path === '/collection/c/documents'
        ? Response.json({ error: 'unexpected value', code: 2 }, { status: 500 })
        : undefined
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/^Unexpected value/)
    expect(textOf(text)).toBe('{"n":3}')
    server.instead = ({ path }) => {
      if (path === '/collection/c/documents') throw new TypeError('fetch failed')
      return undefined
    }
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/It is not known whether this was stored/)
    screen.getByRole('button', { name: 'Check now' })
    expect(textOf(text)).toBe('{"n":3}')
  })

  test('a search that is typed and not sent is there after a reload, until it is sent', async () => {
    const path = '/documents?db=db&collection=c'
    const user = await show(path)
    await openSession(user)
    await user.click(await screen.findByRole('button', { name: 'Search…' }))
    await user.click(screen.getByRole('button', { name: 'Add a comparison' }))
    await user.type(screen.getByRole('textbox', { name: /^Value / }), '2')
    await user.type(screen.getByRole('textbox', { name: 'Limit' }), '7')
    cleanup()
    const again = await show(path)
    await openSession(again)
    expect(await screen.findByRole('textbox', { name: /^Value / })).toHaveProperty('value', '2')
    expect(screen.getByRole('textbox', { name: 'Limit' })).toHaveProperty('value', '7')
    await again.click(screen.getByRole('button', { name: 'Search' }))
    await screen.findByText('n = 2')
    cleanup()
    await openSession(await show(path))
    await screen.findByText('All documents')
    expect(screen.queryByRole('form', { name: 'Search documents' })).toBeNull()
  })

  test('a search that is too long for an address is in the form again after a reload', async () => {
    const long = 'x'.repeat(1_600)
    const fields = [{ name: '_id' }, { name: 's', type: 'STRING' }]
    const of = { name: 'c', documentIdFieldName: '_id', fields, indexes: [] }
    server.instead = ({ path }) =>
      path === '/collections' ? Response.json({ collections: [of] }) : undefined
    const q = encodeURIComponent('[[[["s","EQ","\\"a\\""]]],[],0]')
    const user = await show(`/documents?db=db&collection=c&q=${q}`)
    await openSession(user)
    await screen.findByText('s = “a”')
    await user.click(screen.getByRole('button', { name: 'Search…' }))
    const value = () => screen.findByRole('textbox', { name: 'Value 1.1' })
    expect(await value()).toHaveProperty('value', 'a')
    fireEvent.change(await value(), { target: { value: long } })
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await screen.findByText(/^This search is too long for an address/)
    expect(screen.queryByRole('form', { name: 'Search documents' })).toBeNull()
    cleanup()
    await openSession(await show(history.at(-1) ?? ''))
    await screen.findByText('All documents')
    expect(await value()).toHaveProperty('value', long)
  })

  test('a search that is typed and undone is none after a reload', async () => {
    const path = '/documents?db=db&collection=c'
    const user = await show(path)
    await openSession(user)
    await user.click(await screen.findByRole('button', { name: 'Search…' }))
    await user.click(screen.getByRole('button', { name: 'Add a comparison' }))
    await user.click(screen.getByRole('button', { name: 'Remove comparison 1.1' }))
    cleanup()
    await openSession(await show(path))
    await screen.findByText('All documents')
    expect(screen.queryByRole('form', { name: 'Search documents' })).toBeNull()
  })

  test('a new field and a new index that are typed are there after a reload', async () => {
    const path = '/documents?db=db&collection=c&tab=structure'
    const user = await show(path)
    const name = () => screen.findByRole('textbox', { name: 'Name of the new field' })
    const chosen = () => screen.findByRole('checkbox', { name: 'n' })
    await user.type(await name(), 'city')
    await user.click(await chosen())
    cleanup()
    await show(path)
    expect(await name()).toHaveProperty('value', 'city')
    expect(await chosen()).toHaveProperty('checked', true)
  })

  test('from before the field for ids was renamed show their id, and lose nothing when edited', async () => {
    server.idField = 'text'
    const user = await show('/documents?db=db&collection=c')
    await openSession(user)
    const grid = await screen.findByRole('grid', { name: 'Documents of c' })
    await within(grid).findByRole('columnheader', { name: /^text/ })
    // The number of the first line, what the first document has as n, and the second one's id.
    const ones = await within(grid).findAllByRole('gridcell', { name: '1' })
    expect(ones).toHaveLength(3)
    for (const one of ones) await user.click(one)
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const text = await screen.findByRole('textbox', { name: 'Document as JSON' })
    expect(JSON.parse(textOf(text))).toEqual({ _id: '1', n: 2, text: 'two' })
    await screen.findByText('Leave out “text”: the server makes the ids.', { selector: 'p' })
  })

  test('are not searched in the order of a field that is gone', async () => {
    const order = encodeURIComponent('[[],[["gone"]],0]')
    const user = await show(`/documents?db=db&collection=c&q=${order}`)
    await openSession(user)
    await user.click(await screen.findByRole('button', { name: 'Search…' }))
    await screen.findByText('The collection does not declare the field gone.', { selector: 'p' })
  })

  test('a session that has ended is asked for again, and the search goes on', async () => {
    server.documents.push(...Array.from({ length: 300 }, (_, n) => `{"n":${n}}`))
    const user = await show('/documents?db=db&collection=c')
    await openSession(user)
    await screen.findByText('128 documents, more exist')
    server.sessions.clear()
    await user.click(screen.getByRole('button', { name: 'Read more documents' }))
    await screen.findByText(/The server has ended the session/)
    await user.click(screen.getByRole('button', { name: 'Open document session…' }))
    await openSession(user)
    await screen.findByText('256 documents, more exist')
  })

  test('a database that is set to read-only, or a reader, writes nothing and is told why', async () => {
    await show('/documents?db=db&collection=c&doc=0', 1)
    const reason = (name: string) => screen.getByRole('button', { name }).getAttribute('title')
    await screen.findByRole('button', { name: 'Edit' })
    for (const name of ['New collection', 'New document', 'Import NDJSON', 'Edit', 'Delete…']) {
      expect(reason(name)).toBe('This needs the permission “Read & write” on the database.')
    }
    await act(async () => {
      store.set(permissionsAtom, [{ database: 'db', permission: 2 }])
      await chooseReadOnly(store, 'db', true)
    })
    await waitFor(() => expect(reason('New document')).toMatch(/set to read-only/))
  })

  test('the first one of a collection is begun only where one may be written', async () => {
    server.documents.splice(0)
    await openSession(await show('/documents?db=db&collection=c', 1))
    const first = await screen.findByRole('button', { name: 'Write the first document' })
    expect(first.title).toBe('This needs the permission “Read & write” on the database.')
  })

  test('an address that cannot be read, and a collection that is not there, are said', async () => {
    await show('/documents?db=db&collection=c&q=x&doc=0')
    await screen.findByText(/The search in the address cannot be read/)
  })

  test('a collection that is not there has one way out', async () => {
    await show('/documents?db=db&collection=none')
    await screen.findByText('There is no collection none')
    screen.getByRole('button', { name: 'Show all collections' })
  })
})

test('immudb 1.5 takes no other fields than those that a collection began with', async () => {
  const user = await show('/documents?db=db&collection=c')
  await act(async () => reportVersion(store, '1.5.0'))
  await user.click(await screen.findByRole('tab', { name: 'Structure' }))
  const needed = 'Needs immudb 1.9. This server runs 1.5.'
  for (const name of ['Remove the field n', 'Add field']) {
    expect((await screen.findByRole('button', { name })).title).toBe(needed)
  }
})

test('immudb 1.4 has no documents, and is not asked for any', async () => {
  await show('/documents?db=db')
  await screen.findByRole('option', { name: /^c\b/ })
  server.asked.length = 0
  await act(async () => reportVersion(store, '1.4.1'))
  expect(screen.getByText('This server has no documents')).toBeTruthy()
  expect(screen.getByText('Needs immudb 1.5. This server runs 1.4.1.')).toBeTruthy()
  expect(server.paths().filter((path) => path.includes('collection'))).toEqual([])
})
