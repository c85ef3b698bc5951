import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { checkEvidence } from '../../src/proof/check-evidence'
import { readEvidence } from '../../src/proof/evidence'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { type Open, test, walk } from '../support/e2e'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy'
import type { ImmudbServer } from '../support/immudb'
import { base64 } from '../support/live-proofs'
import { expectAccessible, wide } from '../support/looks'
import { shot } from '../support/shots'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'

/** An audit of whatever is the open database. */
class AuditPage {
  readonly #console: ConsolePage

  constructor(console: ConsolePage) {
    this.#console = console
  }

  get page() {
    return this.#console.page
  }

  get start() {
    return this.page.getByRole('button', { name: 'Start the audit', exact: true })
  }

  get pause() {
    return this.page.getByRole('button', { name: 'Pause', exact: true })
  }

  get goOn() {
    return this.page.getByRole('button', { name: 'Continue', exact: true })
  }

  get report() {
    return this.page.getByRole('article', { name: /^Report: / })
  }

  proven(to: number, from = 1) {
    return this.report.getByText(`Every transaction from ${from} to ${to} is proven`)
  }
}

const kv = (key: string, value: string, metadata?: object) => ({
  key: base64(key),
  value: base64(value),
  ...(metadata ? { metadata } : {}),
})

async function database(server: ImmudbServer, name: string, count: number): Promise<Api> {
  const rest = await api(server.url)
  await rest.createDatabase(name)
  await rest.use(name)
  for (let n = 1; n <= count; n += 1) {
    await rest.call('/db/set', { KVs: [kv(`key ${n}`, `value ${n}`)] })
  }
  return rest
}

/** As someone with access to the files would. */
async function changeOnDisk(folder: string, from: string, to: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.val')) continue
    const path = join(folder, name)
    const bytes = await readFile(path)
    const at = bytes.indexOf(from)
    if (at < 0) continue
    bytes.write(to, at)
    await writeFile(path, bytes)
    return
  }
  throw new Error(`“${from}” is in no file of values`)
}

/** Pages of ten, so that a small history has several. */
function smallPages(proxy: FaultProxy) {
  const body = JSON.stringify({
    error: 'received message larger than max (5000000 vs. 4194304)',
    code: 8,
  })
  const headers = { 'content-type': 'application/json' }
  const fault = { kind: 'answer', status: 429, headers, body } as const
  proxy.fault({ path: '/db/tx', body: /"limit":\d\d/, fault })
}

async function opened(
  { server, proxy, open }: { server: ImmudbServer; proxy: FaultProxy; open: Open },
  name: string,
  count: number,
): Promise<{ console: ConsolePage; audit: AuditPage; rest: Api }> {
  const rest = await database(server, name, count)
  const console = await open(proxy.url, { viewport: wide.viewport })
  await console.enter('/verify?tab=audit')
  await console.pickDatabase(name)
  // Until then there is the same form for the database before.
  await expect.poll(() => console.database.textContent()).toContain(name)
  const audit = new AuditPage(console)
  await audit.start.waitFor()
  return { console, audit, rest }
}

describe('a deep audit', () => {
  test('proves every transaction, value, row and document, and saves a report that can be checked', async ({
    server,
    proxy,
    open,
  }) => {
    const { audit, rest } = await opened({ server, proxy, open }, 'whole', 5)
    await rest.exec(
      'CREATE TABLE orders (id INTEGER AUTO_INCREMENT, name VARCHAR[32] NOT NULL, total FLOAT, at TIMESTAMP, PRIMARY KEY id); CREATE TABLE parts (code VARCHAR[16], data BLOB[64], PRIMARY KEY code);',
    )
    await rest.exec("INSERT INTO orders (name, total) VALUES ('a', 1.5), ('b', 2.5);")
    await rest.exec("INSERT INTO parts (code) VALUES ('x'); DELETE FROM orders WHERE id = 1;")
    await rest.call('/db/setreference', { key: base64('ref'), referencedKey: base64('key 1') })
    await rest.call('/db/zadd', { set: base64('set'), score: 1.5, key: base64('key 1') })
    await rest.call('/db/deletekey', { keys: [base64('key 2')] })
    await rest.call('/db/set', {
      KVs: [kv('gone', 'x', { expiration: { expiresAt: '1700000000' } }), kv('stays', 'y')],
    })
    await rest.call('/v2/collection/notes', {
      name: 'notes',
      fields: [{ name: 'a', type: 'INTEGER' }],
    })
    await rest.call('/v2/collection/notes/documents', {
      collectionName: 'notes',
      documents: [{ a: 1 }, { a: 2 }],
    })
    const last = await rest.txId()
    await audit.start.click()
    await audit.proven(last).waitFor()
    const { report } = audit
    await report.getByText('among them 2 documents').waitFor()
    await report.getByText('Expired: 1').waitFor()
    await report.getByText('Definitions of collections: 5').waitFor()
    expect(await report.getByText(/^(Refused|Left out|Too large|Documents)/).count()).toBe(0)
    await report
      .getByText(
        'The server describes 2 of 2 tables by the names, types, lengths and key columns that the history has. Column numbers: compared with the proof of a row.',
      )
      .waitFor()
    await report
      .getByText(new RegExp(`^This covers the history through transaction ${last}, as of `))
      .waitFor()

    await expectAccessible(audit.page, 'the report')
    const download = audit.page.waitForEvent('download')
    await report.getByRole('button', { name: 'Save report', exact: true }).click()
    const file = await (await download).path()
    const read = readEvidence(await readFile(file, 'utf8'))
    if ('error' in read) throw new Error(read.error)
    const { outcome } = await checkEvidence(read.evidence)
    expect(outcome).toMatchObject({ kind: 'ok', verified: { facts: { txId: String(last) } } })
    expect(read.evidence.report).toMatchObject({ first: '1', counts: { documents: 2 } })
    read.evidence.context.trusted = { txId: String(last), txHash: base64('x'.repeat(32)) }
    expect((await checkEvidence(read.evidence)).outcome).toMatchObject({ kind: 'refused' })
  })

  test(
    'by digests only, and then of what was written since',
    walk,
    async ({ server, proxy, open }) => {
      const { audit, rest } = await opened({ server, proxy, open }, 'since', 12)
      await audit.page.getByLabel('Read the values, too').uncheck()
      await audit.start.click()
      await audit.proven(12).waitFor()
      expect(
        proxy.count({ path: '/db/tx', body: /RAW_VALUE.*"initialTx"|"initialTx".*RAW_VALUE/ }),
      ).toBe(0)
      await audit.page.getByLabel('Check only what is new').check()
      await audit.start.click()
      await audit.page.getByText('Nothing has been written since the last audit.').waitFor()
      await audit.page.getByRole('button', { name: 'Back', exact: true }).click()
      await rest.call('/db/set', { KVs: [kv('new', '1'), kv('newer', '2')] })
      await audit.page.getByLabel('Check only what is new').check()
      await audit.start.click()
      await audit.proven(13, 13).waitFor()
      await audit.report.getByText('2, 4 bytes').waitFor()
    },
  )

  test('and every transaction as it arrives, once that is turned on', async ({
    server,
    proxy,
    open,
  }) => {
    const { console, audit, rest } = await opened({ server, proxy, open }, 'arrivals', 12)
    await console.keepsSession()
    const { page } = audit
    const part = page.getByRole('region', { name: /^Check every transaction as it arrives/ })
    await part.getByRole('button', { name: 'Turn on…' }).click()
    const { dialog } = console
    await dialog.getByText('Now: nothing to read. It begins with the next transaction.').waitFor()
    await dialog
      .getByText(/^Later: one call for up to 1,000 new transactions, about .* for each, as the/)
      .waitFor()
    await expectAccessible(audit.page, 'the cost of reading what arrives')
    const before = proxy.count({ path: '/db/tx' })
    await dialog.getByRole('button', { name: 'Turn on', exact: true }).click()
    await part.getByText('Nothing new since the trusted state, tx 12.').waitFor()
    for (const name of ['one', 'two', 'three']) {
      await rest.call('/db/set', { KVs: [kv(name, '1')] })
    }
    // It is still on in the next page, which sees the newer state at once.
    await page.reload()
    await part.getByText(/^Read: transactions 13 to 15, last on /).waitFor()
    const pages = proxy.seen({ path: '/db/tx' }).slice(before)
    expect(pages.every(({ body }) => !body.includes('RAW_VALUE'))).toBe(true)
    expect(pages.length).toBeLessThanOrEqual(3)
    await expectAccessible(audit.page, 'what was read as it arrived')
    const note = page.getByText(/Proven by the tree\./)
    const proofOf = async (tx: number) => {
      await page.getByRole('tab', { name: 'Check', exact: true }).click()
      const form = page.getByRole('form', { name: 'A transaction' })
      await form.getByLabel('Number').fill(String(tx))
      await form.getByRole('button', { name: 'Verify' }).click()
      const drawer = page.getByRole('dialog', { name: /^Proof of / })
      await drawer.getByText('Verified in this browser', { exact: true }).waitFor()
      const isOpen = (await note.count()) > 0
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      return isOpen
    }
    expect([await proofOf(5), await proofOf(13)]).toEqual([true, false])
    await page.getByRole('tab', { name: 'Deep audit' }).click()
    await part.getByRole('button', { name: 'Turn off' }).click()
    await part.getByRole('button', { name: 'Turn on…' }).waitFor()
  })

  test('of values beyond 4 MiB says what could not be read, and reads the rest one by one', async ({
    server,
    proxy,
    open,
  }) => {
    const { audit, rest } = await opened({ server, proxy, open }, 'large', 3)
    const three = 'x'.repeat(3 << 20)
    await rest.call('/db/set', { KVs: [kv('one', three), kv('two', three)] })
    await rest.call('/db/set', { KVs: [kv('huge', `${three}${three}`)] })
    await rest.exec(
      'CREATE TABLE wide (name VARCHAR[16], id INTEGER, text VARCHAR, PRIMARY KEY (name, id));',
    )
    const text = three.slice(1 << 20)
    await rest.exec(
      `INSERT INTO wide (name, id, text) VALUES ('a', -1, '${text}'), ('', 2, '${text}'), ('c', 3, '');`,
    )
    await audit.start.click()
    await audit.proven(7).waitFor()
    await audit.report.getByText('Too large to be sent: 1').waitFor()
    await audit.report.getByText(/^13, 10 MiB/).waitFor()
  })
})

describe('an audit that is interrupted', () => {
  test('is paused, and goes on after a reload', async ({ server, proxy, open }) => {
    const { console, audit } = await opened({ server, proxy, open }, 'paused', 40)
    smallPages(proxy)
    const release = proxy.fault({
      path: '/db/tx',
      body: /"initialTx":"(2[5-9]|3\d|40)","limit":\d[,}]/,
      fault: { kind: 'hang' },
    })
    await audit.start.click()
    await until(
      async () =>
        Number(
          (await audit.page.getByText(/^Transaction \d+ of 40$/).textContent())?.split(' ')[1],
        ),
      (at) => at >= 10,
    )
    await expectAccessible(audit.page, 'an audit at work')
    await console.keepsSession()
    const other = await console.visit.tab()
    await other.goto(audit.page.url())
    await other.getByText('This audit runs in another tab of this browser').waitFor()
    await audit.pause.click()
    await audit.page.getByText(/^Paused at transaction \d+ of 40$/).waitFor()
    await other.getByText(/^Paused at transaction \d+ of 40$/).waitFor()
    await other.close()
    await audit.page.reload()
    const rest = await audit.page.getByText(/^Paused at transaction \d+ of 40$/).textContent()
    const at = Number(rest?.split(' ')[3])
    expect(at).toBeGreaterThanOrEqual(10)
    expect(at).toBeLessThan(40)
    release()
    const before = proxy.count({ path: '/db/tx' })
    await audit.goOn.click()
    await audit.proven(40).waitFor()
    // What was proven before the reload is not asked for again.
    const firsts = proxy
      .seen({ path: '/db/tx' })
      .slice(before)
      .map(({ body }) => Number(/"initialTx":"(\d+)"/.exec(body)?.[1]))
    expect(Math.min(...firsts)).toBe(at + 1)
    expect(await new TrustPage(console).bar.count()).toBe(0)
  })

  test('by the end of the session goes on once someone signed in again', async ({
    server,
    proxy,
    open,
  }) => {
    const { console, audit } = await opened({ server, proxy, open }, 'signed_out', 30)
    smallPages(proxy)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ error: 'token has expired', code: 16 })
    const fault = { kind: 'answer', status: 401, headers, body } as const
    let isLost = false
    proxy.weather(({ path, body: sent }) => {
      isLost ||= path.endsWith('/db/tx') && /"initialTx":"[12]\d"/.test(sent)
      return isLost && /\/db\/(tx|state)$/.test(path) ? fault : undefined
    })
    await audit.start.click()
    await console.logIn.waitFor()
    expect(await new TrustPage(console).bar.count()).toBe(0)
    proxy.clearFaults()
    smallPages(proxy)
    await console.submitLogin()
    await audit.proven(30).waitFor()
  })

  test('by a server that is away goes on when it is back', async ({ server, proxy, open }) => {
    const { audit } = await opened({ server, proxy, open }, 'away', 30)
    smallPages(proxy)
    const back = proxy.fault({
      path: '/db/tx',
      body: /"initialTx":"(1\d|2\d|30)"/,
      fault: { kind: 'reset' },
    })
    await audit.start.click()
    await audit.page.getByText(/The console tries again until it answers/).waitFor()
    back()
    await audit.proven(30).waitFor()
  })

  test('by a proxy that wants its log-in again goes on when it is back', async ({
    server,
    proxy,
    open,
  }) => {
    const { console, audit } = await opened({ server, proxy, open }, 'proxied', 30)
    console.visit.watch.expect(/request to another origin: https:\/\/sso\.example\/login/)
    smallPages(proxy)
    const headers = { location: 'https://sso.example/login' }
    const back = proxy.fault({
      path: '/db/tx',
      body: /"initialTx":"(1\d|2\d|30)"/,
      fault: { kind: 'answer', status: 302, headers },
    })
    await audit.start.click()
    await audit.page
      .getByText(/wants you to log in at it again.* The console tries again until it answers/)
      .waitFor()
    expect(await console.logIn.count()).toBe(0)
    back()
    await audit.proven(30).waitFor()
  })
})

describe('a history that is not right', () => {
  /** Another value than the one that was written. */
  const flip = (body: string) =>
    body.replace(/"value":\s*"AHZ[^"]*"/, `"value":"${base64('\0another')}"`)

  test('F74: bytes flipped once on the way are asked for again', async ({
    server,
    proxy,
    open,
  }) => {
    const { console, audit } = await opened({ server, proxy, open }, 'flipped', 20)
    proxy.fault({
      path: '/db/tx',
      body: /RAW_VALUE/,
      times: 1,
      fault: { kind: 'change', change: flip },
    })
    await audit.start.click()
    await audit.proven(20).waitFor()
    expect(await new TrustPage(console).bar.count()).toBe(0)
  })

  test('F74: every time, is broken on every screen', async ({ server, proxy, open }) => {
    const { console, audit } = await opened({ server, proxy, open }, 'tampered', 20)
    proxy.fault({ path: '/db/tx', body: /RAW_VALUE/, fault: { kind: 'change', change: flip } })
    await audit.start.click()
    await audit.page.getByText(/^Found in the history of tampered/).waitFor()
    await new TrustPage(console).bar.waitFor()
    await expectAccessible(audit.page, 'a broken history')
    const download = audit.page.waitForEvent('download')
    await audit.page
      .getByRole('main')
      .getByRole('button', { name: 'Save evidence', exact: true })
      .click()
    const read = readEvidence(await readFile(await (await download).path(), 'utf8'))
    if ('error' in read) throw new Error(read.error)
    expect((await checkEvidence(read.evidence)).outcome).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'value-mismatch' },
    })
  })

  test('a value that was changed on the disk is told in the words of the server', async ({
    serve,
    open,
    onTestFinished,
  }) => {
    const dir = await mkdtemp(join(tmpdir(), 'audit-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const server = await serve({ flags: ['--dir', dir] })
    const proxy = await startFaultProxy(server.url)
    onTestFinished(() => proxy.close())
    const rest = await api(server.url)
    for (let n = 0; n < 12; n += 1) {
      await rest.call('/db/set', { KVs: [kv(`key ${n}`, `recognisable ${n}.`)] })
    }
    await server.end()
    await changeOnDisk(join(dir, 'defaultdb'), 'recognisable 7.', 'unrecognised 7.')
    await server.start()
    const console = await open(proxy.url)
    await console.enter('/verify?tab=audit')
    const audit = new AuditPage(console)
    await audit.start.click()
    await audit.proven(12).waitFor()
    await audit.report.getByText('Refused by the server: 1').waitFor()
    await audit.report.getByText(/tx 8 key 7: data is corrupted/).waitFor()
    await audit.report.getByText('11, 178 bytes').waitFor()
    await shot(audit.page, 'audit-refused')
    expect(await new TrustPage(console).bar.count()).toBe(0)
  })

  test('another word about a table than its history has is told', async ({
    server,
    proxy,
    open,
  }) => {
    const { console, audit, rest } = await opened({ server, proxy, open }, 'renamed', 1)
    await rest.exec('CREATE TABLE accounts (id INTEGER, owner VARCHAR[32], PRIMARY KEY id);')
    const change = (body: string) => body.replace('"owner"', '"payer"')
    const honest = proxy.fault({ path: '/db/tables', fault: { kind: 'change', change } })
    await audit.start.click()
    await audit.proven(2).waitFor()
    const differs = audit.report.getByText(
      /accounts differs from the history: column owner is missing/,
    )
    await differs.waitFor()
    expect(await new TrustPage(console).bar.count()).toBe(0)
    honest()
    await rest.exec("INSERT INTO accounts (id, owner) VALUES (1, 'one');")
    await new TrustPage(console).checkNow()
    await audit.page.getByLabel('Check only what is new').check()
    await audit.start.click()
    await audit.proven(3, 3).waitFor()
    await audit.report.getByRole('heading', { name: /^From earlier audits/ }).waitFor()
    await differs.waitFor()
    await expectAccessible(audit.page, 'what an audit before found')
    await shot(audit.page, 'audit-before')
    await audit.page.getByRole('tab', { name: 'Incidents' }).click()
    const incidents = audit.page.getByRole('region', { name: /^Incidents of / })
    await incidents.getByText(/the server describes a table differently/).waitFor()
    await incidents.getByText('table accounts').waitFor()
    await expectAccessible(audit.page, 'incidents of an audit')
    await shot(audit.page, 'audit-incidents')
  })
})
