import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { DatabaseTrouble } from '~/app/frame/Notices'
import { databaseAtom } from '~/core/session/session'
import DatabasesScreen from '~/screens/databases/DatabasesScreen'
import { clearToasts, Toaster } from '~/ui/toast'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { corpus, recorded } from '../../support/recorded'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, type Tab } from '../../support/store'

type Options = {
  databases?: readonly string[]
  level?: number
  path?: string
  /** Answers a call instead of the server; undefined leaves it to it. */
  instead?: (path: string) => Response | Promise<Response> | undefined
}

let server: FakeImmudb
let tab: Tab

async function show({ databases, level, path = '/databases', instead }: Options = {}) {
  const users =
    level === undefined
      ? {}
      : { clerk: { password: 'x', permissions: { defaultdb: level, shop: level } } }
  server = fakeImmudb({ databases: databases ?? ['defaultdb', 'shop'], users })
  const real = server.fetch
  const fetch: typeof real = async (input, init) =>
    instead?.(new URL(String(input), 'http://x').pathname) ?? real(input, init)
  tab = openTab({ ...server, fetch })
  await signIn(tab, level === undefined ? 'immudb' : 'clerk', level === undefined ? 'immudb' : 'x')
  const { hook, searchHook } = memoryLocation({ path })
  render(
    <Provider store={tab.store}>
      <Router hook={hook} searchHook={searchHook}>
        <DatabasesScreen />
        <Toaster />
      </Router>
    </Provider>,
  )
  if (!instead) await screen.findByRole('table', { name: 'Databases' })
}

// What is fetched when it is first shown must not take longer than a test waits for it.
beforeAll(async () => {
  await import('~/screens/databases/CreateDialog')
  await import('~/screens/databases/SettingsDialog')
  await import('~/screens/databases/SettingsForm')
  await import('~/screens/databases/DatabasePanel')
  await import('~/ui/AskDialog')
}, 60_000)

afterEach(() => act(() => clearToasts()))

const user = userEvent.setup({ delay: null })
/** Clicks a button once it is there and can be used, and waits for what is fetched for it. */
const click = async (name: string | RegExp) => {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  await act(async () => {
    button.focus()
    button.click()
  })
}
const sent = (path: string) => server.calls.filter((call) => call.path === path)
const unload = (name: string) => {
  const found = server.databases.get(name)
  if (found) found.isLoaded = false
}
const rowOf = (name: string) => {
  const row = screen.getByRole('button', { name }).closest('[role="row"]')
  if (!(row instanceof HTMLElement)) throw new Error(`${name} has no row`)
  return within(row)
}

describe('the list', () => {
  test('tells state, transactions, size and own permission', async () => {
    await show()
    const texts = rowOf('shop')
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
    expect(texts.slice(1, 4)).toEqual(['Loaded', '0', '5.3 KiB'])
    const [, , , , , permission] = rowOf('shop').getAllByRole('cell')
    await vi.waitFor(() => expect(permission?.textContent).toBe('System admin'))
    expect(rowOf('defaultdb').getByText('In use')).toBeTruthy()
    expect(screen.getByText('2 databases')).toBeTruthy()
  })

  test('tells the exact size once', async () => {
    await show()
    await click('shop')
    const size = await screen.findByText('Size on disk')
    expect(size.nextElementSibling?.textContent).toMatch(/^5\.3 KiB \([\d,]+ bytes\)$/)
  })

  test('is filtered without regard to case, says how many, and can be shown whole again', async () => {
    await show({ databases: ['defaultdb', 'shop', 'workshop'] })
    await user.type(screen.getByLabelText('Filter by name'), 'SHOP')
    expect(screen.getByText('2 of 3 databases')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'defaultdb' })).toBeNull()
    await user.type(screen.getByLabelText('Filter by name'), '<b>x')
    expect(screen.getByText(/No name contains/).textContent).toBe('No name contains “SHOP<b>x”.')
    await click('Show all databases')
    expect(screen.getByText('3 databases')).toBeTruthy()
  })

  test('is put in order by its titles', async () => {
    await show()
    await click('Name')
    const header = screen.getByRole('columnheader', { name: /Name/ })
    expect(header.getAttribute('aria-sort')).toBe('descending')
    const names = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent?.slice(0, 4))
    expect(names).toEqual(['shop', 'defa'])
  })

  test('that is empty without a body fails once, in place, and can be had again (F13)', async () => {
    let broken = true
    await show({
      instead: (path) =>
        broken && path === '/api/db/list/v2' ? new Response(null, { status: 204 }) : undefined,
    })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('could not be listed')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    expect(screen.getByRole('heading', { name: 'Databases' })).toBeTruthy()
    broken = false
    await click('Try again')
    await screen.findByRole('table', { name: 'Databases' })
  })

  test('of 1,000 databases has few of them in the document (F67)', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `db_${String(index).padStart(4, '0')}`)
    await show({ databases: ['defaultdb', ...many] })
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1002')
    expect(screen.getAllByRole('row').length).toBeLessThan(60)
    await user.type(screen.getByLabelText('Filter by name'), '0999')
    expect(screen.getByText('1 of 1,001 databases')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'db_0999' })).toBeTruthy()
  })
})

describe('using', () => {
  test('a database makes it the one of this tab and says so', async () => {
    await show()
    await click('Use shop')
    expect(await screen.findByText('Using shop now.')).toBeTruthy()
    expect(tab.store.get(databaseAtom)).toBe('shop')
    expect(rowOf('shop').getByText('In use')).toBeTruthy()
  })

  test('an unloaded one tells no size, because the server says 0 whatever it has', async () => {
    await show({ path: '/databases?name=shop' })
    unload('shop')
    await click('Refresh the databases')
    await waitFor(() =>
      expect(screen.getAllByText('not known while it is unloaded')).toHaveLength(2),
    )
    expect(rowOf('shop').queryAllByText(/bytes|KiB/)).toEqual([])
    expect(rowOf('defaultdb').getAllByText(/bytes|KiB/).length).toBeGreaterThan(0)
  })

  test('an unloaded one loads it first', async () => {
    await show()
    unload('shop')
    await click('Refresh the databases')
    await click('Load and use shop')
    expect(await screen.findByText('Using shop now.')).toBeTruthy()
    expect(sent('/db/load')).toHaveLength(1)
  })

  test('an unloaded one is not offered to who may not load it, with the reason', async () => {
    await show({ level: 1 })
    unload('shop')
    await click('Refresh the databases')
    const button = await screen.findByRole('button', { name: 'Load and use shop' })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
    expect(button.title).toContain('It is unloaded')
    expect(button.title).toContain('Admin')
  })
})

describe('one database', () => {
  test.each([1, 2])('level %s may do nothing to it and reads why, once', async (level) => {
    await show({ level, path: '/databases?name=shop' })
    const panel = within(await screen.findByRole('region', { name: /shop/ }))
    for (const name of ['Unload', 'Flush the index', 'Compact the index', 'Truncate', 'Delete']) {
      const button = panel.getByRole('button', { name: `${name}: shop` })
      expect(button.getAttribute('aria-disabled'), name).toBe('true')
    }
    expect(
      panel.getAllByText(/This needs the permission “Admin”/).filter((e) => !e.hidden),
    ).toHaveLength(1)
    await user.click(panel.getByRole('tab', { name: 'Settings' }))
    const change = await panel.findByRole('button', { name: 'Change settings…' })
    expect(change.getAttribute('aria-disabled')).toBe('true')
    const create = screen.getByRole('button', { name: 'Create database' })
    expect(create.title).toBe('Only the system admin can create databases.')
  })

  test('its admin may manage it but create none', async () => {
    await show({ level: 254, path: '/databases?name=shop' })
    const flush = await screen.findByRole('button', { name: 'Flush the index: shop' })
    await waitFor(() => expect(flush.getAttribute('aria-disabled')).toBeNull())
    await click('Flush the index: shop')
    expect((await screen.findByText(/flushed to disk/)).closest('[role="status"]')).toBeTruthy()
    const create = screen.getByRole('button', { name: 'Create database' })
    expect(create.getAttribute('aria-disabled')).toBe('true')
  })

  test('defaultdb is reserved for all but its index', async () => {
    await show({ path: '/databases?name=defaultdb' })
    const button = await screen.findByRole('button', { name: 'Truncate: defaultdb' })
    await waitFor(() => expect(button.title).toContain('defaultdb is reserved'))
    const compact = screen.getByRole('button', { name: 'Compact the index: defaultdb' })
    await waitFor(() => expect(compact.getAttribute('aria-disabled')).toBeNull())
  })

  test('is deleted only from 1.9.5 on: before, the call deletes keys', async () => {
    await show({ path: '/databases?name=shop' })
    const button = await screen.findByRole('button', { name: 'Delete: shop' })
    await act(async () => reportVersion(tab.store, '1.5.0'))
    await waitFor(() => expect(button.title).toContain('Needs immudb 1.9.5.'))
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  test('nothing to compact is information, not an error', async () => {
    await show({ path: '/databases?name=shop' })
    await click('Compact the index: shop')
    const note = await screen.findByText(/too little to compact/)
    expect(note.closest('[role="status"]')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    await click('Dismiss')
    expect(screen.queryByText(/too little to compact/)).toBeNull()
  })

  test('deleting asks for the name and is sent once', async () => {
    await show({ path: '/databases?name=shop' })
    await click('Unload: shop')
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unload' }),
    )
    await screen.findByText(/Unloaded: nobody/)
    await click('Delete: shop')
    const dialog = within(await screen.findByRole('dialog', { name: /Delete the database shop/ }))
    const remove = dialog.getByRole('button', { name: 'Delete' })
    expect(remove.getAttribute('aria-disabled')).toBe('true')
    await user.type(dialog.getByLabelText('Name'), 'Shop')
    expect(remove.getAttribute('aria-disabled')).toBe('true')
    await user.clear(dialog.getByLabelText('Name'))
    await user.type(dialog.getByLabelText('Name'), 'shop')
    await user.dblClick(remove)
    expect(await screen.findByText('Deleted, with its files.')).toBeTruthy()
    expect(screen.queryByText(/There is no database of this name/)).toBeNull()
    expect(sent('/db/delete')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'shop' })).toBeNull())
  })

  test('an unknown outcome is said as that, and a look tells what came of it', async () => {
    await show({ databases: ['defaultdb', 'fault_lost_1'], path: '/databases?name=fault_lost_1' })
    await click('Unload: fault_lost_1')
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unload' }),
    )
    expect((await screen.findByRole('alert')).textContent).toContain('not known whether')
    await click('Check now')
    expect(await screen.findByText('It is unloaded.')).toBeTruthy()
    expect(sent('/db/unload')).toHaveLength(1)
  })

  test('that is not in the list says so', async () => {
    await show({ path: '/databases?name=nosuch' })
    expect(await screen.findByText(/There is no database of this name/)).toBeTruthy()
  })

  test('closing gives the focus back to its line', async () => {
    await show()
    await click('shop')
    await screen.findByRole('region', { name: /shop/ })
    expect(document.activeElement?.tagName).toBe('H2')
    await click('Close the database')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('shop'))
  })
})

describe('settings of a database', () => {
  const replica = {
    replicationSettings: {
      replica: { value: true },
      primaryHost: { value: 'far' },
      primaryPassword: { value: 's3cret-canary' },
    },
    maxKeyLen: { value: 1_024 },
    maxConcurrency: { value: 30 },
    indexSettings: {
      flushThreshold: { value: 1 },
      syncThreshold: { value: 9 },
      maxNodeSize: { value: 4_096 },
    },
  }

  async function openSettings(instead?: Options['instead']) {
    await show({ path: '/databases?name=shop', ...(instead ? { instead } : {}) })
    const shop = server.databases.get('shop')
    if (shop) shop.settings = replica
    await user.click(await screen.findByRole('tab', { name: 'Settings' }))
    await screen.findByText('Longest key')
  }

  test('hide the password, mark what is fixed and what the server does not tell (F75)', async () => {
    await openSettings()
    expect(screen.getByText('set, hidden')).toBeTruthy()
    expect(screen.getByText('Longest key').textContent).toContain('fixed')
    expect(screen.getAllByText('not reported').length).toBeGreaterThan(20)
    expect(document.documentElement.outerHTML).not.toContain('canary')
  })

  test('are saved as the difference that was shown, once', async () => {
    await openSettings()
    await click('Change settings…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of shop' }))
    const review = dialog.getByRole('button', { name: 'Review changes' })
    expect(review.title).toBe('Nothing is changed yet.')
    const field = await dialog.findByLabelText('Parallel commits')
    await user.clear(field)
    expect(dialog.getByRole('button', { name: /Review/ }).title).toBe('Correct the settings first.')
    await user.type(field, '12')
    await user.type(dialog.getByLabelText('Primary password'), 'an0ther-canary')
    expect(dialog.queryByLabelText('Longest key')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Review 2 changes' }))
    const rows = dialog
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent)
    expect(rows).toEqual([
      'Primary passwordset, hiddennew, hiddenat once',
      'Parallel commits3012when loaded the next time',
    ])
    expect(dialog.getByText(/immuadmin/, { selector: 'pre *', exact: false })).toBeTruthy()
    await user.dblClick(dialog.getByRole('button', { name: 'Save' }))
    expect(
      await screen.findByText(/2 settings saved. 1 of them in effect the next time/),
    ).toBeTruthy()
    expect(sent('/db/update/v2').map(({ body }) => body)).toEqual([
      {
        database: 'shop',
        settings: {
          maxConcurrency: { value: 12 },
          replicationSettings: { primaryPassword: { value: 'an0ther-canary' } },
        },
      },
    ])
    expect(document.documentElement.outerHTML).not.toContain('canary')
  })

  /** Types a new password, and more, and presses Save; what is open is the last step. */
  async function save(more?: string) {
    await click('Change settings…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of shop' }))
    await user.type(await dialog.findByLabelText('Primary password'), 'an0ther-canary')
    if (more !== undefined) {
      await user.clear(dialog.getByLabelText('Parallel commits'))
      await user.type(dialog.getByLabelText('Parallel commits'), more)
    }
    await user.click(dialog.getByRole('button', { name: /^Review/ }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    return dialog
  }

  test('that are being saved cannot be left before it is known what became of them', async () => {
    let answer = (_: Response) => {}
    const answered = new Promise<Response>((resolve) => {
      answer = resolve
    })
    await openSettings((path) => (path.endsWith('/db/update/v2') ? answered : undefined))
    const dialog = await save()
    const back = dialog.getByRole('button', { name: 'Back' })
    expect(back.getAttribute('aria-disabled')).toBe('true')
    expect(back.title).toBe('It is being done.')
    await user.click(back)
    expect(dialog.getByRole('button', { name: 'Save' })).toBeTruthy()
    await act(async () => answer(new Response('{"error":"no","code":2}', { status: 500 })))
    expect((await dialog.findByRole('alert')).textContent).toContain('not known whether')
    expect(back.getAttribute('aria-disabled')).toBeNull()
  })

  const cannotTell = 'Whether the password is the new one is not known. Save it again.'
  test.each([
    [undefined, '30', cannotTell],
    ['12', '12', `The others are stored. ${cannotTell}`],
    ['12', '30', 'They are not stored so far.'],
  ])(
    'with a password, whose save was not answered, claim nothing of it (%s, %s)',
    async (more, found, words) => {
      await openSettings((path) =>
        path.endsWith('/db/update/v2') ? Promise.reject(new TypeError('fetch failed')) : undefined,
      )
      const dialog = await save(more)
      await dialog.findByRole('alert')
      const shop = server.databases.get('shop')
      if (shop) shop.settings = { ...replica, maxConcurrency: { value: Number(found) } }
      await user.click(dialog.getByRole('button', { name: 'Check now' }))
      expect(await dialog.findByText(words)).toBeTruthy()
      expect(dialog.queryByText('They are stored.')).toBeNull()
    },
  )

  test('stay open by group, also after a look at the difference', async () => {
    await openSettings()
    await click('Change settings…')
    const dialog = within(await screen.findByRole('dialog'))
    const field = await dialog.findByLabelText('Parallel commits')
    await user.clear(field)
    await user.type(field, '12')
    expect(field.closest('details')?.open).toBe(true)
    await user.click(dialog.getByRole('button', { name: 'Review 1 change' }))
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByLabelText('Parallel commits').closest('details')?.open).toBe(true)
  })

  test('are shown as the difference before a second Enter can save them', async () => {
    let saved = 0
    await openSettings((path) => {
      if (path.endsWith('/db/update/v2')) saved += 1
      return undefined
    })
    await click('Change settings…')
    const dialog = within(await screen.findByRole('dialog'))
    const field = await dialog.findByLabelText('Parallel commits')
    await user.clear(field)
    await user.type(field, '12')
    dialog.getByRole('button', { name: 'Review 1 change' }).focus()
    await user.keyboard('{Enter}{Enter}')
    dialog.getByRole('button', { name: 'Save' })
    expect(document.activeElement?.contains(dialog.getByRole('table'))).toBe(true)
    expect(saved).toBe(0)
  })

  test('that a primary may not have go when it stops being a replica', async () => {
    await openSettings()
    await click('Change settings…')
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(await dialog.findByLabelText(/^Replica/))
    await user.click(dialog.getByRole('button', { name: 'Review 3 changes' }))
    const rows = dialog
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent)
    expect(rows).toEqual([
      'Replicaonoffat once',
      'Primary hostfarnoneat once',
      'Primary passwordset, hiddennoneat once',
    ])
  })
})

describe('creating', () => {
  async function openDialog() {
    await show()
    await click('Create database')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a database' }))
    await dialog.findByLabelText('Longest key')
    return dialog
  }

  test('keeps what was typed when Escape is pressed; Cancel closes it', async () => {
    const dialog = await openDialog()
    await user.type(dialog.getByLabelText('Name'), 'ledger')
    await user.keyboard('{Escape}')
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('ledger')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('checks the name while it is typed', async () => {
    const dialog = await openDialog()
    const name = dialog.getByLabelText('Name')
    const create = () => dialog.getByRole('button', { name: 'Create' }).title
    expect(create()).toBe('Enter a name first.')
    await user.type(name, 'my-db')
    expect(dialog.getByText(/^- \(U\+002D\) is not allowed/, { selector: 'p' })).toBeTruthy()
    await user.clear(name)
    await user.type(name, 'SHOP')
    expect(create()).toBe('A database with this name already exists.')
    await user.type(name, '2')
    expect(dialog.getByText('It will be stored in lower case, as shop2.')).toBeTruthy()
    expect(create()).toBe('')
    await user.clear(name)
    await user.type(name, 'аdmin')
    expect(dialog.getByText(/easily mistaken for another name/).textContent).toContain('а (U+0430)')
    expect(create()).toBe('')
  })

  test('sends only what was changed, by Enter and a click at once only once (F35)', async () => {
    const dialog = await openDialog()
    await user.clear(dialog.getByLabelText('Longest key'))
    await user.type(dialog.getByLabelText('Longest key'), '512')
    expect(dialog.getAllByText('fixed for ever').length).toBeGreaterThan(4)
    await user.type(dialog.getByLabelText('Name'), 'Ledger{Enter}')
    const create = screen.queryByRole('button', { name: 'Create' })
    if (create) await user.click(create)
    expect(await screen.findByText('ledger was created.')).toBeTruthy()
    expect(sent('/db/create/v2').map(({ body }) => body)).toEqual([
      { name: 'Ledger', settings: { maxKeyLen: { value: 512 } } },
    ])
    expect(await screen.findByRole('region', { name: /ledger/ })).toBeTruthy()
  })

  test('names settings as the server does, and those of a replica look disabled', async () => {
    const dialog = await openDialog()
    const host = dialog.getByLabelText<HTMLInputElement>('Primary host')
    expect(host.disabled).toBe(true)
    expect(host.parentElement?.className).toContain('border-dashed')
    const hint = document.getElementById(host.getAttribute('aria-describedby') ?? '')
    expect(hint?.textContent).toBe('Only for a replica. replicationSettings.primaryHost')
    const commits = dialog.getByLabelText('Parallel commits')
    const words = document.getElementById(commits.getAttribute('aria-describedby') ?? '')
    expect(words?.textContent).toBe('Most commits prepared at one time. maxConcurrency')
  })

  test('does not fold the group one types in when its last digit makes it right', async () => {
    const dialog = await openDialog()
    const field = dialog.getByLabelText('Longest key')
    const group = field.closest('details')
    await user.clear(field)
    expect(group?.open).toBe(true)
    expect(dialog.getByText('1 wrong')).toBeTruthy()
    await user.type(field, '512')
    expect(dialog.queryByText('1 wrong')).toBeNull()
    expect(group?.open).toBe(true)
    expect(document.activeElement).toBe(field)
  })

  test('folds a group only by hand, also one that something is wrong in', async () => {
    const dialog = await openDialog()
    const field = dialog.getByLabelText('Longest key')
    const group = field.closest('details')
    await user.clear(field)
    if (group?.firstElementChild) await user.click(group.firstElementChild)
    expect(group?.open).toBe(false)
  })

  test('cannot be cancelled on the way, when its outcome would be lost', async () => {
    const dialog = await openDialog()
    await user.type(dialog.getByLabelText('Name'), 'fault_held')
    await click('Create')
    const cancel = dialog.getByRole('button', { name: 'Cancel' })
    expect(cancel.getAttribute('aria-disabled')).toBe('true')
    expect(cancel.title).toBe('It is being done.')
    await user.click(cancel)
    expect(screen.getByRole('dialog', { name: 'Create a database' })).toBeTruthy()
    await act(async () => server.release())
    expect(await screen.findByText('fault_held was created.')).toBeTruthy()
  })

  test('that is refused or unknown keeps the form and says what is known', async () => {
    const dialog = await openDialog()
    await user.type(dialog.getByLabelText('Name'), 'fault_lost_1')
    await click('Create')
    expect((await dialog.findByRole('alert')).textContent).toContain('not known whether')
    await user.click(dialog.getByRole('button', { name: 'Check now' }))
    expect(await dialog.findByText('fault_lost_1 exists now.')).toBeTruthy()
    await user.clear(dialog.getByLabelText('Name'))
    await user.type(dialog.getByLabelText('Name'), 'late')
    // Someone else is quicker.
    server.databases.set('late', { isLoaded: true, txId: 0, tables: new Map() })
    await click('Create')
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain('already exists'))
    expect(dialog.getByRole('alert').textContent).toContain('the first may be done')
  })

  const kinds = ['name', 'homoglyph', 'bidi-invisible']
  test.each(kinds)(
    'every hostile %s is text and is told or let through (A02, A12)',
    async (kind) => {
      const dialog = await openDialog()
      const field = dialog.getByLabelText<HTMLInputElement>('Name')
      const create = dialog.getByRole('button', { name: 'Create' })
      for (const { text } of corpus(kind)) {
        if (text === undefined || /[\n\r]/.test(text)) continue
        fireEvent.change(field, { target: { value: text } })
        expect(field.value).toBe(text)
        const isMarked = /easily mistaken/.test(field.form?.textContent ?? '')
        if (!/^[\x20-\x7e]*$/.test(text)) expect(create.title !== '' || isMarked, text).toBe(true)
      }
      expect(document.querySelector('b, script, img[src="x"]')).toBeNull()
    },
  )
})

test('names that reorder or hide are shown as what they are, in the list and in dialogs (A02, A12, A13)', async () => {
  const odd = 'ab\u202efed'
  await show({ databases: ['defaultdb', odd, '__proto__', 'constructor'] })
  expect(screen.getByRole('button', { name: '__proto__' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'constructor' })).toBeTruthy()
  await click(/^ab ?⟨U\+202E⟩ ?fed/)
  expect(await screen.findByText(/can look like others/)).toBeTruthy()
  await click(/^Unload: /)
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).not.toContain('\u202e')
  expect(dialog.textContent).toContain('Unload the database ab⟨U+202E⟩fed?')
  expect(dialog.textContent).toContain('U+202E')
})

describe('a database that cannot be used', () => {
  async function trouble(kind: 'unloaded' | 'gone', level?: number) {
    await show(level === undefined ? {} : { level })
    const { hook, searchHook, history } = memoryLocation({ path: '/query?db=shop', record: true })
    render(
      <Provider store={tab.store}>
        <Router hook={hook} searchHook={searchHook}>
          <DatabaseTrouble database="shop" trouble={kind} />
        </Router>
      </Provider>,
    )
    return history
  }

  test('because it is unloaded says so and offers loading (F25)', async () => {
    await trouble('unloaded')
    unload('shop')
    expect(screen.getByText(/nothing in it can be read or written/)).toBeTruthy()
    await click('Load it')
    await waitFor(() => expect(server.databases.get('shop')?.isLoaded).toBe(true))
  })

  test('says to who may not load it why', async () => {
    await trouble('unloaded', 1)
    const button = screen.getByRole('button', { name: 'Load it' })
    await waitFor(() => expect(button.title).toContain('“Admin”'))
  })

  test('because it is gone leads to the list, in another one (F26)', async () => {
    const history = await trouble('gone')
    await waitFor(() => expect(history.at(-1)).toBe('/databases?db=defaultdb'))
  })
})

test('a list that 1.9.5 refuses beside an unloaded database is not shown as the whole', async () => {
  const { response } = recorded('immudb-1.9.5', 'list databases beside an unloaded one')
  await show({
    instead: (path) =>
      path.endsWith('/db/list/v2')
        ? Response.json(response.body, { status: response.status })
        : undefined,
  })
  const table = within(await screen.findByRole('table', { name: 'Databases' }))
  expect(table.getByText('defaultdb')).toBeTruthy()
  expect(screen.getByText(/^This version of immudb lists no databases while/)).toBeTruthy()
})
