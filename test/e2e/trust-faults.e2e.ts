import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { type Open, test, walk } from '../support/e2e'
import type { FaultProxy } from '../support/fault-proxy'
import { changed, type Fault } from '../support/faults'
import { type ImmudbServer, startServer } from '../support/immudb'
import { base64, signingKey } from '../support/live-proofs'
import { shot } from '../support/shots'
import { tokenIn } from '../support/tokens'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'

/**
 * One original that signs, and copies of its data that went other ways. A proxy replaces the
 * original with one of them, like someone who restores a backup.
 */
let folder: string
let key: { file: string; publicKey: string }
let original: ImmudbServer
let rolledBack: ImmudbServer
let rewritten: ImmudbServer
let forked: ImmudbServer
let stranger: ImmudbServer

const write = (rest: Api, value: string) =>
  rest.call('/db/set', { KVs: [{ key: base64('k'), value: base64(value) }] })

async function started(dir: string, count: number, word: string, isSigned = false) {
  const sign = isSigned ? ['--signing-key', key.file] : []
  const server = await startServer({ flags: ['--dir', dir, ...sign] })
  const rest = await api(server.url)
  for (let at = 0; at < count; at += 1) await write(rest, `${word}${at}`)
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-'))
  key = await signingKey(folder)
  const dir = join(folder, 'original')
  const first = await started(dir, 3, 'common')
  await first.dispose()
  const copies = await Promise.all(
    ['rolled-back', 'rewritten', 'forked'].map(async (name) => {
      const copy = join(folder, name)
      await cp(dir, copy, { recursive: true })
      return copy
    }),
  )
  const [back = '', same = '', longer = ''] = copies
  const own = join(folder, 'stranger')
  ;[original, rolledBack, rewritten, forked, stranger] = await Promise.all([
    started(dir, 2, 'original', true),
    started(back, 0, ''),
    started(same, 2, 'rewritten'),
    started(longer, 4, 'forked'),
    started(own, 1, 'stranger'),
  ])
})

afterAll(async () => {
  for (const one of [original, rolledBack, rewritten, forked, stranger]) await one?.dispose()
  await rm(folder, { recursive: true, force: true })
})

const gone = { kind: 'answer', status: 404, body: 'not found' } as const

type Stage = { console: ConsolePage; trust: TrustPage }

/** A user who has met the original, with the server that replaces it. */
async function met(proxy: FaultProxy, open: Open, path = '/keys'): Promise<Stage> {
  proxy.turnTo(original.url)
  const console = await open(proxy.url)
  const trust = new TrustPage(console)
  await console.enter(path)
  await trust.chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
  return { console, trust }
}

/** A user logs out, and in again when another server is behind the address. */
async function comeBack({ console }: Stage, proxy: FaultProxy, server: ImmudbServer) {
  await console.logOut()
  await console.signedOut()
  proxy.turnTo(server.url)
  await console.submitLogin()
  await console.signedIn()
}

/** The same behind a server of another name, which gets the password when it is typed again. */
async function comeTo({ console }: Stage, proxy: FaultProxy, server: ImmudbServer) {
  await console.logOut()
  await console.signedOut()
  proxy.turnTo(server.url)
  const logins = () => proxy.seen().filter(({ path }) => path.endsWith('/api/login')).length
  const before = logins()
  await console.submitLogin()
  await console.page
    .getByRole('alert')
    .getByText(/^Another server answers/)
    .waitFor()
  expect(logins()).toBe(before)
  await console.submitLogin()
  await console.signedIn()
}

/** Pins a key as the page Verify does. */
function pinKey({ page }: ConsolePage, publicKey: string): Promise<void> {
  return page.evaluate(async (pinned) => {
    const opening = indexedDB.open('webconsole-trust')
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const work = database.transaction(['points', 'keys'], 'readwrite')
    const asked = work.objectStore('points').getAllKeys()
    asked.onsuccess = () => {
      const [origin, server] = JSON.parse(String(asked.result[0]))
      work.objectStore('keys').put(pinned, JSON.stringify([origin, server]))
    }
    await new Promise((resolve) => {
      work.oncomplete = resolve
    })
    database.close()
  }, publicKey)
}

describe('F50 a restored copy', () => {
  test('that is older is said to be rolled back, on every screen, with evidence to save', async ({
    proxy,
    open,
  }) => {
    const stage = await met(proxy, open)
    const { console, trust } = stage
    proxy.fault({ path: /\/assets\/VerifyScreen-/, fault: gone })
    console.visit.watch.expect(/status of 404/, /dynamically imported module/)
    await comeBack(stage, proxy, rolledBack)
    await trust.chipSaying('BROKEN').waitFor()
    await trust.bar
      .getByText('BROKEN: the history of defaultdb is shorter than recorded.')
      .waitFor()
    await trust.bar.getByText(/^tx 3/).waitFor()
    await shot(console.page, 'trust-broken')
    // The server that answers now has no such page, so the findings stay on the screen.
    let loads = 0
    console.page.on('load', () => {
      loads += 1
    })
    await trust.bar.getByRole('link', { name: 'Compare trusted states' }).click()
    await console.page.getByText('Verify could not be shown.').waitFor()
    await trust.bar
      .getByText('BROKEN: the history of defaultdb is shorter than recorded.')
      .waitFor()
    await trust.bar.getByRole('button', { name: 'Save evidence' }).waitFor()
    expect(loads).toBe(0)
    for (const name of ['Query', 'Databases', 'Settings']) {
      await console.link(name).click()
      await trust.bar.waitFor()
    }
    expect(await console.page.locator('.toast').count()).toBe(0)
    const saving = console.page.waitForEvent('download')
    await trust.bar.getByRole('button', { name: 'Save evidence' }).click()
    const file = await readFile(await (await saving).path(), 'utf8')
    expect(JSON.parse(file)).toMatchObject({
      kind: 'state',
      context: { db: 'defaultdb', trusted: { txId: '5' } },
      outcome: { verdict: 'refused', reason: 'rolled-back' },
    })
    for (const secret of console.visit.watch.secrets) expect(file).not.toContain(secret)
  })

  test('leads to what to do, where all is kept in one archive', walk, async ({ proxy, open }) => {
    const stage = await met(proxy, open)
    const { console, trust } = stage
    const { page } = console
    await comeBack(stage, proxy, rolledBack)
    await trust.bar.getByRole('link', { name: 'What to do, step by step' }).click()
    await page.getByText('Something was found wrong with').waitFor()
    const row = page.getByRole('row', { name: /^defaultdb/ })
    await row.getByText(/does not have a transaction that this browser recorded/).waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save all as one archive' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/^immudb-evidence-[\dT-]+\.zip$/)
    const files = unzipSync(new Uint8Array(await readFile(await file.path())))
    const names = Object.keys(files)
    expect(names).toEqual(expect.arrayContaining(['trusted-states.txt', 'SHA256SUMS']))
    const evidence = names.find((name) => name.startsWith('evidence/')) ?? ''
    expect(JSON.parse(strFromU8(files[evidence] ?? new Uint8Array()))).toMatchObject({
      kind: 'state',
      outcome: { verdict: 'refused', reason: 'rolled-back' },
    })
    // The very page that was built with this console.
    const built = new URL('../../embed/dist/verify.html', import.meta.url)
    expect((await readFile(built)).equals(files['verify.html'] ?? new Uint8Array())).toBe(true)
    const text = names.map((name) => strFromU8(files[name] ?? new Uint8Array())).join('\n')
    for (const secret of console.visit.watch.secrets) expect(text).not.toContain(secret)
    await page
      .getByRole('checkbox', { name: 'Step 1 is done' })
      .and(page.locator(':checked'))
      .waitFor()
    await page.reload()
    await page
      .getByRole('checkbox', { name: 'Step 1 is done' })
      .and(page.locator(':checked'))
      .waitFor()
  })

  test('of the same length is said to be rewritten, and writing needs the name typed', async ({
    proxy,
    open,
  }) => {
    const stage = await met(proxy, open)
    const { console, trust } = stage
    await comeBack(stage, proxy, rewritten)
    await trust.bar
      .getByText('BROKEN: the history of defaultdb differs from what was recorded.')
      .waitFor()
    const before = await (await api(rewritten.url)).txId()
    await console.link('Query').click()
    await console.runSql('CREATE TABLE t (id INTEGER, PRIMARY KEY id);')
    await console
      .result(1)
      .getByText(/was not sent\. The history of defaultdb is broken/)
      .waitFor()
    await console.runSql('SELECT 42;')
    await console.cell(2, '42').waitFor()
    expect(await (await api(rewritten.url)).txId()).toBe(before)
    await trust.bar.getByRole('button', { name: 'Write anyway…' }).click()
    const allow = console.dialog.getByRole('button', { name: 'Allow writing' })
    expect(await allow.getAttribute('aria-disabled')).toBe('true')
    await console.dialog.getByLabel('Name').fill('defaultdb')
    await allow.click()
    await trust.bar.getByRole('button', { name: 'Write anyway…' }).waitFor({ state: 'detached' })
    await console.link('Keys').click()
    const set = console.page.getByRole('button', { name: 'Set a key', exact: true })
    await set.waitFor()
    await expect.poll(() => set.getAttribute('aria-disabled')).toBeNull()
  })

  test('that is longer does not continue what was recorded, whatever tab is asked, until it is forgotten', async ({
    proxy,
    open,
  }) => {
    const stage = await met(proxy, open)
    const { console, trust } = stage
    await comeBack(stage, proxy, forked)
    const words = 'BROKEN: the history of defaultdb does not continue what was recorded.'
    await trust.bar.getByText(words).waitFor()
    await console.keepsSession()
    const tab = new TrustPage({ page: await console.visit.tab() })
    await tab.page.goto(`${proxy.url}/keys`)
    await tab.bar.getByText(words).waitFor()
    await trust.decide('Keep the trusted state', 'Keep the state')
    await trust.bar.getByText(/You chose at/).waitFor()
    await tab.bar.getByText(/You chose at/).waitFor()
    await console.page.reload()
    await trust.bar.getByText(/You chose at/).waitFor()
    await trust.bar.getByRole('button', { name: 'Show' }).click()
    await trust.decide('Forget the trusted state', 'Forget the state')
    // Whichever tab asks first makes the contact; the other finds it consistent.
    for (const one of [trust, tab]) {
      await one.chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
    }
    expect(await trust.bar.count()).toBe(0)
  })
})

test('F49 another server is told by its name, writes are held, and it can be accepted', async ({
  proxy,
  open,
}) => {
  const stage = await met(proxy, open)
  const { console, trust } = stage
  const { page } = console
  await comeTo(stage, proxy, stranger)
  await trust.bar
    .getByText('BROKEN: the history of defaultdb is answered by another server.')
    .waitFor()
  const set = console.page.getByRole('button', { name: 'Set a key', exact: true })
  await expect.poll(() => set.getAttribute('aria-disabled')).toBe('true')
  await trust.decide('Accept this server', 'Accept the server')
  await trust.known()
  expect(await trust.bar.count()).toBe(0)
  // That of the original, and one of its own, with nothing to compare it with.
  expect(await trust.kept()).toEqual(['first', 'first'])
  await comeTo(stage, proxy, original)
  await trust.known()
  const swapped = page.getByRole('region', { name: 'Another server', exact: true })
  await swapped.getByText('Another accepted server answers now.').waitFor()
  await swapped.getByRole('link', { name: 'Show accepted servers' }).click()
  const servers = page.getByRole('list', { name: 'Accepted servers' })
  await servers.getByText(/^First contact/).waitFor()
  const accepted = servers.getByRole('listitem').filter({ hasText: 'Reason: looked into it' })
  await shot(page, 'trust-accepted-servers')
  await accepted.getByRole('button', { name: 'Revoke…' }).click()
  await console.dialog.getByText(/If it answers at this address again/).waitFor()
  await console.dialog.getByLabel('Reason').fill('not ours')
  await console.dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await accepted.waitFor({ state: 'detached' })
  await swapped.getByRole('button', { name: 'Dismiss' }).click()
  await swapped.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Incidents' }).click()
  await page
    .getByText(/that was not known at this address/)
    .first()
    .waitFor()
  await page.getByText('Another accepted server answered.').waitFor()
  await comeTo(stage, proxy, stranger)
  await trust.bar
    .getByText('BROKEN: the history of defaultdb is answered by another server.')
    .waitFor()
})

test('F49 another server within a session gets no token, and is named before a password is typed', async ({
  proxy,
  open,
}) => {
  const { console, trust } = await met(proxy, open, '/query')
  const { page } = console
  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) sent.push(tokenIn(request.headers()))
  })
  await console.runSql('SELECT 42;')
  await console.cell(1, '42').waitFor()
  const before = sent.splice(0).filter((token) => token !== undefined)
  expect(before.at(-1)).toMatch(/^v2\.public\./)
  proxy.turnTo(stranger.url)
  await page
    .getByText(/^Another server answers at this address now: .* Your work is kept\.$/)
    .waitFor()
  await shot(page, 'trust-another-server')
  // The answer that told of it was asked for with the old token; nothing else may be.
  sent.length = 0
  await console.submitLogin()
  await console.signedIn()
  const newest = () => sent.findLast((token) => token !== undefined)
  await expect.poll(newest).toMatch(/^v2\.public\./)
  for (const token of sent) expect(before).not.toContain(token)
  await trust.bar
    .getByText('BROKEN: the history of defaultdb is answered by another server.')
    .waitFor()
  await console.cell(1, '42').waitFor()
})

describe('a pinned key', () => {
  test('that did not sign the state, and a state that nobody signed, are told apart', async ({
    proxy,
    open,
  }) => {
    const stage = await met(proxy, open)
    const { console, trust } = stage
    const other = await mkdtemp(join(folder, 'key-'))
    await pinKey(console, key.publicKey)
    await trust.checkNow()
    await trust.known()
    await pinKey(console, (await signingKey(other)).publicKey)
    await trust.checkNow()
    await trust.bar.getByText(/is not signed with the pinned key\.$/).waitFor()
    await pinKey(console, key.publicKey)
    await trust.decide('Check once more', 'Check once more')
    await trust.known()
    await comeBack(stage, proxy, rolledBack)
    await trust.bar.getByText(/is not signed\.$/).waitFor()
  })
})

describe('the newest state', () => {
  test('F74 with a flipped byte in its hash is a history that was rewritten when it comes twice', async ({
    proxy,
    open,
  }) => {
    const { trust } = await met(proxy, open)
    const path = '/db/state'
    proxy.fault({ path, times: 1, fault: changed('txHash') })
    await trust.checkNow()
    await trust.known()
    proxy.fault({ path, fault: changed('txHash') })
    await trust.checkNow()
    await trust.bar
      .getByText('BROKEN: the history of defaultdb differs from what was recorded.')
      .waitFor()
    proxy.clearFaults()
    await trust.decide('Check once more', 'Check once more')
    await trust.known()
  })

  test('F74 with a flipped byte in its signature is not by the pinned key', async ({
    proxy,
    open,
  }) => {
    const { console, trust } = await met(proxy, open)
    const fault = changed('signature', 40)
    const broken = proxy.fault({ path: '/db/state', fault })
    await trust.checkNow()
    // There is no statement about which key it should be.
    await trust.known()
    await pinKey(console, key.publicKey)
    await trust.checkNow()
    await trust.bar.getByText(/is not signed with the pinned key\.$/).waitFor()
    broken()
    await trust.decide('Check once more', 'Check once more')
    await trust.known()
  })
})

describe('the proof of a newer state', () => {
  test('F74 with a flipped byte is refused when it comes twice, and not when it is right then', async ({
    proxy,
    open,
  }) => {
    const { trust } = await met(proxy, open)
    const rest = await api(original.url)
    const fault = changed('terms')
    const path = /verifiable\/tx/
    // First the fault: the console looks by itself as well, and follows what it can prove.
    proxy.fault({ path, times: 1, fault })
    await write(rest, 'more')
    await trust.checkNow()
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
    proxy.fault({ path, fault })
    await write(rest, 'still more')
    await trust.checkNow()
    await trust.bar.getByText(/does not continue what was recorded\.$/).waitFor()
    proxy.clearFaults()
    await trust.decide('Check once more', 'Check once more')
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
  })

  test('that fails for other reasons is no finding, and is said where the point is', async ({
    proxy,
    open,
  }) => {
    const { console, trust } = await met(proxy, open)
    await trust.checkNow()
    const rest = await api(original.url)
    const faults = [
      says(403, 'permission denied'),
      says(500, 'internal'),
      { kind: 'cutClean' } as const,
    ]
    for (const [index, fault] of faults.entries()) {
      const mend = proxy.fault({ path: /verifiable\/tx/, fault })
      await write(rest, `unseen ${index}`)
      await trust.checkNow()
      await trust.chip.click()
      await trust.drawer.getByText(/^The newest state could not be checked: /).waitFor()
      await console.page.keyboard.press('Escape')
      await trust.known()
      mend()
    }
    expect(await trust.bar.count()).toBe(0)
  })

  test('that is not there, though the state is newer, is a finding', async ({ proxy, open }) => {
    const { trust } = await met(proxy, open)
    await trust.checkNow()
    proxy.fault({ path: /verifiable\/tx/, fault: says(500, 'illegal state') })
    await write(await api(original.url), 'unproven')
    await trust.checkNow()
    await trust.bar.getByText(/history .* cannot be checked/).waitFor()
  })
})

test('F74 the alarm about an object ends by a proof of that object, and not by the newest state', async ({
  proxy,
  open,
}) => {
  const { console, trust } = await met(proxy, open, '/verify?tab=check')
  const { page, dialog } = console
  proxy.fault({ path: /verifiable\/tx\/2/, fault: changed('eH') })
  await page.getByLabel('Number').fill('2')
  await page.getByRole('button', { name: 'Verify', exact: true }).first().click()
  await trust.bar.getByText('BROKEN: the history of defaultdb gave a false proof.').waitFor()
  const verify = new VerifyPage(console)
  await verify
    .drawer()
    .getByRole('alert')
    .getByText(/^Reason /)
    .waitFor()
  await verify.close()
  await trust.bar.getByRole('button', { name: 'Resolve…', exact: true }).click()
  await dialog.getByRole('radio', { name: 'Check it once more' }).check()
  await dialog.getByLabel('Name of the database').fill('defaultdb')
  const again = dialog.getByRole('button', { name: 'Check it once more', exact: true })
  await again.click()
  await dialog.getByText('It was checked again, and is still broken.').waitFor()
  proxy.clearFaults()
  await again.click()
  await trust.chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
  expect(await trust.bar.count()).toBe(0)
})

test('a database that was deleted and made again under its name is rolled back until its point is forgotten', async ({
  ownServer,
  open,
}) => {
  const rest = await api(ownServer.url)
  await rest.createDatabase('shop')
  const shop = await (await api(ownServer.url)).use('shop')
  for (const value of ['one', 'two']) await write(shop, value)
  const console = await open(ownServer.url)
  const trust = new TrustPage(console)
  await console.enter('/keys?db=shop')
  await trust.known()
  // No page is open in the meantime, because its parts could not be fetched.
  await console.page.goto('about:blank')
  await rest.call('/db/unload', { database: 'shop' })
  await rest.call('/db/delete', { database: 'shop' })
  await ownServer.restart('SIGTERM')
  const again = await api(ownServer.url)
  await again.createDatabase('shop')
  await write(await (await api(ownServer.url)).use('shop'), 'three')
  await console.open('/keys?db=shop')
  await console.submitLogin()
  await console.signedIn()
  await trust.bar.getByText('BROKEN: the history of shop is shorter than recorded.').waitFor()
  await trust.decide('Forget the trusted state', 'Forget the state', 'shop')
  await trust.known()
  expect(await trust.bar.count()).toBe(0)
  expect(await trust.kept()).toEqual(['first'])
})

function says(status: number, error: string): Fault {
  const headers = { 'content-type': 'application/json' }
  return {
    kind: 'answer',
    status,
    headers,
    body: JSON.stringify({ error, message: error, code: 7 }),
  }
}
