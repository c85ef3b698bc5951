import type { Locator } from 'playwright-core'
import { button, type Stage, type Steps } from './role-stage'
import { UsersPage } from './users-page'

const told = ({ page }: Stage, text: RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()

/** Opens the details of a database, unless they are open. */
async function openDatabase(at: Stage, name: string) {
  const panel = at.page.getByRole('region', { name: new RegExp(`^${name}`) })
  if (!(await panel.isVisible())) await button(at, name).click()
  await panel.getByRole('tab', { name: 'Operations' }).waitFor()
  return panel
}

const work = (name: string, said: RegExp) => async (at: Stage) => {
  await openDatabase(at, at.own)
  await button(at, `${name}: ${at.own}`).click()
  await told(at, said)
}

async function confirmed({ console }: Stage, action: string, typed?: string) {
  if (typed !== undefined) await console.dialog.getByLabel('Name').fill(typed)
  await console.dialog.getByRole('button', { name: action, exact: true }).click()
}

export const databaseSteps: Steps = {
  'list the databases': {
    works: async (at) => {
      await button(at, at.own).waitFor()
      const isSeen = (await button(at, 'foreign').count()) > 0
      if (isSeen !== at.role.level > 254) throw new Error('sees other databases than expected')
    },
  },
  'use a database': {
    works: async (at) => {
      for (const name of [at.spare, at.own]) {
        await button(at, `Use ${name}`).first().click()
        await at.page.getByText(`Using ${name} now.`).first().waitFor()
      }
    },
  },
  'create a database': { disabled: async (at) => button(at, 'Create database') },
  'load a database': {
    disabled: async (at) => {
      await at.admin.call('/db/unload', { database: at.spare })
      await button(at, 'Refresh the databases').click()
      await button(at, at.spare).click()
      const load = button(at, `Load: ${at.spare}`)
      await load.waitFor()
      return load
    },
  },
  'flush an index': { works: work('Flush the index', /flushed to disk/) },
  'compact an index': { works: work('Compact the index', /compact/) },
  'truncate a database': {
    works: async (at) => {
      await openDatabase(at, at.own)
      await button(at, `Truncate: ${at.own}`).click()
      await confirmed(at, 'Truncate', at.own)
      await told(at, /No value is older/)
    },
  },
  'delete a database': {
    works: async (at) => {
      await openDatabase(at, at.spare)
      await button(at, `Unload: ${at.spare}`).click()
      await confirmed(at, 'Unload')
      await told(at, /Unloaded/)
      await button(at, `Delete: ${at.spare}`).click()
      await confirmed(at, 'Delete', at.spare)
      await told(at, /Deleted, with its files/)
      // The remaining permission breaks the server's list for this user.
      await at.page.reload()
      await at.console.signedIn()
      await button(at, at.own).waitFor()
    },
  },
}

async function ownPanel({ page, role }: Stage): Promise<Locator> {
  const users = new UsersPage(page)
  const panel = users.panel(role.user)
  if (!(await panel.isVisible())) await users.select(role.user)
  return panel
}

async function madePanel({ page, made }: Stage) {
  const users = new UsersPage(page)
  const panel = users.panel(made)
  if (!(await panel.isVisible())) await users.select(made)
  return { users, panel }
}

const ownButton = (name: (at: Stage) => string) => async (at: Stage) =>
  (await ownPanel(at)).getByRole('button', { name: name(at), exact: true })

const status = (action: 'Deactivate' | 'Activate', then: string) => async (at: Stage) => {
  const { users, panel } = await madePanel(at)
  await users.button(action, panel).click()
  await users.send(action)
  await users.row(at.made).getByText(then, { exact: true }).waitFor()
}

export const userSteps: Steps = {
  'list the users': {
    works: async ({ page, role, made }) => {
      const users = new UsersPage(page)
      await users.row(role.user).waitFor()
      const others = (await users.list.getByRole('row').count()) - 2
      if (role.level >= 254) await users.row(made).waitFor()
      else if (others > 0) throw new Error(`sees ${others} others`)
    },
  },
  'deactivate a user': { works: status('Deactivate', 'Inactive') },
  'activate a user': { works: status('Activate', 'Active') },
  'change the password of a user': {
    works: async (at) => {
      const { users, panel } = await madePanel(at)
      await users.button('Change password', panel).click()
      await users.fillPassword('Battery-stap1e')
      await users.send('Change password')
      await at.page.getByText(`The password of ${at.made} was changed.`).waitFor()
    },
  },
  'give a permission': { disabled: ownButton(() => 'Add permission') },
  'take a permission away': {
    works: async (at) => {
      const { users, panel } = await madePanel(at)
      await users.button(`Remove the permission on ${at.spare}`, panel).click()
      await users.send('Remove permission')
      // Behind a dialog nothing is found by its role.
      await users.dialog.waitFor({ state: 'hidden' })
      await users
        .button(`Remove the permission on ${at.spare}`, panel)
        .waitFor({ state: 'detached' })
    },
  },
  'change SQL privileges': {
    works: async (at) => {
      const { users, panel } = await madePanel(at)
      await users.button(`Edit the SQL privileges on ${at.own}`, panel).click()
      await users.dialog.getByRole('checkbox', { name: /^INSERT/ }).check()
      await users.send('Save privileges')
      await at.page
        .getByText(`The SQL privileges of ${at.made} on ${at.own} were changed.`)
        .first()
        .waitFor()
    },
    disabled: ownButton(({ own }) => `Edit the SQL privileges on ${own}`),
  },
  'change one’s own permissions': {
    disabled: ownButton(() => 'Remove the permission on All databases'),
  },
}
