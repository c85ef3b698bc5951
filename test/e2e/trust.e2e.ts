import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { test } from '../support/e2e'
import { base64 } from '../support/live-proofs'
import { shot } from '../support/shots'
import { TrustPage } from '../support/trust-page'

const write = (rest: Api, key: string) =>
  rest.call('/db/set', { KVs: [{ key: base64(key), value: base64('1') }] })

describe('the trusted point', () => {
  test('is taken at first contact, agrees, and moves by one small answer more', async ({
    server,
    open,
  }) => {
    const rest = await api(server.url)
    await write(rest, 'first')
    const console = await open(server.url)
    const trust = new TrustPage(console)
    const sizes: number[] = []
    console.page.on('response', async (response) => {
      if (/verifiable\/tx/.test(response.url())) sizes.push((await response.body()).length)
    })
    await console.signIn('/')
    await trust.chipSaying('First contact').waitFor()
    await shot(console.page, 'trust-first')
    await trust.checkNow()
    const since = `Consistent since tx ${await rest.txId()}`
    await trust.chipSaying(since).waitFor()
    expect(sizes).toEqual([])
    await write(rest, 'second')
    await trust.checkNow()
    await trust.chipSaying(since).click()
    await trust.drawer.getByText('1 move', { exact: true }).waitFor()
    await shot(console.page, 'trust-drawer')
    expect(sizes).toHaveLength(1)
    expect(sizes[0]).toBeLessThanOrEqual(4_096)
  })
})
