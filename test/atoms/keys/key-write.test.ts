// @vitest-environment node
import type { Atom } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { draftAtom, isDraftChangedAtom } from '~/atoms/keys/drafts'
import {
  changeDraft,
  draftKeyValue,
  draftNewKey,
  dropDraft,
  reasonAgainstShowing,
  setDraftFormat,
} from '~/atoms/keys/edit-draft'
import { keyLists, keyStatesAtom } from '~/atoms/keys/key-list'
import { hasOlder, revisionLists } from '~/atoms/keys/key-revisions'
import type { KeyState } from '~/atoms/keys/key-state'
import {
  checkDelete,
  checkSave,
  deleteKey,
  deleteStateAtom,
  resetDeletion,
  saveDraft,
  saveOverStored,
  saveStateAtom,
  writtenAtom,
} from '~/atoms/keys/key-write'
import { refreshState, stateAtom } from '~/core/history/newest-state'
import { txTimesAtom } from '~/core/history/tx-times'
import { databaseAtom } from '~/core/session/session'
import { bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { keysOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { goesAwayAfter } from '../../support/goes-away'
import { openTab, signIn, soon, type Tab } from '../../support/store'

const b = (text: string) => bytesToBase64(new TextEncoder().encode(text))

let server: FakeImmudb
let tab: Tab
let database: FakeDatabase

beforeEach(async () => {
  server = fakeImmudb()
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  tab = openTab(server)
  await signIn(tab)
  server.clear()
})

/** The query of an atom once it has settled. */
async function list(prefix = '') {
  const of = tab.store.get(keyLists.listsAtom)('defaultdb', b(prefix))
  tab.store.sub(of, () => {})
  return soon(() => {
    const query = tab.store.get(of)
    if (query.isPending || query.isFetching || query.isAdding) throw new Error('not yet')
    return query
  })
}

async function stateOf(key: string, revision = '') {
  const of = tab.store.get(keyStatesAtom)('defaultdb', b(key), revision)
  tab.store.sub(of, () => {})
  return soon(() => {
    const query = tab.store.get(of)
    if (query.isPending || query.isFetching) throw new Error('not yet')
    return query
  })
}

async function revisionsOf(key: string) {
  const of = tab.store.get(revisionLists.listsAtom)('defaultdb', b(key))
  tab.store.sub(of, () => {})
  return soon(() => {
    const query = tab.store.get(of)
    if (query.isPending || query.isFetching) throw new Error('not yet')
    return query
  })
}

const sent = (path: string) => server.calls.filter((call) => call.path.startsWith(path))
const names = (query: Awaited<ReturnType<typeof list>>) =>
  (query.data?.items ?? []).map((item) =>
    item.kind === 'key' ? Buffer.from(item.key, 'base64').toString() : item.kind,
  )

describe('the list of keys', () => {
  test('of an empty database is empty', async () => {
    expect((await list()).data).toEqual({ items: [], next: null })
  })

  test('is filtered by the server', async () => {
    for (const key of ['a', 'user:1', 'user:2', 'v']) storeKey(database, b(key), b('x'))
    expect(names(await list('user:'))).toEqual(['user:1', 'user:2'])
    expect(sent('/db/scan').map(({ body }) => body.seekKey)).toEqual([undefined, b('user:2')])
  })

  test('does not end at references to nothing, which count against the limit', async () => {
    for (let at = 0; at < 498; at += 1) storeKey(database, b(`a${1_000 + at}`), b('1'))
    for (const key of ['b1', 'b2', 'b3']) storeKey(database, b(key), '', { target: b('gone') })
    storeKey(database, b('c'), b('1'))
    expect(names(await list()).at(-1)).toBe('c')
  })

  test('goes on behind the last key, past 2,500 of them, without a gap or a repeat', async () => {
    const all = Array.from({ length: 2_750 }, (_, at) => `k${String(at).padStart(5, '0')}`)
    for (const key of all) storeKey(database, b(key), b('1'))
    expect((await list('k')).data?.items).toHaveLength(500)
    for (const count of [1_000, 1_500, 2_000, 2_500, 2_750]) {
      await keyLists.more(tab.store, 'defaultdb', b('k'))
      await soon(async () => expect((await list('k')).data?.items).toHaveLength(count))
    }
    const query = await list('k')
    expect(query.data?.next).toBeNull()
    expect(names(query)).toEqual(all)
    expect(sent('/db/scan').map(({ body }) => body.seekKey)).toContain(b('k02499'))
    // Asking again keeps as many as were there.
    await query.refetch()
    expect((await list('k')).data?.items).toHaveLength(2_750)
  })

  test('and a key are read again on return, once the database has grown', async () => {
    const list = tab.store.get(keyLists.listsAtom)('defaultdb', '')
    const watched: Atom<{ isFetching: boolean }>[] = [
      list,
      tab.store.get(keyStatesAtom)('defaultdb', b('a'), ''),
      tab.store.get(revisionLists.listsAtom)('defaultdb', b('a')),
    ]
    const visit = async (check: () => void) => {
      const leave = watched.map((one) => tab.store.sub(one, () => {}))
      await soon(() => {
        if (watched.some((one) => tab.store.get(one).isFetching)) throw new Error('not yet')
        check()
      })
      for (const stop of leave) stop()
    }
    const grow = async (key: string) => {
      storeKey(database, b(key), b('x'))
      await refreshState(tab.store)
    }
    tab.store.sub(stateAtom, () => {})
    const listed = () => {
      const query = tab.store.get(list)
      if (query.isPending) throw new Error('not yet')
      return names(query)
    }
    await grow('a')
    await visit(() => expect(listed()).toEqual(['a']))
    server.clear()
    await visit(() => expect(listed()).toEqual(['a']))
    expect(server.calls).toEqual([])
    await grow('b')
    server.clear()
    await visit(() => expect(listed()).toEqual(['a', 'b']))
    expect(sent('/db/get/')).toHaveLength(1)
    // Its only revision is the one that was read.
    expect(sent('/db/history')).toHaveLength(0)
  })

  test('F11: values too large for one answer are read in smaller pages, or passed over aloud', async () => {
    const large = 'A'.repeat(2_000_000)
    for (const key of ['a', 'b', 'c', 'd']) storeKey(database, b(key), large)
    storeKey(database, b('huge'), 'A'.repeat(7_000_000))
    storeKey(database, b('z'), b('1'))
    expect(names(await list())).toEqual(['a', 'b', 'c', 'd', 'unreadable', 'z'])
  })

  test('a failure to read more keeps what is there and is told', async () => {
    for (let at = 0; at < 501; at += 1) storeKey(database, b(`k${at + 1_000}`), b('1'))
    await list('k')
    server.unplug()
    await keyLists.more(tab.store, 'defaultdb', b('k'))
    await soon(async () =>
      expect(await list('k')).toMatchObject({
        problem: expect.anything(),
        error: null,
        data: { items: { length: 500 } },
      }),
    )
    server.plug()
    await keyLists.more(tab.store, 'defaultdb', b('k'))
    await soon(async () =>
      expect(await list('k')).toMatchObject({ problem: null, data: { items: { length: 501 } } }),
    )
  })

  test('A13: __proto__ is a key like others', async () => {
    storeKey(database, b('__proto__'), b('x'))
    expect(names(await list())).toEqual(['__proto__'])
    expect((await stateOf('__proto__')).data?.kind).toBe('live')
  })
})

describe('what stands under a key', () => {
  test('is its newest revision, or the one asked for', async () => {
    for (const value of ['1', '2', '3']) storeKey(database, b('k'), b(value))
    expect((await stateOf('k')).data).toMatchObject({
      kind: 'live',
      entry: { value: b('3'), revision: '3', tx: '3' },
    })
    expect((await stateOf('k', '1')).data).toMatchObject({ entry: { value: b('1') } })
    expect((await stateOf('k', '9')).data).toEqual({ kind: 'absent' })
  })

  test('or why there is nothing: absent, deleted, expired, a reference to nothing', async () => {
    storeKey(database, b('gone'), b('1'))
    storeKey(database, b('gone'), null)
    storeKey(database, b('gone'), b('again'))
    storeKey(database, b('gone'), null)
    storeKey(database, b('old'), b('1'), { isExpired: true, expiresAt: '1600000000' })
    storeKey(database, b('ref'), 'AAAAAAAAAAAAdA==', { target: b('gone') })
    expect((await stateOf('never')).data).toEqual({ kind: 'absent' })
    expect((await stateOf('gone')).data).toMatchObject({ kind: 'deleted', entry: { tx: '4' } })
    expect((await stateOf('gone', '2')).data).toMatchObject({ kind: 'deleted', entry: { tx: '2' } })
    expect((await stateOf('old')).data).toMatchObject({
      kind: 'expired',
      entry: { expiresAt: '1600000000' },
    })
    expect((await stateOf('ref')).data?.kind).toBe('dangling')
  })

  test('F11: a value over 4 MiB is said to be there and not to be readable', async () => {
    storeKey(database, b('huge'), 'A'.repeat(7_000_000))
    expect((await stateOf('huge')).data).toEqual({ kind: 'too-large' })
  })

  test('a failure of the server is a failure, not an absent key', async () => {
    const { error, data } = await stateOf('fault_portal')
    expect(error).toMatchObject({ kind: 'proxy' })
    expect(data).toBeUndefined()
  })
})

describe('the revisions of a key', () => {
  test('come newest first, in pages', async () => {
    for (let at = 0; at < 23; at += 1) storeKey(database, b('k'), at === 11 ? null : b(String(at)))
    const { data: first = [] } = await revisionsOf('k')
    expect(first).toMatchObject({ length: 10, 0: { number: 23, tx: '23' } })
    expect(hasOlder(first)).toBe(true)
    for (const count of [20, 23]) {
      await revisionLists.more(tab.store, 'defaultdb', b('k'))
      await soon(async () => expect((await revisionsOf('k')).data).toHaveLength(count))
    }
    const { data = [] } = await revisionsOf('k')
    expect(data.map(({ number }) => number)).toEqual(Array.from({ length: 23 }, (_, at) => 23 - at))
    expect(data.filter(({ kind }) => kind === 'deleted')).toHaveLength(1)
    expect(hasOlder(data)).toBe(false)
  })

  test('F11: those too large to be read are still numbered', async () => {
    storeKey(database, b('k'), b('1'))
    storeKey(database, b('k'), 'A'.repeat(7_000_000))
    storeKey(database, b('k'), b('3'))
    const { data } = await revisionsOf('k')
    expect(data?.map(({ number, tx, kind }) => [number, tx, kind])).toEqual([
      [3, '3', 'written'],
      [2, null, 'too-large'],
      [1, '1', 'written'],
    ])
  })

  test('times come for neighbours in one call, and only once', async () => {
    const timesOf = async (ids: string) => {
      const of = tab.store.get(txTimesAtom)('defaultdb', ids)
      tab.store.sub(of, () => {})
      return soon(() => {
        const { data } = tab.store.get(of)
        if (!data) throw new Error('not yet')
        return data
      })
    }
    expect(await timesOf('3,1,250')).toEqual({
      1: '1700000001',
      3: '1700000003',
      250: '1700000250',
    })
    expect(sent('/db/tx').map(({ body }) => [body.initialTx, body.limit])).toEqual([
      ['1', 3],
      ['250', 1],
    ])
    await timesOf('1,3')
    expect(sent('/db/tx')).toHaveLength(2)
  })
})

/** Begins the value of a key that was looked up before. */
async function begin(key: string, text: string) {
  const { data } = await stateOf(key)
  draftKeyValue(tab.store, b(key), data as KeyState)
  changeDraft(tab.store, { text })
}

function beginNew(keyText: string, text: string) {
  draftNewKey(tab.store)
  changeDraft(tab.store, { keyText, text })
}

const storedUnder = (key: string) => keysOf(database).get(b(key))?.at(-1)?.value ?? null
const save = () => saveDraft(tab.store)
const saveState = () => tab.store.get(saveStateAtom)

describe('saving', () => {
  test('a new key demands that there is none, says what happened and ends the draft', async () => {
    beginNew('user:1', 'Ann')
    expect(await save()).toBe(b('user:1'))
    expect(sent('/db/set')[0]?.body).toEqual({
      KVs: [{ key: b('user:1'), value: b('Ann') }],
      preconditions: [{ keyMustNotExist: { key: b('user:1') } }],
    })
    expect(tab.store.get(writtenAtom)?.text).toBe('Stored in tx 1.')
    expect(tab.store.get(draftAtom)).toBeNull()
    expect(saveState()).toEqual({ kind: 'idle' })
  })

  test('a change demands that the key is as it was seen, and shows at once', async () => {
    storeKey(database, b('k'), b('1'))
    await begin('k', '2')
    await save()
    expect(sent('/db/set')[0]?.body.preconditions).toEqual([
      { keyNotModifiedAfterTX: { key: b('k'), txID: '1' } },
    ])
    await soon(async () =>
      expect((await stateOf('k')).data).toMatchObject({ entry: { value: b('2') } }),
    )
  })

  test('over a deleted key goes out from the deletion', async () => {
    storeKey(database, b('k'), b('1'))
    storeKey(database, b('k'), null)
    await begin('k', '2')
    await save()
    expect(sent('/db/set')[0]?.body.preconditions).toMatchObject([
      { keyNotModifiedAfterTX: { txID: '2' } },
    ])
    expect(storedUnder('k')).toBe(b('2'))
  })

  test('F11: over a value too large to be read demands that there is one', async () => {
    storeKey(database, b('k'), 'A'.repeat(7_000_000))
    await begin('k', 'small')
    expect(tab.store.get(draftAtom)).toMatchObject({ isTooLarge: true })
    await save()
    expect(sent('/db/set')[0]?.body.preconditions).toEqual([{ keyMustExist: { key: b('k') } }])
    expect(storedUnder('k')).toBe(b('small'))
  })

  test('keeps the expiry, or drops it when told so', async () => {
    storeKey(database, b('k'), b('1'), { expiresAt: '4102444800' })
    await begin('k', '2')
    await save()
    expect(sent('/db/set')[0]?.body.KVs).toMatchObject([
      { metadata: { expiration: { expiresAt: '4102444800' } } },
    ])
    await begin('k', '3')
    changeDraft(tab.store, { keepsExpiry: false })
    await save()
    expect(sent('/db/set')[1]?.body.KVs).toEqual([{ key: b('k'), value: b('3') }])
  })

  test('F35: twice at once is once', async () => {
    beginNew('k', '1')
    await Promise.all([save(), save()])
    expect(sent('/db/set')).toHaveLength(1)
  })

  test('nothing is sent without bytes', async () => {
    beginNew('', 'x')
    expect(await save()).toBeNull()
    beginNew('k', 'f')
    changeDraft(tab.store, { format: 'hex' })
    expect(await save()).toBeNull()
    expect(sent('/db/set')).toHaveLength(0)
  })

  test('a refusal is said in the words of the server, and the draft stays', async () => {
    server.users.set('reader', { password: 'x', permissions: { defaultdb: 1 } })
    tab = openTab(server)
    await signIn(tab, 'reader', 'x')
    beginNew('k', '1')
    await save()
    expect(saveState()).toMatchObject({ kind: 'refused', text: 'Permission denied.' })
    expect(tab.store.get(draftAtom)).not.toBeNull()
  })

  test('F42: someone was quicker: nothing is stored, both versions are there', async () => {
    storeKey(database, b('k'), b('1'))
    await begin('k', 'mine')
    storeKey(database, b('k'), b('theirs'))
    expect(await save()).toBeNull()
    const state = saveState()
    expect(state).toMatchObject({
      kind: 'conflict',
      stored: { kind: 'live', entry: { value: b('theirs'), revision: '2' } },
    })
    expect(tab.store.get(draftAtom)).toMatchObject({ text: 'mine' })
    if (state.kind === 'conflict') await saveOverStored(tab.store, state.stored)
    expect(storedUnder('k')).toBe(b('mine'))
  })

  test('F42: a conflict is about its key: under another name there is none', async () => {
    storeKey(database, b('k'), b('theirs'))
    beginNew('k', 'mine')
    await save()
    expect(saveState()).toMatchObject({ kind: 'conflict', isNew: true })
    changeDraft(tab.store, { keyText: 'k2' })
    expect(saveState()).toEqual({ kind: 'idle' })
    changeDraft(tab.store, { keyText: 'k' })
    expect(saveState()).toMatchObject({ kind: 'conflict' })
    changeDraft(tab.store, { keyText: 'k2' })
    expect(await save()).toBe(b('k2'))
  })

  test('F42: a new key that exists already is a conflict as well', async () => {
    storeKey(database, b('k'), b('theirs'))
    beginNew('k', 'mine')
    await save()
    expect(saveState()).toMatchObject({ kind: 'conflict' })
    expect(storedUnder('k')).toBe(b('theirs'))
  })

  test('F16: refused because the first of two deliveries was stored: that is told', async () => {
    storeKey(database, b('k'), b('1'))
    await begin('k', 'mine')
    storeKey(database, b('k'), b('mine'))
    expect(await save()).toBe(b('k'))
    expect(tab.store.get(writtenAtom)?.text).toBe(
      'tx 2 holds exactly this value. Transactions do not say who sent them.',
    )
  })

  test('F16: and that it was changed again since is told as well', async () => {
    beginNew('k', 'mine')
    storeKey(database, b('k'), b('mine'))
    storeKey(database, b('k'), b('theirs'))
    await save()
    expect(saveState()).toMatchObject({ kind: 'conflict', seenIn: ['1'] })
  })

  test('F16: refused by what may be its own first delivery is unknown until that was read', async () => {
    tab = openTab(goesAwayAfter(server, '/db/set'))
    await signIn(tab)
    beginNew('k', 'mine')
    storeKey(database, b('k'), b('mine'))
    expect(await save()).toBeNull()
    expect(saveState()).toMatchObject({
      kind: 'unknown',
      text: expect.stringContaining('has changed since you began'),
    })
    server.plug()
    expect(await checkSave(tab.store)).toBe(b('k'))
  })
})

describe('F17: a save without an answer', () => {
  test('is unknown, is not sent again, and the check finds it stored', async () => {
    beginNew('fault_lost_1', 'mine')
    expect(await save()).toBeNull()
    expect(saveState()).toMatchObject({ kind: 'unknown', finding: null })
    expect(sent('/db/set')).toHaveLength(1)
    expect(await checkSave(tab.store)).toBe(b('fault_lost_1'))
    expect(tab.store.get(writtenAtom)?.text).toContain('holds exactly this value')
    expect(sent('/db/set')).toHaveLength(1)
  })

  test('F19: that never arrived is found not to be stored; only a click sends it again', async () => {
    beginNew('fault_reset_1', 'mine')
    await save()
    expect(await checkSave(tab.store)).toBeNull()
    expect(saveState()).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^Not stored so far/),
    })
    expect(sent('/db/set')).toHaveLength(1)
    expect(await save()).toBe(b('fault_reset_1'))
    expect(storedUnder('fault_reset_1')).toBe(b('mine'))
  })

  test('that is found with several revisions since calls them possible copies', async () => {
    beginNew('fault_lost_1', 'mine')
    await save()
    storeKey(database, b('fault_lost_1'), b('theirs'))
    storeKey(database, b('fault_lost_1'), b('mine'))
    await checkSave(tab.store)
    expect(tab.store.get(writtenAtom)?.text).toBe(
      'tx 3 holds exactly this value. Possible copies, all since it was sent: tx 3, tx 2, tx 1. Transactions do not say who sent them.',
    )
  })

  test('says whether the browser may have repeated it', async () => {
    beginNew('fault_lost_1', 'mine')
    await save()
    expect(saveState()).toMatchObject({ advice: expect.stringMatching(/^The browser may have/) })
    await checkSave(tab.store)
    server.keepFresh()
    beginNew('fault_lost_2', 'mine')
    storeKey(database, b('x'), b('1'))
    await deleteKey(tab.store, b('x'))
    await save()
    expect(saveState()).toMatchObject({
      advice:
        'The server runs it at most once, even if the browser repeats it. Check before you send it again.',
    })
  })

  test('is checked for what was sent, whatever the draft says by now', async () => {
    beginNew('fault_lost_1', 'mine')
    await save()
    changeDraft(tab.store, { keyText: 'another', text: 'something else' })
    expect(await checkSave(tab.store)).toBe(b('fault_lost_1'))
    expect(tab.store.get(writtenAtom)).toMatchObject({ key: b('fault_lost_1') })
  })

  test('that demands only that there is a value is not said to be stored once at most', async () => {
    storeKey(database, b('k'), 'A'.repeat(7_000_000))
    await begin('k', 'mine')
    server.unplug()
    await save()
    server.plug()
    await checkSave(tab.store)
    const state = saveState()
    expect(state.kind === 'unknown' && state.finding).toBe(
      'Not stored so far. A busy server may still commit it: check again before you save once more, or it may be stored twice.',
    )
  })

  test('stays unknown when the server refuses it the second time', async () => {
    server.users.set('writer', { password: 'x', permissions: { defaultdb: 2 } })
    tab = openTab(server)
    await signIn(tab, 'writer', 'x')
    beginNew('fault_lost_1', 'mine')
    await save()
    server.users.set('writer', { password: 'x', permissions: { defaultdb: 1 } })
    await save()
    expect(saveState()).toMatchObject({
      kind: 'unknown',
      finding: 'The second attempt was refused: Permission denied. The first may have been stored.',
    })
    expect(await checkSave(tab.store)).toBe(b('fault_lost_1'))
  })

  test('stays unknown while a key is deleted or another database is open', async () => {
    beginNew('fault_lost_1', 'mine')
    await save()
    resetDeletion(tab.store)
    tab.store.set(databaseAtom, 'other')
    expect(saveState()).toEqual({ kind: 'idle' })
    beginNew('k', 'theirs')
    dropDraft(tab.store)
    tab.store.set(databaseAtom, 'defaultdb')
    expect(saveState()).toMatchObject({ kind: 'unknown' })
    expect(await checkSave(tab.store)).toBe(b('fault_lost_1'))
  })

  test('that is answered when another database is open leaves the draft there alone', async () => {
    server.databases.set('other', { isLoaded: true, txId: 0, tables: new Map() })
    beginNew('k', 'mine')
    const saved = save()
    tab.store.set(databaseAtom, 'other')
    beginNew('k', 'another')
    // There is nothing to open then: the screen shows another database.
    expect(await saved).toBeNull()
    expect(storedUnder('k')).toBe(b('mine'))
    expect(tab.store.get(draftAtom)).toMatchObject({ text: 'another' })
    tab.store.set(databaseAtom, 'defaultdb')
    expect(tab.store.get(draftAtom)).toBeNull()
  })

  test('and another value in its place is a conflict', async () => {
    beginNew('fault_reset_1', 'mine')
    await save()
    storeKey(database, b('fault_reset_1'), b('theirs'))
    await checkSave(tab.store)
    expect(saveState()).toMatchObject({ kind: 'conflict' })
  })

  test('is not said to be not stored when it was, and someone changed the key since', async () => {
    beginNew('fault_lost_1', 'mine')
    await save()
    storeKey(database, b('fault_lost_1'), b('theirs'))
    await checkSave(tab.store)
    expect(saveState()).toMatchObject({ kind: 'conflict', seenIn: ['1'] })
    beginNew('fault_lost_2', 'mine')
    await save()
    storeKey(database, b('fault_lost_2'), null)
    await checkSave(tab.store)
    expect(saveState()).toMatchObject({ kind: 'conflict', seenIn: ['3'] })
  })

  test('of a value too large to be read back stays unknown', async () => {
    beginNew('fault_lost_1', 'x'.repeat(5_000_000))
    await save()
    await checkSave(tab.store)
    expect(saveState()).toMatchObject({ kind: 'conflict', seenIn: null })
  })

  test('and never stored is told as such beside another value', async () => {
    beginNew('fault_reset_1', 'mine')
    await save()
    storeKey(database, b('fault_reset_1'), b('theirs'))
    await checkSave(tab.store)
    expect(saveState()).toMatchObject({ kind: 'conflict', seenIn: [] })
  })

  test('a check that fails says so', async () => {
    beginNew('fault_lost', 'mine')
    await save()
    server.unplug()
    await checkSave(tab.store)
    expect(saveState()).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^The check itself failed/),
    })
  })
})

describe('deleting', () => {
  test('adds a revision and says so', async () => {
    storeKey(database, b('k'), b('1'))
    expect(await deleteKey(tab.store, b('k'))).toBe(true)
    await soon(async () => expect((await stateOf('k')).data?.kind).toBe('deleted'))
    expect(tab.store.get(writtenAtom)?.text).toMatch(/^Deleted in tx 2/)
  })

  test('what is not there is refused, where the browser cannot have repeated it', async () => {
    server.keepFresh()
    storeKey(database, b('x'), b('1'))
    expect(await deleteKey(tab.store, b('x'))).toBe(true)
    expect(await deleteKey(tab.store, b('k'))).toBe(false)
    expect(tab.store.get(deleteStateAtom).kind).toBe('refused')
    resetDeletion(tab.store)
    expect(tab.store.get(deleteStateAtom).kind).toBe('idle')
  })

  test('F16: what is not there any more may be gone by the first of two deliveries', async () => {
    storeKey(database, b('k'), b('1'))
    storeKey(database, b('k'), null)
    expect(await deleteKey(tab.store, b('k'))).toBe(false)
    expect(tab.store.get(deleteStateAtom)).toMatchObject({
      kind: 'unknown',
      advice: expect.stringMatching(/^The browser may have sent it more than once/),
    })
    expect(await checkDelete(tab.store)).toBe(true)
    expect(tab.store.get(writtenAtom)?.text).toBe(
      'The key was deleted in tx 2. Transactions do not say who sent them.',
    )
  })

  test('stays unknown when the next attempt finds nothing, for the first may have deleted it', async () => {
    server.keepFresh()
    storeKey(database, b('fault_lost_1'), b('1'))
    expect(await deleteKey(tab.store, b('fault_lost_1'))).toBe(false)
    expect(tab.store.get(deleteStateAtom).kind).toBe('unknown')
    expect(await deleteKey(tab.store, b('fault_lost_1'))).toBe(false)
    expect(tab.store.get(deleteStateAtom)).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^The second attempt was refused: .* may have been done\.$/),
    })
    expect(await checkDelete(tab.store)).toBe(true)
  })

  test('without an answer is unknown until it is checked', async () => {
    storeKey(database, b('fault_reset_1'), b('1'))
    tab.store.sub(stateAtom, () => {})
    await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('1'))
    expect(await deleteKey(tab.store, b('fault_reset_1'))).toBe(false)
    expect(await checkDelete(tab.store)).toBe(false)
    expect(tab.store.get(deleteStateAtom)).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^Not deleted so far/),
    })
    storeKey(database, b('fault_reset_1'), b('2'))
    expect(await checkDelete(tab.store)).toBe(false)
    expect(tab.store.get(deleteStateAtom)).toMatchObject({
      finding: expect.stringMatching(/^Not deleted now: tx 2 wrote it/),
    })
    storeKey(database, b('fault_reset_1'), null)
    expect(await checkDelete(tab.store)).toBe(true)
    expect(sent('/db/deletekey')).toHaveLength(1)
  })
})

describe('a draft', () => {
  test('of bytes that are no text begins in hex, and may not be text', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
    storeKey(database, b('png'), png)
    const { data } = await stateOf('png')
    draftKeyValue(tab.store, b('png'), data as KeyState)
    const draft = tab.store.get(draftAtom)
    expect(draft).toMatchObject({ format: 'hex', text: '89504e470d0a1a0a' })
    expect(draft && reasonAgainstShowing(draft, 'text')).toBe(
      'A text field cannot hold these bytes unchanged.',
    )
    expect(draft && reasonAgainstShowing(draft, 'base64')).toBeUndefined()
    setDraftFormat(tab.store, 'base64')
    expect(tab.store.get(draftAtom)).toMatchObject({ text: png })
    expect(tab.store.get(isDraftChangedAtom)).toBe(false)
    await save()
    expect(storedUnder('png')).toBe(png)
  })

  test('of a value too large for a text field begins empty and says so', async () => {
    storeKey(database, b('k'), 'A'.repeat(400_000))
    const { data } = await stateOf('k')
    draftKeyValue(tab.store, b('k'), data as KeyState)
    expect(tab.store.get(draftAtom)).toMatchObject({ text: '', isTooLarge: true })
  })

  test('belongs to its database, and each database has its own', () => {
    beginNew('k', '1')
    for (const name of ['other', '__proto__', 'constructor']) {
      tab.store.set(databaseAtom, name)
      expect(tab.store.get(draftAtom)).toBeNull()
      beginNew(name, '2')
    }
    tab.store.set(databaseAtom, 'defaultdb')
    expect(tab.store.get(draftAtom)).toMatchObject({ keyText: 'k', text: '1' })
    tab.store.set(databaseAtom, '__proto__')
    expect(tab.store.get(draftAtom)).toMatchObject({ keyText: '__proto__', text: '2' })
  })
})
