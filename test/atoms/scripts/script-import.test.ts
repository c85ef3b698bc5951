// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  guessReading,
  judgedParts,
  judgeScript,
  type ScriptPlan,
  type ScriptSource,
  surveyScript,
} from '~/atoms/scripts/script-file'
import { scriptImport } from '~/atoms/scripts/script-import'
import { ScriptReport, withoutTx } from '~/atoms/scripts/script-report'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { sessionAtom } from '~/core/session/session'
import { committedText, type UploadProgress } from '~/core/upload-progress'
import { findBegun, type UploadRecord } from '~/core/upload-records'
import type { ScriptDialect } from '~/sql/script-dialect'
import { type ImportFault, ImportServer } from '../../support/import-server'
import { openTab, signIn, soon, type Tab } from '../../support/store'

const whole = { signal: new AbortController().signal, tell: () => {} }
const names = (count: number) => Array.from({ length: count }, (_, at) => `name ${at + 1}`)

/** A script of MySQL that makes a table and fills it, in statements of three rows each. */
function scriptOf(rows: number, key = 'id int NOT NULL'): File {
  const values = names(rows).map((name, at) => `(${at + 1},'${name}')`)
  const inserts = values.flatMap((_, at) =>
    at % 3 === 0 ? [`INSERT INTO \`items\` VALUES ${values.slice(at, at + 3).join(',')};`] : [],
  )
  const table = `CREATE TABLE \`items\` (${key}, v varchar(64), PRIMARY KEY (id)) ENGINE=x;`
  return new File([`SET x = 1;\n${table}\n${inserts.join('\n')}\n`], 'items.sql')
}

test.each([
  ['/*!40101 SET NAMES utf8mb4 */;', 'utf-8'],
  ["SET client_encoding = 'UTF8';", 'utf-8'],
  ['SET NAMES latin1;', 'windows-1252'],
])(
  'a script full of bytes of pictures is in the encoding that it names: %s',
  async (line, encoding) => {
    const picture = new Uint8Array([0xff, 0xd8, 0xe9, 0x80, 0xff])
    const file = new File(
      [`${line}\nINSERT INTO t VALUES (1, 'é', _binary '`, picture, "');"],
      'a.sql',
    )
    expect((await guessReading(file)).encoding).toBe(encoding)
  },
)

test('the report judges a script in the encoding in which it was shown', async () => {
  const table = 'CREATE TABLE t (id int PRIMARY KEY, b blob);'
  const text = `${table}\nINSERT INTO t VALUES (1, _binary '\xe9');\n`
  const file = new File([Buffer.from(text, 'latin1')], 'a.sql')
  const reading = { encoding: 'windows-1252', dialect: 'mysql' } as const
  const survey = await surveyScript(file, reading, whole)
  const script = survey && (await judgeScript(file, survey, [], { decimals: 'FLOAT' }, whole))
  if (!script) throw new Error('the script was not read')
  const told: string[] = []
  for await (const parts of judgedParts({ file, script }, whole.signal))
    told.push(...parts.map(({ judgement }) => judgement))
  expect(told).toEqual(['rewritten', 'cannot run'])
  expect(told).toEqual(told.map((_, at) => script.index.listed(at).judgement))
})

async function planOf(file: File, dialect: ScriptDialect = 'mysql') {
  const survey = await surveyScript(file, { encoding: 'utf-8', dialect }, whole)
  const script = survey && (await judgeScript(file, survey, [], { decimals: 'FLOAT' }, whole))
  if (!script) throw new Error('the script was not read')
  const plan: ScriptPlan = {
    database: 'defaultdb',
    into: 'defaultdb',
    file: script.survey.id,
    items: script.index.items,
    leftOut: [],
    encoding: 'utf-8',
    dialect,
    decimals: 'FLOAT',
    there: [],
    disordered: script.disordered,
    entriesEach: 4,
  }
  const source: ScriptSource = { file, script }
  return { plan, source }
}

async function signedIn(server: ImportServer, driver?: Tab['driver']): Promise<Tab> {
  const tab = openTab(server.server, ...(driver ? [driver] : []))
  await signIn(tab)
  for (const refusal of [importRefusalAtom, newTableRefusalAtom]) {
    tab.store.sub(refusal, () => {})
    await soon(() => expect(tab.store.get(refusal)).toBeUndefined())
  }
  return tab
}

const runOf = ({ store }: Tab) => {
  const run = store.get(scriptImport.runAtom)
  if (!run) throw new Error('no script')
  return run
}

const stored = ({ rows }: ImportServer) => rows.map(({ cells }) => cells.get('v')?.s)

const none = { committed: 0, refused: 0, 'left out': 0, 'not sent': 0, unknown: 0 }

/** Whether a row is one of the three behind `after`. */
const isIn = (id: unknown, after: number) => Number(id) > after && Number(id) <= after + 3

function reportOf({ script }: ScriptSource, { fates, ...rest }: UploadProgress): ScriptReport {
  if (!fates) throw new Error('nothing is remembered of each item')
  return new ScriptReport(script.index, { ...rest, fates })
}

const fault = fc.constantFrom<ImportFault>(
  'ok',
  'reset',
  'lost',
  'late',
  'gateway',
  'conflict',
  'logout',
)

/** Brings a script to its end as an operator would; `reload` begins again from storage. */
async function carryOn(server: ImportServer, first: Tab, source: ScriptSource, reloads: boolean[]) {
  let tab = first
  for (let step = 0; step < 60 && runOf(tab).phase !== 'done'; step += 1) {
    const { stop } = runOf(tab)
    if (tab.store.get(sessionAtom) === null || stop?.kind === 'refused') await signIn(tab)
    if (reloads.shift()) {
      tab = await signedIn(server, first.driver)
      const [record] = await findBegun(tab.store)
      if (!record) throw new Error('nothing is remembered')
      const known = record as UploadRecord<ScriptPlan>
      expect(await scriptImport.reopen(tab.store, source, known)).toBeNull()
    } else if (stop?.kind === 'unknown' && step % 2 === 0) {
      server.arrive()
      await scriptImport.check(tab.store)
    } else {
      await scriptImport.goOn(tab.store)
    }
  }
  return tab
}

test('whatever happens to the transactions, every statement is carried out exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 12 }),
      fc.constantFrom<ImportFault>('ok', 'reset', 'lost', 'gateway', 'logout'),
      fc.array(fc.boolean(), { maxLength: 6 }),
      async (faults, tableFault, reloads) => {
        const server = new ImportServer()
        const tab = await signedIn(server)
        const { plan, source } = await planOf(scriptOf(20))
        server.faults = [...faults]
        server.tableFault = tableFault
        await scriptImport.start(tab.store, source, plan)
        const last = await carryOn(server, tab, source, [...reloads])
        server.arrive()
        expect(runOf(last).phase).toBe('done')
        expect(stored(server)).toEqual(names(20))
        expect(server.committed.filter((sql) => sql.startsWith('CREATE'))).toHaveLength(1)
        const { progress } = runOf(last)
        expect(progress).toMatchObject({ item: 21, inserted: 21, pending: null })
        const report = reportOf(source, progress)
        expect(report.counts).toEqual({ ...none, 'left out': 1, committed: 8 })
        for (let at = 0; at < 7; at += 1) {
          const rows = server.rows.filter(({ cells }) => isIn(cells.get('id')?.n, 3 * at))
          const { txs } = report.txsOf(2 + at)
          const known = txs.filter((tx) => withoutTx(tx) === null)
          const real = [...new Set(rows.map(({ tx }) => String(tx)))]
          if (known.length === txs.length) expect(known).toEqual(real)
          else for (const tx of known) expect(real).toContain(tx)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('rows of several statements are one transaction, and any other statement is alone', async () => {
  const server = new ImportServer()
  const tab = await signedIn(server)
  const { plan, source } = await planOf(scriptOf(10))
  await scriptImport.start(tab.store, source, plan)
  expect(server.committed.map((sql) => sql.split(' ', 1)[0])).toEqual([
    'CREATE',
    'INSERT',
    'INSERT',
    'INSERT',
  ])
  expect(committedText(runOf(tab).progress, scriptImport.words)).toBe(
    'Rows and statements 1–11 are committed: 4 transactions in tx 1–4. The last begins in line 6.',
  )
})

test('rows without a key stop at a lost answer, and the operator decides', async () => {
  const server = new ImportServer()
  server.isAuto = true
  server.key = 'row_id'
  const tab = await signedIn(server)
  const file = new File(
    [
      'CREATE TABLE items (v varchar(9)) ENGINE=x;\n',
      ...names(6).map((name) => `INSERT INTO items VALUES ('${name}');\n`),
    ],
    'x.sql',
  )
  const { plan, source } = await planOf(file)
  server.faults = ['ok', 'lost']
  await scriptImport.start(tab.store, source, plan)
  expect(runOf(tab).stop).toMatchObject({ kind: 'unknown', mustDecide: true, finding: null })
  expect(reportOf(source, runOf(tab).progress).counts.unknown).toBeGreaterThan(0)
  await scriptImport.check(tab.store)
  const { stop } = runOf(tab)
  expect(stop?.kind === 'unknown' && stop.finding).toContain('2 rows were added to items')
  await scriptImport.decide(tab.store, true)
  expect(runOf(tab).phase).toBe('done')
  expect(stored(server)).toEqual(names(6))
})

test.each([
  ['a key that the server makes', 'INSERT INTO items (v) VALUES'],
  [
    'a key that the server makes, unless it is there',
    'INSERT INTO items (v) VALUES',
    ' ON CONFLICT DO NOTHING',
  ],
])('rows with %s are not sent again before the operator decides', async (_, head, tail = '') => {
  const server = new ImportServer()
  server.isAuto = true
  const tab = await signedIn(server)
  const rows = names(3).map((name) => `${head} ('${name}')${tail};\n`)
  const key = 'id uuid DEFAULT gen_random_uuid() PRIMARY KEY'
  const file = new File([`CREATE TABLE items (${key}, v varchar(9));\n`, ...rows], 'x.sql')
  const { plan, source } = await planOf(file, 'postgres')
  server.faults = ['lost']
  await scriptImport.start(tab.store, source, plan)
  expect(runOf(tab).stop).toMatchObject({ kind: 'unknown', mustDecide: true })
  await scriptImport.check(tab.store)
  await scriptImport.decide(tab.store, true)
  expect(runOf(tab).phase).toBe('done')
  expect(stored(server)).toEqual(names(3))
})

describe('it stops', () => {
  test('at a row that the server refuses, names its line, and goes on without it', async () => {
    const server = new ImportServer()
    const tab = await signedIn(server)
    server.refuses = (sql) => sql.includes('name 5')
    const { plan, source } = await planOf(scriptOf(7))
    await scriptImport.start(tab.store, source, plan)
    expect(runOf(tab).stop).toMatchObject({
      kind: 'refused',
      leavable: { lines: [4], numbers: [6] },
    })
    const stopped = reportOf(source, runOf(tab).progress)
    expect(stopped.counts).toEqual({
      ...none,
      'left out': 1,
      committed: 3,
      refused: 1,
      'not sent': 2,
    })
    expect(stopped.fatesOf(3)).toEqual(['committed', 'refused', 'not sent'])
    await scriptImport.leaveOut(tab.store)
    const report = reportOf(source, runOf(tab).progress)
    expect(report.counts).toEqual({ ...none, 'left out': 1, committed: 4, refused: 1 })
    expect(report.reasonsOf(3)).toEqual(['Max length exceeded.'])
    expect(runOf(tab).phase).toBe('done')
    expect(stored(server)).toEqual(names(7).filter((name) => name !== 'name 5'))
  })

  test('with a file that has other statements than the one that it began with', async () => {
    const server = new ImportServer()
    const tab = await signedIn(server)
    const { plan } = await planOf(scriptOf(7))
    const { source } = await planOf(scriptOf(6))
    await scriptImport.start(tab.store, source, plan)
    expect(runOf(tab).stop).toMatchObject({
      kind: 'held',
      why: expect.stringContaining('The file has not the 8 rows and statements'),
    })
  })

  test('before it sends anything of a file that changed after it was shown', async () => {
    const server = new ImportServer()
    const tab = await signedIn(server)
    const { plan, source } = await planOf(scriptOf(7))
    const text = await source.file.text()
    const other = new File([text.replace('name 1', 'evil 1')], source.file.name)
    expect(other.size).toBe(source.file.size)
    await scriptImport.start(tab.store, { ...source, file: other }, plan)
    expect(runOf(tab).stop).toMatchObject({
      kind: 'held',
      why: expect.stringContaining('The file is no longer what was shown of it'),
    })
    expect(server.committed).toEqual([])
  })

  test('before it sends a part of the file that changed while it ran', async () => {
    const server = new ImportServer()
    const tab = await signedIn(server)
    const { plan, source } = await planOf(scriptOf(30_000))
    const evil = (await source.file.text()).replace('name 29000', 'evil 29000')
    let isChanged = false
    const file = new Proxy(source.file, {
      get(target, name) {
        if (name !== 'slice') return Reflect.get(target, name)
        const now = isChanged ? new File([evil], target.name) : target
        isChanged = true
        return now.slice.bind(now)
      },
    })
    await scriptImport.start(tab.store, { ...source, file }, { ...plan, entriesEach: 1_024 })
    expect(runOf(tab).stop).toMatchObject({ kind: 'held' })
    expect(stored(server)).toEqual(names(stored(server).length))
    expect(stored(server).length).toBeGreaterThan(1_000)
    expect(stored(server).length).toBeLessThan(29_000)
  })

  test('what is remembered holds no value of the script', async () => {
    const server = new ImportServer()
    const tab = await signedIn(server)
    server.faults = ['conflict']
    const { plan, source } = await planOf(scriptOf(3))
    await scriptImport.start(tab.store, source, plan)
    const [record] = await findBegun(tab.store)
    expect(record?.plan).toMatchObject({ items: 4 })
    expect(JSON.stringify(record)).not.toContain('name 1')
  })
})
