import type { Call, Place, Snippet } from '~/screens/code/call'
import { type Language, snippetOf } from '~/screens/code/languages'
import { type Api, api } from './api'
import { corpusBytes } from './corpus-bytes'
import { type ImmudbServer, type ServerOptions, startServer } from './immudb'

export type Stage = { readonly server: ImmudbServer; readonly db: Api; readonly place: Place }

/** What breaks out of the quotes of one language or another. */
const breaking: readonly Buffer[] = [
  ...[
    "'; rm -rf / #",
    `'"'"'; touch pwned; '`,
    '$(touch pwned)',
    '`touch pwned`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what must not be read.
    '${HOME}${process.exit(1)}',
    '%s%n%%100',
    '"""; import os; """',
    "'''",
    String.raw`\u0022; System.exit(1); //`,
    String.raw`\\u0022\u000a\x41\101\N{BULLET}`,
    '\\',
    '\\\n',
    '-rf',
    '--',
    '@/etc/passwd',
    '\n\n',
    'ends with a line feed\n',
    '\r\n\t\b',
    '\u202egnp.exe\u2066\u200b',
    '😀\ufeff\u2028\u2029',
    '"rows":[',
    '#{1}<%= 1 %>{{7*7}}',
    '!event!!',
  ].map((text) => Buffer.from(text)),
  Buffer.from([0xff, 0xfe, 0x00, 0x27, 0x22, 0x5c, 0x0a]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from([0]),
]

/** Every hostile name. */
const names: readonly Buffer[] = [...corpusBytes('key').map(({ bytes }) => bytes), ...breaking]

export type KeyCase = { readonly key: Buffer; readonly value: Buffer }

/** Keys with values that only they have. */
export const keyCases: readonly KeyCase[] = unique(names).map((key, at) => ({
  key,
  value: Buffer.concat([Buffer.from(`${at}=`), key, Buffer.from([0, 0xff, at % 256])]),
}))

/** Those whose keys break out of quotes. */
export const breakingKeys: readonly KeyCase[] = keyCases.filter(({ key }) =>
  breaking.some((one) => one.equals(key)),
)

/** What texts can hold: no NUL, no bytes that are not UTF-8. */
export const texts: readonly string[] = unique([
  ...names,
  ...corpusBytes('sqlString').map(({ bytes }) => bytes),
])
  .map((bytes) => bytes.toString())
  .filter((text, at, all) => !text.includes('\0') && all.indexOf(text) === at)

function unique(all: readonly Buffer[]): Buffer[] {
  const found = new Map(
    all.filter(({ length }) => length > 0).map((one) => [one.toString('hex'), one]),
  )
  return [...found.values()]
}

/** Starts a server that holds the keys. */
export async function stage(options: ServerOptions = {}, pgsql = 0): Promise<Stage> {
  const server = await startServer(options)
  const db = await api(server.url)
  for (let at = 0; at < keyCases.length; at += 50) {
    const KVs = keyCases.slice(at, at + 50).map(({ key, value }) => ({
      key: key.toString('base64'),
      value: value.toString('base64'),
    }))
    await db.call('/db/set', { KVs })
  }
  const place: Place = {
    api: `${server.url}/api`,
    host: '127.0.0.1',
    database: 'defaultdb',
    ports: { grpc: server.grpcPort, pgsql },
  }
  return { server, db, place }
}

export function keyCall(key: Buffer, isVerified = false): Call {
  return { kind: 'key', key: key.toString('base64'), at: null, isVerified }
}

/** The code of a call. */
export function codeOf(language: Language, call: Call, place: Place): string {
  const snippet: Snippet = snippetOf(language, call, place)
  if ('cannot' in snippet) throw new Error(snippet.cannot)
  return snippet.code
}

/** Values as one text each, by which all languages are compared: bytes in hex, times in microseconds. */
export const kindCells = (): readonly string[] => [
  kinds.n,
  kinds.least,
  kinds.s,
  'true',
  kinds.bs.toString('hex'),
  kinds.ts,
  kinds.before,
  '0.1',
  kinds.j,
  kinds.u,
]

/** What a language has for NULL in such a list. */
export const nullCell = 'NULL'

/** One value of each type at its limits, as columns of the table `kinds`. */
export const kinds = {
  n: '9223372036854775807',
  least: '-9223372036854775808',
  s: `it's "q" \\ $(x) \`y\` %s é😀 \u202e`,
  b: true,
  bs: Buffer.from([0, 255, 39, 34, 92, 10]),
  /** 2026-01-02 03:04:05.123457 UTC */
  ts: '1767323045123457',
  /** The last microsecond before 1970. */
  before: '-1',
  f: 0.1,
  j: '{"a":[1,"\'"]}',
  u: '018df120-5a3b-7c11-8f0a-1234567890ab',
} as const

/** Makes the table `kinds` with its one row, and one of NULLs. */
export async function createKinds(db: Api): Promise<void> {
  await db.exec(
    'CREATE TABLE kinds (n INTEGER, least INTEGER, s VARCHAR, b BOOLEAN, bs BLOB, ts TIMESTAMP, before_ TIMESTAMP, f FLOAT, j JSON, u UUID, PRIMARY KEY n);',
  )
  await db.call('/db/sqlexec', {
    sql: 'INSERT INTO kinds (n, least, s, b, bs, ts, before_, f, j, u) VALUES (@n, @least, @s, @b, @bs, @ts, @before, @f, @j, @u)',
    params: kindParams,
  })
  await db.exec('INSERT INTO kinds (n) VALUES (1);')
}

const kindParams = [
  { name: 'n', value: { n: kinds.n } },
  { name: 'least', value: { n: kinds.least } },
  { name: 's', value: { s: kinds.s } },
  { name: 'b', value: { b: kinds.b } },
  { name: 'bs', value: { bs: kinds.bs.toString('base64') } },
  { name: 'ts', value: { ts: kinds.ts } },
  { name: 'before', value: { ts: kinds.before } },
  { name: 'f', value: { f: kinds.f } },
  { name: 'j', value: { s: kinds.j } },
  { name: 'u', value: { s: kinds.u } },
]

/** Finds the row by a value of each type that can be compared, in a statement of several lines. */
export const kindsCall: Call = {
  kind: 'sql',
  isQuery: true,
  sql: 'SELECT n, least, s, b, bs, ts, before_, f, j, u\nFROM kinds\nWHERE n = @n AND least = @least AND s = @s AND b = @b AND bs = @bs\n  AND ts = @ts AND before_ = @before AND f = @f AND u = CAST(@u AS UUID)',
  params: kindParams.filter(({ name }) => name !== 'j'),
}

export const nullsCall: Call = {
  kind: 'sql',
  isQuery: true,
  sql: 'SELECT n, s, ts, f FROM kinds WHERE n = @n',
  params: [{ name: 'n', value: { n: '1' } }],
}

/** Writes every text into a table of its own, which is made here. */
export async function textsCall(db: Api, table: string): Promise<Call> {
  await db.exec(`CREATE TABLE ${table} (id INTEGER, v VARCHAR, PRIMARY KEY id);`)
  const rows = texts.map((_, at) => `(${at}, @p${at})`)
  return {
    kind: 'sql',
    isQuery: false,
    sql: `INSERT INTO ${table} (id, v) VALUES ${rows.join(', ')}`,
    params: texts.map((s, at) => ({ name: `p${at}`, value: { s } })),
  }
}

/** The texts as immudb holds them. */
export async function heldTexts(db: Api, table: string): Promise<readonly unknown[]> {
  const { rows } = await db.call<{ rows: { values: { s: string }[] }[] }>('/db/sqlquery', {
    sql: `SELECT v FROM ${table}`,
  })
  return rows.map(({ values: [value] }) => value?.s)
}

/** A table of so many rows, for pages. */
export async function createNumbers(db: Api, count: number): Promise<void> {
  await db.exec('CREATE TABLE numbers (id INTEGER, PRIMARY KEY id);')
  for (let at = 0; at < count; at += 500) {
    const rows = Array.from({ length: Math.min(500, count - at) }, (_, one) => `(${at + one})`)
    await db.exec(`INSERT INTO numbers (id) VALUES ${rows.join(', ')};`)
  }
}

/** The ones of the texts that break out of quotes, as documents: a search for each finds one. */
export const documentTexts: readonly string[] = texts
  .filter((text) => /['"\\$`%{\n\u202e]/u.test(text))
  .slice(-8)

/** Makes the collection `notes` of them. */
export async function createNotes(db: Api): Promise<void> {
  await db.call('/collection/notes', {
    fields: [{ name: 't', type: 'STRING' }],
    indexes: [],
  })
  await db.call('/collection/notes/documents', {
    documents: documentTexts.map((t, at) => ({ t, at })),
  })
}

export function notesCall(text: string): Call {
  return {
    kind: 'documents',
    collection: 'notes',
    size: 10,
    query: {
      groups: [[{ field: 't', operator: 'EQ', values: [JSON.stringify(text)] }]],
      orderBy: [],
      limit: 0,
    },
  }
}
