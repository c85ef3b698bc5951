import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { forbiddenIndexedDb } from '../support/broken-storage'
import { plainPage } from '../support/browser'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { FaultProxy } from '../support/fault-proxy'
import { changed } from '../support/faults'
import { KeysPage } from '../support/keys-page'
import { base64 } from '../support/live-proofs'
import { look, sizes, unhurried } from '../support/looks'
import { readStorage } from '../support/page-storage'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'

const write = (rest: Api, key: string) =>
  rest.call('/db/set', { KVs: [{ key: base64(key), value: base64('1') }] })

describe('the trusted state', () => {
  test('is taken at first contact, agrees, and moves by one small answer more', async ({
    server,
    open,
  }) => {
    const rest = await api(server.url)
    await write(rest, 'first')
    const console = await open(server.url)
    const trust = new TrustPage(console)
    await trust.listen()
    const proof = /verifiable\/tx/
    const asked = () => console.visit.watch.requests.filter((url) => proof.test(url))
    const sizesOfProofs: number[] = []
    console.page.on('response', async (response) => {
      if (proof.test(response.url())) sizesOfProofs.push((await response.body()).length)
    })
    await console.enter('/')
    await trust.said('First contact')
    await trust.checkNow()
    const since = `Consistent since tx ${await rest.txId()}`
    // The same state again is no proof.
    await trust.chipSaying('First contact').click()
    await trust.drawer.getByText(/^First contact · unchanged since /).waitFor()
    await console.page.keyboard.press('Escape')
    expect(asked()).toEqual([])
    await write(rest, 'second')
    await trust.checkNow()
    await trust.chipSaying(since).click()
    await trust.drawer.getByText('1 time', { exact: true }).waitFor()
    expect(asked()).toHaveLength(1)
    await expect.poll(() => sizesOfProofs).toHaveLength(1)
    expect(sizesOfProofs[0]).toBeLessThanOrEqual(4_096)
  })

  test('is moved by one tab and followed by the other', async ({ server, open }) => {
    const rest = await api(server.url)
    const console = await open(server.url)
    const trust = new TrustPage(console)
    await console.enter('/keys')
    await trust.known()
    await console.keepsSession()
    const other = new TrustPage({ page: await console.visit.tab() })
    await other.page.goto(`${server.url}/keys`)
    await other.known()
    await other.chip.click()
    await other.drawer.waitFor()
    await write(rest, 'third')
    await trust.checkNow()
    await other.drawer.getByText('1 time', { exact: true }).waitFor()
    await other.drawer
      .getByText(`tx ${await rest.txId()}`)
      .first()
      .waitFor()
  })

  test('stays after a log-out and after everything else is removed, and only then is said to be new', async ({
    server,
    open,
  }) => {
    await write(await api(server.url), 'fourth')
    const console = await open(server.url)
    const trust = new TrustPage(console)
    await trust.listen()
    await console.enter('/settings')
    await trust.said('First contact')
    await console.page.getByRole('button', { name: 'Remove everything…' }).click()
    await console.dialog.getByText(/Trusted states, named moments and pinned keys stay/).waitFor()
    await console.dialog.getByLabel('Name').fill('webconsole')
    await console.dialog.getByRole('button', { name: 'Remove everything' }).click()
    await console.signedOut()
    await write(await api(server.url), 'fifth')
    await console.submitLogin()
    await console.signedIn()
    // Only a point that was kept can be gone on from.
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
    await console.keepsSession()
    // The console itself would write again.
    await console.page.goto(server.url + plainPage())
    await console.page.evaluate(async () => {
      const gone = indexedDB.deleteDatabase('webconsole-trust')
      await new Promise((resolve) => {
        gone.onsuccess = resolve
      })
    })
    await console.open('/settings')
    await trust.said('First contact')
    await expect.poll(() => trust.kept()).toEqual(['first'])
  })

  test('that another tab deletes is taken anew, kept again and said to be new', async ({
    server,
    open,
  }) => {
    const rest = await api(server.url)
    await write(rest, 'before it is deleted')
    const console = await open(server.url)
    const trust = new TrustPage(console)
    await console.enter('/settings')
    await trust.known()
    await write(rest, 'after the first contact')
    await trust.checkNow()
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
    const other = await console.visit.tab()
    await other.goto(server.url + plainPage())
    await deleteDatabases(other)
    await trust.chipSaying(/^Trust: First contact/).waitFor()
    await expect.poll(() => trust.kept()).toEqual(['first'])
    await write(rest, 'after it was deleted')
    await trust.checkNow()
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
    await expect.poll(() => trust.kept()).toEqual(['state'])
  })

  test('that an older console kept goes on, and what is damaged beside it is told and stays', async ({
    server,
    open,
  }) => {
    const rest = await api(server.url)
    await write(rest, 'for the older console')
    const console = await open(server.url)
    const { page } = console
    const trust = new TrustPage(console)
    await console.enter('/settings')
    await trust.known()
    await console.keepsSession()
    // The console itself would write again.
    await page.goto(server.url + plainPage())
    await page.evaluate(asOlderConsole)
    await write(rest, 'since the older console')
    await console.open('/verify')
    // Only a point that was kept can be gone on from.
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
    const told = page.getByRole('region', { name: 'Records that cannot be read' })
    await told.getByText(/^The trusted state of orders on server another is damaged\./).waitFor()
    await told.getByRole('button', { name: 'Save the record' }).waitFor()
    await page
      .getByRole('region', { name: 'This server' })
      .getByText(/1 time/)
      .waitFor()
    const kept = [...(await readStorage(page))].filter(([name]) => name.includes('orders'))
    expect(kept).toEqual([[expect.stringMatching(/^webconsole-trust\/points\//), '"damaged"']])
  })

  test('that cannot be kept is said to be forgotten with the tab', async ({ server, open }) => {
    const console = await open(server.url, { before: forbiddenIndexedDb })
    const trust = new TrustPage(console)
    await trust.listen()
    await console.signIn('/')
    await trust.said('First contact')
    await trust.chip.click()
    await trust.drawer.getByText(/This browser keeps nothing for this page/).waitFor()
  })
})

/** Deletes what every tab of the origin keeps, as someone does who clears its data. */
async function deleteDatabases(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      const gone = indexedDB.deleteDatabase(name)
      await new Promise((resolve) => {
        gone.onsuccess = resolve
      })
    }
  })
}

/** A state that is not the one before, though its number is. */
function rewrite(proxy: FaultProxy) {
  proxy.fault({ path: '/db/state', fault: changed('txHash') })
}

/** Verifies a key whose value is changed on its way, while the history is broken already. */
async function findMore(console: ConsolePage, proxy: FaultProxy) {
  const keys = new KeysPage(console.page)
  await keys.button('List').click()
  await keys.option('looked at').click()
  proxy.fault({ path: '/api/db/verifiable/get', fault: changed('eH') })
  await keys.button('Verify').click()
  const verify = new VerifyPage(console)
  await verify
    .drawer()
    .getByRole('alert')
    .getByText(/^Reason /)
    .waitFor()
  await verify.close()
  const others = console.page.getByRole('region', { name: 'Other findings', exact: true })
  await others.getByText(/looked at/).waitFor()
}

describe.for(sizes)('axe on what is known of a history, $size', unhurried, ({ viewport }) => {
  test('drawer, broken history and decision have no violation', async ({ server, proxy, open }) => {
    await write(await api(server.url), 'looked at')
    const console = await open(proxy.url, { viewport })
    const trust = new TrustPage(console)
    await console.enter('/keys')
    await trust.known()
    await trust.chip.click()
    await trust.drawer.getByText(/^This page came from the server/).waitFor()
    await look(console, 'trust-drawer')
    await console.page.keyboard.press('Escape')
    rewrite(proxy)
    await trust.checkNow()
    await trust.bar.getByText(/differs from what was recorded\.$/).waitFor()
    await look(console, 'trust-broken')
    await trust.bar.getByRole('button', { name: 'Resolve…' }).click()
    await console.dialog.waitFor()
    await look(console, 'trust-decide')
    await console.page.keyboard.press('Escape')
    await findMore(console, proxy)
    await look(console, 'trust-others')
    await console.page.evaluate(swapAndDamage)
    await console.open('/verify?tab=incidents')
    const incidents = console.page.getByRole('region', { name: 'Incidents of defaultdb' })
    await incidents
      .getByText(/has another hash for a transaction that this browser recorded\.$/)
      .waitFor()
    await trust.bar.getByRole('button', { name: 'Hide details' }).click()
    await console.page.getByText('Another accepted server answers now.').waitFor()
    await look(console, 'trust-incidents')
    await console.page.getByRole('button', { name: 'Dismiss' }).click()
    await console.page.getByRole('tab', { name: 'Trusted states' }).click()
    await console.page.getByText(/^The trusted state of orders/).waitFor()
    await look(console, 'trust-unreadable')
    const lost = console.page.getByRole('region', { name: 'Records that cannot be read' })
    await lost.getByRole('button', { name: 'Remove…' }).click()
    await console.dialog.getByText(/^This browser deletes the damaged text/).waitFor()
    await look(console, 'trust-remove')
    await console.dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await lost.getByText(/^The deep audit of orders/).waitFor({ state: 'detached' })
    await lost.getByText(/^The check of new transactions of orders/).waitFor()
    const kept = [...(await readStorage(console.page)).keys()]
    expect(kept.filter((name) => name.includes('/aside/'))).toEqual([])
    const servers = console.page.getByRole('list', { name: 'Accepted servers' })
    await servers.getByRole('button', { name: 'Revoke…' }).last().click()
    await console.dialog.getByText(/A line stays in the log/).waitFor()
    await look(console, 'trust-revoke')
  })
})

/** Runs in the page: the records as they were before they had versions, in the stores of then. */
async function asOlderConsole() {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const name = 'webconsole-trust'
  const now = await settled(indexedDB.open(name))
  const read = now.transaction(['points', 'servers'])
  const [key] = await settled(read.objectStore('points').getAllKeys())
  const [point] = await settled(read.objectStore('points').getAll())
  const [origin] = await settled(read.objectStore('servers').getAllKeys())
  const [servers] = await settled(read.objectStore('servers').getAll())
  now.close()
  await settled(indexedDB.deleteDatabase(name))
  const opening = indexedDB.open(name, 1)
  const stores = ['points', 'servers', 'keys', 'audits', 'log']
  opening.onupgradeneeded = () => {
    for (const store of stores) opening.result.createObjectStore(store)
  }
  const then = await settled(opening)
  const work = then.transaction(stores, 'readwrite')
  const { version: _, provenAt: __, ...record } = point
  work.objectStore('points').put(record, key)
  work.objectStore('points').put('damaged', JSON.stringify([origin, 'another', 'orders']))
  work.objectStore('servers').put(servers.servers, origin)
  await new Promise((resolve) => {
    work.oncomplete = resolve
  })
  then.close()
}

/** Runs in the page: another accepted server has answered before, and a record is damaged. */
async function swapAndDamage() {
  const opening = indexedDB.open('webconsole-trust')
  const opened = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result)
  })
  const work = opened.transaction(['points', 'servers', 'audits', 'aside'], 'readwrite')
  const servers = work.objectStore('servers')
  const keys = servers.getAllKeys()
  const all = servers.getAll()
  all.onsuccess = () => {
    const [known] = all.result
    const reason = 'Moved to the new machine on Sunday, see the ticket of operations'
    const one = { server: 'd9l4t5vq6f0c73a1b2c0', at: Date.now() - 86_400_000, reason }
    servers.put(
      { ...known, servers: [...known.servers, one], last: one.server },
      keys.result[0] ?? '',
    )
    const key = JSON.stringify([keys.result[0], one.server, 'orders'])
    work.objectStore('points').put('damaged', key)
    const newer = JSON.stringify([keys.result[0], one.server, 'stock'])
    work.objectStore('points').put({ version: 9 }, newer)
    work.objectStore('audits').put('damaged', `${key} arrivals`)
    const aside = { store: 'audits', key, at: Date.now() - 86_400_000 }
    work.objectStore('aside').put({ ...aside, value: 'x' }, JSON.stringify(Object.values(aside)))
  }
  await new Promise((resolve) => {
    work.oncomplete = resolve
  })
  opened.close()
}
