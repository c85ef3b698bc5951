import { describe, expect, onTestFinished } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { FaultProxy } from '../support/fault-proxy'
import type { Fault } from '../support/faults'
import { ImportPage } from '../support/import-page'
import { proxyPassword, startPasswordProxy } from '../support/password-proxy'
import { shot } from '../support/shots'

describe('a proxy that asks for a password of its own (Basic)', () => {
  test('in front of our handler: both logins hold, for reads, writes and after a reload', async ({
    server,
    open,
  }) => {
    const front = await startPasswordProxy(server.url)
    onTestFinished(front.close)
    const console = await open(front.url)
    await console.page.context().setHTTPCredentials(proxyPassword)
    await console.signIn('/query')
    const asked = front.refused().length
    await console.runSql('CREATE TABLE basic (id INTEGER, PRIMARY KEY id);')
    await console.result(1).getByText('Committed').first().waitFor()
    await console.runSql('SELECT 18;')
    await console.cell(2, '18').waitFor()
    await console.page.reload()
    await console.signedIn()
    await console.runSql('SELECT 19;')
    await console.cell(1, '19').waitFor()
    // The browser was asked before it knew the password, and never again.
    expect(front.refused().slice(asked)).toEqual([])
  })

  test('in front of plain immudb: one sentence says why both cannot hold', async ({
    serve,
    open,
  }) => {
    const plain = await serve({ kind: 'drop-in' })
    const front = await startPasswordProxy(plain.url)
    onTestFinished(front.close)
    const console = await open(front.url)
    await console.page.context().setHTTPCredentials(proxyPassword)
    await console.open('/query')
    await console.submitLogin()
    await console.alerts.getByText(/password in the header that carries the session/).waitFor()
    await shot(console.page, 'proxy-password')
  })
})

const page = '<!doctype html><title>Sign in</title><form></form>'
const html = { 'content-type': 'text/html' }
const ways: readonly (readonly [string, Fault])[] = [
  [
    'a redirect to another origin',
    { kind: 'answer', status: 302, headers: { location: 'https://sso.example/login' } },
  ],
  ['a page', { kind: 'answer', status: 200, headers: html, body: page }],
  ['a 401 without JSON', { kind: 'answer', status: 401, headers: html, body: page }],
  ['a 403 without JSON', { kind: 'answer', status: 403, headers: html, body: page }],
]

/** The browser tells of where a redirect leads, although it does not go there: see F14. */
const unfollowed = /request to another origin: https:\/\/sso\.example\/login/

/** The proxy alone answers every call of the API until the returned function is called. */
const endLogin = (proxy: FaultProxy, fault: Fault) => proxy.fault({ path: /\/api\//, fault })

const again = (console: ConsolePage) =>
  console.page.getByRole('link', { name: 'Log in at the proxy, in a new tab', exact: true })

describe('a proxy whose log-in ends in the middle of work', () => {
  test.for(ways)(
    'with %s: a write is unknown, and session and text are kept',
    async ([name, fault], { proxy, server, open }) => {
      const table = `ended_${ways.findIndex(([of]) => of === name)}`
      const db = await api(server.url)
      await db.exec(`CREATE TABLE ${table} (id INTEGER, PRIMARY KEY id);`)
      const console = await open(proxy.url)
      console.visit.watch.expect(unfollowed)
      await console.enter('/query')
      const logIn = endLogin(proxy, fault)
      await console.runSql(`INSERT INTO ${table} (id) VALUES (1);`)
      await console.result(1).getByText('Unknown', { exact: true }).waitFor()
      await again(console).waitFor()
      await shot(console.page, 'proxy-ended')
      expect(await again(console).getAttribute('href')).toBe(console.page.url())
      await console.runSql('SELECT 1;')
      await console
        .result(2)
        .getByRole('alert')
        .getByText(/log in.* again\.|log in there again/)
        .waitFor()
      expect(await console.logIn.count()).toBe(0)
      logIn()
      // Without a press: the console keeps asking.
      await again(console).waitFor({ state: 'detached' })
      await console.keepsSession()
      await console.runSql(`SELECT COUNT(*) FROM ${table};`)
      await console.cell(3, '0').waitFor()
      // It was not sent again behind the operator's back.
      expect(proxy.count({ path: '/db/sqlexec', body: /INSERT/ })).toBe(1)
    },
  )

  test('an import says what is not known and goes on after the log-in', async ({
    proxy,
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    console.visit.watch.expect(unfollowed)
    await console.enter('/query')
    const imports = new ImportPage(console)
    await imports.open()
    const rows = Array.from({ length: 2_500 }, (_, at) => `${at + 1},name ${at + 1}`)
    await imports.choose(['id,name', ...rows].join('\n'), 'guarded.csv')
    await imports.check()
    let isEnded = false
    proxy.weather(({ path, body }) => {
      isEnded ||= path.endsWith('/db/sqlexec') && body.includes('name 1500')
      return isEnded && path.includes('/api/') ? ways[0]?.[1] : undefined
    })
    await imports.button('Import 2,500 rows').click()
    await imports.dialog.getByText(/It is not known whether rows 1,025–2,048/).waitFor()
    await again(console).waitFor()
    await shot(console.page, 'proxy-ended-import')
    proxy.clearFaults()
    await imports.button('Continue').click()
    await imports.complete()
    expect(await db.query('SELECT COUNT(*) FROM guarded;')).toEqual([[{ n: '2500' }]])
  })
})
