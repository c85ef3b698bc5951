import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { createSmallTable } from '../support/sql-samples'
import { TrustPage } from '../support/trust-page'

const screens = ['Overview', 'Query', 'Keys', 'Databases', 'Users', 'Guide', 'Settings']
const headers = { 'content-type': 'application/json' }

/** What a query and a write say of each answer. */
const answers = {
  '{}': { query: 'Failed', write: /^It is not known whether this was committed/ },
  '[]': { query: 'Failed', write: /^It is not known whether this was committed/ },
  null: { query: 'Failed', write: /^It is not known whether this was committed/ },
}

describe('F75: answers without anything in them', () => {
  for (const [body, said] of Object.entries(answers)) {
    test(`F75: ${body} to every call: every screen stands, and works again afterwards`, async ({
      server,
      proxy,
      open,
    }) => {
      const db = await api(server.url)
      const table = `f75_${body.length}_${body === '{}' ? 'a' : 'b'}`
      await createSmallTable(db, table)
      const console = await open(proxy.url)
      await console.enter('/settings')
      const trust = new TrustPage(console)
      await trust.known()
      const fault = { kind: 'answer', status: 200, headers, body } as const
      proxy.fault({ path: /\/api\//, fault })
      for (const name of screens) {
        await console.link(name).click()
        await expect.poll(() => console.page.title()).toBe(`${name} · webconsole`)
        await console.page.locator('main').getByRole('heading').first().waitFor()
        // Until nothing is being asked any more.
        await expect
          .poll(() => proxy.seen({ path: /\/api\// }).filter((one) => !one.endedAt).length)
          .toBe(0)
        expect(await console.page.getByText(/could not be shown/).count(), name).toBe(0)
        expect(await console.account.isVisible(), name).toBe(true)
      }
      await console.link('Query').click()
      await console.runSql('SELECT 75;')
      await console.result(1).getByText(said.query, { exact: true }).waitFor()
      // A state without fields is none of the history that is known, which holds writes back; what
      // is no answer of immudb says nothing about it.
      const isState = body === '{}'
      if (isState) await trust.bar.waitFor()
      await console.runSql(`INSERT INTO ${table} (id) VALUES (75);`)
      const outcome = isState ? /^The statement was not sent\./ : said.write
      await console.result(2).getByText(outcome).waitFor()
      proxy.clearFaults()
      await console.runSql(`SELECT COUNT(*) FROM ${table};`)
      await console.cell(3, '3').waitFor()

      const other = await open(proxy.url)
      await other.enter('/query')
      proxy.fault({ path: /\/sqlexec$/, fault })
      await other.runSql(`INSERT INTO ${table} (id) VALUES (75);`)
      await other.result(1).getByText(said.write).waitFor()
      proxy.clearFaults()
      await other.runSql(`SELECT COUNT(*) FROM ${table};`)
      await other.cell(2, '3').waitFor()
    })
  }

  test('F13: an empty 200 and a 204 to the lists of keys and tables: said in place, the screens live', async ({
    server,
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await createSmallTable(await api(server.url), 'f13')
    await console.enter('/settings')
    for (const status of [200, 204]) {
      proxy.fault({ path: /\/(table\/list|scan)$/, fault: { kind: 'answer', status } })
      for (const name of ['Keys', 'Query']) {
        await console.link(name).click()
        // The screen before says the same.
        await expect.poll(() => console.page.title()).toBe(`${name} · webconsole`)
        await console.page
          .getByText(/could not be understood/)
          .filter({ visible: true })
          .first()
          .waitFor()
      }
      proxy.clearFaults()
      await console.link('Guide').click()
    }
    expect(await console.logIn.count()).toBe(0)
  })
})
