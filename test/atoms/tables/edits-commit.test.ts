import { beforeEach, describe, expect, test } from 'vitest'
import {
  discardEdits,
  editsOfAtom,
  redoEdit,
  rowDrafts,
  stageEdits,
  undoEdit,
} from '~/atoms/tables/edits'
import { checkCommit, commitEdits, commitStateAtom } from '~/atoms/tables/edits-commit'
import { keepMine, resumeEdits } from '~/atoms/tables/edits-rows'
import { readDetails } from '~/atoms/tables/table-list'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { countDrafts } from '~/core/drafts'
import { stateAtom } from '~/core/history/newest-state'
import { chooseReadOnly } from '~/core/settings'
import {
  addRow,
  changeCell,
  changeNewCell,
  deleteRow,
  duplicateRow,
  type EditTable,
  editTableOf,
} from '~/sql/row-edits'
import { fakeImmudb } from '../../support/fake-immudb'
import { type FakeDriver, fakeDriver, openTab, signIn, soon, type Tab } from '../../support/store'

let server: ReturnType<typeof fakeImmudb>
let driver: FakeDriver
let tab: Tab
let table: EditTable

const place = { database: 'defaultdb', table: 'people' }

beforeEach(async () => {
  sessionStorage.clear()
  driver = fakeDriver()
  server = fakeImmudb()
  const rows = [
    ['1', 'Ada', '36'],
    ['2', 'Bob', null],
    ['3', 'Cid', '7'],
  ]
  const columns = [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'VARCHAR(20)' },
    { name: 'age', type: 'INTEGER' },
  ]
  const people = { table: 'people', columns, key: ['id'], counts: true, rows }
  const databases = { isLoaded: true, txId: 9, tables: new Map() }
  server.databases.set('defaultdb', { ...databases, models: new Map([['people', people]]) })
  tab = await page()
  await describeTable()
})

async function describeTable() {
  const { columns, indexes } = await readDetails(tab.store.get, 'defaultdb', 'people')
  table = editTableOf('people', { columns, indexes })
}

/** Gives the table a column whose name makes the first statement that names it fail. */
async function withFault(name: string) {
  const columns = [...model().columns, { name, type: 'INTEGER' }]
  const all = model().rows.map((one) => [...one, null])
  server.databases.get('defaultdb')?.models?.set('people', { ...model(), columns, rows: all })
  tab = await page()
  await describeTable()
}

/** A page with the table, as after a reload when the storage is one of before. */
async function page(of = driver): Promise<Tab> {
  const opened = openTab(server, of)
  await signIn(opened)
  opened.store.sub(rowDrafts.areBackAtom, () => {})
  opened.store.sub(writeRefusalAtom, () => {})
  await soon(() => {
    expect(opened.store.get(rowDrafts.areBackAtom)).toBe(true)
    expect(opened.store.get(writeRefusalAtom)).toBeUndefined()
  })
  return opened
}

const model = () => {
  const found = server.databases.get('defaultdb')?.models?.get('people')
  if (!found) throw new Error('no table')
  return found
}
const rows = () => model().rows.map((row) => row.join())
const write = (...changed: (string | null)[][]) =>
  server.databases.get('defaultdb')?.models?.set('people', { ...model(), rows: changed })
const row = (id: string, name: string | null, age: string | null) =>
  new Map<string, string | null>([
    ['id', id],
    ['name', name],
    ['age', age],
  ])

const stage = (change: Parameters<typeof stageEdits>[2], about?: string, of = tab) =>
  stageEdits(of.store, place, change, about)
const change = (before: ReturnType<typeof row>, column: string, value: string | null, of = tab) =>
  stage((all) => changeCell(all, table, before, column, { value }), undefined, of)
const staged = (of = tab) => of.store.get(editsOfAtom)(place)
const state = (of = tab) => of.store.get(commitStateAtom)(place)
const commit = (of = tab) => commitEdits(of.store, place, table)
const sent = () => server.calls.filter(({ path }) => path === '/db/sqlexec')

describe('a commit of staged edits', () => {
  test('sends all of them in one request, and leaves nothing staged', async () => {
    change(row('1', 'Ada', '36'), 'age', '37')
    stage((all) => deleteRow(all, table, row('3', 'Cid', '7')))
    stage((all) => {
      const { edits, id } = addRow(all)
      return changeNewCell(edits, id, 'name', { value: 'Eve' })
    })
    expect(sent()).toEqual([])
    expect(await commit()).toBe(true)
    expect(sent()).toHaveLength(1)
    expect(rows()).toEqual(['1,Ada,37', '2,Bob,', '4,Eve,'])
    expect(staged()).toMatchObject({ edits: [], past: [], sent: null })
    expect(state()).toMatchObject({
      kind: 'committed',
      value: { tx: '10', text: '3 rows committed in tx 10.', warning: null },
    })
  })

  test('is not sent when someone else changed a row, and shows it beside mine', async () => {
    change(row('1', 'Ada', '36'), 'age', '37')
    change(row('2', 'Bob', null), 'age', '50')
    write(['1', 'Ada', '36'], ['2', 'Bobby', null], ['3', 'Cid', '7'])
    expect(await commit()).toBe(false)
    expect(sent()).toEqual([])
    expect(rows()).toEqual(['1,Ada,36', '2,Bobby,', '3,Cid,7'])
    expect(state()).toMatchObject({ kind: 'refused', text: 'Someone else changed id = 2.' })
    expect(staged().edits.map(({ id }) => id)).toEqual(['["1"]', '["2"]'])
    expect([...staged().conflicts]).toEqual([['["2"]', row('2', 'Bobby', null)]])
    keepMine(tab.store, place, table, '["2"]')
    expect(await commit()).toBe(true)
    expect(rows()).toEqual(['1,Ada,37', '2,Bobby,50', '3,Cid,7'])
  })

  /** A page whose calls go through this. */
  async function calling(
    through: (path: string, send: () => Promise<Response>) => Promise<Response>,
  ) {
    const real = server.fetch
    server = { ...server, fetch: (input, init) => through(String(input), () => real(input, init)) }
    tab = await page()
  }

  /** Has someone else write after the rows were read again, right before and after the commit. */
  const meanwhile = (before: () => void, after = () => {}) =>
    calling(async (path, send) => {
      if (!path.endsWith('/db/sqlexec')) return send()
      before()
      const answer = await send()
      after()
      return answer
    })

  test.each([
    ['changes', [['2', 'Bobby', null]], row('2', 'Bobby', null)],
    ['deletes', [], null],
  ] as const)('is refused whole when someone else %s a row right then', async (_, theirs, now) => {
    await meanwhile(() => write(['1', 'Ada', '36'], ...theirs.map((one) => [...one])))
    server.keepFresh()
    change(row('1', 'Ada', '36'), 'age', '37')
    stage((all) => deleteRow(all, table, row('2', 'Bob', null)))
    stage((all) => addRow(all).edits)
    expect(await commit()).toBe(false)
    expect(sent()).toHaveLength(1)
    expect(rows()[0]).toBe('1,Ada,36')
    expect(rows()).toHaveLength(1 + theirs.length)
    expect(state()).toMatchObject({ kind: 'refused', text: 'Someone else changed id = 2.' })
    expect(staged().edits).toHaveLength(3)
    expect([...staged().conflicts]).toEqual([['["2"]', now]])
  })

  test('is refused without a conflict when the rows are as they were again', async () => {
    const was = model().rows.map((one) => [...one])
    await meanwhile(
      () => write(['1', 'Eve', '36'], ['2', 'Bob', null]),
      () => write(...was),
    )
    server.keepFresh()
    change(row('1', 'Ada', '36'), 'age', '37')
    expect(await commit()).toBe(false)
    expect(state()).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(
        /^Someone else wrote at the same moment\. .* you can commit again\.$/,
      ),
    })
    expect(staged().conflicts.size).toBe(0)
    expect(staged().edits).toHaveLength(1)
  })

  test('whose rows cannot be read again is not sent', async () => {
    let isDown = false
    await calling(async (path, send) =>
      isDown && path.endsWith('/db/sqlquery')
        ? Response.json({ code: 2, error: 'boom' }, { status: 500 })
        : send(),
    )
    isDown = true
    change(row('1', 'Ada', '36'), 'age', '37')
    expect(await commit()).toBe(false)
    expect(sent()).toEqual([])
    expect(state()).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/^The rows could not be read again/),
    })
    expect(staged().edits).toHaveLength(1)
  })

  test('says so where the server counts another number of rows than were sent', async () => {
    await calling(async (path, send) => {
      const answer = await send()
      if (!path.endsWith('/db/sqlexec')) return answer
      const counted = (await answer.text()).replace(/"updatedRows":2\b/, '"updatedRows":1')
      return new Response(counted, answer)
    })
    change(row('1', 'Ada', '36'), 'age', '37')
    change(row('2', 'Bob', null), 'age', '50')
    await commit()
    expect(state()).toMatchObject({
      kind: 'committed',
      value: { warning: expect.stringMatching(/^The server counts 1 row where 2 were sent/) },
    })
  })

  test('of a deleted row can add it again', async () => {
    change(row('2', 'Bob', null), 'age', '50')
    write(['1', 'Ada', '36'], ['3', 'Cid', '7'])
    await commit()
    expect(state()).toMatchObject({ kind: 'refused', text: 'Someone else changed id = 2.' })
    expect(staged().conflicts.get('["2"]')).toBeNull()
    keepMine(tab.store, place, table, '["2"]')
    expect(staged().edits[0]?.kind).toBe('add')
  })

  test('that is refused for the key of a new row names the row, and keeps all that is staged', async () => {
    change(row('1', 'Ada', '36'), 'age', '37')
    stage((all) => addRow(all, new Map([['id', { value: '7' }]])).edits)
    stage((all) => addRow(all, new Map([['id', { value: '3' }]])).edits)
    server.keepFresh()
    await commit()
    expect(state()).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/Give new rows other keys than id = 3\.$/),
    })
    expect(staged().edits).toHaveLength(3)
    expect(rows()).toEqual(['1,Ada,36', '2,Bob,', '3,Cid,7'])
  })

  test('that is refused by a unique index names the rows that have the values', async () => {
    const model = server.databases.get('defaultdb')?.models?.get('people')
    if (!model) throw new Error('no table')
    server.databases.get('defaultdb')?.models?.set('people', { ...model, unique: 'age' })
    tab = await page()
    await describeTable()
    change(row('1', 'Ada', '36'), 'age', '7')
    stage((all) => addRow(all, new Map([['id', { value: '8' }]])).edits)
    server.keepFresh()
    await commit()
    expect(state()).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/In age, give other values than id = 3; id = 2\.$/),
    })
    expect(staged().edits).toHaveLength(2)
    expect(rows()).toEqual(['1,Ada,36', '2,Bob,', '3,Cid,7'])
  })

  test('is not sent with more entries than a transaction holds', async () => {
    stage((all) => {
      let edits = all
      for (let at = 0; at < 1_025; at += 1) edits = addRow(edits).edits
      return edits
    })
    await commit()
    expect(state()).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/^This makes 1,025 entries/),
    })
    expect(sent()).toEqual([])
    expect(staged().edits).toHaveLength(1_025)
  })

  test('is not sent to a database that is read-only in this browser', async () => {
    change(row('1', 'Ada', '36'), 'age', '37')
    await chooseReadOnly(tab.store, 'defaultdb', true)
    await commit()
    expect(state()).toMatchObject({ kind: 'refused', text: expect.stringMatching(/read-only/) })
    expect(sent()).toEqual([])
  })

  test('without an answer is unknown, also after a reload, and a check finds it', async () => {
    await withFault('fault_lost_1')
    change(row('1', 'Ada', '36').set('fault_lost_1', null), 'name', 'Grace')
    await commit()
    expect(state().kind).toBe('unknown')
    expect(rows()[0]).toBe('1,Grace,36,')
    const again = await page()
    expect(state(again).kind).toBe('unknown')
    await resumeEdits(again.store, place, table)
    await checkCommit(again.store, place, table)
    expect(state(again)).toMatchObject({ kind: 'committed', value: { tx: null } })
    expect(staged(again)).toMatchObject({ edits: [], sent: null })
    expect(sent()).toHaveLength(1)
  })

  test('that never reached the server is found not to be stored, and can be sent again', async () => {
    await withFault('fault_reset_1')
    tab.store.sub(stateAtom, () => {})
    await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('9'))
    change(row('1', 'Ada', '36').set('fault_reset_1', null), 'name', 'Grace')
    await commit()
    expect(state().kind).toBe('unknown')
    await checkCommit(tab.store, place, table)
    expect(state()).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^Not stored so far: tx 9/),
    })
    await commit()
    expect(state().kind).toBe('committed')
    expect(rows()[0]).toBe('1,Grace,36,')
  })

  test('that was stored after all is not sent again, and nothing of it is a conflict', async () => {
    await withFault('fault_lost_1')
    change(row('1', 'Ada', '36').set('fault_lost_1', null), 'name', 'Grace')
    await commit()
    await checkCommit(tab.store, place, { ...table, primaryKey: ['no'] })
    expect(state()).toMatchObject({ kind: 'unknown' })
    await commit()
    expect(state()).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^It was not sent again: /),
    })
    expect(staged().conflicts.size).toBe(0)
    expect(sent()).toHaveLength(1)
    await checkCommit(tab.store, place, table)
    expect(state()).toMatchObject({ kind: 'committed', value: { tx: null } })
  })

  test('that the browser sent twice is not said to have failed', async () => {
    // Plain immudb runs both; the answer is that to the second.
    await calling(async (path, send) => {
      if (path.endsWith('/db/sqlexec')) await send()
      return send()
    })
    change(row('1', 'Ada', '36'), 'age', '37')
    await commit()
    expect(rows()[0]).toBe('1,Ada,37')
    expect(state()).toMatchObject({
      kind: 'unknown',
      advice: expect.stringMatching(/may have sent it more than once/),
    })
    expect(staged().conflicts.size).toBe(0)
    await checkCommit(tab.store, place, table)
    expect(state()).toMatchObject({ kind: 'committed', value: { tx: null } })
    expect(staged().edits).toEqual([])
  })

  test('that a check cannot tell keeps the new rows that the server would number', async () => {
    await withFault('fault_reset_1')
    change(row('1', 'Ada', '36').set('fault_reset_1', null), 'name', 'Grace')
    stage((all) => addRow(all, new Map([['name', { value: 'Eve' }]])).edits)
    await commit()
    expect(state().kind).toBe('unknown')
    const database = server.databases.get('defaultdb')
    if (database) database.txId += 1
    write(['1', 'Grace', '36', null])
    await checkCommit(tab.store, place, table)
    expect(state()).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/numbers 1 new row, which cannot/),
    })
    expect(staged().edits).toHaveLength(2)
  })
})

describe('staged edits', () => {
  test('are undone and redone by steps; the keystrokes in one cell are one step', () => {
    const before = row('1', 'Ada', '36')
    for (const value of ['3', '37']) {
      stage((all) => changeCell(all, table, before, 'age', { value }), 'age')
    }
    stage((all) => deleteRow(all, table, row('3', 'Cid', '7')))
    expect(staged().past).toHaveLength(2)
    undoEdit(tab.store, place)
    expect(staged().edits).toHaveLength(1)
    undoEdit(tab.store, place)
    expect(staged().edits).toEqual([])
    redoEdit(tab.store, place)
    redoEdit(tab.store, place)
    expect(staged().edits.map(({ kind }) => kind)).toEqual(['change', 'delete'])
  })

  test('come back without what was read, and a row that changed since is a conflict', async () => {
    change(row('1', 'Ada', '36'), 'age', '37')
    change(row('2', 'Bob', null), 'name', 'Bert')
    stage((all) => deleteRow(all, table, row('3', 'Cid', '7')))
    stage((all) => addRow(all, new Map([['name', { text: 'x', error: 'No.' }]])).edits)
    const kept = () => JSON.stringify([...driver.values])
    await soon(() => expect(kept()).toContain('Bert'))
    for (const text of [kept(), JSON.stringify({ ...sessionStorage })]) {
      expect(text).not.toMatch(/Ada|Bob|Cid/)
    }
    expect(await countDrafts(tab.store)).toMatchObject({ rows: 1 })
    sessionStorage.clear()
    write(['1', 'Ada', '36'], ['2', 'Bob', '1'])
    const after = await page()
    expect(staged(after).waiting).toHaveLength(4)
    await resumeEdits(after.store, place, table)
    expect(staged(after).edits).toEqual([
      {
        kind: 'change',
        id: '["1"]',
        before: row('1', 'Ada', '36'),
        after: new Map([['age', { value: '37' }]]),
      },
      {
        kind: 'change',
        id: '["2"]',
        before: row('2', 'Bob', '1'),
        after: new Map([['name', { value: 'Bert' }]]),
      },
      { kind: 'add', id: 'new 1', after: new Map([['name', { text: 'x', error: 'No.' }]]) },
    ])
    expect([...staged(after).conflicts.keys()]).toEqual(['["2"]'])
  })

  test('a copy of a row that was changed or deleted since waits for a decision', async () => {
    stage((all) => duplicateRow(all, table, '["1"]', row('1', 'Ada', '36')).edits)
    stage((all) => duplicateRow(all, table, '["3"]', row('3', 'Cid', '7')).edits)
    stage((all) => changeNewCell(all, 'new 2', 'age', { value: '8' }))
    await soon(() => expect(JSON.stringify([...driver.values])).toContain('"8"'))
    write(['1', 'Eve', '36'], ['2', 'Bob', null])
    sessionStorage.clear()
    for (let reloads = 0; reloads < 2; reloads += 1) {
      const reload = await page()
      await resumeEdits(reload.store, place, table)
      expect([...staged(reload).conflicts]).toEqual([
        ['new 1', row('1', 'Eve', '36')],
        ['new 2', null],
      ])
    }
    const last = await page()
    await resumeEdits(last.store, place, table)
    expect(staged(last).edits.map((edit) => edit.kind === 'add' && [...edit.after])).toEqual([
      [
        ['name', { value: 'Eve' }],
        ['age', { value: '36' }],
      ],
      [['age', { value: '8' }]],
    ])
    keepMine(last.store, place, table, 'new 2')
    expect([...staged(last).conflicts.keys()]).toEqual(['new 1'])
  })

  test('a conflict that is not decided is one after the next reload, too', async () => {
    change(row('2', 'Bob', null), 'name', 'Bert')
    change(row('1', 'Ada', '36'), 'age', '37')
    write(['1', 'Ada', '36'], ['2', 'Bob', '1'], ['3', 'Cid', '7'])
    await commit()
    expect(staged().conflicts.size).toBe(1)
    const after = await page()
    await resumeEdits(after.store, place, table)
    expect([...staged(after).conflicts.keys()]).toEqual(['["2"]'])
  })

  test('are gone when they are discarded, in the storage as well', async () => {
    change(row('1', 'Ada', '36'), 'name', 'Grace')
    await soon(() => expect(JSON.stringify([...driver.values])).toContain('Grace'))
    discardEdits(tab.store, place)
    await soon(() => expect(JSON.stringify([...driver.values])).not.toContain('Grace'))
    expect(staged(await page())).toMatchObject({ edits: [], waiting: [] })
  })
})
