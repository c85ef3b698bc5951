// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tableImport } from '~/atoms/tables/import'
import { checkFile, type ImportPlan, readBeginning } from '~/atoms/tables/import-file'
import { importRefusalAtom } from '~/atoms/users/privileges'
import { draftOwnerAtom } from '~/core/drafts'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { logOut } from '~/core/session/session-end'
import { changeStoredPart } from '~/core/storage/stored'
import { committedText as textOf, type UploadProgress } from '~/core/upload-progress'
import {
  findBegun,
  findUpload,
  forgetUploads,
  keepUpload,
  openUploadsAtom,
  type UploadRecord,
} from '~/core/upload-records'
import { plainSource } from '../../support/import-file'
import { type ImportFault, ImportServer } from '../../support/import-server'
import { type FakeDriver, fakeDriver, openTab, signIn, soon, type Tab } from '../../support/store'

const rowsEach = 4

function fileOf(
  rows: number,
  change: (line: string, row: number) => string = (line) => line,
): File {
  const lines = Array.from({ length: rows }, (_, at) => change(`${at + 1},name ${at + 1}`, at + 1))
  return new File([`id,v\n${lines.join('\n')}\n`], 'items.csv')
}

async function planOf(
  file: File,
  isAuto = false,
  changed: Partial<ImportPlan> = {},
): Promise<ImportPlan> {
  const { id, format, encoding } = await readBeginning(file)
  const v = {
    name: 'v',
    type: { name: 'VARCHAR', length: 64 },
    from: 1,
    isNullable: true,
    rule: null,
  } as const
  const key = {
    name: 'id',
    type: { name: 'INTEGER', length: null },
    from: 0,
    isNullable: false,
    rule: null,
  } as const
  const target = isAuto
    ? { table: 'items', columns: [v], key: ['id'], autoKey: 'id' }
    : { table: 'items', columns: [key, v], key: ['id'], autoKey: null }
  const source = { ...plainSource, format, encoding }
  const check = await checkFile(file, source, target, {
    signal: new AbortController().signal,
    tell: () => {},
  })
  const rows = check?.rows ?? 0
  return {
    database: 'defaultdb',
    file: id,
    source,
    target,
    into: target.table,
    items: rows,
    rowsEach,
    leftOut: [],
    ...changed,
  }
}

async function signedIn(server: ImportServer, driver: FakeDriver = fakeDriver()): Promise<Tab> {
  const tab = openTab(server.server, driver)
  await signIn(tab)
  await mayImport(tab)
  return tab
}

/** The frame of the console asks who is signed in; here nothing else does. */
async function mayImport({ store }: Tab) {
  store.sub(importRefusalAtom, () => {})
  await soon(() => expect(store.get(importRefusalAtom)).toBeUndefined())
}

const runOf = ({ store }: Tab) => {
  const run = store.get(tableImport.runAtom)
  if (!run) throw new Error('no import')
  return run
}

const start = (store: Tab['store'], file: File, plan: ImportPlan, isMade = false) =>
  tableImport.start(store, { file, heads: [] }, plan, isMade)

/** Continues an import that is remembered, as a screen does with what was found for its file. */
const reopen = (store: Tab['store'], file: File, record: UploadRecord) =>
  tableImport.reopen(store, { file, heads: [] }, record as UploadRecord<ImportPlan>)

const begun = async (store: Tab['store']) =>
  (await findBegun(store)).filter(({ plan }) => plan.database === 'defaultdb')

const committedText = (progress: UploadProgress) => textOf(progress, tableImport.words)

/** Pauses an import once it has reached a row. */
const pauseAt = ({ store }: Tab, row: number) =>
  store.sub(tableImport.nowAtom, () => {
    if (store.get(tableImport.nowAtom)?.progress.item === row) tableImport.pause(store)
  })

/** Remembers an import as if a tab had written it. */
async function keep({ store }: Tab, record: UploadRecord) {
  const owner = store.get(draftOwnerAtom)
  if (owner) await keepUpload(store, owner, record)
}

/** The texts of the rows in the table. */
const stored = ({ rows }: ImportServer) => rows.map(({ cells }) => cells.get('v')?.s)
const names = (count: number) => Array.from({ length: count }, (_, at) => `name ${at + 1}`)

test('a file becomes a new table, in transactions of bounded size', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  const file = fileOf(10)
  await start(tab.store, file, await planOf(file))
  expect(stored(server)).toEqual(names(10))
  expect(server.committed).toHaveLength(4)
  const { phase, progress, took } = runOf(tab)
  expect(phase).toBe('done')
  expect(took).not.toBeNull()
  expect(committedText(progress)).toBe(
    'Rows 1–10 are committed: 3 transactions in tx 2–4. The last begins in line 11.',
  )
  expect(await begun(tab.store)).toEqual([])
})

test('a pause stops after the transaction under way, and nothing is sent twice', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  const file = fileOf(10)
  const unhook = pauseAt(tab, 4)
  await start(tab.store, file, await planOf(file))
  expect(runOf(tab)).toMatchObject({ phase: 'stopped', stop: { kind: 'paused' } })
  expect(runOf(tab).progress.item).toBe(4)
  expect(server.rows).toHaveLength(4)
  unhook()
  await tableImport.goOn(tab.store)
  expect(stored(server)).toEqual(names(10))
})

const fault = fc.constantFrom<ImportFault>(
  'ok',
  'reset',
  'lost',
  'late',
  'gateway',
  'conflict',
  'logout',
)

/** Brings an import to its end as an operator would; `reload` begins again from storage. */
async function carryOn(
  server: ImportServer,
  first: Tab,
  file: File,
  reloads: boolean[],
): Promise<Tab> {
  let tab = first
  for (let step = 0; step < 60 && runOf(tab).phase !== 'done'; step += 1) {
    const { stop } = runOf(tab)
    if (tab.store.get(sessionAtom) === null || stop?.kind === 'refused') await signIn(tab)
    if (reloads.shift()) {
      tab = await signedIn(server, first.driver)
      const [record] = await begun(tab.store)
      if (!record) throw new Error('nothing is remembered')
      expect(await reopen(tab.store, file, record)).toBeNull()
    } else if (stop?.kind === 'unknown' && step % 2 === 0) {
      server.arrive()
      await tableImport.check(tab.store)
    } else {
      await tableImport.goOn(tab.store)
    }
  }
  return tab
}

test('whatever happens to the transactions, every row with a key is inserted exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 12 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      async (faults, reloads) => {
        const server = new ImportServer()
        const tab = await signedIn(server)
        const file = fileOf(30)
        server.faults = [...faults]
        await start(tab.store, file, await planOf(file))
        const last = await carryOn(server, tab, file, [...reloads])
        server.arrive()
        expect(runOf(last).phase).toBe('done')
        expect(stored(server)).toEqual(names(30))
        const { progress } = runOf(last)
        expect(progress).toMatchObject({ item: 30, inserted: 30, pending: null })
        const own = new Set(server.rows.map(({ tx }) => tx))
        const said = progress.txs.flatMap(({ from, to }) =>
          Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
        )
        expect(said).toEqual([...own])
        expect(progress.transactions).toBe(own.size)
      },
    ),
    { numRuns: 60 },
  )
})

describe('where the server makes the keys', () => {
  test.each<[ImportFault, boolean]>([
    ['lost', true],
    ['reset', false],
  ])(
    'a transaction without an answer (%s) stops, and the operator decides',
    async (kind, isStored) => {
      const server = new ImportServer()
      server.isAuto = true
      server.faults = ['ok', kind]
      const tab = await signedIn(server)
      const file = fileOf(10)
      await start(tab.store, file, await planOf(file, true))
      const { stop, progress } = runOf(tab)
      expect(stop).toMatchObject({ kind: 'unknown', mustDecide: true })
      expect(stop?.kind === 'unknown' && stop.text).toContain(
        'It is not known whether rows 5–8 (lines 6–9) are committed, in one transaction after tx 2.',
      )
      expect(committedText(progress)).toBe(
        'Rows 1–4 are committed: 1 transaction in tx 2. The last begins in line 5.',
      )
      await tableImport.goOn(tab.store)
      expect(server.committed).toHaveLength(isStored ? 3 : 2)
      await tableImport.check(tab.store)
      const found = runOf(tab).stop
      expect(found?.kind === 'unknown' && found.finding).toContain(
        isStored
          ? '4 rows were added to items after tx 2, with id 5–8. They have the values of these rows'
          : 'No row was added to items after tx 2',
      )
      await tableImport.decide(tab.store, isStored)
      expect(runOf(tab).phase).toBe('done')
      expect(stored(server)).toEqual(names(10))
      if (isStored)
        expect(committedText(runOf(tab).progress)).toContain('Rows 5–8 count as committed')
    },
  )

  test('after a reload the transaction under way is not sent again by itself', async () => {
    const server = new ImportServer()
    server.isAuto = true
    server.faults = ['ok', 'lost']
    const tab = await signedIn(server)
    const file = fileOf(10)
    await start(tab.store, file, await planOf(file, true))
    const next = await signedIn(server, tab.driver)
    const [record] = await begun(next.store)
    if (!record) throw new Error('nothing is remembered')
    await reopen(next.store, file, record)
    expect(runOf(next).stop).toMatchObject({ kind: 'unknown', mustDecide: true })
    expect(server.rows).toHaveLength(8)
    await tableImport.decide(next.store, true)
    expect(stored(server)).toEqual(names(10))
  })
})

describe('the statement that makes the table', () => {
  test('is looked up when its answer is lost, and the import goes on', async () => {
    const server = new ImportServer()
    server.tableFault = 'lost'
    const tab = await signedIn(server)
    const file = fileOf(10)
    await start(tab.store, file, await planOf(file))
    expect(runOf(tab).phase).toBe('done')
    expect(stored(server)).toEqual(names(10))
  })

  test('is sent again only when it is continued, and never over another table', async () => {
    const server = new ImportServer()
    server.tableFault = 'late'
    const tab = await signedIn(server)
    const file = fileOf(10)
    await start(tab.store, file, await planOf(file))
    expect(runOf(tab).stop).toMatchObject({ kind: 'unknown', mustDecide: false })
    expect(server.committed).toEqual([])
    server.arrive()
    await tableImport.goOn(tab.store)
    expect(runOf(tab).phase).toBe('done')
    expect(stored(server)).toEqual(names(10))
    await tableImport.end(tab.store)
    await start(tab.store, file, await planOf(file))
    expect(runOf(tab).stop).toMatchObject({
      kind: 'refused',
      text: 'The table was not made. Table already exists.',
    })
    expect(server.rows).toHaveLength(10)
  })
})

describe('rows whose keys are in the table', () => {
  test('stop the import with their lines, and can be left out', async () => {
    const server = new ImportServer()
    const tab = await signedIn(server)
    const first = fileOf(2, (_, row) => `${row === 1 ? 6 : 7},mine`)
    await start(tab.store, first, await planOf(first))
    await tableImport.end(tab.store)
    const file = fileOf(10)
    await start(tab.store, file, await planOf(file), true)
    const { stop } = runOf(tab)
    expect(stop).toMatchObject({
      kind: 'refused',
      leavable: { lines: [7, 8], numbers: [6, 7], isRefused: false },
    })
    expect(stop?.kind === 'refused' && stop.text).toBe(
      'The table already has rows with the keys of lines 7, 8. Nothing of this transaction is stored.',
    )
    await tableImport.leaveOut(tab.store)
    expect(runOf(tab).phase).toBe('done')
    expect(stored(server).filter((name) => name === 'mine')).toHaveLength(2)
    expect(server.rows).toHaveLength(10)
    expect(committedText(runOf(tab).progress)).toContain(
      'Rows 1–10 are committed, without 2 rows left out',
    )
  })
})

test('a key that comes again far behind is found in smaller transactions, and can be left out', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  const file = fileOf(10, (line, row) => (row === 8 ? '5,again' : line))
  await start(tab.store, file, await planOf(file))
  const { stop, progress } = runOf(tab)
  expect(stop).toMatchObject({
    kind: 'refused',
    text: 'The table already has a row with the key of line 9. Nothing of this transaction is stored.',
    notDone:
      'Not stored: rows 7–8 (lines 8–9). Later lines were not sent. “Continue” sends them again.',
  })
  expect(progress).toMatchObject({ item: 6, pending: null })
  expect(server.rows).toHaveLength(6)
  await tableImport.leaveOut(tab.store)
  expect(runOf(tab).phase).toBe('done')
  expect(stored(server)).toEqual(names(10).filter((name) => name !== 'name 8'))
})

describe('rows that the server refuses', () => {
  /** Refuses a statement with one of these texts, whatever else is in it. */
  const refusing = (...texts: readonly string[]) => {
    const server = new ImportServer()
    server.refuses = (sql) => texts.some((text) => sql.includes(`'${text}'`))
    return server
  }

  test('are found one by one, with their lines, and what is before them is committed', async () => {
    const server = refusing('name 7', 'name 9')
    const tab = await signedIn(server)
    const file = fileOf(10)
    await start(tab.store, file, await planOf(file))
    expect(runOf(tab).stop).toMatchObject({
      kind: 'refused',
      leavable: { lines: [8], numbers: [7], isRefused: true },
    })
    expect(stored(server)).toEqual(names(6))
    // Trying again does not help, and does no harm.
    await tableImport.goOn(tab.store)
    expect(runOf(tab).stop).toMatchObject({ kind: 'refused' })
    expect(stored(server)).toEqual(names(6))
    await tableImport.leaveOut(tab.store)
    expect(runOf(tab).stop).toMatchObject({ kind: 'refused', leavable: { lines: [10] } })
    await tableImport.leaveOut(tab.store)
    expect(runOf(tab).phase).toBe('done')
    expect(stored(server)).toEqual(names(10).filter((name) => !/ [79]$/.test(name)))
    expect(committedText(runOf(tab).progress)).toMatch(
      / without 2 rows left out: .* Lines 8, 10 were left out, because the server refused them\.$/,
    )
  })

  test('are all left out if that is wanted, also behind a reload', async () => {
    const server = refusing('name 7', 'name 9', 'name 10')
    const tab = await signedIn(server)
    const file = fileOf(10)
    await start(tab.store, file, await planOf(file))
    const next = await signedIn(server, tab.driver)
    const [record] = await begun(next.store)
    if (!record) throw new Error('nothing is remembered')
    await reopen(next.store, file, record)
    await tableImport.leaveOut(next.store, true)
    expect(runOf(next).phase).toBe('done')
    expect(runOf(next).progress).toMatchObject({ inserted: 7, refused: [8, 10, 11] })
    expect(stored(server)).toEqual(names(8).filter((name) => name !== 'name 7'))
  })
})

test('a file that was imported before is known, and an import that was given up goes on', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  const file = fileOf(10)
  const plan = await planOf(file)
  const where = { kind: 'tables', database: 'defaultdb' } as const
  expect(await findUpload(tab.store, where, plan.file)).toBeNull()
  const unhook = pauseAt(tab, 4)
  await start(tab.store, file, plan)
  unhook()
  await tableImport.end(tab.store)
  expect(await begun(tab.store)).toEqual([])
  const next = await signedIn(server, tab.driver)
  const renamed = { ...plan.file, name: 'renamed.csv' }
  const given = await findUpload(next.store, where, renamed)
  expect(given).toMatchObject({ progress: { item: 4 }, endedAt: expect.any(Number) })
  if (given) await reopen(next.store, file, given)
  expect(stored(server)).toEqual(names(10))
  expect(await findUpload(next.store, where, plan.file)).toMatchObject({ progress: { item: 10 } })
  const other = fileOf(11)
  expect(await findUpload(next.store, where, (await planOf(other)).file)).toBeNull()
})

test('an import that was given up goes on where another tab has brought it', async () => {
  const server = new ImportServer()
  server.isAuto = true
  const tab = await signedIn(server)
  const file = fileOf(10)
  const plan = await planOf(file, true)
  const unhook = pauseAt(tab, 4)
  await start(tab.store, file, plan)
  unhook()
  await tableImport.end(tab.store)
  const where = { kind: 'tables', database: 'defaultdb' } as const
  const shown = await findUpload(tab.store, where, plan.file)
  if (!shown) throw new Error('nothing is remembered')
  const next = await signedIn(server, tab.driver)
  await reopen(next.store, file, shown)
  expect(stored(server)).toEqual(names(10))
  // What this tab shows is older.
  await reopen(tab.store, file, shown)
  expect(runOf(tab).phase).toBe('done')
  expect(stored(server)).toEqual(names(10))
})

describe('an import is held', () => {
  async function paused(server: ImportServer, isAuto = false) {
    const tab = await signedIn(server)
    const file = fileOf(10)
    const unhook = pauseAt(tab, 4)
    await start(tab.store, file, await planOf(file, isAuto))
    unhook()
    expect(runOf(tab).progress.item).toBe(4)
    return { tab, file }
  }

  test('by another open database', async () => {
    const server = new ImportServer()
    const { tab } = await paused(server)
    tab.store.set(databaseAtom, 'another')
    await tableImport.goOn(tab.store)
    expect(runOf(tab).stop).toEqual({
      kind: 'held',
      why: 'Another database is open now. Open defaultdb to continue.',
    })
    expect(server.rows).toHaveLength(4)
  })

  test('by the setting that makes the database read-only here', async () => {
    const server = new ImportServer()
    const { tab } = await paused(server)
    await changeStoredPart(tab.store, (all) => ({
      ...all,
      settings: { ...all.settings, readOnly: ['defaultdb'] },
    }))
    await tableImport.goOn(tab.store)
    expect(runOf(tab).stop).toMatchObject({ kind: 'held' })
    expect(server.rows).toHaveLength(4)
  })

  test('by log-out, and continues for the same user with the same file', async () => {
    const server = new ImportServer()
    const { tab, file } = await paused(server)
    const owner = tab.store.get(draftOwnerAtom)
    logOut(tab.store)
    await tableImport.goOn(tab.store)
    expect(server.rows).toHaveLength(4)
    const next = await signedIn(server, tab.driver)
    expect(next.store.get(draftOwnerAtom)).toEqual(owner)
    const [record] = await begun(next.store)
    if (!record) throw new Error('nothing is remembered')
    await reopen(next.store, file, record)
    expect(stored(server)).toEqual(names(10))
  })

  test('by a file whose committed rows are not the same any more', async () => {
    const server = new ImportServer()
    const { tab } = await paused(server)
    const next = await signedIn(server, tab.driver)
    const [record] = await begun(next.store)
    if (!record) throw new Error('nothing is remembered')
    const other = fileOf(10, (line, row) => (row === 2 ? '2,changed' : line))
    await reopen(next.store, other, record)
    expect(runOf(next).stop).toEqual({
      kind: 'held',
      why: 'The file is another one than before: its rows 1–4 are not those that were imported.',
    })
    const short = fileOf(3)
    await tableImport.end(next.store)
    await keep(next, record)
    await reopen(next.store, short, record)
    expect(runOf(next).stop).toMatchObject({ kind: 'held' })
    expect(server.rows).toHaveLength(4)
  })

  test('while another tab runs it', async () => {
    const server = new ImportServer()
    const { tab, file } = await paused(server)
    const [record] = await begun(tab.store)
    if (!record) throw new Error('nothing is remembered')
    const next = await signedIn(server, tab.driver)
    await keep(next, { ...record, holder: { tab: 'another', at: Date.now() } })
    // What was listed a while ago does not count.
    expect(await reopen(next.store, file, record)).toMatch(/^Another tab/)
    await start(next.store, file, await planOf(file))
    expect(runOf(next).stop).toMatchObject({ kind: 'elsewhere' })
    await tableImport.goOn(tab.store)
    expect(runOf(tab).stop).toMatchObject({ kind: 'elsewhere' })
    expect(server.rows).toHaveLength(4)
    await keep(next, { ...record, holder: { tab: 'another', at: Date.now() - 61_000 } })
    expect(await reopen(next.store, file, record)).toBeNull()
    expect(stored(server)).toEqual(names(10))
  })

  test('while another tab still reads its file up to where the import is', async () => {
    const server = new ImportServer()
    server.isAuto = true
    const { tab, file } = await paused(server, true)
    const [record] = await begun(tab.store)
    if (!record) throw new Error('nothing is remembered')
    const next = await signedIn(server, tab.driver)
    let read = () => {}
    const turn = new Promise<void>((resolve) => (read = resolve))
    const slow = fileOf(10)
    slow.stream = () =>
      file.stream().pipeThrough(
        new TransformStream({
          transform: (part, to) => turn.then(() => to.enqueue(part)),
        }),
      )
    const reading = reopen(next.store, slow, record)
    await soon(async () => expect((await begun(tab.store))[0]?.holder).not.toBeNull())
    await tableImport.goOn(tab.store)
    expect(runOf(tab).stop).toMatchObject({ kind: 'elsewhere' })
    read()
    await reading
    expect(stored(server)).toEqual(names(10))
  })

  test.each([
    ['finished', 10, /finished this import/],
    ['continued', 8, /continued this import/],
  ])('after another tab %s it, however the server makes the keys', async (_, row, why) => {
    const server = new ImportServer()
    server.isAuto = true
    const { tab, file } = await paused(server, true)
    const [record] = await begun(tab.store)
    if (!record) throw new Error('nothing is remembered')
    const next = await signedIn(server, tab.driver)
    const unhook = pauseAt(next, row)
    await reopen(next.store, file, record)
    unhook()
    expect(stored(server)).toEqual(names(row))
    await tableImport.goOn(tab.store)
    expect(runOf(tab).stop).toEqual({ kind: 'elsewhere', why: expect.stringMatching(why) })
    if (row === 10) {
      expect(await reopen(tab.store, file, record)).toMatch(why)
      expect(stored(server)).toEqual(names(10))
      return
    }
    // Giving it up here does not forget what the other tab knows.
    await tableImport.end(tab.store)
    await tableImport.goOn(next.store)
    expect(stored(server)).toEqual(names(10))
  })
})

test('it is open until its end, so that the browser asks before the page is left', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  const file = fileOf(10)
  const plan = await planOf(file)
  server.faults = ['ok', 'conflict']
  const isOpen = () => tab.store.get(openUploadsAtom).has('tables')
  const started = start(tab.store, file, plan)
  expect(isOpen()).toBe(true)
  await started
  expect(isOpen()).toBe(true)
  await tableImport.goOn(tab.store)
  expect(runOf(tab).phase).toBe('done')
  expect(isOpen()).toBe(false)
  server.faults = ['conflict']
  await start(tab.store, file, plan, true)
  expect(isOpen()).toBe(true)
  await tableImport.end(tab.store)
  expect(isOpen()).toBe(false)
})

test('a log-out that erases the drafts forgets how far imports are, also one under way', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  server.faults = ['ok', 'conflict']
  const file = fileOf(10)
  const plan = await planOf(file)
  await start(tab.store, file, plan)
  const kept = () => JSON.stringify([...tab.driver.values])
  expect(kept()).toContain('items.csv')
  expect(await findBegun(tab.store)).toHaveLength(1)
  const forgotten = forgetUploads(tab.store)
  logOut(tab.store, 'erase')
  await forgotten
  expect(kept()).not.toContain('items.csv')
  await tableImport.goOn(tab.store)
  expect(kept()).not.toContain('items.csv')
})

test('what is remembered holds no value of the file', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  server.faults = ['ok', 'conflict']
  const file = fileOf(10)
  await start(tab.store, file, await planOf(file))
  const kept = JSON.stringify([...tab.driver.values])
  expect(kept).toContain('items.csv')
  expect(kept).not.toContain('name 1')
})
