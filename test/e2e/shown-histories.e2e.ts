import { describe, expect, onTestFinished } from 'vitest'
import { seen } from '../shown/judge'
import { alterationsOf, altered } from '../shown/leaves'
import { isProof } from '../shown/search'
import { startTampering } from '../shown/tampering-proxy'
import { api } from '../support/api'
import { test } from '../support/e2e'

/** What waits for other servers before it is committed is no part of the history. */
const isUnused = (id: string) => id.startsWith('precommitted')

/** One altered byte of a hash is enough. */
const isPartOfAHash = (id: string) => / (bytes|part) at \d+$/.test(id)

describe('a server that lies while histories are compared', () => {
  test('gets no green mark for anything it altered', async ({ serve, open }) => {
    const [primary, replica] = await Promise.all([serve(), serve()])
    const at = await api(primary.url)
    await at.createDatabase('shop')
    const shop = await api(primary.url, { database: 'shop' })
    for (const value of ['YQ==', 'Yg==', 'Yw==']) {
      await shop.call('/db/set', { KVs: [{ key: 'YQ==', value }] })
    }
    const other = await api(replica.url)
    await other.createReplica('shop', { database: 'shop', grpcPort: primary.grpcPort })
    const copy = await api(replica.url, { database: 'shop' })
    const txId = await shop.txId()
    await expect.poll(() => copy.txId()).toBe(txId)

    const liar = await startTampering(replica.url)
    onTestFinished(() => liar.close())
    const front = await serve({ servers: { eu: primary.url, us: liar.url } })
    const console = await open(front.url)
    const { page } = console
    await console.open('/servers')
    await page.getByRole('checkbox', { name: /Use the same name and password/ }).check()
    await console.submitLogin()
    await console.signedIn()
    const button = page.getByRole('button', { name: 'Compare histories', exact: true })
    const pair = page.getByRole('list', { name: 'Histories', exact: true }).getByRole('listitem')
    await button.waitFor()

    const compare = async () => {
      await button.click()
      await page.getByText('Done. 1 of 1 compared.', { exact: true }).waitFor()
      return { text: await pair.textContent(), ...(await seen(pair)) }
    }
    liar.begin()
    const honest = await compare()
    expect(honest).toMatchObject({ says: 'verified' })
    expect(honest.text).toContain(`tx ${txId}`)
    const told = liar.exchanges.filter(({ path }) => isProof(path) || path === '/db/state')
    expect(told.length).toBeGreaterThan(0)

    const breaches: string[] = []
    let lies = 0
    for (const { call, path, answer } of told) {
      for (const { id, was, becomes } of alterationsOf(answer)) {
        if (isUnused(id) || isPartOfAHash(id)) continue
        liar.begin({
          on: 'answer',
          strikes: (one) => one.call === call,
          alter: (text) => altered(text, new Set([id])),
        })
        const { says, text } = await compare()
        if (!liar.exchanges.some(({ isAltered }) => isAltered)) continue
        lies += 1
        if (says === 'verified') breaches.push(`${path} ${id}: ${was} → ${becomes}: ${text}`)
      }
    }
    expect(breaches).toEqual([])
    expect(lies).toBeGreaterThan(told.length)
    // Nothing of a lie stays for the next comparison.
    liar.begin()
    expect(await compare()).toEqual(honest)
  })
})
