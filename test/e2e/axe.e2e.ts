import { describe } from 'vitest'
import { test } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'

describe.concurrent('axe', unhurried, () => {
  test.for(sizes)(
    'login, shell and query have no violation, $size',
    async ({ viewport }, { server, smallTable, open, expect }) => {
      const console = await open(server.url, { viewport })
      const { page } = console
      await console.open()
      await console.signedOut()
      await look(console, 'login')
      await console.logIn.click()
      await expect.poll(() => page.getByText('This field is required').count()).toBe(2)
      await look(console, 'login-required')
      await console.submitLogin('immudb', 'wrong')
      await console.alerts.first().waitFor()
      await look(console, 'login-refused')
      await console.open('/query')
      await console.submitLogin()
      await console.signedIn()
      await console.runSql(`SELECT id, name, amount FROM ${smallTable};`)
      await console.cell(1, '9007199254740993').waitFor()
      await console.runSql('SELECT id FROM FROM x;')
      await console.result(2).getByRole('alert').waitFor()
      await look(console, 'query-results')
      await console.keepsSession()
      const all = /\/api\//
      await page.route(all, (route) => route.abort())
      await page.reload()
      await page.getByRole('button', { name: 'Try now' }).waitFor()
      await look(console, 'login-unreachable')
      // It tries again by itself.
      await page.unroute(all)
      await console.signedIn()
      // A session that ended lays the login form over the screen.
      const lost = /\/api\/db\/state$/
      await page.route(lost, (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: '{"error":"not logged in","code":2,"message":"not logged in"}',
        }),
      )
      await console.signedOut()
      await page.getByText('Your session has ended.').waitFor()
      await look(console, 'login-again')
    },
  )
})
