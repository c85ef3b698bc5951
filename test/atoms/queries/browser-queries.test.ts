// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import {
  browserQueriesAtom,
  deleteBrowserQueries,
  mostBrowserQueries,
  readBrowserQueries,
  saveBrowserQuery,
  takeBrowserQueries,
  unreadBrowserQueriesAtom,
} from '~/atoms/queries/browser-queries'
import { queryText } from '~/atoms/queries/query-record'
import { fakeImmudb } from '../../support/fake-immudb'
import { type FakeDriver, fakeDriver, openTab, signIn, soon, type Tab } from '../../support/store'

const server = fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } })
let driver: FakeDriver
let tab: Tab

const query = (id: string, more = {}) => ({
  id,
  name: `Query ${id}`,
  folder: '',
  description: '',
  text: 'SELECT 1',
  database: 'defaultdb',
  ...more,
})
const names = (of = tab) => of.store.get(browserQueriesAtom)?.map(({ name }) => name)
const place = () => [...driver.values.keys()].find((key) => key.startsWith('webconsole.queries'))

async function anotherTab(user?: string, password?: string): Promise<Tab> {
  const other = openTab(server, driver)
  await signIn(other, user, password)
  await readBrowserQueries(other.store)
  return other
}

beforeEach(async () => {
  driver = fakeDriver()
  tab = openTab(server, driver)
  await signIn(tab)
  await readBrowserQueries(tab.store)
})

describe('queries that this browser keeps', () => {
  test('are saved, changed and found again', async () => {
    const saved = await saveBrowserQuery(tab.store, query('aaaa'), null)
    expect(saved).toMatchObject({ kind: 'done', query: { mark: '1', place: 'browser' } })
    const changed = query('aaaa', { name: 'Other', folder: 'a/ b', text: 'SELECT 2' })
    expect(await saveBrowserQuery(tab.store, changed, '1')).toMatchObject({
      kind: 'done',
      query: { mark: '2', folder: 'a/b' },
    })
    const other = await anotherTab()
    expect(other.store.get(browserQueriesAtom)).toMatchObject([
      { name: 'Other', text: 'SELECT 2', folder: 'a/b', database: 'defaultdb' },
    ])
  })

  test('are those of the user on this server', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    expect(names(await anotherTab('bob', 'b'))).toEqual([])
  })

  test('come to an open list of another tab', async () => {
    const other = await anotherTab()
    const leave = other.store.sub(browserQueriesAtom, () => {})
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    await soon(() => expect(names(other)).toEqual(['Query aaaa']))
    leave()
  })

  test('are not overwritten when another tab was quicker', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    const other = await anotherTab()
    await saveBrowserQuery(other.store, query('aaaa', { name: 'Theirs' }), '1')
    const mine = query('aaaa', { name: 'Mine' })
    expect(await saveBrowserQuery(tab.store, mine, '1')).toMatchObject({
      kind: 'conflict',
      stored: { name: 'Theirs', mark: '2' },
    })
    expect(names()).toEqual(['Theirs'])
    expect(await saveBrowserQuery(tab.store, mine, '2')).toMatchObject({ kind: 'done' })
  })

  test('that were deleted meanwhile are a conflict, too', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    await deleteBrowserQueries((await anotherTab()).store, new Set(['aaaa']))
    expect(await saveBrowserQuery(tab.store, query('aaaa', { name: 'Mine' }), '1')).toEqual({
      kind: 'conflict',
      stored: null,
    })
    expect(names()).toEqual([])
  })

  test('that were deleted and taken from a file again are not overwritten either', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    const other = await anotherTab()
    await deleteBrowserQueries(other.store, new Set(['aaaa']))
    const theirs = query('aaaa', { name: 'Theirs' })
    await takeBrowserQueries(other.store, [{ query: theirs, base: null }])
    expect(await saveBrowserQuery(tab.store, query('aaaa', { name: 'Mine' }), '1')).toMatchObject({
      kind: 'conflict',
      stored: { name: 'Theirs' },
    })
    expect(names(await anotherTab())).toEqual(['Theirs'])
  })

  test('are the same when nothing was changed, whatever the mark', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    expect(await saveBrowserQuery(tab.store, query('aaaa'), null)).toMatchObject({
      kind: 'done',
      query: { mark: '1' },
    })
  })

  test('come back by undo, but not over what took their place', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    await saveBrowserQuery(tab.store, query('bbbb'), null)
    const undo = await deleteBrowserQueries(tab.store, new Set(['aaaa', 'bbbb']))
    expect(names()).toEqual([])
    await saveBrowserQuery(tab.store, query('bbbb', { name: 'New' }), null)
    await undo()
    expect(names()).toEqual(['Query aaaa', 'New'])
  })

  test('are stored without passwords', async () => {
    const text = "ALTER USER bob WITH PASSWORD 'hunter2'"
    await saveBrowserQuery(tab.store, query('aaaa', { text }), null)
    expect(JSON.stringify([...driver.values])).not.toContain('hunter2')
  })

  test('of a newer console or damaged are counted, kept and not overwritten', async () => {
    await saveBrowserQuery(tab.store, query('aaaa'), null)
    const key = place() ?? ''
    const newer = { ...JSON.parse(queryText(query('cccc'))), version: 9, database: 'defaultdb' }
    const { queries } = driver.values.get(key) as { queries: unknown[] }
    const [good] = queries
    const odd = [newer, 'junk', null, { ...(good as object), id: 'dddd', at: 1e300 }, good]
    driver.values.set(key, { queries: [...queries, ...odd] })
    await readBrowserQueries(tab.store)
    expect(names()).toEqual(['Query aaaa'])
    expect(tab.store.get(unreadBrowserQueriesAtom)).toBe(5)
    await saveBrowserQuery(tab.store, query('bbbb'), null)
    expect(driver.values.get(key)).toMatchObject({
      queries: [{ id: 'bbbb' }, { id: 'aaaa' }, ...odd],
    })
  })

  test('that storage does not take are refused with a reason', async () => {
    driver.setItem = async () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    expect(await saveBrowserQuery(tab.store, query('aaaa'), null)).toMatchObject({
      kind: 'refused',
      why: 'This browser could not store it. Nothing was changed.',
    })
    await expect(deleteBrowserQueries(tab.store, new Set(['aaaa']))).rejects.toThrow()
  })

  test('are limited in number', async () => {
    const many = Array.from({ length: mostBrowserQueries }, (_, at) => query(`id-${at}`))
    const taken = many.map((one) => ({ query: one, base: null }))
    expect(await takeBrowserQueries(tab.store, taken)).toEqual({
      added: mostBrowserQueries,
      replaced: 0,
      left: 0,
    })
    expect(await saveBrowserQuery(tab.store, query('more'), null)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('at most 2000 queries'),
    })
    const one = { query: query('more'), base: null }
    expect(await takeBrowserQueries(tab.store, [one])).toEqual({ added: 0, replaced: 0, left: 1 })
  })
})
