import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { type Serve, wholeBrowserTest as test, walk } from '../support/e2e'
import type { ImmudbServer } from '../support/immudb'

/** Each way the same output is served, started with what stands behind it. */
const allHosts: readonly [string, (serve: Serve) => Promise<ImmudbServer>][] = [
  ['our handler at /', (serve) => serve()],
  ['our handler below /ops/immudb/', (serve) => serve({ prefix: '/ops/immudb' })],
  ['immudb’s own file server', (serve) => serve({ kind: 'drop-in' })],
  [
    'our handler in front of another immudb',
    async (serve) => serve({ inFrontOf: await serve({ kind: 'drop-in' }) }),
  ],
]

// The short run builds no immudb around the output.
const hosts = process.env.SMOKE ? allHosts.slice(0, 2) : allHosts

describe.for(hosts)('%s', ([, start]) => {
  test('signs in, shows tables, runs SQL, opens every page cold', walk, async ({ serve, open }) => {
    const { url } = await start(serve)
    await (await api(url)).exec('CREATE TABLE smoke (id INTEGER, PRIMARY KEY id);')
    const console = await open(url)
    await console.open('/')
    await console.submitLogin()
    await console.signedIn()
    await console.link('Query').click()
    await console.tables.getByRole('treeitem', { name: /smoke/ }).waitFor()
    await console.runSql('INSERT INTO smoke (id) VALUES (9007199254740993);')
    await console.result(1).getByText('Committed, 1 row changed.').waitFor()
    await console.runSql('SELECT id FROM smoke;')
    await console.cell(2, '9007199254740993').waitFor()
    await console.keepsSession()
    for (const [path, title] of [
      ['/settings', 'Settings'],
      ['/query', 'Query'],
      ['/users/', 'Users'],
      ['/comingsoon', 'Coming soon'],
      ['/index.html', 'Overview'],
      ['/databases/index.html', 'Databases'],
    ] as const) {
      const answer = await console.page.goto(url + path)
      expect(answer?.status()).toBe(200)
      await console.signedIn()
      await expect.poll(() => console.page.title()).toBe(`${title} · webconsole`)
    }
    await console.logOut()
    await console.signedOut()
  })
})
