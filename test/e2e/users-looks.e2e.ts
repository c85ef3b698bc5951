import { describe } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'
import { UsersPage } from '../support/users-page'
import type { ViewName } from '../support/views'

const password = 'C0rrect-horse'
const longName = 'a_user_whose_name_is_as_long_as_immudb_lets_a_name_be_63_letters'.slice(0, 63)

/** A company of users, made once for all looks. */
async function prepared(url: string) {
  const admin = await api(url)
  for (const name of [
    'shop',
    'ledger',
    'archive_of_everything_that_was_ever_sold_in_all_our_shops',
  ]) {
    await admin.createDatabase(name).catch(() => {})
  }
  const make = (name: string, level: number, database: string) =>
    admin.createUser(name, password, level, database).catch(() => {})
  await make('alice', 254, 'shop')
  await make('bob', 2, 'shop')
  await make('carol', 1, 'ledger')
  await make('dave_left', 1, 'shop')
  await make(longName, 2, 'archive_of_everything_that_was_ever_sold_in_all_our_shops')
  const grant = (username: string, database: string, permission: number) =>
    admin.call('/user/changepermission', { action: 'GRANT', username, database, permission })
  await grant('bob', 'ledger', 1)
  await grant('bob', 'defaultdb', 254)
  await grant(longName, 'shop', 254)
  await admin.call('/user/changesqlprivileges', {
    action: 'GRANT',
    username: longName,
    database: 'archive_of_everything_that_was_ever_sold_in_all_our_shops',
    privileges: ['SELECT', 'INSERT'],
  })
  await admin.call('/user/setactiveUser', { username: 'dave_left', active: false })
}

describe.for(sizes)('axe on users, $size', unhurried, ({ viewport }) => {
  test('the list and adding have no violation', async ({ server, open }) => {
    await prepared(server.url)
    const console = await open(server.url, { viewport })
    await console.enter('/users')
    const users = new UsersPage(console.page)
    await users.row('bob').waitFor()
    await look(console, 'users-list')
    await users.filter.fill('nobody at all')
    await console.page.getByText('No user matches').waitFor()
    await look(console, 'users-none')
    await users.button('Show all users').click()
    await users.fillNew({ name: 'not legal', password: 'short' })
    await users.send('Add user')
    await look(console, 'users-add-wrong')
    await users.dialog.getByLabel('Username', { exact: true }).fill('erin')
    await users.dialog.getByLabel('Password', { exact: true }).fill(password)
    await look(console, 'users-add')
  })

  test('a user and its dialogs have no violation', async ({ server, open }) => {
    await prepared(server.url)
    const console = await open(server.url, { viewport })
    await console.enter('/users?user=bob')
    const users = new UsersPage(console.page)
    const panel = users.panel('bob')
    await panel.waitFor()
    await look(console, 'users-panel')
    const steps: readonly (readonly [ViewName, () => Promise<void>])[] = [
      ['users-password', () => users.button('Change password', panel).click()],
      ['users-deactivate', () => users.button('Deactivate', panel).click()],
      ['users-grant', () => users.button('Add permission', panel).click()],
      ['users-change', () => users.pick('Permission on defaultdb', 'Read May', panel)],
      ['users-privileges', () => users.button('Edit the SQL privileges on ledger', panel).click()],
    ]
    for (const [name, show] of steps) {
      await show()
      await users.dialog.waitFor()
      if (name === 'users-password') await users.fillPassword('C0rrect')
      if (name === 'users-grant') await users.pick('Permission database', 'archive')
      await look(console, name)
      await users.send('Cancel')
      await users.dialog.waitFor({ state: 'hidden' })
    }
  })

  test('the longest names and a report have no violation', async ({ server, open }) => {
    await prepared(server.url)
    const console = await open(server.url, { viewport })
    await console.enter(`/users?user=${longName}`)
    const users = new UsersPage(console.page)
    await users.pick('Permission on shop', 'Read May', users.panel(longName))
    await users.send('Change permission')
    await users.report(longName).waitFor()
    await look(console, 'users-report')
  })
})
