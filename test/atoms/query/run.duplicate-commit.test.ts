// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { outputAtom } from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { runStatements } from '~/atoms/query/run'
import { stateAtom } from '~/core/history/newest-state'
import { chooseReadOnly } from '~/core/settings'
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
    tables: new Map([
      ['t', [{ id: '1', tx: 3 }]],
      ['u', [{ id: '1', tx: 2 }]],
    ]),
  })
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(stateAtom, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('3'))
  server.clear()
})

async function run(text: string): Promise<void> {
  await runStatements(tab.store, text, splitStatements(text))
}

function entry(): OutputEntry {
  const found = tab.store.get(outputAtom).findLast((item) => item.kind === 'entry')
  if (found?.kind !== 'entry') throw new Error('no entry')
  return found
}

/** Whether transactions were compared; a receipt asks for one alone. */
const isCompared = () =>
  server.calls.some(({ path, body }) => path === '/db/tx' && Number(body.limit) > 1)

describe('F16: a statement that the browser sent twice', () => {
  test('is never silent', async () => {
    await run('UPDATE t SET /* fault_twice */ n = n + 1')
    expect(entry()).toMatchObject({ status: 'done', tx: '5' })
    await soon(() => expect(entry().warning).toMatch(/^This may be stored 2 times\. tx 4 and tx 5/))
  })

  test('is not suspected when the transaction was the next one', async () => {
    await run('UPDATE t SET n = n + 1')
    await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('4'))
    await run('UPDATE t SET n = n + 1')
    expect(entry()).toMatchObject({ tx: '5', warning: null })
    expect(isCompared()).toBe(false)
  })

  test('is not suspected when others wrote other rows', async () => {
    const database = server.databases.get('defaultdb')
    if (database) database.txId = 4
    database?.tables.get('u')?.push({ id: '7', tx: 4 })
    await run('UPDATE t SET n = n + 1')
    await soon(() => expect(isCompared()).toBe(true))
    expect(entry().warning).toBeNull()
  })

  test('is not suspected where the server runs a write once', async () => {
    server.keepFresh()
    await run('SELECT 1')
    await run('UPDATE t SET /* fault_twice */ n = n + 1')
    expect(entry()).toMatchObject({ status: 'done', tx: '5', warning: null })
    expect(isCompared()).toBe(false)
  })

  test('says when it could not be found out', async () => {
    const database = server.databases.get('defaultdb')
    if (database) database.txId = 4
    const done = run('UPDATE t SET n = n + 1')
    await soon(() => expect(database?.txId).toBe(5))
    server.restart()
    await done
    await soon(() => expect(entry().warning ?? 'waiting').not.toBeNull())
  })
})

test('a database that this browser only reads gets nothing that writes', async () => {
  await chooseReadOnly(tab.store, 'defaultdb', true)
  await run('UPDATE t SET n = 1')
  expect(entry()).toMatchObject({ status: 'failed' })
  expect(entry().failure?.text).toMatch(/read-only in this browser/)
  expect(server.log()).not.toContain('POST /db/sqlexec')
})

test('F34: a conflict stored nothing and may be run again', async () => {
  await run('UPDATE /* fault_conflict */ t SET n = 1')
  expect(entry()).toMatchObject({ status: 'failed', failure: { mayRunAgain: true } })
})
