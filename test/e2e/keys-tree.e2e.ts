import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { corpusBytes } from '../support/corpus-bytes'
import { test } from '../support/e2e'
import { exportedLines } from '../support/exported'
import { startFaultProxy } from '../support/fault-proxy'
import { changed } from '../support/faults'
import { base64, getValue, KeysPage, setKeys } from '../support/keys-page'
import { look, phone, sizes, unhurried } from '../support/looks'
import { readStorage } from '../support/page-storage'
import { TrustPage } from '../support/trust-page'

const treeOf = ({ page }: ConsolePage) => page.getByRole('tree', { name: 'Keys', exact: true })
const itemOf = (console: ConsolePage, name: string | RegExp) =>
  treeOf(console).getByRole('treeitem', {
    name,
    ...(typeof name === 'string' && { exact: true }),
  })

/** What the first level has, by the delimiter `:`. */
function firstLevel(keys: readonly Buffer[]): { prefixes: number; keys: number } {
  const prefixes = new Set<string>()
  let plain = 0
  for (const key of keys) {
    const at = key.indexOf(':')
    if (at < 0) plain += 1
    else prefixes.add(key.subarray(0, at + 1).toString('hex'))
  }
  return { prefixes: prefixes.size, keys: plain }
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`

/** Waits until the browser keeps what of Keys is remembered: a page may be left before that. */
async function isStored(page: Page, what: RegExp) {
  await expect
    .poll(async () =>
      [...(await readStorage(page))].filter(([name]) => name.includes('webconsole.keys')).join(),
    )
    .toMatch(what)
}

describe('the tree of keys', () => {
  test('has every key of the corpus on its first level or below it', async ({
    ownServer,
    open,
  }) => {
    const db = await api(ownServer.url)
    const keys = [
      ...new Map(
        corpusBytes()
          .filter(({ bytes }) => bytes.length > 0 && bytes.length < 1_024)
          .map(({ bytes }) => [bytes.toString('hex'), bytes]),
      ).values(),
    ]
    for (let at = 0; at < keys.length; at += 500) {
      await setKeys(
        db,
        keys.slice(at, at + 500).map((key) => [key, key]),
      )
    }
    const console = await open(ownServer.url)
    await console.enter('/keys')
    const { page } = console
    const expected = firstLevel(keys)
    const words = `${counted(expected.prefixes, 'prefix', 'prefixes')}, ${counted(expected.keys, 'key', 'keys')}`
    const showMore = page.getByRole('button', { name: 'Show more', exact: true })
    await expect
      .poll(
        async () => {
          if (await page.getByText(words, { exact: true }).isVisible()) return words
          if (await showMore.isVisible()) await showMore.click()
          return ''
        },
        { timeout: 60_000 },
      )
      .toBe(words)
    expect(await page.evaluate(() => '__pwn' in window)).toBe(false)
  })

  test('needs one request for each prefix and few more, 40 in each load', async ({
    ownServer,
    open,
  }) => {
    const db = await api(ownServer.url)
    const prefixes = Array.from({ length: 70 }, (_, at) => `p${String(at).padStart(3, '0')}`)
    for (const prefix of prefixes) {
      await setKeys(
        db,
        Array.from({ length: 300 }, (_, at) => [`${prefix}:${at}`, 'x'] as const),
      )
    }
    const console = await open(ownServer.url)
    const { page } = console
    let scans = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/db/scan')) scans += 1
    })
    await console.enter('/keys')
    await page.getByText(/^\d+ prefixes, more exist$/).waitFor()
    expect(scans).toBe(40)
    await page.getByRole('button', { name: 'Show more', exact: true }).click()
    await page.getByText('70 prefixes', { exact: true }).waitFor()
    expect(scans).toBeLessThanOrEqual(80)
    await page.getByRole('button', { name: 'Count all keys' }).click()
    await page.getByText(/of 21,000 keys/).waitFor()
  })

  test('opens levels by pointer and keyboard, and passes over what is too large to list', async ({
    ownServer,
    open,
  }) => {
    const db = await api(ownServer.url)
    const large = Buffer.alloc(4_500_000, 7)
    const binary = Buffer.from([0xff, 0x00, 0x3a, 0x80])
    await setKeys(db, [
      ['user:1', 'one'],
      ['user:1:name', 'Ada'],
      [binary, 'bytes'],
    ])
    await setKeys(db, [['large', large]])
    await setKeys(db, [['user:0:large', large]])
    const console = await open(ownServer.url)
    await console.enter('/keys')
    const { page } = console
    await page
      .getByText('2 keys passed over: a value over 4 MiB or one that is gone cannot be listed.')
      .waitFor()
    await itemOf(console, 'user:').click()
    await itemOf(console, /^1 3 bytes/).click()
    const keys = new KeysPage(page)
    await keys.heading('user:1').waitFor()
    await itemOf(console, '1:').waitFor()
    await itemOf(console, /^1 key passed over/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await itemOf(console, /^name/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await keys.heading('user:1:name').waitFor()
    await itemOf(console, /^ff003a hex/).click()
    await itemOf(console, /^80 .*hex/).click()
    await keys.heading('hex ff003a80').waitFor()
    await keys.entry.getByText('bytes', { exact: true }).waitFor()
  })

  test('remembers the delimiter and the format of a prefix', async ({ server, open }) => {
    const db = await api(server.url)
    await setKeys(db, [
      ['n/1', Buffer.from('000f4240', 'hex')],
      ['n/2', Buffer.from('00000002', 'hex')],
      ['n/odd', Buffer.from('0102', 'hex')],
    ])
    const console = await open(server.url)
    await console.enter('/keys?key=n/1')
    await console.keepsSession()
    const { page } = console
    const keys = new KeysPage(page)
    await page.getByRole('combobox', { name: 'Delimiter' }).click()
    await page.getByRole('option', { name: 'Delimiter /', exact: true }).click()
    await itemOf(console, 'n/').waitFor()
    await keys.entry.getByRole('combobox', { name: 'Number or time' }).click()
    await page.getByRole('option', { name: 'Integer, 4 bytes, big-endian' }).click()
    await keys.entry.getByText('1000000', { exact: true }).waitFor()
    await page.getByLabel('Show every key that begins with n/ like this').check()
    await isStored(page, /"formats":\[\{"prefix":"n\/"/)
    await console.open('/keys?key=n/2')
    await console.signedIn()
    await itemOf(console, 'n/').waitFor()
    await keys.entry.getByText('2', { exact: true }).waitFor()
    await keys.button('Change the value').click()
    expect(await keys.value.inputValue()).toBe('2')
    await keys.value.fill('4294967296')
    await page.getByText('It does not fit: the largest is 4294967295.').waitFor()
    await keys.value.fill('4294967295')
    await keys.button('Save').click()
    await keys.entry.getByText(/^Stored in tx/).waitFor()
    expect((await getValue(db, 'n/2')).toString('hex')).toBe('ffffffff')
    await console.goTo('/keys?key=n/odd')
    await keys.entry.getByText(/It does not fit: it has 2 bytes, not 4/).waitFor()
  })

  test('has levels by a delimiter of any bytes, which is remembered', async ({ server, open }) => {
    await setKeys(await api(server.url), [
      [Buffer.from([0x61, 0xff, 0x1f, 0x31]), 'one'],
      [Buffer.from([0x61, 0xff, 0x1f, 0x32]), 'two'],
    ])
    const console = await open(server.url)
    await console.enter('/keys')
    await console.keepsSession()
    const { page } = console
    const keys = new KeysPage(page)
    await page.getByRole('combobox', { name: 'Delimiter' }).click()
    await page.getByRole('option', { name: 'Another…' }).click()
    await keys.format('Format of the delimiter', 'Hex').click()
    await page.getByLabel('Another delimiter').fill('ff1')
    await keys.button('Use').click()
    await page.getByText(/^Hex consists of pairs/).waitFor()
    await page.getByLabel('Another delimiter').fill('ff1f')
    await keys.button('Use').click()
    await itemOf(console, /^61ff1f hex/).click()
    await itemOf(console, /^2 3 bytes/).waitFor()
    await isStored(page, /"delimiter":"ÿ\\u001f"/)
    await console.open('/keys')
    await console.signedIn()
    await itemOf(console, /^61ff1f hex/).waitFor()
  })

  test('binds a reference to a transaction, whose value it keeps', async ({ server, open }) => {
    const db = await api(server.url)
    const { id } = await db.call<{ id: string }>('/db/set', {
      KVs: [{ key: base64('bound to'), value: base64('first') }],
    })
    await setKeys(db, [['bound to', 'second']])
    const console = await open(server.url)
    await console.enter('/keys')
    const { page } = console
    const keys = new KeysPage(page)
    await page.getByRole('button', { name: 'Set a key' }).first().click()
    await page.getByLabel('Key', { exact: true }).fill('bound')
    await page.getByLabel('Refer to another key').check()
    await page.getByLabel('Refers to', { exact: true }).fill('bound to')
    await page.getByLabel('Bound to transaction').fill(String(Number(id) + 1_000))
    await keys.button('Save').click()
    await page.getByText(/did not set the key that it refers to/).waitFor()
    await page.getByLabel('Bound to transaction').fill(id)
    await keys.button('Save').click()
    await keys.entry.getByText('fixed to one of its revisions').waitFor()
    await keys.entry.getByText('first', { exact: true }).waitFor()
    await keys.entry.getByRole('link', { name: 'bound to' }).click()
    await keys.heading('bound to').waitFor()
  })

  test('collects operations, sends them as one transaction, and shows the sorted set', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await setKeys(db, [['stock:old', 'there']])
    const console = await open(server.url)
    await console.enter('/keys')
    await console.keepsSession()
    const { page } = console
    const part = (number: number) =>
      page.getByRole('group', { name: `Operation ${number}`, exact: true })
    await page.getByRole('button', { name: 'Several operations…' }).click()
    const add = page.getByRole('button', { name: 'Add an operation' })
    const choose = async (box: string, option: string) => {
      await page.getByRole('combobox', { name: box }).click()
      await page.getByRole('option', { name: option }).click()
    }
    await add.click()
    await part(1).getByLabel('Key', { exact: true }).fill('stock:new')
    await part(1).getByLabel('Value', { exact: true }).fill('7')
    await choose('Condition of operation 1', 'The key must not exist')
    for (const [number, key, score] of [
      [2, 'stock:new', '-2.5'],
      [3, 'stock:old', '12'],
    ] as const) {
      await add.click()
      await choose(`Kind of operation ${number}`, 'Add to a sorted set')
      await part(number).getByLabel('Set', { exact: true }).fill('by price')
      await part(number).getByLabel('Score').fill(score)
      await part(number).getByLabel('Key', { exact: true }).fill(key)
    }
    await add.click()
    await choose('Kind of operation 4', 'Set a reference')
    await part(4).getByLabel('Key', { exact: true }).fill('stock:last')
    await part(4).getByLabel('Refers to', { exact: true }).fill('stock:new')
    // The dialog is open again, which hides the shell behind it.
    await page.reload()
    await part(4).getByLabel('Refers to', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send as one transaction' }).click()
    await console.dialog.getByText(/^Stored in tx \d+\.$/).waitFor()
    await console.dialog.getByText(/^Verified at tx \d+$/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    expect((await getValue(db, 'stock:last')).toString()).toBe('7')

    await page.getByRole('button', { name: 'Sorted set…' }).click()
    await page.getByLabel('Name of the set', { exact: true }).fill('by price')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const table = page.getByRole('table', { name: 'Entries of by price' })
    await expect
      .poll(() => table.getByRole('row').allInnerTexts())
      .toEqual(['Score\nKey\nValue', '-2.5\nstock:new\n7', '12\nstock:old\nthere'])
    // A file has them in the order of the server, where negative scores stand last.
    const { name, lines } = await exportedLines(page, 'Export the set')
    expect(name).toBe('defaultdb-by-price-2-entries.ndjson')
    expect(lines).toMatchObject([
      { score: 12, key: 'stock:old', value: 'there' },
      { score: -2.5, key: 'stock:new', value: '7' },
    ])
    await page.getByText(/^Complete: 2 entries in /).waitFor()

    await page.getByRole('button', { name: 'Several operations…' }).click()
    await add.click()
    await part(1).getByLabel('Key', { exact: true }).fill('stock:new')
    await choose('Condition of operation 1', 'The key must not exist')
    await page.getByRole('button', { name: 'Send as one transaction' }).click()
    await console.dialog
      .getByText('A condition is not met: the key of operation 1 exists.')
      .waitFor()
    await console.dialog.getByText('Nothing was stored.').waitFor()
  })
})

describe('the keys of a phone', () => {
  const { viewport } = phone
  const heightOf = async (box: Locator) => (await box.boundingBox())?.height ?? 0

  test('show the tree or the list, each with room, even under a broken history', async ({
    ownServer,
    open,
  }) => {
    const db = await api(ownServer.url)
    await setKeys(
      db,
      Array.from({ length: 60 }, (_, at) => [`p${at}:key`, 'x'] as const),
    )
    const proxy = await startFaultProxy(ownServer.url)
    try {
      const console = await open(proxy.url, { viewport })
      await console.enter('/keys')
      const { page } = console
      const keys = new KeysPage(page)
      const trust = new TrustPage(console)
      await itemOf(console, 'p0:').waitFor()
      await trust.known()
      expect(await heightOf(treeOf(console))).toBeGreaterThan(400)
      expect(await keys.list.count()).toBe(0)
      const mend = proxy.fault({ path: '/api/db/state', fault: changed('txHash') })
      await trust.checkNow()
      await trust.bar.waitFor()
      mend()
      expect(await heightOf(treeOf(console))).toBeGreaterThan(230)
      await keys.button('List').click()
      await keys.option('p0:key').waitFor()
      expect(await treeOf(console).count()).toBe(0)
      expect(await heightOf(keys.list)).toBeGreaterThan(230)
      await keys.button('Tree').click()
      await itemOf(console, 'p0:').click()
      await keys.find('p1')
      await keys.option('p1:key').waitFor()
    } finally {
      await proxy.close()
    }
  })

  test('say that there are none, and list those behind references to nothing', async ({
    ownServer,
    open,
  }) => {
    const console = await open(ownServer.url, { viewport })
    await console.enter('/keys')
    const { page } = console
    await page.getByText('No keys', { exact: true }).waitFor()
    const db = await api(ownServer.url)
    await setKeys(db, [['gone', 'x']])
    const key = (at: number) => `dangling:${String(at).padStart(4, '0')}`
    await db.call('/db/execall', {
      Operations: Array.from({ length: 1_000 }, (_, at) => {
        return { ref: { key: base64(key(at)), referencedKey: base64('gone') } }
      }),
    })
    await db.call('/db/deletekey', { keys: [base64('gone')] })
    await setKeys(db, [['dangling:z', 'x']])
    await page.getByRole('button', { name: 'Refresh the keys' }).click()
    await itemOf(console, 'dangling:').click()
    await itemOf(console, /^z/).waitFor()
    const keys = new KeysPage(page)
    await keys.button('List').click()
    await keys.option('dangling:z').waitFor()
    await page.getByText('1 key', { exact: true }).waitFor()
  })
})

describe.for(sizes)('axe on the tree, $size', unhurried, ({ size, viewport }) => {
  test('tree, sorted set and operations have no violation', async ({ server, open }) => {
    const db = await api(server.url)
    const name = `look:${size}`
    await setKeys(db, [
      [`${name}:a`, 'x'],
      [`${name}:b:1`, 'x'],
      [`${name}:abc\u202edef`, 'x'],
      [Buffer.from(`${name}:\xff`, 'latin1'), Buffer.from('0001', 'hex')],
      ['plain', 'a value'],
    ])
    for (const score of [3, -1, 20.5]) {
      await db.call('/db/zadd', { set: base64(name), score, key: base64(`${name}:a`) })
    }
    const console = await open(server.url, { viewport })
    await console.enter('/keys')
    await itemOf(console, 'look:').click()
    await itemOf(console, `${size}:`).click()
    await itemOf(console, /^a/).first().waitFor()
    await look(console, 'keys-tree')
    await console.open(`/keys?${new URLSearchParams({ kind: 'set', key: name })}`)
    await console.signedIn()
    await console.page.getByText('3 entries').waitFor()
    await look(console, 'keys-set-entries')
    await console.page.getByRole('button', { name: 'Add to the set…' }).click()
    await console.dialog.getByLabel('Score').waitFor()
    await look(console, 'keys-operations')
    await console.page.getByRole('button', { name: 'Discard' }).click()
  })
})
