import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { privilegeRefusalAtom } from '~/atoms/users/privileges'
import { addUserReport, userReportsAtom } from '~/atoms/users/writes'
import UsersScreen from '~/screens/users/UsersScreen'
import { clearToasts, Toaster } from '~/ui/toast'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { beforeAnswer } from '../../support/goes-away'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, stored, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

const good = 'C0rrect-horse'

async function open(user = 'immudb', path = '/users') {
  history.replaceState(null, '', path)
  tab = openTab(server)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'x')
  await act(async () => {
    render(
      <Provider store={tab.store}>
        <UsersScreen />
        <Toaster />
      </Provider>,
    )
  })
  await screen.findByRole('table', { name: 'Users', hidden: true })
}

// Finding elements by role is slow here, the more so beside other tests.
vi.setConfig({ testTimeout: 20_000 })

// Compiling it counts for none of the tests.
beforeAll(() =>
  Promise.all([import('~/screens/users/UserDialog'), import('~/ui/select/OpenSelect')]),
)

beforeEach(() => {
  act(() => clearToasts())
  server = fakeImmudb({
    databases: ['defaultdb', 'shop', 'ledger'],
    users: {
      bob: { password: 'x', permissions: { shop: 2 } },
      gone: { password: 'x', permissions: { shop: 1 }, isActive: false },
      chief: { password: 'x', permissions: { shop: 254 } },
      __proto__x: { password: 'x', permissions: { ledger: 1 } },
    },
  })
})

const row = (name: string) => screen.getByRole('button', { name }).closest('[role=row]')
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((one) => within(one).getByRole('button').textContent)

/** In an act of its own, since a part that is fetched would never come in one that is over. */
async function press(name: string | RegExp, box: HTMLElement = document.body) {
  const button = within(box).getByRole('button', { name })
  await act(async () => fireEvent.click(button))
}

/** Replaces what stands in a box, as a paste would. */
async function fill(box: HTMLElement, text: string) {
  await userEvent.clear(box)
  await userEvent.paste(text)
}

/** It is fetched when it is first opened. */
const dialog = () => screen.findByRole('dialog')

describe('the list', () => {
  test('shows everybody with status, permissions and last change', async () => {
    await open()
    expect(names()).toEqual(['immudb', 'bob', 'gone', 'chief', '__proto__x'])
    expect(row('gone')?.textContent).toContain('Inactive')
    expect(row('immudb')?.textContent).toContain('You')
    expect(row('immudb')?.textContent).toContain('All databasesSystem admin')
    expect(row('bob')?.textContent).toContain('shopRead & write')
    screen.getByText('5 users, 1 inactive')
  })

  test('is filtered by name, whatever the case; inactive users can be hidden, which is kept', async () => {
    await open()
    await fill(screen.getByRole('searchbox', { name: 'Filter by name' }), 'BO')
    expect(names()).toEqual(['bob'])
    await fill(screen.getByRole('searchbox', { name: 'Filter by name' }), 'nobody at all')
    await press('Show all users')
    await userEvent.click(screen.getByRole('switch', { name: 'Hide inactive users' }))
    expect(names()).not.toContain('gone')
    expect(await stored(tab)).toMatchObject({ view: { hideNotActive: true } })
  })

  test('a failure is said once, with a retry; a later one keeps the old list', async () => {
    await open()
    server.unplug()
    await press('Refresh the users')
    await screen.findByText('The immudb server cannot be reached.')
    expect(names()).toHaveLength(5)
    server.plug()
    await press('Try again')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

describe('adding a user', () => {
  test('checks while typing, sends once and shows the new user', async () => {
    await open()
    await press('Add user')
    const box = await dialog()
    const name = within(box).getByLabelText('Username')
    const password = within(box).getByLabelText('Password')
    expect(name.getAttribute('autocomplete')).toBe('off')
    expect(password.getAttribute('autocomplete')).toBe('new-password')
    await fill(name, 'er in')
    within(box).getByText('immudb does not accept this name.')
    await fill(name, 'bob')
    within(box).getByText('A user with this name already exists.')
    await fill(name, 'erin')
    await fill(password, good)
    expect(password.getAttribute('value'), 'P5: not in the document').toBeNull()
    expect(within(box).getByRole('meter').getAttribute('aria-valuetext')).toMatch(/Good|Strong/)
    within(box).getByRole('combobox', { name: 'Permission database' })
    await userEvent.dblClick(within(box).getByRole('button', { name: 'Add user' }))
    await screen.findByText('erin was added with the permission “Read” on defaultdb.')
    expect(server.log().filter((line) => line === 'POST /user')).toHaveLength(1)
    expect(screen.queryByRole('dialog')).toBeNull()
    await screen.findByRole('heading', { level: 2, name: /^erin/ })
  })

  test('can be sent once the databases are listed, and says so before', async () => {
    let list = () => {}
    const isListed = new Promise<void>((resolve) => {
      list = resolve
    })
    server = beforeAnswer(server, '/db/list/v2', () => isListed)
    await open()
    await press('Add user')
    const box = await dialog()
    await fill(within(box).getByLabelText('Username'), 'erin')
    await fill(within(box).getByLabelText('Password'), good)
    expect(within(box).getByRole('button', { name: 'Add user' }).title).toBe(
      'Choose a database first.',
    )
    await act(async () => list())
    await waitFor(() =>
      expect(within(box).getByRole('button', { name: 'Add user' }).title).toBe(''),
    )
    await press('Add user', box)
    await screen.findByText('erin was added with the permission “Read” on defaultdb.')
  })

  test('A15: a weak password needs a second word; spaces at the ends stay; too long is told', async () => {
    await open()
    await press('Add user')
    const box = await dialog()
    const password = within(box).getByLabelText('Password')
    await fill(within(box).getByLabelText('Username'), 'erin')
    await fill(password, 'x'.repeat(73))
    within(box).getByText('73 bytes; immudb takes at most 72.')
    await fill(password, ' a ')
    await press('Add user', box)
    within(box).getByText('Does not meet all of the rules below.')
    expect(server.log()).not.toContain('POST /user')
    await userEvent.click(within(box).getByRole('checkbox', { name: /Use it although/ }))
    await press('Add user', box)
    await waitFor(() => expect(server.users.get('erin')?.password).toBe(' a '))
  })

  test('a pasted line break is refused instead of dropped', async () => {
    await open()
    await press('Add user')
    const password = within(await dialog()).getByLabelText('Password')
    await userEvent.click(password)
    await userEvent.paste('a\nb')
    screen.getByText(/has a line break/)
    expect(password).toHaveProperty('value', '')
  })
})

describe('one user', () => {
  test('D23: deactivating asks, reports, and leads to a new password', async () => {
    await open()
    await press('bob')
    await press('Deactivate')
    within(await dialog()).getByText(/cannot log in any more/)
    await press('Deactivate', await dialog())
    const report = await screen.findByRole('region', { name: 'What happened to bob' })
    await press('Change password', report)
    const box = await dialog()
    within(box).getByText('Change the password of bob')
    expect(within(box).queryByLabelText('Old password')).toBeNull()
    await fill(within(box).getByLabelText('New password'), good)
    await fill(within(box).getByLabelText('Repeat the new password'), 'other')
    await press('Change password', box)
    within(box).getByText('The two are not the same.')
    expect(box.textContent).not.toContain(good)
    await fill(within(box).getByLabelText('Repeat the new password'), good)
    await press('Change password', box)
    await waitFor(() => expect(server.users.get('bob')?.password).toBe(good))
    expect(tab.store.get(userReportsAtom)).toEqual([])
  })

  test('two changes to one user are one notice, which says once what they mean', async () => {
    await open('immudb', '/users?user=bob')
    const line = 'immudb does not end every session with it.'
    const warn = (text: string) =>
      act(() =>
        addUserReport(tab.store, {
          user: 'bob',
          text,
          lines: [line],
          isWarning: true,
          offersPassword: true,
          lost: [],
        }),
      )
    warn('bob no longer has a permission on shop.')
    warn('bob no longer has a permission on ledger.')
    const report = screen.getByRole('region', { name: 'What happened to bob' })
    expect(within(report).getAllByText(line)).toHaveLength(1)
    expect(within(report).getAllByRole('button', { name: 'Change password' })).toHaveLength(1)
    within(report).getByText('bob no longer has a permission on ledger.')
    within(report).getByText('1 earlier change')
    within(report).getByText('bob no longer has a permission on shop.')
    await press('Dismiss this report', report)
    expect(tab.store.get(userReportsAtom)).toEqual([])
  })

  test('a rule is called met or unmet once something is typed', async () => {
    await open()
    await press('Add user')
    const box = await dialog()
    expect(box.textContent).not.toMatch(/not met yet|of 6 met/)
    expect(within(box).getAllByText('A digit')).toHaveLength(1)
    await fill(within(box).getByLabelText('Password'), 'abc')
    expect(box.textContent).toContain('A digit: not met yet')
    expect(box.textContent).toContain('A small letter: met')
    within(box).getByText(/Rules for the password: \d of 6 met/)
  })

  test('D22: a permission is added after telling what it takes and gives back', async () => {
    await open('immudb', '/users?user=bob')
    await press('Add permission')
    const box = await dialog()
    await press('Add permission', box)
    expect(server.log()).not.toContain('POST /user/changepermission')
    const databases = within(box).getByRole('combobox', { name: 'Permission database' })
    await act(async () => fireEvent.click(databases))
    await userEvent.click(await screen.findByRole('option', { name: 'ledger' }))
    expect(box.textContent).toContain('gives them back right after: shop (All)')
    await press('Add permission', box)
    await screen.findByText(/They were restored/)
    expect(server.users.get('bob')?.permissions).toEqual({ shop: 2, ledger: 1 })
  })

  test('immudb 1.5 has no SQL privileges, so none are shown and none are missing', async () => {
    await open()
    await act(async () => reportVersion(tab.store, '1.5.0'))
    await press('bob')
    await screen.findByRole('combobox', { name: 'Permission on shop' })
    expect(screen.queryByText(/SQL privileges/)).toBeNull()
    expect(tab.store.get(privilegeRefusalAtom)('SELECT')).toBeUndefined()
  })

  test('SQL privileges are edited per database', async () => {
    await open('immudb', '/users?user=bob')
    await press('Edit the SQL privileges on shop')
    const box = await dialog()
    await userEvent.click(within(box).getByRole('checkbox', { name: /^DROP/ }))
    await press('Save privileges', box)
    await screen.findByText('The SQL privileges of bob on shop were changed.')
    expect(server.users.get('bob')?.privileges?.get('shop')).not.toContain('DROP')
  })

  test('the own password asks for the old one, says when it is wrong, and is linked to', async () => {
    await open('immudb', '/users?dialog=change-password&user=immudb')
    const box = await dialog()
    within(box).getByText('Change your password')
    await fill(within(box).getByLabelText('Old password'), 'wrong')
    await fill(within(box).getByLabelText('New password'), good)
    await fill(within(box).getByLabelText('Repeat the new password'), good)
    await press('Change password', box)
    await within(box).findByText('This is not the old password.')
    expect(within(box).queryByRole('alert')).toBeNull()
    await press('Cancel', box)
    expect(location.search).toBe('?user=immudb')
  })

  test('a write without an answer is unknown, and can be looked up', async () => {
    server.users.set('fault_lost_1', { password: 'x', permissions: { shop: 1 } })
    await open('immudb', '/users?user=fault_lost_1')
    await press('Deactivate')
    await press('Deactivate', await dialog())
    within(await dialog()).getByText(/^The browser may have sent it more than once by itself/)
    await press('Check now', await dialog())
    await screen.findByText('fault_lost_1 is inactive now.')
  })
})

describe('what is not allowed is disabled and says why (D24)', () => {
  const reasons = (name: string) =>
    document.getElementById(
      screen.getByRole('button', { name }).getAttribute('aria-describedby') ?? '',
    )?.textContent

  test('for an ordinary user: everything', async () => {
    await open('bob', '/users?user=bob')
    expect(names()).toEqual(['bob'])
    screen.getByText(/You see only yourself/)
    expect(reasons('Add user')).toBe('This needs the permission “Admin” on a database.')
    expect(reasons('Deactivate')).toBe('You cannot change your own status.')
    expect(reasons('Change password')).toMatch(/^Only the system admin and the admin/)
    expect(reasons('Remove the permission on shop')).toBe('You cannot change your own permissions.')
    await press('Change password')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('for the permissions of the system admin and of the inactive', async () => {
    await open('immudb', '/users?user=gone')
    expect(reasons('Add permission')).toBe('Activate the user first.')
    screen.getByRole('button', { name: 'Activate' })
  })

  test('a link to the password of someone one may not change opens a dialog that says so', async () => {
    await open('bob', '/users?dialog=change-password&user=bob')
    const box = await dialog()
    within(box).getAllByText(/^Only the system admin and the admin/)
    const send = within(box).getByRole('button', { name: 'Change password' })
    expect(send.getAttribute('aria-disabled')).toBe('true')
  })
})

test('A12: a name with hidden characters shows them, in the list, the title and the question', async () => {
  server.users.set('ad\u202enim', { password: 'x', permissions: { shop: 1 } })
  await open()
  await press(/⟨U\+202E⟩/)
  expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('ad⟨U+202E⟩nim')
  await press('Deactivate')
  expect((await dialog()).textContent).toContain('Deactivate ad⟨U+202E⟩nim?')
})
