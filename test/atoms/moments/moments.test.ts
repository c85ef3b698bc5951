// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import {
  asOfNameAtom,
  momentsAtom,
  type NamedMoment,
  ownMomentsAtom,
  readAgain,
} from '~/atoms/moments/moments'
import {
  checkMoment,
  deleteMoment,
  importMoments,
  momentsFile,
  nameMoment,
  nameProblemAtom,
  readMomentsFile,
  renameMoment,
} from '~/atoms/moments/naming'
import { noteAddressedMoment, stateAtom } from '~/core/history/newest-state'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { openIdAtom } from '~/core/session/session'
import { openStorage } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { bytesToBase64 } from '~/lib/bytes'
import { verifyState } from '~/trust/verify-state'
import { grow, historyOf, keptDoor, ProvingServer, tabOf } from '../../support/proving-server'
import { corpus } from '../../support/recorded'
import { type FakeDriver, fakeDriver, soon } from '../../support/store'

let server: ProvingServer
let tab: Store
let driver: FakeDriver

async function openPage() {
  const store = tabOf(server, door)
  store.set(
    storageAtom,
    openStorage(
      () => Promise.resolve(driver),
      () => {},
    ),
  )
  openQueryCache(store)
  store.sub(stateAtom, () => {})
  await soon(() => expect(store.get(stateAtom).data).toBeTruthy())
  await readAgain(store)
  return store
}

let door = keptDoor()

beforeEach(async () => {
  server = new ProvingServer(historyOf(9))
  door = keptDoor()
  driver = fakeDriver()
  tab = await openPage()
  await verifyState(tab, 'db')
  grow(server.history)
  await verifyState(tab, 'db')
})

const names = () => (tab.get(momentsAtom) ?? []).map(({ name, txId }) => `${name} ${txId}`)
const only = (): NamedMoment => {
  const [found] = tab.get(momentsAtom) ?? []
  if (!found) throw new Error('there is no moment')
  return found
}
const alh = (tx: number) => bytesToBase64(server.history.alh(tx))

test('a moment of a file does not name the moment that the data screens show', async () => {
  const before = tab.get(asOfNameAtom)
  noteAddressedMoment(tab, 'db', 'tx:5')
  await nameMoment(tab, 'own', '5')
  expect([before, tab.get(asOfNameAtom)]).toEqual([null, 'own'])
  const file = readMomentsFile(momentsFile([{ ...only(), name: 'approved', txId: '6' }]))
  await importMoments(tab, 'moments' in file ? file.moments : [])
  noteAddressedMoment(tab, 'db', 'tx:6')
  expect(tab.get(asOfNameAtom)).toBeNull()
})

describe('a moment is named', () => {
  test('once the server has proven that it belongs to the trusted history', async () => {
    expect(await nameMoment(tab, ' before migration ', '5')).toBeNull()
    expect(only()).toMatchObject({ name: 'before migration', txId: '5', txHash: alh(5) })
    expect(only()).toMatchObject({ database: 'db', server: 'server-one', isImported: false })
    expect(server.count('/db/verifiable/tx/5')).toBe(1)
  })

  test('for the trusted state itself, without a proof', async () => {
    server.asked.length = 0
    expect(await nameMoment(tab, 'now', '10')).toBeNull()
    expect([only().txHash, server.count('/db/verifiable')]).toEqual([alh(10), 0])
  })

  test('not for what is newer than the trusted state, not twice, and not without a name', async () => {
    expect(await nameMoment(tab, 'later', '11')).toMatch(/newer than the trusted state/)
    expect(await nameMoment(tab, '  ', '5')).toBe('A moment needs a name.')
    expect(await nameMoment(tab, 'x'.repeat(81), '5')).toBe('At most 80 characters.')
    await nameMoment(tab, 'one', '5')
    expect(await nameMoment(tab, 'one', '6')).toBe('Another moment has this name.')
    expect(names()).toEqual(['one 5'])
  })

  test('not while nothing is trusted, or the proof is refused', async () => {
    server.change = (answer, path) =>
      path.includes('/verifiable/tx/5') ? { ...answer, dualProof: {} } : answer
    expect(await nameMoment(tab, 'one', '5')).toBeTruthy()
    expect(names()).toEqual([])
  })

  test('and outlives the page and the session', async () => {
    await nameMoment(tab, 'one', '5')
    const next = await openPage()
    expect(next.get(ownMomentsAtom)).toHaveLength(1)
  })
})

describe('a check', () => {
  test('agrees while the moment is part of the history', async () => {
    await nameMoment(tab, 'one', '5')
    expect(await checkMoment(tab, only())).toMatchObject({ kind: 'agrees' })
  })

  test('differs for another hash, and never makes it the trusted state', async () => {
    await nameMoment(tab, 'one', '5')
    const forged = { ...only(), txHash: alh(4) }
    expect(await checkMoment(tab, forged)).toMatchObject({ kind: 'differs', txId: '5' })
    door = keptDoor()
    const empty = await openPage()
    expect(await checkMoment(empty, forged)).toMatchObject({
      kind: 'unknown',
      why: expect.stringMatching(/keeps no trusted state/),
    })
  })
})

test('it is renamed, deleted and brought back to its place', async () => {
  for (const name of ['one', 'two', 'three']) await nameMoment(tab, name, '5')
  const [, two] = tab.get(momentsAtom) ?? []
  if (!two) throw new Error('there is no second')
  await renameMoment(tab, two, 'middle')
  expect(names()).toEqual(['three 5', 'middle 5', 'one 5'])
  const undo = await deleteMoment(tab, { ...two, name: 'middle' })
  expect(names()).toEqual(['three 5', 'one 5'])
  await undo()
  expect(names()).toEqual(['three 5', 'middle 5', 'one 5'])
})

describe('a file', () => {
  const read = (text: string) => {
    const found = readMomentsFile(text)
    return 'moments' in found ? found.moments : found.problem
  }

  test('brings the moments to another browser, marked as such, and those known stay', async () => {
    await nameMoment(tab, 'one', '5')
    const found = read(momentsFile(tab.get(momentsAtom) ?? []))
    if (typeof found === 'string') throw new Error(found)
    expect(found).toMatchObject([{ name: 'one', isImported: true }])
    expect(await importMoments(tab, found)).toMatch(/^0 moments taken over.*here already/)
    expect(names()).toEqual(['one 5'])
    driver = fakeDriver()
    tab = await openPage()
    expect(await importMoments(tab, found)).toMatch(/^1 moment taken over\. Check them/)
    expect(only()).toMatchObject({ name: 'one', isImported: true })
    // Another state under a known name gets a name of its own.
    await importMoments(tab, [{ ...only(), txHash: alh(3) }])
    expect(names()).toEqual(['one (2) 5', 'one 5'])
  })

  test.each([
    ['', /not a file of named moments/],
    ['{', /not a file of named moments/],
    ['[]', /not a file of named moments/],
    ['{"product":"webconsole","schema":1,"moments":[]}', /not a file of named moments/],
    ['{"product":"webconsole named moments","schema":2,"moments":[{}]}', /newer version/],
    ['{"product":"webconsole named moments","schema":1,"moments":[]}', /holds no moments/],
    ['{"product":"webconsole named moments","schema":1,"moments":[{}]}', /Moment 1 cannot be read/],
    [
      `{"product":"webconsole named moments","schema":1,"moments":${'['.repeat(5_000)}`,
      /not a file/,
    ],
  ])('that is none is told, and nothing is taken over: %s', (text, words) => {
    expect(read(text)).toMatch(words)
    expect(read(text)).toMatch(/Nothing was taken over\.$/)
  })

  test.each([
    ['name', ''],
    ['name', 'x'.repeat(81)],
    ['txId', '0'],
    ['txId', '-1'],
    ['txId', '9'.repeat(40)],
    ['txHash', 'AAAA'],
    ['txHash', '<img src=x>'],
    ['database', ''],
    ['at', Number.MAX_VALUE],
    ['at', '2026'],
    ['server', 'x'.repeat(3_000)],
  ])('with a bad %s is refused as a whole: %j', async (part, value) => {
    await nameMoment(tab, 'one', '5')
    const good = only()
    const file = momentsFile([good, { ...good, [part]: value }])
    expect(read(file)).toMatch(`Moment 2 cannot be read: ${part} is not as expected.`)
  })

  test.each(corpus('name').flatMap(({ text }) => (text ? [text.slice(0, 80)] : [])))(
    'may name anything: %j',
    async (name) => {
      await nameMoment(tab, 'one', '5')
      const found = read(momentsFile([{ ...only(), name, database: name }]))
      if (typeof found === 'string') return expect(name.trim()).toBe('')
      await importMoments(tab, found)
      expect(only().name).toBe(name.trim())
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})

test('what a newer console stored stays where it is', async () => {
  const foreign = { name: 'of tomorrow', kind: 7 }
  driver.values.set('webconsole.moments', { moments: [foreign] })
  await readAgain(tab)
  expect(names()).toEqual([])
  await nameMoment(tab, 'one', '5')
  expect(driver.values.get('webconsole.moments')).toMatchObject({
    moments: [{ name: 'one' }, foreign],
  })
})

test('a name is free in another database', async () => {
  await nameMoment(tab, 'one', '5')
  const id = tab.get(openIdAtom)
  const problem = tab.get(nameProblemAtom)
  expect(problem('one', id)).toBe('Another moment has this name.')
  expect(problem('one', { ...id, database: 'other' })).toBeUndefined()
  expect(problem('one', id, only())).toBeUndefined()
})
