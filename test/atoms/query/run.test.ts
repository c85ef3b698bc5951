// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '~/atoms/databases/database-list'
import { noteAddressedEditor } from '~/atoms/query/addressed-editor'
import { allOutputAtom } from '~/atoms/query/all-output'
import type { EditorName } from '~/atoms/query/editor'
import {
  appendOutput,
  droppedCountAtom,
  outputAtom,
  outputOfAtom,
  setOutput,
  severityAtom,
  visibleOutputAtom,
} from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import {
  cancelRun,
  markersAtom,
  runModeAtom,
  runningAtom,
  runningOfAtom,
  runStatements,
} from '~/atoms/query/run'
import { checkOutcome } from '~/atoms/query/write-outcome-check'
import { stateAtom } from '~/core/history/newest-state'
import { connect } from '~/core/session/client'
import { databaseAtom, sessionLossAtom } from '~/core/session/session'
import { outputLimit } from '~/lib/constants'
import { splitStatements } from '~/sql/statements'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { newEntry } from '../../support/output-entry'
import { recorded, recordedResponse } from '../../support/recorded'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

/** A signed-in tab on a database with the table `t` and three transactions. */
beforeEach(async () => {
  server = fakeImmudb({ databases: ['defaultdb', 'shop', 'use_fault_held'] })
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

afterEach(() => {
  vi.useRealTimers()
})

function start(text: string): Promise<void> {
  return runStatements(tab.store, text, splitStatements(text))
}

async function run(text: string): Promise<OutputEntry[]> {
  await start(text)
  return entries()
}

/** Whatever editor they stand in. */
function entries(): OutputEntry[] {
  return tab.store.get(allOutputAtom).filter((item) => item.kind === 'entry')
}

/** Statements as they reached the server, with the call they came by. */
function sent(): string[] {
  return server.calls
    .filter(({ body }) => body.sql !== undefined)
    .map(({ path, body }) => `${path.replace('/db/sql', '')} ${body.sql}`)
}

describe('a run', () => {
  test('sends each statement by itself, in order, queries and commands to their own calls', async () => {
    const found = await run('SELECT 7;\nINSERT INTO t(id) VALUES (2);\nSELECT id FROM t')
    expect(sent()).toEqual([
      'query SELECT 7;',
      'exec INSERT INTO t(id) VALUES (2);',
      'query SELECT id FROM t;',
    ])
    expect(found).toMatchObject([
      { number: 1, status: 'done', line: 1, tx: null, message: '1 row', stream: 'rows' },
      { number: 2, status: 'done', line: 2, tx: '4', message: 'Committed, 1 row changed.' },
      { number: 3, status: 'done', line: 3, message: '2 rows' },
    ])
    expect(found[2]?.result?.columns[0]?.values).toEqual(['1', '2'])
    expect(tab.store.get(runningAtom)).toBeNull()
  })

  test('asks for state and tables again after a command, but not after queries', async () => {
    await run('SELECT 1')
    await Promise.resolve()
    expect(server.log()).toEqual(['POST /db/sqlquery'])
    await run('INSERT INTO t(id) VALUES (2)')
    await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('4'))
  })

  test('stops at the first failure and says what was not run', async () => {
    const found = await run(
      'INSERT INTO t(id) VALUES (2); INSERT INTO t(id) VALUES (2); SELECT 1; SELECT 2',
    )
    expect(sent()).toHaveLength(2)
    expect(found.map(({ status }) => status)).toEqual(['done', 'failed', 'not-run'])
    expect(found[1]).toMatchObject({ stream: 'error', failure: { text: expect.any(String) } })
    expect(found[2]).toMatchObject({
      message: '2 statements not run, because the one before did not succeed.',
      source: 'SELECT 1;\nSELECT 2',
    })
  })

  test('marks the place of a syntax error in the text as typed', async () => {
    await run('SELECT 1;\nNONSENSE here')
    expect(entries()[1]).toMatchObject({ status: 'failed' })
    for (const marker of tab.store.get(markersAtom)) expect(marker.from).toBeGreaterThanOrEqual(10)
    await run('SELECT 1')
    expect(tab.store.get(markersAtom)).toEqual([])
  })

  test('is not started a second time while it is under way (F35)', async () => {
    const text = 'INSERT /* fault_held */ INTO t(id) VALUES (9)'
    const first = start('INSERT /* fault_held */ INTO t(id) VALUES (9)')
    expect(tab.store.get(runningAtom)).toMatchObject({ done: 0, total: 1 })
    await start(text)
    await soon(() => expect(sent()).toHaveLength(1))
    await start(text)
    server.release()
    await first
    expect(sent()).toHaveLength(1)
    expect(entries()).toHaveLength(1)
  })

  test('with nothing to run, or without a database, does nothing', async () => {
    await start('  -- only a comment')
    tab.store.set(databaseAtom, null)
    await start('SELECT 1')
    expect(server.log()).toEqual([])
    expect(tab.store.get(runningAtom)).toBeNull()
  })

  test('can be started again whatever happened before', async () => {
    await run('SELECT /* fault_wrong */ 1')
    await run('SELECT /* fault_cut */ 1')
    await run('SELECT 1')
    expect(entries().map(({ status }) => status)).toEqual(['failed', 'failed', 'done'])
  })

  test('an operator may say how a statement is sent', async () => {
    tab.store.set(runModeAtom, 'exec')
    await run('SELECT 1')
    tab.store.set(runModeAtom, 'query')
    await run('SELECT 1')
    expect(sent().map((line) => line.split(' ')[0])).toEqual(['exec', 'query'])
  })
})

describe('the outcome of a command', () => {
  const insert = (fault: string) => `INSERT /* fault_${fault} */ INTO t(id) VALUES (5)`

  test.each([
    'reset',
    'lost',
    'late',
    'gateway',
    'away',
    'cut',
    'empty',
    'portal',
    'wrong',
    'large',
  ])('is unknown after %s, is sent once, and what follows is not run', async (fault) => {
    const found = await run(`${insert(fault)}; SELECT 1`)
    expect(sent()).toHaveLength(1)
    expect(found).toMatchObject([
      { status: 'unknown', stream: 'error', tx: null },
      { status: 'not-run' },
    ])
    expect(found[0]?.failure?.text).toMatch(/^It is not known whether this was committed\./)
  })

  test.each(['reset', 'gateway', 'away', 'cut', 'empty', 'portal', 'wrong', 'large'])(
    'of a query after %s is a failure, not unknown',
    async (fault) => {
      vi.useFakeTimers()
      const done = start(`SELECT /* fault_${fault} */ 1; SELECT 2`)
      await vi.advanceTimersByTimeAsync(2_000)
      await done
      expect(entries().map(({ status }) => status)).toEqual(['failed', 'not-run'])
      // Running it again is no answer to rows that are too large.
      const hint = fault === 'large' ? /^Select fewer columns/ : /Nothing was changed/
      expect(entries()[0]?.failure?.hint).toMatch(hint)
      const asked = sent().filter((sql) => String(sql).includes('fault_large'))
      expect(asked.length).toBeLessThanOrEqual(4)
    },
  )

  test('is unknown after a timeout', async () => {
    vi.useFakeTimers()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), ms)
      return controller.signal
    })
    const done = start(insert('hang'))
    await vi.advanceTimersByTimeAsync(30_001)
    await done
    expect(entries()).toMatchObject([{ status: 'unknown' }])
    expect(entries()[0]?.failure?.text).toContain('did not answer in time')
  })

  test.each([
    ['a conflict', insert('conflict'), 'failed'],
    ['a lost session', insert('none'), 'failed'],
  ])('is “not stored” after %s', async (what, text, status) => {
    if (what === 'a lost session') server.restart()
    const found = await run(text)
    expect(found).toMatchObject([{ status }])
    expect(found[0]?.failure?.text).not.toMatch(/not known/)
    expect(server.databases.get('defaultdb')?.txId).toBe(3)
    if (what === 'a lost session') expect(tab.store.get(sessionLossAtom)).not.toBeNull()
  })

  test.each([
    ['a command that made no transaction', 'INSERT INTO t(id) VALUES (1) ON CONFLICT DO NOTHING'],
    ['a query sent as a command', 'SELECT 1'],
  ])('says that nothing was committed by %s', async (_what, text) => {
    tab.store.set(runModeAtom, 'exec')
    server.databases.get('defaultdb')
    const found = await run(text)
    expect(found[0]?.tx).toBeNull()
    expect(found[0]?.message ?? found[0]?.failure?.text).not.toMatch(/^Committed|^Done/)
  })

  test('of a grant, which makes no transaction here, is just done', async () => {
    expect(await run('GRANT SELECT ON DATABASE shop TO USER bob')).toMatchObject([
      { status: 'done', message: 'Done.', tx: null },
    ])
  })

  test('INSERT … RETURNING is not sent at all (D19)', async () => {
    const found = await run('INSERT INTO t(id) VALUES (5) RETURNING id; SELECT 1')
    expect(sent()).toEqual([])
    expect(found).toMatchObject([{ status: 'failed', elapsed: 0 }, { status: 'not-run' }])
  })
})

describe('cancelling', () => {
  test('a query: cancelled, nothing changed, the rest not run', async () => {
    const done = start('SELECT /* fault_hang */ 1; SELECT 2')
    await soon(() => expect(sent()).toHaveLength(1))
    cancelRun(tab.store)
    await done
    expect(entries()).toMatchObject([
      { status: 'cancelled', message: 'Cancelled. Nothing was changed.' },
      { status: 'not-run', message: '1 statement not run, because the run was cancelled.' },
    ])
    expect(tab.store.get(runningAtom)).toBeNull()
  })

  test('a command that was sent: unknown', async () => {
    const done = start('INSERT /* fault_hang */ INTO t(id) VALUES (5)')
    await soon(() => expect(sent()).toHaveLength(1))
    cancelRun(tab.store)
    await done
    expect(entries()).toMatchObject([{ status: 'unknown' }])
    expect(entries()[0]?.failure?.text).toContain('cancelled after it was sent')
  })

  test('between two statements: the second never leaves, and is not called unknown', async () => {
    const done = start('USE use_fault_held; INSERT INTO t(id) VALUES (5)')
    cancelRun(tab.store)
    server.release()
    await done
    expect(sent()).toEqual([])
    expect(entries().map(({ status }) => status)).toEqual(['done', 'not-run'])
  })

  test('while the names are looked up: cancelled before it was sent', async () => {
    await openDatabase(tab.store, 'shop')
    server.clear()
    const done = start('DELETE FROM t WHERE "x" = 1')
    cancelRun(tab.store)
    await done
    expect(sent().filter((line) => line.startsWith('exec'))).toEqual([])
    expect(entries()).toMatchObject([
      { status: 'cancelled', message: 'Cancelled before it was sent.' },
    ])
  })

  test('without a run is nothing', () => {
    cancelRun(tab.store)
    expect(tab.store.get(runningAtom)).toBeNull()
  })
})

describe('USE', () => {
  test('switches the database of the tab and of the statements behind it', async () => {
    const found = await run('USE shop; SELECT 1')
    expect(tab.store.get(databaseAtom)).toBe('shop')
    expect(found).toMatchObject([
      { status: 'done', message: 'Now using shop.', database: 'defaultdb' },
      { status: 'done', database: 'shop' },
    ])
    expect(server.calls.find(({ body }) => body.sql === 'SELECT 1;')?.database).toBe('shop')
    expect(sent()).toEqual(['query SELECT 1;'])
  })

  test('of a database that does not open stops the run where it was', async () => {
    const found = await run('USE nosuch; INSERT INTO t(id) VALUES (5)')
    expect(found).toMatchObject([{ status: 'failed', stream: 'error' }, { status: 'not-run' }])
    expect(found[0]?.message).toBe("nosuch was not opened. 'nosuch' does not exist.")
    expect(tab.store.get(databaseAtom)).toBe('defaultdb')
    expect(sent()).toEqual([])
  })

  test('another database chosen during a run does not get the rest of its statements', async () => {
    const done = start('SELECT /* fault_held */ 1; INSERT INTO t(id) VALUES (6)')
    await openDatabase(tab.store, 'shop')
    server.release()
    await done
    expect(tab.store.get(databaseAtom)).toBe('shop')
    const insert = server.calls.find(({ path }) => path === '/db/sqlexec')
    expect(insert?.database).toBe('defaultdb')
    expect(entries().map(({ database }) => database)).toEqual(['defaultdb', 'defaultdb'])
    expect(server.databases.get('shop')?.txId).toBe(0)
  })

  test('overtaken by another choice is not said to be in use', async () => {
    const done = start('USE use_fault_held; INSERT INTO t(id) VALUES (6)')
    await openDatabase(tab.store, 'shop')
    server.release()
    await done
    expect(entries().map(({ status }) => status)).toEqual(['failed', 'not-run'])
    expect(tab.store.get(databaseAtom)).toBe('shop')
    expect(sent()).toEqual([])
  })
})

describe('double quotes', () => {
  test('around a name of the database stay, around anything else become text, and it is said', async () => {
    const found = await run('INSERT INTO t(id) VALUES ("a2")')
    expect(sent().filter((line) => line.startsWith('exec'))).toEqual([
      "exec INSERT INTO t(id) VALUES ('a2');",
    ])
    expect(found[0]?.notes[0]).toContain('was sent as text')
    expect(found[0]?.sent).toContain("'a2'")
    await run('SELECT "id" FROM t')
    expect(sent().at(-1)).toBe('query SELECT "id" FROM t;')
    expect(entries()[1]).toMatchObject({ notes: [], sent: null })
  })

  test('stay as they are while not all names are known', async () => {
    server.databases.set('fault_large', { isLoaded: true, txId: 1, tables: new Map() })
    await openDatabase(tab.store, 'fault_large')
    const found = await run(`DELETE FROM t WHERE "status" <> 'done'`)
    expect(sent().at(-1)).toBe(`exec DELETE FROM t WHERE "status" <> 'done';`)
    expect(found[0]?.notes).toEqual([
      'Double quotes were left as they are: not all names of this database are known.',
    ])
  })

  test('know the name that the statement before has made', async () => {
    await run('SELECT "id" FROM t')
    const found = await run('CREATE TABLE fresh(id INTEGER); SELECT id FROM t WHERE "fresh" = 1')
    expect(found.at(-1)?.notes).toEqual([])
    expect(sent().at(-1)).toBe('query SELECT id FROM t WHERE "fresh" = 1;')
  })
})

describe('checking an unknown outcome', () => {
  async function unknown(text: string) {
    const found = await run(text)
    const entry = found.findLast(({ status }) => status === 'unknown')
    if (!entry) throw new Error('the outcome is known')
    return entry
  }

  async function finding(entry: OutputEntry) {
    server.clear()
    await checkOutcome(tab.store, entry)
    return entries().find(({ number }) => number === entry.number)?.finding
  }

  test('finds the row of a command whose answer was lost, only by reading', async () => {
    const entry = await unknown('INSERT /* fault_lost */ INTO t(id) VALUES (5)')
    const found = await finding(entry)
    expect(found?.text).toMatch(
      /^1 transaction was committed between .* tx 3, and the newest now, tx 4\. Possible copies of this statement, because they wrote rows of t: tx 4\./,
    )
    expect(found?.rows?.columns.at(-1)?.values).toEqual(['5'])
    expect(new Set(server.log())).toEqual(
      new Set(['GET /db/state', 'POST /db/sqlquery', 'POST /db/tx']),
    )
  })

  test('says that nothing was stored so far, and that this may change', async () => {
    const found = await finding(await unknown('INSERT /* fault_reset */ INTO t(id) VALUES (5)'))
    expect(found?.text).toMatch(/^Not stored so far: tx 3 is still the newest.*may still/)
    expect(found?.rows).toBeNull()
  })

  test.each([
    ["CREATE /* fault_reset */ USER Bob WITH PASSWORD 'x' READ", /^No user bob is listed so far/],
    ["CREATE /* fault_lost */ USER bob WITH PASSWORD 'x' READ", /^The user bob exists, and it was/],
    ["CREATE /* fault_reset */ USER ann WITH PASSWORD 'x' READ", /^The user ann exists, but since/],
    ['DROP /* fault_lost */ USER ann', /^The user ann is deactivated/],
    ['DROP /* fault_reset */ USER ann', /^Not done so far: the user ann is active/],
    ['DROP /* fault_reset */ USER bob', /^Whether it was done is not known: no user bob/],
    ["ALTER /* fault_lost */ USER ann WITH PASSWORD 'x' READ", /ann on the Users screen.*set it/],
    ['GRANT /* fault_lost */ SELECT ON DATABASE shop TO USER ann', /no transaction.*ann on the Us/],
    ['REVOKE /* fault_lost */ SELECT ON DATABASE shop TO USER ann', /no transaction.*ann on the U/],
    ['CREATE /* fault_reset */ DATABASE IF NOT EXISTS shop', /^The database shop exists; since/],
    ['CREATE /* fault_reset */ DATABASE Crop', /^No database crop is listed so far/],
  ])('of %s, which makes no transaction, reads the lists', async (text, words) => {
    const createdat = '2020-01-01 09:00:00 +0000 UTC'
    server.users.set('ann', { password: 'x', permissions: { defaultdb: 1 }, createdat })
    const found = await finding(await unknown(text))
    expect(found?.text).toMatch(words)
    expect(found?.text).not.toContain('Not stored so far')
    expect(found?.rows).toBeNull()
    for (const line of server.log())
      expect(line).toMatch(/^GET \/user\/list$|^POST \/db\/list\/v2$/)
  })

  test('does not take the rows of others for its own', async () => {
    server.databases.get('defaultdb')?.tables.set('u', [])
    const entry = await unknown('INSERT /* fault_reset */ INTO t(id) VALUES (5)')
    const database = server.databases.get('defaultdb')
    if (database) database.txId = 4
    expect((await finding(entry))?.text).toContain('No row of t is different now')
  })

  test('does not count what an earlier statement of the same run has stored', async () => {
    const entry = await unknown(
      'INSERT INTO t(id) VALUES (5); INSERT /* fault_reset */ INTO t(id) VALUES (6)',
    )
    expect(entry.txBefore).toBe('4')
    expect((await finding(entry))?.text).toMatch(/^Not stored so far: tx 4/)
  })

  test('that fails itself says so and claims nothing', async () => {
    const entry = await unknown('INSERT /* fault_reset */ INTO t(id) VALUES (5)')
    vi.useFakeTimers()
    server.unplug()
    const found = finding(entry)
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await found)?.text).toBe(
      'The check itself failed. The immudb server cannot be reached. Nothing more is known.',
    )
  })

  test('looks in the database of the statement, also after a new login elsewhere', async () => {
    await openDatabase(tab.store, 'shop')
    await soon(() => expect(tab.store.get(stateAtom).data?.db).toBe('shop'))
    const entry = await unknown('CREATE /* fault_lost */ TABLE s(id INTEGER)')
    await openDatabase(tab.store, 'defaultdb')
    server.restart()
    void runStatements(tab.store, 'SELECT 1', splitStatements('SELECT 1'))
    await soon(() => expect(tab.store.get(sessionLossAtom)).not.toBeNull())
    await signIn(tab)
    const found = await finding(entry)
    expect(server.calls.find(({ path }) => path === '/db/state')?.database).toBe('shop')
    expect(found?.text).toMatch(/the newest now, tx 1\b/)
  })
})

describe('the output', () => {
  const entry = (stream: OutputEntry['stream']) => newEntry({ stream })

  test('has a divider behind each result, and the filter shows no divider alone', () => {
    const { store } = tab
    for (const stream of ['rows', 'error', 'rows'] as const) {
      appendOutput(store, entry(stream))
    }
    expect(store.get(allOutputAtom).map(({ kind }) => kind)).toEqual(
      Array(3).fill(['entry', 'divider']).flat(),
    )
    store.set(severityAtom, 'error')
    expect(store.get(visibleOutputAtom)).toMatchObject([{ kind: 'entry', number: 2 }])
  })

  test('keeps the newest, counts what it dropped, and never uses a number twice', () => {
    const { store } = tab
    for (let at = 0; at < outputLimit + 3; at += 1) appendOutput(store, entry('rows'))
    expect(store.get(allOutputAtom)).toHaveLength(outputLimit * 2)
    expect(store.get(droppedCountAtom)).toBe(3)
    setOutput(store, [])
    expect(store.get(droppedCountAtom)).toBe(0)
    expect(appendOutput(store, entry('rows'))).toBe(outputLimit + 4)
  })

  test('a result that was cleared while it ran stays away', async () => {
    const done = start('SELECT /* fault_held */ 1')
    await soon(() => expect(sent()).toHaveLength(1))
    setOutput(tab.store, [])
    server.release()
    await done
    expect(entries()).toEqual([])
  })
})

describe('immudb 1.9.5', () => {
  beforeEach(() => reportVersion(tab.store, '1.9.5'))
  const mixed = 'FROM t WHERE id = 1 OR id = 2 AND id = 3'

  test('reads AND and OR from left to right: rows come with a warning, a write is not sent', async () => {
    const [rows] = await run(`SELECT id ${mixed}`)
    const write = (await run(`DELETE ${mixed}`)).at(-1)
    expect(rows?.warning).toMatch(/^This version of immudb reads AND and OR from left to right/)
    expect(write?.message).toMatch(/^The statement was not sent\. This version of immudb reads AND/)
    expect(sent()).toEqual([`query SELECT id ${mixed};`])
  })

  test('gets no comment of a line, which it would read as two minus signs', async () => {
    await run('SELECT id -- the key\nFROM t')
    expect(sent()).toEqual(['query SELECT id  \nFROM t;'])
  })

  test('is asked for each table where the names of all columns are needed', async () => {
    await run('SELECT id FROM t WHERE id = "1"')
    expect(sent().filter((sql) => sql.includes('information_schema'))).toEqual([])
    expect(server.log()).toContain('GET /db/table/list')
  })
})

test('the newest immudb gets both as they are', async () => {
  reportVersion(tab.store, '1.11.1')
  const [rows] = await run('SELECT id -- the key\nFROM t WHERE id = 1 OR id = 2 AND id = 3')
  expect(rows?.warning).toBeNull()
  expect(sent()).toEqual(['query SELECT id -- the key\nFROM t WHERE id = 1 OR id = 2 AND id = 3;'])
})

test.each([
  ['EXPLAIN SELECT * FROM bikes', 'explain', /^EXPLAIN may be newer .* 1\.11\. .* 1\.9\.5\.$/],
  ['SELECT * FROM bikes WHERE id BETWEEN 1 AND 2', 'a range', /^BETWEEN may be newer .* 1\.10\./],
  ["SELECT * FROM bikes WHERE POSITION('a', kind) > 0", 'a part of a text', /^POSITION may be/],
  ['SELECT CASE WHEN a THEN 1 ELSE 2 END FROM bikes', 'case', /^CASE may be newer .* 1\.9\.6\./],
])('what 1.9.5 says to %s ends with what it needs', async (sql, name, hint) => {
  reportVersion(tab.store, '1.9.5')
  connect(tab.store, '/api', async (input, init) =>
    String(input).endsWith('/db/sqlquery')
      ? recordedResponse(recorded('immudb-1.9.5', name))
      : server.fetch(input, init),
  )
  const [found] = await run(sql)
  expect(found).toMatchObject({ status: 'failed', failure: { hint: expect.stringMatching(hint) } })
})

describe('several editors', () => {
  const first = { database: 'defaultdb', id: '' }
  const second = { database: 'defaultdb', id: 'second' }
  const show = ({ database, id }: EditorName) => noteAddressedEditor(tab.store, database, id)
  const sources = (editor: EditorName) =>
    tab.store
      .get(outputOfAtom)(editor)
      .flatMap((item) => (item.kind === 'entry' ? [`${item.source} ${item.status}`] : []))

  test('run at the same time, each with its own output, and one is cancelled', async () => {
    const slow = start('SELECT /* fault_held */ 1')
    show(second)
    expect(tab.store.get(runningAtom)).toBeNull()
    await start('SELECT 2')
    expect(sources(second)).toEqual(['SELECT 2 done'])
    cancelRun(tab.store)
    expect(tab.store.get(runningOfAtom)(first)).not.toBeNull()
    show(first)
    expect(tab.store.get(outputAtom)).toHaveLength(2)
    cancelRun(tab.store)
    server.release()
    await slow
    expect(sources(first)).toEqual(['SELECT /* fault_held */ 1 cancelled'])
  })

  test('USE of one that is not shown leaves the shown one in its database', async () => {
    const done = start('SELECT /* fault_held */ 1; USE shop; INSERT INTO t(id) VALUES (6)')
    await soon(() => expect(sent()).toHaveLength(1))
    show(second)
    server.release()
    await done
    expect(tab.store.get(databaseAtom)).toBe('defaultdb')
    expect(sources(first).map((line) => line.split(' ').at(-1))).toEqual([
      'done',
      'failed',
      'not-run',
    ])
    expect(server.calls.some(({ path }) => path === '/db/sqlexec')).toBe(false)
  })

  test('a text that was started in one does not run while another database is open', async () => {
    await openDatabase(tab.store, 'shop')
    const text = 'DROP TABLE t'
    await runStatements(tab.store, text, splitStatements(text), first)
    expect(sent()).toEqual([])
  })

  test('keep together no more results than one did, and say in each how many are gone', async () => {
    for (let count = 0; count < 3; count += 1) await start('SELECT 1')
    show(second)
    for (let count = 0; count < outputLimit; count += 1) appendOutput(tab.store, newEntry())
    expect(tab.store.get(allOutputAtom)).toHaveLength(outputLimit * 2)
    expect(tab.store.get(droppedCountAtom)).toBe(0)
    show(first)
    expect(tab.store.get(droppedCountAtom)).toBe(3)
  })

  test('a mark of a mistake stands in its own editor', async () => {
    await start('NONSENSE here')
    const marks = tab.store.get(markersAtom).length
    show(second)
    expect(tab.store.get(markersAtom)).toEqual([])
    show(first)
    expect(tab.store.get(markersAtom)).toHaveLength(marks)
  })
})
