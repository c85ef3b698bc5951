import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { forbiddenIndexedDb } from '../support/broken-storage'
import { type ConsolePage, plainPage } from '../support/console-page'
import { test } from '../support/e2e'
import type { FaultProxy } from '../support/fault-proxy'
import { changed } from '../support/faults'
import { KeysPage } from '../support/keys-page'
import { base64 } from '../support/live-proofs'
import { look, sizes, unhurried } from '../support/looks'
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
    await console.signIn('/')
    await trust.said('First contact')
    await trust.checkNow()
    const since = `Consistent since tx ${await rest.txId()}`
    await trust.chipSaying(since).waitFor()
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
    await console.signIn('/keys')
    await trust.known()
    await console.keepsSession()
    const other = new TrustPage({ page: await console.visit.tab() })
    await other.page.goto(`${server.url}/keys`)
    await other.chipSaying(/^Trust: Consistent/).waitFor()
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
    await console.signIn('/settings')
    await trust.said('First contact')
    await console.page.getByRole('button', { name: 'Remove everything…' }).click()
    await console.dialog.getByText(/Trusted states and pinned keys stay/).waitFor()
    await console.dialog.getByLabel('Name').fill('webconsole')
    await console.dialog.getByRole('button', { name: 'Remove everything' }).click()
    await console.signedOut()
    await console.submitLogin()
    await console.signedIn()
    await trust.chipSaying(/^Trust: Consistent/).waitFor()
    await console.keepsSession()
    // The console itself would write again.
    console.visit.watch.expect(/favicon\.ico/)
    await console.page.goto(server.url + plainPage)
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

/** A state that is not the one before, though its number is. */
function rewrite(proxy: FaultProxy) {
  proxy.fault({
    path: '/db/state',
    fault: {
      kind: 'change',
      change: (body) => body.replace(/("txHash":\s*")[^"]{40}/, `$1${'A'.repeat(40)}`),
    },
  })
}

/** Verifies a key whose value is changed on its way, while the history is broken already. */
async function findMore(console: ConsolePage, proxy: FaultProxy) {
  const keys = new KeysPage(console.page)
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
    await console.signIn('/keys')
    await trust.known()
    await trust.chip.click()
    await trust.drawer.getByText(/^This page came from the server/).waitFor()
    await look(console, 'trust-drawer')
    await console.page.keyboard.press('Escape')
    rewrite(proxy)
    await trust.checkNow()
    await trust.bar.getByText(/was rewritten\.$/).waitFor()
    await look(console, 'trust-broken')
    await trust.bar.getByRole('button', { name: 'Decide…' }).click()
    await console.dialog.waitFor()
    await look(console, 'trust-decide')
    await console.page.keyboard.press('Escape')
    await findMore(console, proxy)
    await look(console, 'trust-others')
  })
})
