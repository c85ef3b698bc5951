import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { levelAtom } from '~/atoms/users/user-list'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { stateAtom } from '~/core/history/newest-state'
import { databaseAtom } from '~/core/session/session'
import { keyToAddress } from '~/immudb/key-address'
import { bytesToBase64 } from '~/lib/bytes'
import KeysScreen from '~/screens/keys/KeysScreen'
import { corpusBytes } from '../../support/corpus-bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { keysOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { goesAwayAfter } from '../../support/goes-away'
import { stubLayout } from '../../support/layout'
import { sentence } from '../../support/sentence'
import { openTab, signIn, type Tab } from '../../support/store'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 30_000 })

const b = (text: string) => bytesToBase64(new TextEncoder().encode(text))

const values = vi.hoisted(() => ({ areBroken: false }))

vi.mock('~/ui/ValueView', async (original) => {
  const { ValueView, ...rest } = await original<typeof import('~/ui/ValueView')>()
  const Value = (props: Parameters<typeof ValueView>[0]) => {
    if (values.areBroken) throw new Error('not to be shown')
    return <ValueView {...props} />
  }
  return { ...rest, ValueView: Value }
})

let server: FakeImmudb
let database: FakeDatabase
let tab: Tab
let history: string[]

beforeEach(() => {
  values.areBroken = false
  sessionStorage.clear()
  server = fakeImmudb({ users: { reader: { password: 'x', permissions: { defaultdb: 1 } } } })
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  stubLayout({ width: 1_200, height: 600 })
})

// They are fetched when first used, which a busy machine may take longer for than a test waits.
beforeAll(
  () =>
    Promise.all([
      import('~/screens/keys/EntryForm'),
      import('~/screens/moments/MomentPart'),
      import('~/screens/keys/DeleteKey'),
      import('~/ui/JsonTree'),
    ]),
  60_000,
)

async function show(path = '/keys', user = 'immudb') {
  tab = openTab(server)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'x')
  for (const of of [stateAtom, levelAtom, writeRefusalAtom]) tab.store.sub(of, () => {})
  const location = memoryLocation({ path, record: true })
  history = location.history
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <AddressedDatabase />
        <KeysScreen />
      </Router>
    </Provider>,
  )
}

const button = (name: string | RegExp) => screen.findByRole('button', { name })
/** What a press shows may have to be fetched, which React waits for only in an awaited act. */
const click = (element: HTMLElement) => act(async () => void fireEvent.click(element))
/** Waits until it can be pressed: what one may do is known a little later than the screen. */
const press = async (name: string | RegExp) => {
  await waitFor(async () =>
    expect((await button(name)).getAttribute('aria-disabled'), String(name)).toBeNull(),
  )
  await click(await button(name))
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const options = async () =>
  (await screen.findAllByRole('option')).map((option) => option.textContent)
const sent = (path: string) => server.calls.filter((call) => call.path === path)
const newest = (key: string) => keysOf(database).get(b(key))?.at(-1)?.value
const clipboard = () => {
  const written = vi.fn(async (_text: string) => {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
  return written
}

describe('the list', () => {
  test('says that there are no keys, and offers to set one', async () => {
    await show()
    await screen.findByText('No keys')
    await click(await button('Set the first key'))
    await screen.findByRole('heading', { name: 'Set a key' })
  })

  test('shows keys, references and expiry, and opens the one that is picked', async () => {
    storeKey(database, b('a'), b('one'))
    storeKey(database, b('b'), b('two'), { expiresAt: '4102444800' })
    storeKey(database, b('c'), 'AAAA', { target: b('a') })
    await show('/keys?db=defaultdb')
    await press('List')
    await waitFor(async () =>
      expect(await options()).toEqual(['a3 bytes', 'bexpires3 bytes', 'creference3 bytes']),
    )
    await click(screen.getByRole('option', { name: /^c/ }))
    expect(await screen.findByRole('heading', { name: 'c' })).toBeTruthy()
    expect(await screen.findByText('Reference')).toBeTruthy()
    expect(history.at(-1)).toBe('/keys?db=defaultdb&key=c')
  })

  test('a typed beginning filters on the server and stands in the address', async () => {
    for (const key of ['user:1', 'zebra']) storeKey(database, b(key), b('x'))
    await show()
    await press('List')
    await waitFor(async () => expect(await options()).toHaveLength(2))
    type('Key or its beginning', 'user:')
    await waitFor(async () => expect(await options()).toEqual(['user:11 byte']))
    expect(history.at(-1)).toBe('/keys?db=defaultdb&prefix=user%3A')
    expect(sent('/db/scan').at(-1)?.body).toMatchObject({ prefix: b('user:') })
  })

  test('a prefix in the address is in the field; one that finds nothing can be cleared', async () => {
    storeKey(database, b('k'), b('x'))
    await show('/keys?prefix=b64:_w')
    await screen.findByText('No such keys')
    expect(screen.getByLabelText<HTMLInputElement>('Key or its beginning').value).toBe('ff')
    await press('Show all keys')
    await press('List')
    await waitFor(async () => expect(await options()).toEqual(['k1 byte']))
  })

  test('F11: a key that cannot be listed is said, the others are there', async () => {
    storeKey(database, b('a'), 'A'.repeat(7_000_000))
    storeKey(database, b('b'), b('x'))
    await show()
    await press('List')
    await waitFor(async () =>
      expect(await options()).toEqual([expect.stringContaining('larger than 4 MiB'), 'b1 byte']),
    )
  })

  test('a failure is said once, with a way to try again', async () => {
    await show('/keys?prefix=fault_portal_1')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Something other than immudb answered')
    await click(within(alert).getByRole('button', { name: 'Try again' }))
    await screen.findByText('No such keys')
  })

  test.each(['/keys?key=b64:%25', '/keys?prefix=b64:A', '/keys?rev=-1&key=a', '/keys?rev=x&key=a'])(
    'A04: the address %s is survived and only reads',
    async (path) => {
      storeKey(database, b('a'), b('x'))
      await show(path)
      await press('List')
      await waitFor(async () => expect(await options()).toEqual(['a1 byte']))
      const writes = server.calls.filter(({ path: of }) => /\/db\/(set|delete)/.test(of))
      expect(writes).toEqual([])
    },
  )
})

describe('an open key', () => {
  test('shows its value, transaction and time, and its revisions', async () => {
    for (const value of ['one', 'two']) storeKey(database, b('k'), b(value))
    await show('/keys?key=k')
    expect(await screen.findByText('two')).toBeTruthy()
    const header = screen.getByRole('heading', { name: 'k' }).closest('header')
    await waitFor(() => expect(header?.textContent).toMatch(/^ktx 214 Nov 2023/))
    // No proof covers the number of the revision, which is in the list below.
    expect(header?.textContent).not.toMatch(/revision|rev /)
    const newest = await screen.findByRole('link', { name: /^rev 2/ })
    expect(newest.getAttribute('aria-current')).toBe('true')
    await click(await screen.findByRole('link', { name: /^rev 1/ }))
    expect(await screen.findByText('one')).toBeTruthy()
    expect(screen.getByText(/This is revision 1\./)).toBeTruthy()
    expect(history.at(-1)).toBe('/keys?db=defaultdb&key=k&rev=1')
    const change = await button('Change the value')
    expect(change.getAttribute('aria-disabled')).toBe('true')
  })

  test('that is deleted, expired, or never was, says so', async () => {
    storeKey(database, b('gone'), b('x'))
    storeKey(database, b('gone'), null)
    await show('/keys?key=gone')
    expect(await screen.findByText(/This key was deleted/)).toBeTruthy()
    await waitFor(() => expect(screen.getAllByText('Deleted')).toHaveLength(2))
    cleanup()
    storeKey(database, b('old'), b('x'), { isExpired: true, expiresAt: '1600000000' })
    await show('/keys?key=old')
    expect(await screen.findByText(/This value has expired/)).toBeTruthy()
    cleanup()
    await show('/keys?key=never')
    expect(
      await screen.findByText('The server reports no such key and no revision of it.'),
    ).toBeTruthy()
  })

  test('F11: with a value over 4 MiB says that it cannot be read', async () => {
    storeKey(database, b('huge'), 'A'.repeat(7_000_000))
    await show('/keys?key=huge')
    expect(
      await screen.findByText('This value is larger than 4 MiB, which cannot be read over HTTP.'),
    ).toBeTruthy()
  })

  test('a reference leads to its target', async () => {
    storeKey(database, b('t'), b('target'))
    storeKey(database, b('r'), 'AAAA', { target: b('t') })
    await show('/keys?key=r')
    expect(await screen.findByText('target')).toBeTruthy()
    await click(await screen.findByRole('link', { name: 't' }))
    expect(history.at(-1)).toBe('/keys?db=defaultdb&key=t')
  })

  test('JSON is a tree with exact numbers; bytes that are no text are hex', async () => {
    storeKey(database, b('j'), b('{"n":9007199254740993}'))
    await show('/keys?key=j')
    const tree = await screen.findByRole('tree', { name: 'the value of j' })
    expect(tree.textContent).toContain('9007199254740993')
    cleanup()
    storeKey(database, b('png'), Buffer.from('89504e470d0a1a0a', 'hex').toString('base64'))
    await show('/keys?key=png')
    expect(await screen.findByText(/89 50 4e 47/)).toBeTruthy()
    const formats = within(screen.getByRole('group', { name: 'Format of the value of png' }))
    const text = formats.getByRole('button', { name: 'Text' })
    expect(text.getAttribute('title')).toBe('These bytes are not UTF-8 text.')
  })

  test('F68: a value of 4 MiB is shown by its beginning, copied and downloaded whole', async () => {
    const bytes = corpusBytes().find(({ id }) => id === 'C286')?.bytes ?? Buffer.alloc(0)
    storeKey(database, b('big'), bytes.toString('base64'))
    const written = clipboard()
    const blobs: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob)
      return 'blob:x'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    await show('/keys?key=big')
    const value = await screen.findByRole('region', { name: 'the value of big' })
    expect(value.textContent?.length).toBe(65_536)
    expect(screen.getByText('4 MiB (4,193,000 bytes)')).toBeTruthy()
    await press('Show more')
    expect(value.textContent?.length).toBe(131_072)
    await press('Copy the value of big as text')
    await waitFor(() => expect(written.mock.calls[0]?.[0]?.length).toBe(bytes.length))
    await press('Download the value of big')
    expect(Buffer.from((await blobs[0]?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(
      true,
    )
  })
})

describe('a value is fetched once', () => {
  const large = b('x'.repeat(300_000))

  test('the history of a key with one revision is not asked for', async () => {
    storeKey(database, b('k'), large)
    await show('/keys?key=k')
    await screen.findByRole('link', { name: /^rev 1/ })
    expect(sent('/db/history')).toEqual([])
  })

  test('older revisions of a large value come when they are asked for, without the newest', async () => {
    storeKey(database, b('k'), b('small'))
    storeKey(database, b('k'), large)
    await show('/keys?key=k')
    await screen.findByRole('link', { name: /^rev 2/ })
    expect(sent('/db/history')).toEqual([])
    await press('Older revisions')
    await screen.findByRole('link', { name: /^rev 1/ })
    expect(sent('/db/history').map(({ body }) => body)).toMatchObject([{ offset: '0', limit: 1 }])
    expect(screen.queryByRole('button', { name: 'Older revisions' })).toBeNull()
  })

  test('the others are asked for behind the newest', async () => {
    for (const value of ['one', 'two', 'three']) storeKey(database, b('k'), b(value))
    await show('/keys?key=k')
    await screen.findByRole('link', { name: /^rev 1/ })
    const links = screen.getAllByRole('link', { name: /^rev/ })
    expect(links.map(({ textContent }) => textContent?.slice(0, 5))).toEqual([
      'rev 3',
      'rev 2',
      'rev 1',
    ])
    expect(sent('/db/history').map(({ body }) => body)).toMatchObject([{ offset: '0', limit: 2 }])
  })
})

describe('writing', () => {
  test.each(['00014', '1e3', ' 14', '٣', '1.50', '-0', '', ' '])(
    'C16: %j stays as it is stored, and saving it unchanged writes nothing in any format',
    async (value) => {
      storeKey(database, b('k'), b(value))
      await show('/keys?key=k')
      await press('Change the value')
      const field = await screen.findByLabelText<HTMLTextAreaElement>('Value')
      expect(field.value).toBe(value)
      const formats = within(screen.getByRole('group', { name: 'Format of the new value' }))
      for (const format of ['Hex', 'Base64', 'Text']) {
        await click(formats.getByRole('button', { name: format }))
        const save = await button('Save')
        expect([format, save.title]).toEqual([
          format,
          'Nothing was changed: this is what is stored.',
        ])
        await click(save)
      }
      expect(field.value).toBe(value)
      expect(sent('/db/set')).toEqual([])
      type('Value', `${value}!`)
      expect((await button('Save')).getAttribute('aria-disabled')).toBeNull()
    },
  )

  test('a new key, in hex, and opens it', async () => {
    await show()
    await press('Set a key')
    await screen.findByLabelText('Value')
    await click(
      within(screen.getByRole('group', { name: 'Format of the new key' })).getByText('Hex'),
    )
    type('Key', 'ff00')
    type('Value', 'hello')
    await press('Save')
    expect(await screen.findByRole('heading', { name: 'hex ff00' })).toBeTruthy()
    const stored = within(await screen.findByText(sentence('Stored in tx 1.')))
    expect(stored.getByRole('link').getAttribute('href')).toBe('/tx?db=defaultdb&id=1')
    expect(history.at(-1)).toBe('/keys?db=defaultdb&key=b64%3A_wA')
    expect(keysOf(database).get('/wA=')?.[0]?.value).toBe(b('hello'))
  })

  test('says that it is stored even when it cannot be read afterwards', async () => {
    server = goesAwayAfter(server, '/db/set')
    await show()
    await press('Set a key')
    await screen.findByLabelText('Value')
    type('Key', 'k')
    type('Value', 'hello')
    await press('Save')
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getByText(sentence('Stored in tx 1.'))).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'k' })).toBeTruthy()
  })

  test('says that it is stored even when it cannot be shown afterwards', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await show()
    await press('Set a key')
    await screen.findByLabelText('Value')
    type('Key', 'k')
    type('Value', 'hello')
    values.areBroken = true
    await press('Save')
    expect(await screen.findByText('The key could not be shown.')).toBeTruthy()
    expect(screen.getByText(sentence('Stored in tx 1.'))).toBeTruthy()
  })

  test('says what is missing or wrong before it is sent', async () => {
    await show()
    await press('Set a key')
    await press('Save')
    expect(await screen.findByText('A key has at least one byte.')).toBeTruthy()
    type('Key', 'k')
    await click(
      within(screen.getByRole('group', { name: 'Format of the new value' })).getByText('JSON'),
    )
    type('Value', '{"a":}')
    expect(await screen.findByText('Line 1, column 6: a value was expected.')).toBeTruthy()
    await press('Save')
    expect(sent('/db/set')).toHaveLength(0)
  })

  test('has the focus when it was asked for, and leaves it with the key it stored', async () => {
    await show()
    await press('Set a key')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Key')))
    type('Key', 'k')
    type('Value', '1')
    await press('Save')
    await screen.findByText(sentence('Stored in tx 1.'))
    const pane = screen.getByRole('region', { name: 'The open key' })
    await waitFor(() => expect(document.activeElement).toBe(pane))
    await press('Change the value')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Value')))
    await press('Cancel')
    await waitFor(() => expect(document.activeElement).toBe(pane))
  })

  test('sets when a value expires, in UTC, and says what is no such time', async () => {
    await show()
    await press('Set a key')
    type('Key', 'k')
    type('Value', '1')
    type('Expires at (UTC)', '2999-02-30 00:00')
    expect(await screen.findByText(/^Write a time, such as 2030-12-31 23:59, /)).toBeTruthy()
    await press('Save')
    type('Expires at (UTC)', '2001-01-01 00:00:00')
    expect(await screen.findByText('This time has passed.')).toBeTruthy()
    await press('Save')
    expect(sent('/db/set')).toHaveLength(0)
    type('Expires at (UTC)', '31 Dec 2999, 23:59 UTC')
    await press('Save')
    await screen.findByText(sentence('Stored in tx 1.'))
    const expiresAt = String(Date.UTC(2999, 11, 31, 23, 59) / 1_000)
    expect(sent('/db/set')[0]?.body.KVs).toEqual([
      { key: b('k'), value: b('1'), metadata: { expiration: { expiresAt } } },
    ])
  })

  test('refers to another key with a value, on the condition of what was seen', async () => {
    storeKey(database, b('target'), b('seen through it'))
    storeKey(database, b('pointer'), '', { target: b('target') })
    await show()
    await press('Set a key')
    type('Key', 'alias')
    await click(screen.getByRole('checkbox', { name: /^Refer to another key/ }))
    expect(screen.queryByLabelText('Value')).toBeNull()
    await press('Save')
    expect(await screen.findByText('Enter the key that it refers to.')).toBeTruthy()
    type('Refers to', 'alias')
    expect(await screen.findByText('A key cannot refer to itself.')).toBeTruthy()
    type('Refers to', 'nowhere')
    await press('Save')
    expect(await screen.findByText(/The key that it refers to does not exist/)).toBeTruthy()
    type('Refers to', 'pointer')
    await press('Save')
    expect(
      await screen.findByText(/is a reference itself, which immudb does not allow/),
    ).toBeTruthy()
    expect(sent('/db/setreference')).toHaveLength(0)
    type('Refers to', 'target')
    await press('Save')
    await screen.findByText(sentence('Stored in tx 3.'))
    expect(sent('/db/setreference').map(({ body }) => body)).toEqual([
      {
        key: b('alias'),
        referencedKey: b('target'),
        preconditions: [{ keyMustNotExist: { key: b('alias') } }],
      },
    ])
    expect(sent('/db/set')).toHaveLength(0)
    await screen.findByText('Reference')
    expect(await screen.findByText('seen through it')).toBeTruthy()
  })

  test('a reference that exists already is a conflict, which shows what yours refers to', async () => {
    for (const key of ['target', 'other']) storeKey(database, b(key), b('1'))
    storeKey(database, b('alias'), '', { target: b('other') })
    await show()
    await press('Set a key')
    type('Key', 'alias')
    await click(screen.getByRole('checkbox', { name: /^Refer to another key/ }))
    type('Refers to', 'target')
    await press('Save')
    const yours = (await screen.findByText('Yours')).parentElement
    expect(yours?.textContent).toContain('A reference to target')
    const title = screen.getByRole('heading', { level: 3, name: /./ })
    expect(title.textContent).toBe('Nothing was stored: a key of this name exists already')
    await press('Save mine over it')
    await screen.findByText(sentence('Stored in tx 4.'))
    expect(keysOf(database).get(b('alias'))?.at(-1)?.target).toBe(b('target'))
  })

  test('a key with a line break is not pasted without it', async () => {
    await show()
    await press('Set a key')
    await click(screen.getByRole('checkbox', { name: /^Refer to another key/ }))
    for (const label of ['Key', 'Refers to']) {
      const paste = (text: string) =>
        fireEvent.paste(screen.getByLabelText(label), { clipboardData: { getData: () => text } })
      // The event goes on where the browser may do its part.
      expect(paste('plain')).toBe(true)
      expect(paste('a\r\nb')).toBe(false)
    }
    expect(await screen.findAllByText(/Nothing was pasted/)).toHaveLength(2)
  })

  test('a value is not turned into a reference, which the server would refuse', async () => {
    for (const key of ['target', 'k']) storeKey(database, b(key), b('1'))
    await show('/keys?key=k')
    await press('Change the value')
    await click(screen.getByRole('checkbox', { name: /^Refer to another key/ }))
    type('Refers to', 'target')
    await press('Save')
    expect(await screen.findByText(/immudb does not turn a value into a reference/)).toBeTruthy()
    expect(sent('/db/setreference')).toHaveLength(0)
  })

  test('a reference without an answer is found by the check', async () => {
    storeKey(database, b('target'), b('1'))
    await show()
    await press('Set a key')
    type('Key', 'fault_lost_1')
    await click(screen.getByRole('checkbox', { name: /^Refer to another key/ }))
    type('Refers to', 'target')
    await press('Save')
    await press('Check now')
    await screen.findByText('Reference')
    expect(sent('/db/setreference')).toHaveLength(1)
  })

  test('a change, twice pressed, is sent once, on the condition of what was seen', async () => {
    storeKey(database, b('k'), b('1'))
    await show('/keys?key=k')
    await press('Change the value')
    await screen.findByLabelText('Value')
    type('Value', '2')
    const save = await button('Save')
    fireEvent.click(save)
    fireEvent.click(save)
    expect(await screen.findByText(sentence('Stored in tx 2.'))).toBeTruthy()
    expect(sent('/db/set')).toHaveLength(1)
    expect(sent('/db/set')[0]?.body.preconditions).toMatchObject([
      { keyNotModifiedAfterTX: { txID: '1' } },
    ])
  })

  test('a change is what the key shows afterwards, with its revision', async () => {
    storeKey(database, b('k'), b('one'))
    await show('/keys?db=defaultdb&key=k')
    await screen.findByRole('region', { name: 'the value of k' })
    await press('Change the value')
    await screen.findByLabelText('Value')
    type('Value', 'two')
    await press('Save')
    await screen.findByText(sentence(/^Stored in tx/))
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'the value of k' }).textContent).toContain('two'),
    )
    const now = await screen.findByRole('link', { name: /^rev 2/ })
    expect(now.getAttribute('aria-current')).toBe('true')
  })

  test('F42: a conflict shows both versions; mine is saved only on a click', async () => {
    storeKey(database, b('k'), b('1'))
    await show('/keys?key=k')
    await press('Change the value')
    await screen.findByLabelText('Value')
    type('Value', 'mine')
    storeKey(database, b('k'), b('theirs'))
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    await press('Save')
    const conflict = await screen.findByRole('alert')
    expect(conflict.textContent).toContain('Nothing was stored: this key was changed meanwhile')
    // It stands below the form, and so do the ways on.
    expect(shown.mock.contexts.some((one) => one instanceof Node && one.contains(conflict))).toBe(
      true,
    )
    expect(within(conflict).getByText('theirs')).toBeTruthy()
    expect(within(conflict).getByText('mine')).toBeTruthy()
    expect(newest('k')).toBe(b('theirs'))
    await click(within(conflict).getByRole('button', { name: 'Save mine over it' }))
    expect(await screen.findByText(sentence('Stored in tx 3.'))).toBeTruthy()
    expect(newest('k')).toBe(b('mine'))
  })

  test('F17: an unknown outcome is said, and the check finds it', async () => {
    await show()
    await press('Set a key')
    await screen.findByLabelText('Value')
    type('Key', 'fault_lost_1')
    type('Value', 'mine')
    await press('Save')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'It is not known whether this was stored.',
    )
    // What is checked, or sent once more, is what was sent.
    for (const label of ['Key', 'Value']) {
      expect(screen.getByLabelText<HTMLTextAreaElement>(label).readOnly).toBe(true)
    }
    expect(screen.getByText(/^Locked until it is known/)).toBeTruthy()
    const formats = within(screen.getByRole('group', { name: 'Format of the new value' }))
    expect(formats.getByRole('button', { name: 'Hex' }).getAttribute('aria-disabled')).toBe('true')
    await press('Check now')
    expect(await screen.findByText(/holds exactly this value/)).toBeTruthy()
    expect(sent('/db/set')).toHaveLength(1)
  })

  test('an unsaved value survives a look at another key, and can be discarded', async () => {
    for (const key of ['a', 'b']) storeKey(database, b(key), b('x'))
    await show('/keys?key=a')
    await press('Change the value')
    await screen.findByLabelText('Value')
    type('Value', 'half')
    await click(await screen.findByRole('treeitem', { name: /^b/ }))
    expect((await button('Change the value')).getAttribute('title')).toBe(
      'First save or discard the value that you are writing.',
    )
    await press('Continue')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Value').value).toBe('half')
    await press('Cancel')
    expect(await screen.findByText('x')).toBeTruthy()
  })

  test('an unsaved value survives the writing of another one in another database', async () => {
    server.databases.set('other', { isLoaded: true, txId: 0, tables: new Map() })
    await show()
    await press('Set a key')
    await screen.findByLabelText('Value')
    type('Key', 'k')
    type('Value', 'half')
    await act(async () => tab.store.set(databaseAtom, 'other'))
    await press('Set a key')
    await screen.findByLabelText('Value')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Value').value).toBe('')
    type('Value', 'another')
    await act(async () => tab.store.set(databaseAtom, 'defaultdb'))
    await screen.findByLabelText('Value')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Value').value).toBe('half')
  })

  test('an unknown outcome survives the deletion of another key', async () => {
    for (const key of ['a', 'b']) storeKey(database, b(key), b('x'))
    await show('/keys?key=a')
    await press('Change the value')
    await screen.findByLabelText('Value')
    type('Value', 'another')
    server.unplug()
    await press('Save')
    await screen.findByText(/It is not known whether/)
    server.plug()
    await click(await screen.findByRole('treeitem', { name: /^b/ }))
    expect((await button('Change the value')).getAttribute('title')).toBe(
      'Check first what became of the value that you sent.',
    )
    await press('Delete…')
    await click(await button('Delete the key'))
    await screen.findByText(sentence(/^Deleted in tx/))
    await press('Continue')
    expect(await screen.findByText(/It is not known whether/)).toBeTruthy()
  })

  test('deleting says what stays, and is a revision', async () => {
    storeKey(database, b('k'), b('1'))
    await show('/keys?key=k')
    await press('Delete…')
    const dialog = await screen.findByRole('dialog', { name: 'Delete this key?' })
    expect(dialog.textContent).toContain(
      'It does not change earlier ones: they stay in the history',
    )
    expect(newest('k')).toBe(b('1'))
    await click(within(dialog).getByRole('button', { name: 'Delete the key' }))
    expect(await screen.findByText(sentence(/^Deleted in tx 2\./))).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(newest('k')).toBeNull()
  })

  test('A12: hidden characters of a key are seen before it is deleted', async () => {
    storeKey(database, b('invoice\u202egpj.exe'), b('1'))
    await show(`/keys?key=${encodeURIComponent(keyToAddress(b('invoice\u202egpj.exe')))}`)
    await press('Delete…')
    const dialog = await screen.findByRole('dialog', { name: 'Delete this key?' })
    expect(dialog.textContent).toContain('invoice⟨U+202E⟩gpj.exe')
    expect(dialog.textContent).toContain('696e766f696365e280ae')
  })

  test('is disabled with the reason for a reader', async () => {
    storeKey(database, b('k'), b('1'))
    await show('/keys?key=k', 'reader')
    const reason = 'This needs the permission “Read & write” on the database.'
    for (const name of ['Set a key', 'Change the value', 'Delete…']) {
      await waitFor(async () => expect((await button(name)).getAttribute('title')).toBe(reason))
    }
    expect((await button('Verify')).getAttribute('aria-disabled')).toBeNull()
  })
})

test('on a phone the key takes the place of tree and list, with a way back', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  storeKey(database, b('k'), b('value'))
  await show()
  await screen.findByRole('tree', { name: 'Keys' })
  expect(screen.queryByRole('listbox')).toBeNull()
  await press('List')
  await click(await screen.findByRole('option', { name: /^k/ }))
  expect(await screen.findByText('value')).toBeTruthy()
  expect(screen.queryByRole('listbox')).toBeNull()
  await press('All keys')
  await press('Tree')
  await screen.findByRole('treeitem', { name: /^k/ })
  fireEvent.change(screen.getByLabelText('Key or its beginning'), { target: { value: 'other' } })
  await screen.findByText('No such keys')
  expect(screen.queryByRole('tree')).toBeNull()
})

test('a phone says what is wrong with a link', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  await show('/keys?db=defaultdb&prefix=b64:A')
  await screen.findByText(/^The address names a key or a beginning that is not complete base64/)
})

describe('as of', () => {
  beforeEach(() => {
    storeKey(database, b('k'), b('one'))
    storeKey(database, b('k'), b('two'))
    storeKey(database, b('k'), null)
    storeKey(database, b('late'), b('x'))
  })

  test('a link shows the value of that moment, and nothing can be written', async () => {
    await show('/keys?db=defaultdb&key=k&at=tx:1')
    await screen.findByText('one')
    await screen.findByRole('button', { name: 'As of tx 1' })
    for (const name of ['Set a key', 'Change the value', 'Delete…']) {
      const off = async () => {
        const found = await button(name)
        expect(found.title).toMatch(/past, which cannot be changed/)
        expect(found.getAttribute('aria-disabled'), name).toBe('true')
      }
      await waitFor(off)
    }
    const shown = await screen.findAllByRole('link', { current: true })
    expect(shown.map((one) => one.textContent)).toEqual([expect.stringMatching(/^rev 1/)])
    expect(screen.getAllByText('Later')).toHaveLength(2)
    await press('Back to now')
    await screen.findByText(/^This key was deleted/)
    expect(history.at(-1)).toBe('/keys?db=defaultdb&key=k')
  })

  test.each([
    ['k', 'tx:3', /had deleted it/],
    ['late', 'tx:2', /did not exist yet at tx 2\. It was first set in tx 4/],
    ['none', 'tx:2', /no such key and no revision of it/],
    ['k', 'tx:99', /cannot be\. The line at the top says why/],
    ['k', 'tx:0', /cannot be\. The line at the top says why/],
  ])('%s at %s: says what there was instead', async (key, at, words) => {
    await show(`/keys?db=defaultdb&key=${key}&at=${at}`)
    const pane = within(await screen.findByRole('region', { name: 'The open key' }))
    const said = (_: string, element: Element | null) =>
      element?.tagName === 'P' && words.test(element.textContent)
    await pane.findByText(said)
  })

  test('a revision of later is opened by its number, and says so', async () => {
    await show('/keys?db=defaultdb&key=k&rev=2&at=tx:1')
    await screen.findByText('two')
    await screen.findByText('This revision is of tx 2. It did not exist yet at tx 1.')
    await click(screen.getByRole('link', { name: 'Show that of tx 1' }))
    await screen.findByText('one')
  })

  test('the list is that of then, once the transactions are read', async () => {
    await show('/keys?db=defaultdb&at=tx:2')
    await press('List')
    await screen.findByText('1 key as of tx 2')
    expect(await options()).toEqual(['krev 2'])
    expect(screen.queryByText(/^Today’s list/)).toBeNull()
  })

  test('until then it is that of today, and says so', async () => {
    database.txId = 3_000
    await show('/keys?db=defaultdb&at=tx:2500')
    await press('List')
    await screen.findByText('Today’s list; what was deleted since is missing.')
    await waitFor(async () => expect(await options()).toEqual(['late1 byte']))
    storeKey(database, b('k'), b('of tomorrow'))
    await press('Read the list of tx 2,500')
    await screen.findByText('1 key as of tx 2,500')
    expect(await options()).toEqual(['late'])
  })
})
