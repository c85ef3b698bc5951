import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { databaseAtom, listedAsAtom, sessionAtom } from '~/core/session/session'
import { CodeButton } from '~/screens/code/CodeButton'
import type { Call } from '~/screens/code/call'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { showPart } from '../../support/show-part'
import { openTab, signIn, type Tab } from '../../support/store'

const key: Call = { kind: 'key', key: 'a2V5', at: null, isVerified: false }

let server: FakeImmudb
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb({ users: { reader: { password: 'x', permissions: { defaultdb: 1 } } } })
  tab = openTab(server)
  await signIn(tab, 'reader', 'x')
})

async function open(call: Call = key): Promise<HTMLElement> {
  await showPart(tab.store, <CodeButton call={() => call} what="key k" />)
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show as code' })))
  return screen.findByRole('dialog', { name: 'Code for key k' })
}

const code = (dialog: HTMLElement) => dialog.querySelector('pre')?.textContent ?? ''
const choose = (dialog: HTMLElement, language: string) =>
  act(async () => {
    fireEvent.mouseDown(within(dialog).getByRole('tab', { name: language }))
  })

test('shows a reader the open key as code of each language, for the open database', async () => {
  const dialog = await open()
  const tabs = await within(dialog).findAllByRole('tab')
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'curl',
    'Go',
    'Python',
    'Java',
    'Node',
    'psql',
  ])
  expect(code(dialog)).toContain('/db/use/defaultdb')
  const { token } = tab.store.get(sessionAtom) ?? {}
  for (const language of ['curl', 'Go', 'Python', 'Java', 'Node']) {
    await choose(dialog, language)
    expect(code(dialog)).toContain('IMMUDB_PASSWORD')
    expect(code(dialog)).not.toContain(String(token))
  }
  await choose(dialog, 'psql')
  within(dialog).getByText('Not in this language')
  expect(within(dialog).queryByRole('button', { name: 'Copy the code' })).toBeNull()
})

test('verifies where that is asked for', async () => {
  const dialog = await open()
  await choose(dialog, 'Go')
  expect(code(dialog)).toContain('c.Get(')
  await act(async () => void fireEvent.click(within(dialog).getByRole('checkbox')))
  expect(code(dialog)).toContain('c.VerifiedGet(')
})

test('does not offer to verify what no SDK can', async () => {
  const dialog = await open({ kind: 'keys', prefix: '', limit: 10 })
  await within(dialog).findAllByRole('tab')
  expect(within(dialog).queryByRole('checkbox')).toBeNull()
})

test('remembers the language', async () => {
  await choose(await open(), 'Python')
  expect(tab.driver.values.get('webconsole.code')).toBe('python')
})

test('names the host of a listed server, without what could be a login in its address', async () => {
  const listed = { name: 'eu', id: '1' }
  tab.store.set(listedAsAtom, { ...listed, address: 'https://db1.example:8080' })
  const dialog = await open()
  await choose(dialog, 'Python')
  expect(code(dialog)).toContain('"db1.example:3322"')
  await act(async () =>
    tab.store.set(listedAsAtom, { ...listed, address: 'https://me:secret@db1.example' }),
  )
  expect(code(dialog)).not.toMatch(/me:|secret|db1/)
})

test('says that a server without login refuses one', async () => {
  const session = tab.store.get(sessionAtom)
  if (session) tab.store.set(sessionAtom, { ...session, mode: 'open' })
  tab.store.set(databaseAtom, 'defaultdb')
  const dialog = await open()
  await within(dialog).findByText(/runs without login/)
})
