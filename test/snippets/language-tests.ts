import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call, KeyPart } from '~/screens/code/call'
import type { Language } from '~/screens/code/languages'
import type { Api } from '../support/api'
import type { ServerOptions } from '../support/immudb'
import {
  breakingKeys,
  codeOf,
  createKinds,
  createNotes,
  createNumbers,
  documentTexts,
  heldTexts,
  type KeyCase,
  keyCall,
  keyCases,
  kindCells,
  kinds,
  kindsCall,
  notesCall,
  nullCell,
  nullsCall,
  type Stage,
  stage,
  texts,
  textsCall,
} from '../support/snippets'
import { cellOf } from './rest'

/** How the snippets of a language are run, and what they print is read. */
export type Driver = {
  readonly language: Language
  readonly server?: { readonly options: ServerOptions; readonly pgsql: number }
  /** Runs each piece of code alone, below a folder. */
  readonly run: (codes: readonly string[], at: string) => Promise<readonly Buffer[]>
  /** The value of a key; absent where the language has no keys. */
  readonly key?: (output: Buffer) => Buffer
  /** Whether names of keys stand in the code as they are, so that more of them are tried. */
  readonly namesKeys?: true
  /** The rows, each value as the one text of {@link kindCells}. */
  readonly rows: (output: Buffer) => readonly (readonly string[])[]
  /** The rows of a whole table, where that is printed in another way. */
  readonly table?: (output: Buffer) => readonly (readonly string[])[]
  /** The documents; absent where the language has none. */
  readonly documents?: (output: Buffer) => readonly unknown[]
  /** Keys and values of a scan. */
  readonly scan?: (output: Buffer) => readonly (readonly [Buffer, Buffer])[]
  /** Whether it can verify keys, rows and transactions. */
  readonly verifies?: true
  /** Whether it can verify documents; else it prints their proofs. */
  readonly verifiesDocuments?: true
}

const rowCount = 2600
const hex = (bytes: Buffer) => bytes.toString('hex')

/** Every call that is run, by the test that looks at what became of it. */
async function callsOf(driver: Driver, db: Api) {
  const twice = Buffer.from('twice')
  const set = (value: string) =>
    db.call<{ id: string }>('/db/set', {
      KVs: [{ key: twice.toString('base64'), value: Buffer.from(value).toString('base64') }],
    })
  const { id: tx } = await set('first')
  await set('second')
  const old = { kind: 'key', key: twice.toString('base64'), isVerified: false } as const
  const keys = triedKeys(driver)
  const prefix = Buffer.from([0xff, 0xfe, 0x00]).toString('base64')
  const number = kindCells()[0] ?? ''
  const ofKeys: Readonly<Record<string, readonly Call[]>> = {
    keys: keys.map(({ key }) => keyCall(key)),
    old: [
      { ...old, at: { tx } },
      { ...old, at: { revision: '1' } },
    ],
    scan: [
      { kind: 'keys', prefix: '', limit: 2500 },
      { kind: 'keys', prefix, limit: 100 },
    ],
    documents: documentTexts.map(notesCall),
    provenDocument: await documentProofs(db),
  }
  const ofProofs: Readonly<Record<string, readonly Call[]>> = {
    verified: provenKeys.map(({ key }) => keyCall(key, true)),
    verifiedOld: [
      { ...old, isVerified: true, at: { tx } },
      { ...old, isVerified: true, at: { revision: '1' } },
    ],
    row: [
      rowCall('kinds', 'n', { type: 'INTEGER', value: { n: number } }),
      rowCall('kinds', 'n', { type: 'INTEGER', value: { n: '1' } }),
      ...keyParts.map((part, number) => rowCall(`keyed${number}`, 'k', part)),
    ],
    tx: [{ kind: 'tx', tx: '1', isVerified: true }],
  }
  return {
    texts: [await textsCall(db, 'texts')],
    kinds: [kindsCall, nullsCall],
    table: [
      {
        kind: 'rows',
        sql: 'SELECT id FROM numbers WHERE id >= @from',
        params: [{ name: 'from', value: { n: '0' } }],
      },
    ],
    ...(driver.key && ofKeys),
    ...(driver.verifies && ofProofs),
  } satisfies Record<string, readonly Call[]>
}

/** A document in its first revision, and in the newest. */
async function documentProofs(db: Api): Promise<Call[]> {
  const collection = 'twice'
  await db.call(`/v2/collection/${collection}`, {})
  const id = await db.insertDocument(collection, '{"now":"first"}')
  await db.replaceDocument(collection, id, '{"now":"second"}')
  const { revisions } = await db.call<{ revisions: { transactionId: string }[] }>(
    `/v2/collection/${collection}/document/${id}/audit`,
    { page: 1, pageSize: 10 },
  )
  return [revisions[0]?.transactionId ?? '', '0'].map((tx) => ({
    kind: 'document proof',
    collection,
    id,
    tx,
  }))
}

/** A primary key of each type that can be one. */
const keyParts: readonly KeyPart[] = [
  { type: 'VARCHAR', value: { s: `it's "q" \\` } },
  { type: 'VARCHAR', value: { s: 'é😀\u202e' } },
  { type: 'BLOB', value: { bs: 'AP8n' } },
  { type: 'BOOLEAN', value: { b: true } },
  { type: 'TIMESTAMP', value: { ts: kinds.ts } },
  { type: 'INTEGER', value: { n: kinds.least } },
  { type: 'UUID', value: { s: kinds.u } },
  { type: 'FLOAT', value: { f: 0.1 } },
]

function rowCall(table: string, column: string, part: KeyPart): Call {
  const value = part.type === 'UUID' ? 'CAST(@k AS UUID)' : '@k'
  return {
    kind: 'row',
    sql: `SELECT * FROM ${table} WHERE ${column} = ${value}`,
    params: [{ name: 'k', value: part.value }],
    table,
    key: [part],
    isVerified: true,
  }
}

async function createKeyed(db: Api): Promise<void> {
  for (const [number, { type, value }] of keyParts.entries()) {
    const name = `keyed${number}`
    const length = type === 'VARCHAR' || type === 'BLOB' ? '[50]' : ''
    await db.exec(`CREATE TABLE ${name} (k ${type}${length}, v INTEGER, PRIMARY KEY k);`)
    const sql = `INSERT INTO ${name} (k, v) VALUES (@k, 7)`
    await db.call('/db/sqlexec', { sql, params: [{ name: 'k', value }] })
  }
}

/**
 * The keys that are read one by one, each with a login, which takes the server a tenth of a second.
 * All of them come with the list of keys; what breaks out of quotes is always among these.
 */
function triedKeys({ namesKeys }: Driver): readonly KeyCase[] {
  return keyCases.filter(
    (one, at) => at % 8 === 0 || (namesKeys && (at % 3 === 0 || breakingKeys.includes(one))),
  )
}

const provenKeys = keyCases.filter((_, at) => at % 12 === 0)

/**
 * The tests that all languages have in common, as far as each can do what they ask. All snippets run
 * before them, so that each language is compiled once.
 */
export function testLanguage(driver: Driver): void {
  const { key, documents, scan, rows, table = rows } = driver
  let on: Stage
  let at: string
  const outputs = new Map<string, readonly Buffer[]>()
  const of = (name: string) => outputs.get(name) ?? []
  const only = (name: string) => of(name)[0] ?? Buffer.of()

  beforeAll(async () => {
    at = mkdtempSync(join(tmpdir(), 'webconsole-snippets-'))
    const { options, pgsql } = driver.server ?? {}
    on = await stage(options, pgsql)
    await createKinds(on.db)
    await createNumbers(on.db, rowCount)
    await createNotes(on.db)
    await createKeyed(on.db)
    const calls = Object.entries(await callsOf(driver, on.db))
    const codes = calls.flatMap(([, some]) =>
      some.map((call) => codeOf(driver.language, call, on.place)),
    )
    const all = [...(await driver.run(codes, at))]
    for (const [name, { length }] of calls) outputs.set(name, all.splice(0, length))
  })
  afterAll(async () => {
    await on?.server.dispose()
    rmSync(at, { recursive: true, force: true })
  })

  test('runs nothing that stands in a name or a value', () => {
    const names = readdirSync(at, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => name.includes('pwned'))).toEqual([])
  })

  test('writes every hostile text as a value of a statement', async () => {
    expect(await heldTexts(on.db, 'texts')).toEqual(texts)
  })

  test('finds a row by values of each type, and reads them and NULLs exactly', () => {
    expect(of('kinds').map(rows)).toEqual([[kindCells()], [['1', nullCell, nullCell, nullCell]]])
  })

  test('reads all rows of a table', () => {
    const ids = Array.from({ length: rowCount }, (_, id) => [String(id)])
    expect(table(only('table'))).toEqual(ids)
  })

  if (key) {
    test('reads hostile keys byte for byte', () => {
      const read = triedKeys(driver)
      expect(of('keys').map((output) => key?.(output))).toEqual(read.map(({ value }) => value))
    })
  }

  if (key) {
    test('reads a key as it was at a transaction and by its revision', () => {
      const old = [...of('old'), ...of('verifiedOld')]
      const read = old.map((output) => key?.(output).toString())
      expect(read).toEqual(old.map(() => 'first'))
    })
  }

  if (documents) {
    test('finds documents by hostile texts', () => {
      const found = of('documents').map((output) => documents?.(output))
      expect(found).toEqual(
        documentTexts.map((t, number) => [expect.objectContaining({ t, at: number })]),
      )
    })
  }

  if (documents) {
    test('reads the proof of an old and of the newest revision of a document', () => {
      const [first, second] = of('provenDocument').map((output) => output.toString())
      if (driver.verifiesDocuments) {
        expect(JSON.parse(first ?? '')).toMatchObject({ now: 'first' })
        expect(JSON.parse(second ?? '')).toMatchObject({ now: 'second' })
      } else {
        for (const [answer = '', now] of [
          [first, 'first'],
          [second, 'second'],
        ] as const) {
          const { encodedDocument, verifiableTx } = JSON.parse(answer)
          expect(Buffer.from(encodedDocument, 'base64').toString('latin1')).toContain(now)
          expect(verifiableTx.dualProof).toBeDefined()
        }
      }
    })
  }

  if (scan) {
    test('lists every hostile key, and those below a prefix of any bytes', () => {
      const [all, some] = of('scan').map((output) => scan?.(output) ?? [])
      const found = new Map(all?.map(([name, value]) => [hex(name), hex(value)]))
      const wanted = keyCases.map((one) => [hex(one.key), hex(one.value)])
      expect(wanted.map(([name = '']) => [name, found.get(name)])).toEqual(wanted)
      const below = wanted.filter(([name]) => name?.startsWith('fffe00'))
      expect(some?.map((pair) => pair.map(hex))).toEqual(below)
    })
  }

  if (driver.verifies) {
    test('verifies keys, a row and a transaction', () => {
      expect(of('verified').map((output) => key?.(output))).toEqual(
        provenKeys.map(({ value }) => value),
      )
      const nulls = kindCells().map((_, at) => (at === 0 ? '1' : nullCell))
      const keyed = keyParts.map(({ value }) => [cellOf(value), '7'])
      expect(of('row').flatMap(rows)).toEqual([kindCells(), nulls, ...keyed])
      expect(only('tx').toString()).toContain(keyCases[0]?.key.toString('hex'))
    })
  }
}
