import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { ScriptDialog } from '~/screens/scripts/ScriptDialog'
import { ImportServer } from '../../support/import-server'
import { stubLayout } from '../../support/layout'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: ImportServer
let tab: Tab

beforeEach(async () => {
  stubLayout()
  server = new ImportServer()
  tab = await signedIn()
})

async function signedIn(driver?: Tab['driver']): Promise<Tab> {
  const opened = openTab(server.server, ...(driver ? [driver] : []))
  await signIn(opened)
  for (const refusal of [importRefusalAtom, newTableRefusalAtom]) {
    opened.store.sub(refusal, () => {})
    await soon(() => expect(opened.store.get(refusal)).toBeUndefined())
  }
  return opened
}

function draw() {
  return render(
    <Provider store={tab.store}>
      <ScriptDialog database="defaultdb" dropped={null} onClose={() => {}} />
    </Provider>,
  )
}

const dialog = () => within(screen.getByRole('dialog'))
const press = (element: HTMLElement) => act(() => userEvent.setup().click(element))
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const lines = () =>
  dialog()
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

async function choose(text: string) {
  const file = new File([text], 'items.sql')
  await act(async () => {
    fireEvent.change(dialog().getByLabelText('SQL script'), { target: { files: [file] } })
  })
  await screen.findByRole('listbox', { name: 'Statements of the script' })
}

async function pick(label: string, option: RegExp) {
  await press(dialog().getByRole('combobox', { name: label }))
  await press(await screen.findByRole('option', { name: option }))
}

const script = `-- MySQL dump 10.13
SET x = 1;
BEGIN;
CREATE TABLE \`items\` (\`id\` int NOT NULL, v varchar(64), PRIMARY KEY (id)) ENGINE=x;
INSERT INTO \`items\` VALUES (1,'secret one'),(2,'secret two');
INSERT INTO \`items\` VALUES (3,'secret three');
INSERT INTO \`items\` VALUES ('secret x','y');
COMMIT;
`

test('a script is chosen, judged and filtered, with the reason and what is sent', async () => {
  draw()
  expect(dialog().queryByRole('button', { name: /^Run/ })).toBeNull()
  await choose(script)
  dialog().getByText(
    /^7 statements: 0 run as they are, 3 rewritten, 3 left out, 1 cannot run\. 1 row cannot be sent\.$/,
  )
  dialog().getByText(/BEGIN and COMMIT join nothing/)
  const statement = () => within(dialog().getByRole('region', { name: 'Statement' }))
  dialog().getByRole('listbox', { name: 'Statements of the script' }).focus()
  await userEvent.keyboard('{ArrowDown}')
  await waitFor(() => statement().getByRole('heading', { name: 'Statement 2, line 3' }))
  await pick('What is sent', /^Cannot run/)
  expect(lines()).toEqual(['7INSERT into itemsCannot run'])
  await waitFor(() => statement().getByText(/^Row 1: id: “secret x” is/))
  await pick('What is sent', /^Rewritten/)
  await pick('Kind of statement', /^CREATE TABLE/)
  await waitFor(() => statement().getByRole('heading', { name: 'Statement 3, line 4' }))
  await waitFor(() => statement().getByText(/ENGINE=x/))
  await waitFor(() => statement().getByText(/PRIMARY KEY \(id\)$/))
})

test('what a script destroys must be confirmed before it runs', async () => {
  server.fake.databases.get('defaultdb')?.tables.set('items', [])
  draw()
  await choose(`-- MySQL dump\nDROP TABLE IF EXISTS \`items\`;\n${script}`)
  const region = within(dialog().getByRole('region', { name: 'What the script destroys' }))
  region.getByText(/Drop table items/)
  expect(button(/^Run /).getAttribute('aria-disabled')).toBe('true')
  await press(button(/^Run /))
  expect(server.committed).toEqual([])
  await press(region.getByRole('checkbox', { name: 'Run these too' }))
  expect(button(/^Run /).getAttribute('aria-disabled')).not.toBe('true')
})

test('the report tells the fate of each statement, where it stops, after a reload and in its file', async () => {
  server.refuses = (sql) => sql.includes('secret three')
  const page = draw()
  await choose(script)
  await press(button(/^Run 4 /))
  await screen.findByRole('dialog', { name: 'Import stopped' })
  const report = () => within(dialog().getByRole('region', { name: /^What became of each/ }))
  report().getByText(/^7 statements: 2 committed, 1 refused, 4 left out, 0 not sent, 0 unknown\./)
  await pick('Outcome', /^Refused/)
  expect(lines()).toEqual(['6INSERT into itemsRefused'])
  page.unmount()

  tab = await signedIn(tab.driver)
  draw()
  await choose(script)
  await press(button('Show what became of each statement'))
  await screen.findByRole('region', { name: /^What became of each/ })
  report().getByText(/^7 statements: 2 committed, 1 refused, 4 left out/)
  await pick('Outcome', /^Committed/)
  expect(lines()).toEqual(['4CREATE TABLECommitted', '5INSERT into itemsCommitted'])
  await press(dialog().getAllByRole('option')[1] as HTMLElement)
  const statement = within(dialog().getByRole('region', { name: 'Statement' }))
  expect(statement.getByRole('link', { name: 'tx 2' }).getAttribute('href')).toContain('id=2')

  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:x'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await press(report().getByRole('button', { name: 'Export' }))
  await press(await screen.findByRole('menuitem', { name: /^CSV for spreadsheets/ }))
  await dialog().findByText(/^Complete: 7 statements in items-sql-report/)
  const text = (await saved[0]?.text()) ?? ''
  expect(text).toContain('statement,line,kind,judgement,fate,transaction,reason')
  expect(text).toMatch(/^4,5,INSERT into items,rewritten,committed,2 3,/m)
  expect(text).toMatch(/^5,6,INSERT into items,rewritten,refused,,Max length exceeded/m)
  expect(text).not.toContain('secret')
})
