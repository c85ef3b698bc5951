import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { type ImmudbServer, startServer } from '../support/immudb'

/** Each way the same output is served, started with what stands behind it. */
const hosts: readonly [string, () => Promise<readonly ImmudbServer[]>][] = [
  ['our handler at /', async () => [await startServer()]],
  ['our handler below /ops/immudb/', async () => [await startServer({ prefix: '/ops/immudb' })]],
  ['immudb’s own file server', async () => [await startServer({ kind: 'drop-in' })]],
  [
    'our handler in front of another immudb',
    async () => {
      const behind = await startServer({ kind: 'drop-in' })
      return [await startServer({ inFrontOf: behind }), behind]
    },
  ],
]

describe.for(hosts)('%s', ([, start]) => {
  test('signs in, shows tables, runs SQL, opens every page cold', async ({
    open,
    onTestFinished,
  }) => {
    const servers = await start()
    onTestFinished(async () => {
      for (const one of servers) await one.dispose()
    })
    const { url } = servers[0] ?? { url: '' }
    await (await api(url)).exec('CREATE TABLE smoke (id INTEGER, PRIMARY KEY id);')
    const console = await open(url)
    await console.open('/')
    await console.submitLogin()
    await console.signedIn()
    await console.link('Query').click()
    await console.tables.getByRole('treeitem', { name: /smoke/ }).waitFor()
    await console.runSql('INSERT INTO smoke (id) VALUES (9007199254740993);')
    await console.result(1).waitFor()
    await console.runSql('SELECT id FROM smoke;')
    await console.cell(2, '9007199254740993').waitFor()
    for (const path of ['/settings', '/query', '/users/', '/comingsoon']) {
      const answer = await console.page.goto(url + path)
      expect(answer?.status()).toBe(200)
      await console.signedIn()
    }
    await console.logOut()
    await console.signedOut()
  })
})
