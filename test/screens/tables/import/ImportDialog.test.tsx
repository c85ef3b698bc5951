import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { tableImport } from '~/atoms/tables/import'
import { importRefusalAtom } from '~/atoms/users/privileges'
import { draftOwnerAtom } from '~/core/drafts'
import { storageAtom } from '~/core/storage/stored'
import { findBegun } from '~/core/upload-records'
import { checksum, firstChecksum } from '~/lib/checksum'
import { importsStorageKey } from '~/lib/storage-keys'
import { ImportDialog } from '~/screens/tables/import/ImportDialog'
import { ImportServer } from '../../../support/import-server'
import { stubLayout } from '../../../support/layout'
import { openTab, signIn, soon, type Tab } from '../../../support/store'

let server: ImportServer
let tab: Tab

beforeEach(() => {
  gate = undefined
  stubLayout()
})

/** What answers wait for. */
let gate: Promise<void> | undefined

async function show(entryLimit = 1_024): Promise<void> {
  server = new ImportServer()
  const database = server.fake.databases.get('defaultdb')
  if (database) database.entryLimit = entryLimit
  tab = openTab({
    ...server.server,
    fetch: async (...call: Parameters<typeof fetch>) => {
      await gate
      return server.fetch(...call)
    },
  })
  await signIn(tab)
  tab.store.sub(importRefusalAtom, () => {})
  await soon(() => expect(tab.store.get(importRefusalAtom)).toBeUndefined())
  draw()
}

let page: ReturnType<typeof render>

function draw() {
  page = render(
    <Provider store={tab.store}>
      <ImportDialog database="defaultdb" onClose={() => {}} />
    </Provider>,
  )
}

const dialog = () => screen.getByRole('dialog')
const button = (name: string | RegExp) => within(dialog()).getByRole('button', { name })
const press = (element: HTMLElement) => act(() => userEvent.setup().click(element))

async function choose(text: BlobPart, name = 'items.csv', isAgain = false) {
  const file = new File([text], name, { type: 'text/csv' })
  await act(async () => {
    fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } })
  })
  if (isAgain) await press(await screen.findByRole('button', { name: 'Start over' }))
  await screen.findByRole('button', { name: 'Check the file' })
}

async function check() {
  await press(button('Check the file'))
  await screen.findByText(/^Checked: /)
}

const items = 'id,label\n1,one\n2,two\nx,three\n'

describe('the import of a file', () => {
  test('shows its first rows, and guesses columns, types and key', async () => {
    await show()
    await choose('id;Unit price;made\n1;2,5;2024-05-06\n2;;2024-05-07\n', 'Price list.csv')
    const preview = within(screen.getByRole('region', { name: 'First rows of the file' }))
    expect(preview.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Line',
      'id',
      'Unit price',
      'made',
    ])
    expect(preview.getByRole('row', { name: '3 2 NULL 2024-05-07' })).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Name of the table' })).toHaveProperty(
      'value',
      'price_list',
    )
    expect(screen.getByRole('combobox', { name: 'Separator' }).textContent).toBe('Semicolon')
    const field = within(screen.getByRole('listitem', { name: 'Field Unit price' }))
    expect(field.getByRole('textbox', { name: /^Column/ })).toHaveProperty('value', 'unit_price')
    expect(field.getByRole('combobox', { name: /^Type/ }).textContent).toBe('VARCHAR')
    const key = within(screen.getByRole('listitem', { name: 'Field id' }))
    expect(key.getByRole('checkbox', { name: 'Primary key' })).toHaveProperty('checked', true)
  })

  test('lists the rows that do not fit before anything is sent', async () => {
    await show()
    await choose('id,n\n1,1\n1,2\n3,3\n')
    const id = within(screen.getByRole('listitem', { name: 'Field id' }))
    await press(id.getByRole('checkbox', { name: 'Primary key' }))
    await check()
    const problems = screen.getByRole('list', { name: 'Rows that do not fit' })
    expect(problems.textContent).toBe('Line 3: It has the primary key of line 2 again.')
    expect(button(/^Import/).getAttribute('aria-disabled')).toBe('true')
    expect(server.committed).toEqual([])
    await press(screen.getByRole('checkbox', { name: /^Leave out 1 row/ }))
    await press(button('Import 2 rows of 3'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(server.rows).toHaveLength(2)
  })

  test('writes no value otherwise than it stands in the file, unless that was chosen', async () => {
    await show()
    await choose('id,price,code\n1,1.50,00501\n2,2.5,501\n')
    const type = (field: string) =>
      screen.getByRole('combobox', { name: `Type of field ${field}` }).textContent
    expect([type('id'), type('price'), type('code')]).toEqual(['INTEGER', 'VARCHAR', 'VARCHAR'])
    const code = screen.getByRole('listitem', { name: 'Field code' })
    expect(code.textContent).toContain('00501 → 501, 1 of 2 values')
    await press(button('Use FLOAT for field price'))
    await check()
    const changes = screen.getByRole('list', { name: 'Values that are written otherwise' })
    expect(changes.textContent).toBe('Line 2: price: 1.50 → 1.5')
    expect(button('Import 2 rows').title).toBe(
      'Some values would be written otherwise. Agree to that, or import them as VARCHAR.',
    )
    await press(button('Import 2 rows'))
    expect(server.committed).toEqual([])
    await press(screen.getByRole('checkbox', { name: /^Write 1 value otherwise/ }))
    await press(button('Import 2 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(server.rows.map(({ cells }) => cells.get('code')?.s)).toEqual(['00501', '501'])
  })

  test('counts what is NULL by each rule, and asks for another rule', async () => {
    await show()
    await choose('name,age\nNULL,NULL\nAda,36\n"NULL",\n')
    const nulls = () => screen.getByRole('region', { name: 'NULL' }).textContent
    expect(nulls()).toContain('NULL, but a text in VARCHAR1 field is NULL, 1 stay as text')
    expect(nulls()).toContain('Nothing')
    await press(screen.getByRole('combobox', { name: 'The word NULL' }))
    await press(await screen.findByRole('option', { name: 'NULL' }))
    expect(nulls()).toContain('2 fields are NULL')
    await press(screen.getByRole('combobox', { name: 'The word NULL' }))
    await press(await screen.findByRole('option', { name: 'Never NULL' }))
    expect(screen.getByRole('combobox', { name: 'Type of field age' }).textContent).toBe('VARCHAR')
  })

  test('says which encoding it took and which lines it does not read', async () => {
    await show()
    const latin = Uint8Array.from([...'Title\n\nid,name,n\n1,Müller,2\n'], (one) =>
      one.charCodeAt(0),
    )
    await choose(latin)
    screen.getByText(/^Line 4 has bytes that are no UTF-8, so the file is read as Windows-1252/)
    screen.getByText(/^Lines 1–2 are not read:/)
    expect(screen.getByRole('textbox', { name: 'First line' })).toHaveProperty('value', '3')
    expect(screen.getByRole('region', { name: 'First rows of the file' }).textContent).toContain(
      'Müller',
    )
    const first = screen.getByRole('textbox', { name: 'First line' })
    await act(() => userEvent.setup().type(first, '{Backspace}4{Enter}'))
    await press(screen.getByRole('checkbox', { name: /names the columns/ }))
    await screen.findByRole('listitem', { name: 'Field 1' })
  })

  test('takes the apostrophes of an export off when it is asked, and fills short rows', async () => {
    await show()
    await choose("id,note\n1,'=1+1\n2\n3,'-5\n")
    await press(screen.getByRole('checkbox', { name: /^Take the apostrophe off 2 texts/ }))
    await press(screen.getByRole('checkbox', { name: /^Fields that are missing at the end/ }))
    await check()
    await press(button('Import 3 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(server.rows.map(({ cells }) => cells.get('note')?.s ?? null)).toEqual([
      '=1+1',
      null,
      '-5',
    ])
  })

  test('says what is stored whole, and keeps the names of the file in sight until the end', async () => {
    await show(2)
    await choose('id,Größe\n1,one\n2,two\n3,three\n')
    await check()
    expect(screen.getByRole('region', { name: 'Check of the file' }).textContent).toContain(
      'Rows go in in transactions of at most 2, each stored whole or not at all.',
    )
    await press(button('Import 3 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(screen.getByText('1 column has another name than in the file')).toBeTruthy()
    expect(dialog().textContent).toContain('Größe → groesse')
  })

  test('shows a header that would turn the text around it, also to screen readers', async () => {
    await show()
    await choose('id,na\u202eme\n1,x\n')
    await screen.findByRole('listitem', { name: 'Field na⟨U+202E⟩me' })
    screen.getByRole('combobox', { name: 'Type of field na⟨U+202E⟩me' })
    screen.getByRole('textbox', { name: 'Column of field na⟨U+202E⟩me' })
  })

  test('checks again after a choice was changed', async () => {
    await show()
    await choose(items)
    await check()
    expect(screen.queryByRole('list', { name: 'Rows that do not fit' })).toBeNull()
    fireEvent.change(screen.getByRole('textbox', { name: 'Name of the table' }), {
      target: { value: 'Other' },
    })
    expect(screen.queryByText(/^Checked/)).toBeNull()
    expect(button('Check the file').title).toBe(
      'A table’s name has the letters a–z, digits and _ only.',
    )
  })

  test('says what is committed at the end', async () => {
    await show()
    await choose(items)
    await check()
    await press(button('Import 3 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(
      screen.getByText('Rows 1–3 are committed: 1 transaction in tx 2. The last begins in line 4.'),
    ).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: 'Imported rows' }).ariaValueNow ?? '100').toBe(
      '100',
    )
    expect(server.rows.map(({ cells }) => cells.get('label')?.s)).toEqual(['one', 'two', 'three'])
  })

  test('sends no more rows at once than a transaction of the database holds', async () => {
    await show(2)
    await choose(items)
    await check()
    await press(button('Import 3 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(
      screen.getByText(
        'Rows 1–3 are committed: 2 transactions in tx 2–3. The last begins in line 4.',
      ),
    ).toBeTruthy()
  })

  test('stops at a transaction without an answer, and the operator decides', async () => {
    await show()
    server.isAuto = true
    server.key = 'id_2'
    server.faults = ['lost']
    await choose(items)
    const key = within(screen.getByRole('listitem', { name: 'Field id' }))
    const isKey: HTMLInputElement = key.getByRole('checkbox', { name: 'Primary key' })
    if (isKey.checked) await press(isKey)
    expect(screen.getByRole('textbox', { name: 'Primary key' })).toHaveProperty('value', 'id_2')
    await check()
    await press(button('Import 3 rows'))
    await screen.findByRole('dialog', { name: 'Import stopped' })
    expect(screen.getByRole('alert').textContent).toContain(
      'It is not known whether rows 1–3 (lines 2–4) are committed, in one transaction after tx 1.',
    )
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
    await press(button('Check now'))
    await screen.findByText(/^3 rows were added to items after tx 1, with id_2 1–3/)
    await press(button('They are committed: continue after them'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(server.rows).toHaveLength(3)
  })

  test('that stops while someone is about to hide it is not given up by that press', async () => {
    await show()
    server.faults = ['conflict']
    await choose(items)
    await check()
    let answer = () => {}
    gate = new Promise((resolve) => {
      answer = resolve
    })
    await press(button('Import 3 rows'))
    await screen.findByRole('dialog', { name: 'Importing' })
    button('Hide').focus()
    answer()
    await screen.findByRole('dialog', { name: 'Import stopped' })
    expect(document.activeElement).toBe(button('Continue later'))
  })

  test('is found again after a reload, with the same file', async () => {
    await stopped()
    await reload()
    const list = await screen.findByRole('region', { name: 'Unfinished imports' })
    expect(list.textContent).toContain(
      'items.csv into items: No row is known to be committed. It is not known whether rows 1–2 (lines 2–3) are committed',
    )
    await chooseAgain()
    await press(await screen.findByRole('button', { name: 'Continue after row 0' }))
    await screen.findByRole('dialog', { name: 'Import complete' })
    expect(server.rows).toHaveLength(2)
  })

  test('of a console from before is told with its file, and cannot go on', async () => {
    await show()
    const bytes = new TextEncoder().encode(items)
    const owner = tab.store.get(draftOwnerAtom)
    const place = `${importsStorageKey} ${JSON.stringify([owner?.server, owner?.user])} `
    await tab.store.get(storageAtom).write(`${place}["defaultdb","items"]`, {
      version: 1,
      plan: {
        database: 'defaultdb',
        file: {
          name: 'items.csv',
          size: bytes.length,
          beginning: checksum(firstChecksum, bytes),
        },
        target: { table: 'items' },
        rows: 3,
        leftOut: [],
      },
      progress: {
        isCreated: true,
        isTablePending: false,
        row: 1,
        line: 2,
        inserted: 1,
        transactions: 1,
        txs: [{ from: '2', to: '2' }],
        pending: { from: 2, to: 3, txBefore: '2' },
        assumed: [],
      },
      holder: null,
    })
    const file = new File([items], 'items.csv', { type: 'text/csv' })
    await act(async () => {
      fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } })
    })
    const again = await screen.findByRole('region', { name: 'Unfinished import of this file' })
    expect(again.textContent).toContain(
      'up to row 1 of 3. Row 1 is committed: 1 transaction in tx 2. The last begins in line 2. It is not known whether rows 2–3 are committed, in one transaction after tx 2. An older version of this console began it; it cannot go on here.',
    )
    expect(within(again).queryByRole('button', { name: /Continue/ })).toBeNull()
    expect(within(again).getByRole('button', { name: 'Start over' })).toBeTruthy()
    expect(server.rows).toEqual([])
  })

  test('is not checked before the columns of its table are read, and loses no other choice', async () => {
    await show()
    await choose('id,label\n1,one\n2,two\n', 'items.csv')
    await check()
    await press(button('Import 2 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    await act(() => tableImport.end(tab.store))
    page.unmount()
    draw()
    await choose('id,label\n4,four\n', 'more.csv')
    let answer = () => {}
    gate = new Promise<void>((resolve) => {
      answer = resolve
    })
    await press(within(dialog()).getByRole('combobox', { name: 'Import into' }))
    await press(await screen.findByRole('option', { name: /^items/ }))
    await screen.findByText('Reading the columns…')
    expect(button('Check the file').getAttribute('aria-disabled')).toBe('true')
    await press(within(dialog()).getByRole('checkbox', { name: /names the columns/ }))
    answer()
    await waitFor(() => expect(screen.queryByText('Reading the columns…')).toBeNull())
    expect(within(dialog()).getByRole('checkbox', { name: /names the columns/ })).toHaveProperty(
      'checked',
      false,
    )
    expect(button('Check the file').getAttribute('aria-disabled')).toBeNull()
    within(dialog()).getByRole('combobox', { name: 'Column of field 1' })
  })

  test('has the choices of before when the same file is chosen again after a reload', async () => {
    await show()
    await choose('id;label\n1;one\n2;two\n')
    const name = () => within(dialog()).getByLabelText<HTMLInputElement>('Name of the table')
    await userEvent.setup().type(name(), '_of_today')
    await press(within(dialog()).getByRole('checkbox', { name: /names the columns/ }))
    page.unmount()
    await reload()
    await choose('id;label\n1;one\n2;two\n')
    await screen.findByText('Your earlier choice for this file is back.')
    expect(name().value).toBe('items_of_today')
    expect(within(dialog()).getByRole('checkbox', { name: /names the columns/ })).toHaveProperty(
      'checked',
      false,
    )
    // Another file has its own.
    await press(button('Choose another file'))
    await choose('id;label\n1;one\n2;two\n3;three\n')
    expect(name().value).toBe('items')
    expect(screen.queryByText(/choice for this file is back/)).toBeNull()
  })

  test('goes into the table that was chosen last, however late the columns of others are read', async () => {
    await show()
    for (const table of ['slow', 'slower', 'slowest'])
      server.fake.databases.get('defaultdb')?.tables.set(table, [])
    await makeItems()
    draw()
    await choose('id,label\n4,four\n', 'more.csv')
    const answer = shut()
    await into('slow')
    await screen.findByText('Reading the columns…')
    gate = undefined
    await into('items')
    const target = () => within(dialog()).getByRole('combobox', { name: 'Import into' }).textContent
    await waitFor(() => expect(screen.queryByText('Reading the columns…')).toBeNull())
    expect(target()).toBe('items')
    await answer()
    expect(target()).toBe('items')
    // Neither does it come when a new table is chosen meanwhile, or another file.
    const again = shut()
    await into('slower')
    await into('A new table')
    expect(screen.queryByText('Reading the columns…')).toBeNull()
    await again()
    expect(target()).toBe('A new table')
    const last = shut()
    await into('slowest')
    await press(button('Choose another file'))
    await choose('id,label\n5,five\n', 'other.csv')
    expect(screen.queryByText('Reading the columns…')).toBeNull()
    await last()
    expect(target()).toBe('A new table')
    expect(dialog().textContent).toContain('other.csv')
  })

  test('has its choices again after it was refused and cancelled, and not once it is done', async () => {
    await show()
    server.faults = ['conflict']
    const text = 'id,label\n1,one\n2,two\n'
    await choose(text)
    const name = () => within(dialog()).getByLabelText<HTMLInputElement>('Name of the table')
    await userEvent.setup().type(name(), '_of_today')
    await check()
    await press(button('Import 2 rows'))
    await screen.findByRole('dialog', { name: 'Import stopped' })
    await act(() => tableImport.end(tab.store))
    // It is not known what became of its rows, so nothing begins without a word.
    await choose(text, 'items.csv', true)
    await screen.findByText('Your earlier choice for this file is back.')
    fireEvent.change(name(), { target: { value: 'items' } })
    await check()
    await press(button('Import 2 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    await act(() => tableImport.end(tab.store))
    await choose(text, 'items.csv', true)
    expect(screen.queryByText(/choice for this file is back/)).toBeNull()
  })

  test('says which of the choices of before do not come back', async () => {
    await show()
    await makeItems()
    draw()
    const text = 'id,label\n4,four\n'
    await choose(text, 'more.csv')
    await into('items')
    await waitFor(() => expect(screen.queryByText('Reading the columns…')).toBeNull())
    const { fetch } = server
    Object.assign(server, {
      fetch: async (...call: Parameters<typeof fetch>) =>
        String(call[0]).endsWith('/db/tables')
          ? new Response('{"error":"access denied","code":7}', { status: 500 })
          : fetch(...call),
    })
    page.unmount()
    await reload()
    await choose(text, 'more.csv')
    await screen.findByText(
      'Your earlier choice for this file is back, but the table items could not be read.',
    )
  })

  /** Imports a file into a new table. */
  async function makeItems() {
    await choose('id,label\n1,one\n2,two\n')
    await check()
    await press(button('Import 2 rows'))
    await screen.findByRole('dialog', { name: 'Import complete' })
    await act(() => tableImport.end(tab.store))
    page.unmount()
  }

  async function into(table: string) {
    await press(within(dialog()).getByRole('combobox', { name: 'Import into' }))
    await press(await screen.findByRole('option', { name: table }))
  }

  /** Holds up answers until what it returns is called. */
  function shut() {
    let open = () => {}
    gate = new Promise<void>((resolve) => {
      open = resolve
    })
    return () =>
      act(async () => {
        open()
        gate = undefined
        await new Promise((resolve) => setTimeout(resolve, 20))
      })
  }

  test('is found again by a file that is chosen before the storage answers', async () => {
    await stopped()
    const { keys, ...driver } = tab.driver
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await reload({ ...driver, keys: () => held.then(() => keys?.() ?? []) })
    await chooseAgain()
    answer()
    await screen.findByRole('button', { name: 'Continue after row 0' })
  })

  async function stopped() {
    await show()
    server.faults = ['conflict']
    await choose('id,label\n1,one\n2,two\n')
    await check()
    await press(button('Import 2 rows'))
    await screen.findByRole('dialog', { name: 'Import stopped' })
    await waitFor(async () => expect(await findBegun(tab.store)).toHaveLength(1))
    page.unmount()
  }

  async function reload(driver = tab.driver) {
    tab = openTab(server.server, driver)
    await signIn(tab)
    tab.store.sub(importRefusalAtom, () => {})
    await soon(() => expect(tab.store.get(importRefusalAtom)).toBeUndefined())
    draw()
  }

  async function chooseAgain() {
    const file = new File(['id,label\n1,one\n2,two\n'], 'items.csv')
    await act(async () => {
      fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } })
    })
  }
})
