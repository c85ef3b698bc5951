// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import type { Drawn, RevisionContent } from '~/atoms/revisions/history'
import { revisionQueriesAtom } from '~/atoms/revisions/revision-list'
import { openRowHistory } from '~/atoms/revisions/row-history'
import { txTimesAtom } from '~/core/history/tx-times'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import type { FactsOf } from '~/proof/kernel/verify'
import { questionOf, unequalIn } from '../../support/questions'
import { RevisionServer, tabWith } from '../../support/revision-server'

const row = { kind: 'row', database: 'db', table: 't', key: [{ n: '1' }] } as const

const walked = () =>
  new RevisionServer(
    [
      { tx: 5, v: 'one' },
      { tx: 9, v: 'two' },
      { tx: 12, v: 'two', isDeletion: true },
      { tx: 900, v: 'three' },
    ],
    1_000,
  )

describe('the history of a row', () => {
  test('names each revision by its transaction, deletions among them', async () => {
    const server = walked()
    const history = await openRowHistory(tabWith(server), row)
    expect(history.what).toBe('row id = 1 of t')
    const lines = await history.lines(4, 1, {})
    expect(lines.map(({ number, tx, kind }) => [number, tx, kind])).toEqual([
      [4, '900', 'written'],
      [3, '12', 'deleted'],
      [2, '9', 'written'],
      [1, '5', 'written'],
    ])
  })

  test('shows what was written, and no content for a deletion', async () => {
    const history = await openRowHistory(tabWith(walked()), row)
    expect((await history.content(2, {})).parts).toEqual([
      { name: 'id', type: 'INTEGER', value: '1' },
      { name: 'v', type: 'VARCHAR', value: 'two' },
    ])
    const deleted = await history.content(3, {})
    expect(deleted.parts).toEqual([])
    expect(deleted.note).toBe('This revision deleted the row. A deletion repeats the last content.')
  })

  test('looks at a moment of the past rather than skipping many revisions', async () => {
    const versions = Array.from({ length: 400 }, (_, at) => ({ tx: at + 3, v: `v${at}` }))
    const server = new RevisionServer(versions, 500)
    const history = await openRowHistory(tabWith(server), row)
    expect((await history.content(2, {})).parts[1]?.value).toBe('v1')
    expect(server.count('OFFSET')).toBe(0)
    expect(history.isFar(2, 1)).toBe(false)
    expect(history.isFar(210, 200)).toBe(true)
  })

  test('is found in the transactions where it was written often, from a link to any revision', async () => {
    const versions = Array.from({ length: 9_000 }, (_, at) => ({
      tx: 3 + at * 2,
      v: `v${at}`,
      isDeletion: at === 4_400,
    }))
    const server = new RevisionServer(versions, 20_000)
    server.isListed = true
    const history = await openRowHistory(tabWith(server), row)
    expect([history.isFar(4_410, 4_401), history.isSlow(4_400)]).toEqual([false, false])
    server.asked.length = 0
    const left: number[] = []
    const lines = await history.lines(4_402, 4_400, { onRound: (more) => left.push(more) })
    expect(lines.map(({ tx, kind }) => [tx, kind])).toEqual([
      ['8805', 'written'],
      ['8803', 'deleted'],
      ['8801', 'written'],
    ])
    expect(server.asked.length).toBeLessThanOrEqual(2 * Math.log2(20_000))
    expect(left[0]).toBe(4)
    expect((await history.content(4_402, {})).parts[1]?.value).toBe('v4401')
    expect(server.count('OFFSET')).toBe(0)
  })

  test('takes few requests from the newest of 10,000 revisions to the oldest, with their times', async () => {
    const versions = Array.from({ length: 10_000 }, (_, at) => ({ tx: 3 + at * 4, v: `v${at}` }))
    const server = new RevisionServer(versions, 40_100)
    server.isListed = true
    const tab = tabWith(server)
    const history = await openRowHistory(tab, row)
    server.asked.length = 0
    await history.lines(10_000, 9_991, {})
    await history.lines(9_990, 9_981, {})
    // It begins with little, since most want only the newest.
    expect(server.asked.length).toBeLessThanOrEqual(8)
    const limits = () =>
      server.asked.flatMap(({ body }) => (body.limit ? [Number(body.limit)] : []))
    expect(Math.max(...limits())).toBeLessThan(200)
    for (let from = 9_980; from >= 5_000; from -= 500) await history.lines(from, from - 9, {})
    expect(server.asked.length).toBeLessThanOrEqual(40)
    for (let from = 4_980; from >= 10; from -= 500) await history.lines(from, from - 9, {})
    expect(server.asked.length).toBeLessThanOrEqual(70)
    expect(Math.max(...limits())).toBeLessThanOrEqual(2_500)
    const last = await history.lines(10, 1, {})
    expect(last.map(({ tx }) => tx)).toEqual(
      Array.from({ length: 10 }, (_, at) => String(39 - at * 4)),
    )
    const ids = last.map(({ tx }) => tx).join()
    const before = server.asked.length
    const times = tab.get(txTimesAtom)('db', ids)
    tab.sub(times, () => {})
    await vi.waitFor(() => expect(tab.get(times).data).toMatchObject({ 39: '1700000039' }))
    expect(server.asked).toHaveLength(before)
  })

  test('is searched on where nobody waits any more, so that nothing is asked twice', async () => {
    const versions = Array.from({ length: 10_000 }, (_, at) => ({ tx: 3 + at * 4, v: `v${at}` }))
    const server = new RevisionServer(versions, 40_100)
    server.isListed = true
    const store = tabWith(server)
    const history = await openRowHistory(store, row)
    server.asked.length = 0
    const { lines } = store.get(revisionQueriesAtom)(history)
    // What scrolling does: each page comes into sight and goes again.
    for (let page = 0; page < 400; page += 1) {
      const leave = store.sub(lines(String(page)), () => {})
      if (page % 4 === 0) await new Promise(setImmediate)
      leave()
    }
    store.sub(lines('400'), () => {})
    await vi.waitFor(() => expect(store.get(lines('400')).data?.[0]?.tx).toBe('23999'))
    const bodies = server.asked.map(({ path, body }) => path + JSON.stringify(body))
    expect(new Set(bodies).size).toBe(bodies.length)
    expect(bodies.length).toBeLessThanOrEqual(40)
  })

  test('is far, and slow to read, where that takes many requests', async () => {
    const versions = Array.from({ length: 6_000 }, (_, at) => ({ tx: 1 + at * 100, v: `v${at}` }))
    const history = await openRowHistory(tabWith(new RevisionServer(versions, 600_000)), row)
    const far = [6_000, 5_990, 4_900, 3_000, 1].map((at) => [
      history.isFar(at, at),
      history.isSlow(at),
    ])
    expect(far).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [true, true],
      [false, false],
    ])
  })

  test.each([
    [[{ n: '2' }], 'No such row: t never had one with id = 2.'],
    [[{ s: '1' }], 'No such row: the primary key of t is id INTEGER.'],
    [[{ n: '1' }, { n: '1' }], 'No such row: the primary key of t is id INTEGER.'],
  ])('that does not exist is said: %j', async (key, missing) => {
    const history = await openRowHistory(tabWith(walked()), { ...row, key })
    expect([history.count, history.missing]).toEqual([0, missing])
  })

  test.each([
    [13, [null, undefined, 'gone', 'gone']],
    [1_000, ['gone', undefined, 'gone', 'gone']],
  ])('keeps its transactions where cells before %i are gone', async (goneBefore, contents) => {
    const server = walked()
    server.goneBefore = goneBefore
    const history = await openRowHistory(tabWith(server), row)
    const lines = await history.lines(4, 1, {})
    expect(lines.map(({ tx, kind }) => [tx, kind])).toEqual([
      ['900', 'written'],
      ['12', 'deleted'],
      ['9', 'written'],
      ['5', 'written'],
    ])
    for (const [at, content] of contents.entries()) {
      const { note, parts } = await history.content(4 - at, {})
      if (content === null) expect(parts).toHaveLength(2)
      if (content === 'gone') {
        expect(note).toMatch(/^The server no longer has the cells of this revision\./)
        expect(parts).toEqual([])
      }
    }
  })

  test('is not taken for empty when the server refuses a question', async () => {
    const server = walked()
    const history = await openRowHistory(tabWith(server), row)
    server.isBusy = true
    await expect(history.lines(4, 1, {})).rejects.toThrow('max waiting limit exceeded')
    server.isBusy = false
    expect((await history.lines(1, 1, {}))[0]?.tx).toBe('5')
  })

  test('of an unknown table is an error of the server', async () => {
    const opening = openRowHistory(tabWith(walked()), { ...row, table: 'nothing' })
    await expect(opening).rejects.toThrow('table does not exist (nothing)')
  })
})

describe('what was found', () => {
  const storage = () =>
    openStorage(
      async () => memoryDriver(),
      () => {},
    )

  async function askedAgain(change: (server: RevisionServer) => void) {
    const [server, kept] = [walked(), storage()]
    const first = await openRowHistory(tabWith(server, kept), row)
    await first.lines(4, 1, {})
    await kept.read('webconsole.revisions')
    change(server)
    server.asked.length = 0
    const history = await openRowHistory(tabWith(server, kept), row)
    const lines = await history.lines(history.count, 1, {})
    return { txs: lines.map(({ tx }) => tx), questions: server.count('UNION ALL') }
  }

  test('is not looked for again, also when the database has grown', async () => {
    expect(await askedAgain(() => {})).toEqual({ txs: ['900', '12', '9', '5'], questions: 0 })
    const grown = await askedAgain((server) => {
      server.last = 2_000
    })
    expect(grown).toEqual({ txs: ['900', '12', '9', '5'], questions: 0 })
  })

  test('is taken up where the row was written since', async () => {
    const found = await askedAgain((server) => {
      server.last = 2_000
      server.versions.push({ tx: 1_500, v: 'four' })
    })
    expect(found.txs).toEqual(['1500', '900', '12', '9', '5'])
  })

  test('is forgotten with a database that was deleted and made again', async () => {
    const found = await askedAgain((server) => {
      server.past = 'another past'
      server.versions = server.versions.map((one) => ({ ...one, tx: one.tx + 1 }))
    })
    expect(found.txs).toEqual(['901', '13', '10', '6'])
  })

  test('is forgotten with a table that was dropped and made again', async () => {
    const found = await askedAgain((server) => {
      server.last = 2_000
      server.versions = [1_100, 1_200, 1_300, 1_400].map((tx) => ({ tx, v: 'x' }))
    })
    expect(found.txs).toEqual(['1400', '1300', '1200', '1100'])
  })

  test('holds no value of the key', async () => {
    const kept = storage()
    const server = walked()
    const history = await openRowHistory(tabWith(server, kept), row)
    await history.lines(4, 1, {})
    const [found] = (await kept.read('webconsole.revisions')) as { name: string }[]
    expect(found?.name).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('the question for a revision of a row', () => {
  const cell = (type: string, value: string) => ({ type, value, raw: '' })
  const facts = (v: string, more: object = {}) => ({
    ...{ tableId: 1, deleted: false, key: '', tx: '9', ts: '1', position: 0, raw: {}, hidden: [] },
    named: { id: cell('INTEGER', '1'), v: cell('VARCHAR', v) },
    ...more,
  })
  const number = ['the revision number', 'uncovered'] as const

  async function drawnOf(revision: number) {
    const store = tabWith(walked())
    const history = await openRowHistory(store, row)
    const [line = null] = await history.lines(revision, revision, {})
    const content = await history.content(revision, {})
    const drawn: Drawn = { number: revision, against: 0, content, line }
    const ask = (of: Drawn) => questionOf(history, store, of)
    return { history, drawn, ask }
  }

  test('compares everything that is drawn, and nothing that is asked for then', async () => {
    const { drawn, ask } = await drawnOf(2)
    const question = await ask(drawn)
    expect(question.what).toBe('row id = 1 of t, revision 2')
    expect(question.request).toEqual({
      sqlGetRequest: { table: 't', pkValues: row.key, atTx: '9' },
    })
    expect(unequalIn(question, facts('two'))).toEqual([number])
    expect(unequalIn(question, facts('one'))).toEqual([['v', 'differs'], number])
    expect(unequalIn(question, facts('two', { tx: '12' }))).toContainEqual([
      'the transaction',
      'differs',
    ])
    expect(unequalIn(question, facts('two', { deleted: true }))).toContainEqual([
      'the deletion',
      'differs',
    ])
    const named = { ...facts('two').named, w: cell('VARCHAR', 'left out') }
    expect(unequalIn(question, facts('two', { named }))).toContainEqual(['w', 'differs'])
    const retyped = { ...facts('two').named, v: cell('UUID', 'two') }
    expect(unequalIn(question, facts('two', { named: retyped }))).toEqual([
      ['v', 'differs'],
      number,
    ])
    const beside = await ask({ ...drawn, against: 1 })
    expect(unequalIn(beside, facts('two'))).toEqual([number, ['revision 1 beside it', 'uncovered']])
  })

  test('compares cells of dropped columns, and names that no proof has their names', async () => {
    const { drawn, ask } = await drawnOf(2)
    const hidden = facts('two', { hidden: [7], raw: { 7: '00ff' } })
    expect(unequalIn(await ask(drawn), hidden)).toEqual([number, ['dropped column 7', 'differs']])
    if (!drawn.content) throw new Error('no content')
    const dropped = (bytes: readonly number[]) =>
      ask({
        ...drawn,
        content: {
          ...(drawn.content as RevisionContent),
          dropped: [{ id: 7, cell: Uint8Array.from(bytes) }],
        },
      })
    const names = ['the names of dropped columns', 'uncovered']
    expect(unequalIn(await dropped([0, 255]), hidden)).toEqual([names, number])
    expect(unequalIn(await dropped([0, 254]), hidden)).toContainEqual([
      'dropped column 7',
      'differs',
    ])
    expect(unequalIn(await dropped([0, 255]), facts('two'))).toContainEqual([
      'dropped column 7',
      'differs',
    ])
  })

  test('compares a deletion, which draws no cells', async () => {
    const { drawn, ask } = await drawnOf(3)
    const question = await ask(drawn)
    expect(unequalIn(question, facts('two', { tx: '12', deleted: true }))).toEqual([number])
    expect(unequalIn(question, facts('two', { tx: '12' }))).toEqual([
      ['the deletion', 'differs'],
      number,
    ])
  })

  test('finds the transaction where the list has not, and says nothing of what is not drawn', async () => {
    const { drawn, ask } = await drawnOf(2)
    const question = await ask({ ...drawn, line: null, content: null })
    expect(question.request).toMatchObject({ sqlGetRequest: { atTx: '9' } })
    expect(unequalIn(question, facts('else', { deleted: true }))).toEqual([number])
  })

  test('gives the proven content, which is drawn from then on', async () => {
    const { history, drawn } = await drawnOf(2)
    const named = {
      id: cell('INTEGER', '1'),
      v: { ...cell('VARCHAR', 'ff00'), isBytes: true },
      f: { type: 'FLOAT', value: -0, raw: '' },
      n: null,
    }
    const proven = facts('', { named, hidden: [7], raw: { 7: '00ff' } }) as FactsOf['row']
    expect(history.provenContent([proven], drawn)).toEqual({
      parts: [
        { name: 'id', type: 'INTEGER', value: '1' },
        { name: 'v', type: 'BLOB', value: '/wA=' },
        { name: 'f', type: 'FLOAT', value: '-0' },
        { name: 'n', type: '', value: null },
      ],
      dropped: [{ id: 7, cell: Uint8Array.of(0, 255) }],
      note: null,
    })
    const deleted = facts('two', { deleted: true }) as FactsOf['row']
    expect(history.provenContent([deleted], drawn).parts).toEqual([])
  })
})
