// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { runStatements } from '~/atoms/query/run'
import {
  forgetCode,
  foundIn,
  historyAtom,
  isHistoryOnAtom,
  readStatementHistory,
  rememberStatements,
  setHistoryOn,
} from '~/atoms/query/statement-history'
import { logOut } from '~/core/session/session-end'
import { historyLimit } from '~/lib/constants'
import { splitStatements } from '~/sql/statements'
import { fakeImmudb } from '../../support/fake-immudb'
import {
  type FakeDriver,
  fakeDriver,
  openTab,
  signIn,
  soon,
  stored,
  type Tab,
} from '../../support/store'

let driver: FakeDriver
let tab: Tab

beforeEach(async () => {
  driver = fakeDriver()
  tab = openTab(
    fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } }),
    driver,
  )
  await signIn(tab)
})

const run = (text: string) => runStatements(tab.store, text, splitStatements(text))
const texts = () => tab.store.get(historyAtom)?.entries.map(({ text }) => text)
const code = (text: string) => ({ text, database: 'd', status: 'done', at: 1 }) as const

describe('the code history', () => {
  test('holds what was run, newest first, with its database and how it went', async () => {
    await run('SELECT 1; SELECT nothing FROM nowhere; SELECT 3')
    await soon(() => expect(texts()).toEqual(['SELECT nothing FROM nowhere', 'SELECT 1']))
    expect(tab.store.get(historyAtom)?.entries).toMatchObject([
      { database: 'defaultdb', status: 'failed', times: 1 },
      { status: 'done' },
    ])
  })

  test('counts the same statement instead of listing it again', async () => {
    await run('SELECT 1')
    await soon(() => expect(texts()).toEqual(['SELECT 1']))
    await run('SELECT 1')
    await soon(() => expect(tab.store.get(historyAtom)?.entries).toMatchObject([{ times: 2 }]))
  })

  test('is back after a reload, for its own user only', async () => {
    await rememberStatements(tab.store, [code('SELECT 1')])
    const again = openTab(fakeImmudb(), driver)
    await signIn(again)
    await readStatementHistory(again.store)
    expect(again.store.get(historyAtom)?.entries).toHaveLength(1)
    const other = openTab(
      fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } }),
      driver,
    )
    await signIn(other, 'bob', 'b')
    await readStatementHistory(other.store)
    expect(other.store.get(historyAtom)?.entries).toEqual([])
  })

  test('is wiped at the log-out', async () => {
    await rememberStatements(tab.store, [code('SELECT secret')])
    logOut(tab.store)
    await stored(tab)
    expect(JSON.stringify([...driver.values])).not.toContain('secret')
  })

  test('can be switched off, which removes it and outlives the log-out', async () => {
    await rememberStatements(tab.store, [code('SELECT 1')])
    await setHistoryOn(tab.store, false)
    await rememberStatements(tab.store, [code('SELECT 2')])
    await readStatementHistory(tab.store)
    expect([tab.store.get(isHistoryOnAtom), texts()]).toEqual([false, []])
    await setHistoryOn(tab.store, true)
    await rememberStatements(tab.store, [code('SELECT 3')])
    expect(texts()).toEqual(['SELECT 3'])
  })

  test('never holds a password', async () => {
    await rememberStatements(tab.store, [
      code("CREATE USER x WITH PASSWORD 'canary'"),
      code("alter user x with password 'canary'"),
    ])
    await readStatementHistory(tab.store)
    expect(texts()).toEqual([])
  })

  test('forgets one or all', async () => {
    await rememberStatements(tab.store, [code('SELECT 1'), code('SELECT 2')])
    const [entry] = tab.store.get(historyAtom)?.entries ?? []
    if (entry) await forgetCode(tab.store, entry)
    expect(texts()).toEqual(['SELECT 1'])
    await forgetCode(tab.store, 'all')
    expect(texts()).toEqual([])
  })

  test('keeps the newest and leaves out what is too large', async () => {
    const many = Array.from({ length: historyLimit + 5 }, (_, at) => code(`SELECT ${at}`))
    await rememberStatements(tab.store, [code('x'.repeat(600_000)), ...many])
    expect(texts()).toHaveLength(historyLimit)
    expect(texts()?.[0]).toBe(`SELECT ${historyLimit + 4}`)
  })

  test('that makes no sense in storage counts as none', async () => {
    for (const value of [
      42,
      { user: 'immudb', entries: 'x' },
      { user: 'immudb', entries: [{ text: 1 }] },
    ]) {
      driver.values.set('webconsole.history', value)
      await readStatementHistory(tab.store)
      expect(texts()).toEqual([])
    }
  })

  test('is found by all words, in any case', () => {
    const entries = [code('SELECT a FROM Orders'), code('DELETE FROM lines')].map((one) => ({
      ...one,
      times: 1,
    }))
    expect(foundIn(entries, 'from ORDERS').map(({ text }) => text)).toEqual([
      'SELECT a FROM Orders',
    ])
    expect(foundIn(entries, '  ')).toHaveLength(2)
    expect(foundIn(entries, '__proto__')).toEqual([])
  })
})
