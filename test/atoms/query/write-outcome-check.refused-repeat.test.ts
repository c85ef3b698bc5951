// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { outputAtom } from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { runStatements } from '~/atoms/query/run'
import { stateAtom } from '~/core/history/newest-state'
import { splitStatements } from '~/sql/statements'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb()
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 3,
    tables: new Map([['t', [{ id: '1', tx: 3 }]]]),
  })
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(stateAtom, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('3'))
  server.clear()
})

async function run(text: string): Promise<OutputEntry> {
  await runStatements(tab.store, text, splitStatements(text))
  const found = tab.store.get(outputAtom).findLast((item) => item.kind === 'entry')
  if (found?.kind !== 'entry') throw new Error('no entry')
  return found
}

describe('F16: “already exists”, which may be the answer to a second delivery', () => {
  test('is a plain refusal while nothing was written since', async () => {
    expect(await run('INSERT INTO t (id) VALUES (1)')).toMatchObject({
      status: 'failed',
      finding: null,
    })
  })

  test('is an unknown outcome when rows of the table changed meanwhile, which are shown', async () => {
    const entry = await run('INSERT INTO /* fault_twice */ t (id) VALUES (9)')
    expect(entry.status).toBe('unknown')
    expect(entry.failure?.text).toMatch(/already exists.*It may be this statement/)
    expect(entry.finding?.rows?.rowCount).toBe(1)
    expect(server.databases.get('defaultdb')?.tables.get('t')).toHaveLength(2)
  })

  test('and “nothing to do” is one as well, which alone it is not', async () => {
    const alone = await run('INSERT INTO t (id) VALUES (1) ON CONFLICT DO NOTHING')
    expect(alone).toMatchObject({
      status: 'done',
      message: 'Nothing was committed: the server made no transaction.',
    })
    const again = await run(
      'INSERT INTO /* fault_twice */ t (id) VALUES (9) ON CONFLICT DO NOTHING',
    )
    expect(again).toMatchObject({ status: 'unknown', stream: 'error' })
    expect(again.failure?.text).toMatch(/nothing was left to do\. It may be this statement/)
    expect(again.finding?.rows?.rowCount).toBe(1)
    server.keepFresh()
    await run('UPDATE t SET n = 1')
    const once = await run('INSERT INTO /* fault_twice */ t (id) VALUES (8) ON CONFLICT DO NOTHING')
    expect(once).toMatchObject({ status: 'done', tx: null })
  })

  test('and so is a conflict, of which nothing is said to be stored', async () => {
    const entry = await run('UPDATE t SET /* fault_overtaken */ n = n + 1')
    expect(entry.status).toBe('unknown')
    expect(entry.failure?.text).not.toContain('Nothing was stored')
    expect(entry.failure).toMatchObject({ mayRunAgain: false })
    expect(entry.finding?.rows?.rowCount).toBe(1)
  })

  test('is a plain refusal when others wrote elsewhere', async () => {
    const database = server.databases.get('defaultdb')
    if (database) database.txId = 4
    expect(await run('INSERT INTO t (id) VALUES (1)')).toMatchObject({
      status: 'failed',
      finding: null,
    })
  })

  test('of a user that was made just now is an unknown outcome, of an older one it is not', async () => {
    const again = await run("CREATE /* fault_twice */ USER bob WITH PASSWORD 'x' READ")
    expect(again.status).toBe('unknown')
    expect(again.failure?.text).toContain('It may be this statement')
    expect(again.finding?.text).toMatch(/^The user bob exists, and it was made/)
    const createdat = '2020-01-01 09:00:00 +0000 UTC'
    server.users.set('ann', { password: 'x', permissions: { defaultdb: 1 }, createdat })
    const older = await run("CREATE USER ann WITH PASSWORD 'x' READ")
    expect(older).toMatchObject({ status: 'failed', finding: null })
  })
})
