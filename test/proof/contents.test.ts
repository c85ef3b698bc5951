// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { documentJson } from '~/immudb/document-json'
import { bytesToBase64, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { concat, f64, u8, u32, u64 } from '~/proof/kernel/bytes'
import type { EntryMetadata } from '~/proof/kernel/entry'
import { documentKey, plainKey, plainValue, rowKey } from '~/proof/kernel/stored'
import { verify } from '~/proof/kernel/verify'
import { readDocument } from '~/proof/kernel/verify-document'
import { History, type Json, metadataJson, type Written } from '../support/history'
import { type Verdict, verdictOf } from '../support/proofs'

type Cell = readonly [id: number, bytes: Uint8Array]

const row = (...cells: Cell[]) =>
  concat(
    u32(cells.length),
    ...cells.map(([id, bytes]) => concat(u32(id), u32(bytes.length), bytes)),
  )

const cols = [
  { id: 1, name: 'id', type: 'INTEGER', maxLen: 8 },
  { id: 2, name: '__proto__', type: 'VARCHAR', maxLen: 0 },
  { id: 4, name: 'b', type: 'BOOLEAN', maxLen: 1 },
  { id: 5, name: 'f', type: 'FLOAT', maxLen: 8 },
  { id: 6, name: 'x', type: 'BLOB', maxLen: 0 },
]

const schema = { table: 't', tableId: 3, pk: [1], cols, maxColId: 6 }

function claim({ table, tableId, pk, cols, maxColId }: typeof schema): Json {
  const by = (value: (col: (typeof cols)[number]) => unknown) =>
    Object.fromEntries(cols.map((col) => [String(col.id), value(col)]))
  return {
    DatabaseId: 1,
    TableId: tableId,
    PKIDs: pk,
    ColNamesById: by(({ name }) => name),
    ColIdsByName: Object.fromEntries(cols.map(({ id, name }) => [`(${table}.${name})`, id])),
    ColTypesById: by(({ type }) => type),
    ColLenById: by(({ maxLen }) => maxLen),
    MaxColId: maxColId,
  }
}

type Stored = {
  value: Uint8Array
  claimed?: typeof schema
  more?: Json
  pk?: readonly (readonly [Json, Uint8Array])[]
  metadata?: Written['metadata']
  atTx?: string
  pinned?: unknown
  isOnlySeen?: boolean
}

/** The verdict about a row that is stored like this, its proof being right. */
function rowVerdict(stored: Stored): Promise<Verdict> {
  const { value, claimed = schema, more = {}, metadata, atTx, pinned, isOnlySeen = false } = stored
  const pk = stored.pk ?? [[{ n: '1' }, concat(u8(0x80), u64(2n ** 63n + 1n))]]
  const key = rowKey(claimed.tableId, concat(...pk.map(([, bytes]) => bytes)))
  const history = new History()
  history.add([{ key, value, ...(metadata ? { metadata } : {}) }])
  const context = { db: 'db', trusted: history.point(1), publicKey: null }
  const asked = { table: 't', pkValues: pk.map(([json]) => json), ...(atTx ? { atTx } : {}) }
  const given = {
    verify: 'row',
    context:
      pinned === undefined ? context : { ...context, schema: pinned as typeof schema, isOnlySeen },
    request: { sqlGetRequest: asked },
  } as const
  return verdictOf(given, {
    sqlEntry: {
      tx: '1',
      value: bytesToBase64(value),
      ...(metadata ? { metadata: metadataJson(metadata) } : {}),
    },
    verifiableTx: history.verifiableTx(1, 1),
    inclusionProof: history.inclusionProof(1, 0),
    ...claim(claimed),
    ...more,
  })
}

const factsOf = async (stored: Stored): Promise<Json> => {
  const found = await rowVerdict(stored)
  if (found.refused) throw found.error
  return found.facts as Json
}

const refusalOf = async (stored: Stored): Promise<string> => {
  const found = await rowVerdict(stored)
  return found.refused ? `${found.error.reason} ${found.error.part}` : 'ok'
}

const id: Cell = [1, u64(1n)]

describe('a key', () => {
  const getVerdict = (metadata: Partial<EntryMetadata>, asked: Json, more: Json = {}) => {
    const [key, value] = [encodeUtf8('k'), encodeUtf8('v')]
    const history = new History()
    history.add([{ key: plainKey(key), value: plainValue(value), metadata }])
    const keyRequest = { key: bytesToBase64(key), ...asked }
    const context = { db: 'db', trusted: history.point(1), publicKey: null }
    return verdictOf({ verify: 'get', context, request: { keyRequest, ...more } } as const, {
      entry: {
        tx: '1',
        key: bytesToBase64(key),
        value: bytesToBase64(value),
        metadata: metadataJson(metadata),
      },
      verifiableTx: history.verifiableTx(1, 1),
      inclusionProof: history.inclusionProof(1, 0),
    })
  }
  const refused = { refused: true, error: { reason: 'answer-mismatch', part: 'metadata' } }

  test('that is in no index is what no read of the index returns', async () => {
    const hidden = { nonIndexable: true }
    expect(await getVerdict(hidden, {})).toMatchObject(refused)
    expect(await getVerdict(hidden, { atTx: '1' }, { isIndexed: true })).toMatchObject(refused)
    expect(await getVerdict({}, { atTx: '1' }, { isIndexed: true })).toMatchObject({
      refused: false,
    })
  })

  test('that is in no index is read by its transaction, and says so', async () => {
    const found = await getVerdict({ nonIndexable: true }, { atTx: '1' })
    expect(found).toMatchObject({ refused: false, facts: { meta: { nonIndexable: true } } })
  })
})

describe('a row', () => {
  test('shows names that objects have a meaning for, and bytes that are no text', async () => {
    const text = concat(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff), encodeUtf8('a'))
    const facts = await factsOf({ value: row(id, [2, text]) })
    const named = facts.named as Record<string, unknown>
    expect(Object.getOwnPropertyDescriptor(named, '__proto__')?.value).toEqual({
      type: 'VARCHAR',
      value: 'efbbbfff61',
      raw: 'efbbbfff61',
      isBytes: true,
    })
    expect(Object.getPrototypeOf(named)).toBe(Object.prototype)
    expect(named.b).toBeNull()
  })

  test('shows what dropped columns have left, and refuses columns that never were', async () => {
    const facts = await factsOf({ value: row(id, [3, encodeUtf8('secret')]) })
    expect(facts).toMatchObject({
      hidden: [3],
      raw: { 1: '0000000000000001', 3: bytesToHex(encodeUtf8('secret')) },
    })
    expect(await refusalOf({ value: row(id, [7, encodeUtf8('x')]) })).toBe('row-encoding MaxColId')
    expect(await refusalOf({ value: row(id, [0, encodeUtf8('x')]) })).toBe('row-encoding MaxColId')
  })

  test.each<readonly [string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['more cells than bytes', concat(u32(0xffff_ffff), row(id).subarray(4))],
    ['fewer cells than bytes', concat(u32(0), row(id).subarray(4))],
    ['a cell that ends too late', row(id).subarray(0, -1)],
    ['a cell of 4 GB', concat(u32(1), u32(1), u32(0xffff_ffff), u64(1n))],
    ['bytes behind the last cell', concat(row(id), u8(0))],
    ['a column twice', row(id, id)],
    ['a long boolean', row(id, [4, Uint8Array.of(0, 1)])],
    ['a boolean that is neither', row(id, [4, u8(2)])],
    ['a short float', row(id, [5, f64(1).subarray(1)])],
  ])('with %s is refused', async (_, value) => {
    expect(await refusalOf({ value })).toMatch(/^row-encoding /)
  })

  test('of another primary key is refused, and one without', async () => {
    expect(await refusalOf({ value: row([1, u64(2n)]) })).toBe('answer-mismatch pkValues')
    expect(await refusalOf({ value: row([2, encodeUtf8('x')]) })).toBe('answer-mismatch pkValues')
    expect(await refusalOf({ value: row([1, u64(1n).subarray(1)]) })).toBe(
      'answer-mismatch pkValues',
    )
  })

  test('that is deleted, expires or is hidden from the index', async () => {
    const value = row(id)
    const deleted = { value, metadata: { deleted: true } }
    expect(await refusalOf(deleted)).toBe('answer-mismatch metadata')
    expect(await factsOf({ ...deleted, atTx: '1' })).toMatchObject({ deleted: true })
    const metadata = { expiresAt: 1n }
    expect(await refusalOf({ value, metadata, atTx: '1' })).toBe('answer-mismatch metadata')
    const hidden = { nonIndexable: true }
    expect(await refusalOf({ value, metadata: hidden, atTx: '1' })).toBe('answer-mismatch metadata')
    expect(await refusalOf({ value, atTx: '2' })).toBe('answer-mismatch atTx')
  })

  test('with a key of every type, minus zero and the far future among them', async () => {
    const uuid = '00ed6a9e-f9b5-45a3-95d6-a4b8e3c5c940'
    const bytes = Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'))
    const key: readonly (readonly [type: string, maxLen: number, Json, string, Uint8Array])[] = [
      ['INTEGER', 8, { n: '-1' }, '807fffffffffffffff', u64(-1n)],
      ['FLOAT', 8, { f: -0 }, '807fffffffffffffff', f64(-0)],
      ['TIMESTAMP', 8, { ts: '9223372036854775807' }, '807ffffffffffffc18', u64(2n ** 63n - 1n)],
      ['BOOLEAN', 1, { b: false }, '8000', u8(0)],
      ['UUID', 16, { s: uuid.toUpperCase() }, `80${bytesToHex(bytes)}`, bytes],
      ['VARCHAR', 4, { s: 'é' }, '80c3a9000000000002', encodeUtf8('é')],
      ['BLOB', 2, { bs: '' }, '80000000000000', new Uint8Array()],
    ]
    const columns = key.map(([type, maxLen], at) => ({ id: at + 1, name: `c${at}`, type, maxLen }))
    const ids = columns.map((column) => column.id).reverse()
    const claimed = { ...schema, cols: columns, pk: ids, maxColId: 7 }
    const pk = key
      .map(([, , json, encoded]) => [json, Uint8Array.from(Buffer.from(encoded, 'hex'))] as const)
      .reverse()
    const value = row(...key.map(([, , , , cell], at): Cell => [at + 1, cell]))
    const facts = await factsOf({ value, claimed, pk })
    expect(facts.named).toMatchObject({
      c0: { value: '-1' },
      c1: { value: -0 },
      c2: { value: '9223372036854775807' },
      c3: { value: false },
      c4: { value: uuid },
      c5: { value: 'é' },
      c6: { value: '' },
    })
    const other = {
      value: row(...key.map(([, , , , cell], at): Cell => [at + 1, at === 1 ? f64(0) : cell])),
      claimed,
      pk,
    }
    expect(await refusalOf(other)).toBe('answer-mismatch pkValues')
  })

  test.each<readonly [string, Json]>([
    ['a column that has no type', { ColTypesById: {} }],
    ['a name that is another table’s', { ColIdsByName: { '(u.id)': 1 } }],
    ['no primary key', { PKIDs: [] }],
    ['a primary key of no column', { PKIDs: [3] }],
    ['a primary key of a column twice', { PKIDs: [1, 1] }],
    ['a column beyond the last', { MaxColId: 5 }],
    ['ids that are none', { ColNamesById: { '01': 'id' } }],
    [
      'one id in two forms',
      {
        ColNamesById: { 1: 'id', '01': 'x' },
        ColIdsByName: { '(t.id)': 1, '(t.x)': 1 },
        ColTypesById: { 1: 'INTEGER', '01': 'INTEGER' },
        ColLenById: {},
      },
    ],
    ['types that are none', { ColTypesById: { 1: 'int' } }],
    ['lists for maps', { ColLenById: [] }],
    ['a negative length', { ColLenById: { 1: -8 } }],
    ['a table beyond 32 bits', { TableId: 2 ** 32 }],
  ])('of a schema with %s is refused', async (_, more) => {
    expect(await refusalOf({ value: row(id), more })).toMatch(/^(malformed|answer-mismatch) /)
  })

  test('is open in its description until the pinned one is more than seen', async () => {
    const openOf = async (given: Partial<Stored>) => {
      const found = await rowVerdict({ value: row(id), ...given })
      if (found.refused) throw found.error
      return found.open
    }
    expect(await openOf({ pinned: null })).toEqual(['description'])
    expect(await openOf({ pinned: schema, isOnlySeen: true })).toEqual(['description'])
    expect(await openOf({ pinned: schema })).toEqual([])
  })

  test('of a pinned schema is held to all of it', async () => {
    const value = row(id)
    const reordered = { ...schema, cols: [...cols].reverse() }
    expect(await refusalOf({ value, pinned: reordered })).toBe('ok')
    expect(await refusalOf({ value, pinned: null })).toBe('ok')
    const [first, ...rest] = cols
    for (const pinned of [
      { ...schema, table: 'u' },
      { ...schema, tableId: 4 },
      { ...schema, pk: [2] },
      { ...schema, maxColId: 7 },
      { ...schema, cols: rest },
      { ...schema, cols: [{ ...first, maxLen: 9 }, ...rest] },
      { ...schema, cols: [{ ...first, type: 'TIMESTAMP' }, ...rest] },
      {},
      'none',
      '',
      false,
    ]) {
      expect(await refusalOf({ value, pinned })).toBe('schema-changed schema')
    }
  })
})

const field = (number: number, bytes: Uint8Array) =>
  concat(u8(number * 8 + 2), varint(bytes.length), bytes)

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Uint8Array.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}

const entry = (name: string, value: Uint8Array) =>
  field(1, concat(field(1, encodeUtf8(name)), field(2, value)))
const textValue = (text: string) => field(3, encodeUtf8(text))

const documentId = '6b0169990000000000000023c9ab04f5'
const idBytes = Uint8Array.from(Buffer.from(documentId, 'hex'))
const struct = entry('_id', textValue(documentId))

async function documentVerdict(
  encodedDocument: Uint8Array,
  more: { metadata?: Written['metadata']; request?: Json; context?: Json; answer?: Json } = {},
): Promise<Verdict> {
  const history = new History()
  history.add([{ key: encodeUtf8('x'), value: encodeUtf8('y') }])
  const { metadata } = more
  const key = documentKey(7, idBytes)
  history.add([{ key, value: encodedDocument, ...(metadata ? { metadata } : {}) }])
  const context = { db: 'db', trusted: history.point(2), publicKey: null, ...more.context }
  const request = { documentId, transactionId: '0', ...more.request }
  return verdictOf(
    { verify: 'document', context, request },
    {
      database: 'db',
      collectionId: 7,
      documentIdFieldName: '_id',
      encodedDocument: bytesToBase64(encodedDocument),
      verifiableTx: history.verifiableTxV2(2, 2),
      ...more.answer,
    },
  )
}

const refusal = async (...given: Parameters<typeof documentVerdict>) => {
  const found = await documentVerdict(...given)
  return found.refused ? `${found.error.reason} ${found.error.part}` : 'ok'
}

describe('a document', () => {
  const encoded = row([1, idBytes], [2, struct])

  test('is what was asked for, of the pinned collection', async () => {
    expect(await refusal(encoded)).toBe('ok')
    expect(await refusal(encoded, { request: { documentId: documentId.toUpperCase() } })).toBe('ok')
    expect(await refusal(encoded, { context: { collectionId: 7 } })).toBe('ok')
    const pinned = { context: { collectionId: 8 } }
    expect(await refusal(encoded, pinned)).toBe('schema-changed collectionId')
    expect(await refusal(encoded, { request: { transactionId: '2' } })).toBe('ok')
    const older = { request: { transactionId: '1' } }
    expect(await refusal(encoded, older)).toBe('answer-mismatch transactionId')
    for (const wrong of ['', 'xy', '6b0', '00'.repeat(33), 7, null]) {
      const found = await refusal(encoded, { request: { documentId: wrong } })
      expect(found).toBe('malformed documentId')
    }
    expect(await refusal(encoded, { answer: { database: '' } })).toBe('wrong-database database')
  })

  test('is open in the name of its collection until the pinned number is more than seen', async () => {
    const openOf = async (context: Json) => {
      const found = await documentVerdict(encoded, { context })
      if (found.refused) throw found.error
      return found.open
    }
    expect(await openOf({})).toEqual(['description'])
    // What is pinned of a table says nothing of a collection.
    expect(await openOf({ schema })).toEqual(['description'])
    expect(await openOf({ collectionId: 7, isOnlySeen: true })).toEqual(['description'])
    expect(await openOf({ collectionId: 7 })).toEqual([])
  })

  test('is at a first contact proven from the first transaction on', async () => {
    const history = new History()
    history.add([{ key: encodeUtf8('x'), value: encodeUtf8('y') }])
    history.add([{ key: documentKey(7, idBytes), value: encoded }])
    const context = { db: 'db', trusted: null, publicKey: null }
    const answer = (since: number) => ({
      database: 'db',
      collectionId: 7,
      documentIdFieldName: '_id',
      encodedDocument: bytesToBase64(encoded),
      verifiableTx: history.verifiableTxV2(2, since),
    })
    const found = await verify('document', context, { documentId }, answer(1))
    expect(found).toMatchObject({ firstUse: true, next: history.point(2) })
    const given = { verify: 'document', context, request: { documentId } } as const
    expect(await verdictOf(given, answer(2))).toMatchObject({ error: { reason: 'not-anchored' } })
  })

  test('may be deleted but has no other metadata', async () => {
    const deleted = await documentVerdict(encoded, { metadata: { deleted: true } })
    expect(deleted).toMatchObject({ refused: false, facts: { deleted: true } })
    for (const metadata of [{ expiresAt: 1n }, { nonIndexable: true }]) {
      expect(await refusal(encoded, { metadata })).toBe('answer-mismatch metadata')
    }
  })

  test('has its own id in the row and in itself', async () => {
    const other = idBytes.map((byte) => byte ^ 1)
    const wrong = 'document-encoding'
    expect(await refusal(row([1, other], [2, struct]))).toBe(`${wrong} documentId`)
    expect(await refusal(row([2, struct]))).toBe(`${wrong} documentId`)
    expect(await refusal(row([1, idBytes]))).toBe(`${wrong} encodedDocument`)
    const foreign = entry('_id', textValue(bytesToHex(other)))
    expect(await refusal(row([1, idBytes], [2, foreign]))).toBe(`${wrong} documentIdFieldName`)
    const capitals = entry('_id', textValue(bytesToHex(idBytes).toUpperCase()))
    expect(await refusal(row([1, idBytes], [2, capitals]))).toBe('ok')
  })

  test('is proven after the field for ids was renamed: it has its id under the name of then', async () => {
    const own = concat(struct, entry('key', textValue('own')))
    for (const documentIdFieldName of ['key', 'new', 'constructor']) {
      const answer = { documentIdFieldName }
      const verdict = await documentVerdict(row([1, idBytes], [2, own]), { answer })
      expect(verdict).toMatchObject({ refused: false, facts: { document: { key: 'own' } } })
    }
  })

  test('does not have its id in a field that is indexed, whatever another field has', async () => {
    const answer = { documentIdFieldName: 'key' }
    const cell = [3, encodeUtf8('own')] as [number, Uint8Array]
    const alone = concat(struct, entry('key', textValue('own')))
    const indexed = row([1, idBytes], [2, alone], cell)
    expect(await refusal(indexed, { answer })).toBe('document-encoding documentIdFieldName')
    const inner = field(5, entry('city', textValue('own')))
    for (const title of [textValue('own'), inner]) {
      const twice = concat(alone, entry('title', title))
      expect(await refusal(row([1, idBytes], [2, twice], cell), { answer })).toBe('ok')
      const both = row([1, idBytes], [2, twice], cell, [4, encodeUtf8('own')])
      expect(await refusal(both, { answer })).toBe('document-encoding documentIdFieldName')
    }
  })

  test('holds everything a struct can hold', () => {
    const number = (value: number) => concat(u8(17), f64(value).reverse())
    const list = field(6, concat(field(1, u8(8)), field(1, Uint8Array.of(8, 0))).subarray(3))
    const content = concat(
      entry('__proto__', textValue('a')),
      entry('', field(5, new Uint8Array())),
      entry('number', number(-0.25)),
      entry('yes', Uint8Array.of(32, 1)),
      entry('no', Uint8Array.of(32, 0)),
      entry('null', Uint8Array.of(8, 0)),
      entry('unset', new Uint8Array()),
      entry('list', list),
      entry('text', textValue('\uFEFF✓')),
      field(1, field(1, encodeUtf8('bare'))),
    )
    const document = readDocument(content)
    expect(Object.getOwnPropertyDescriptor(document, '__proto__')?.value).toBe('a')
    expect(Object.entries(document).slice(1)).toEqual([
      ['', {}],
      ['number', -0.25],
      ['yes', true],
      ['no', false],
      ['null', null],
      ['unset', null],
      ['list', [null]],
      ['text', '\uFEFF✓'],
      ['bare', null],
    ])
  })

  test.each<readonly [string, Uint8Array]>([
    ['a field twice', concat(entry('a', textValue('1')), entry('a', textValue('2')))],
    ['a value of two kinds', entry('a', concat(textValue('1'), textValue('2')))],
    ['an unknown kind', entry('a', field(7, encodeUtf8('x')))],
    ['a text that is a number', entry('a', Uint8Array.of(24, 1))],
    ['an entry with more than a name and a value', field(1, field(3, encodeUtf8('x')))],
    ['a name twice', field(1, concat(field(1, encodeUtf8('a')), field(1, encodeUtf8('b'))))],
    ['another field', field(2, encodeUtf8('x'))],
    ['a length that is too long', Uint8Array.of(10, 5, 1)],
    ['a length without end', Uint8Array.of(10, ...new Uint8Array(12).fill(0xff))],
    ['a varint without end', entry('a', Uint8Array.of(8, ...new Uint8Array(12).fill(0xff)))],
    ['a varint that is cut off', entry('a', Uint8Array.of(8, 0x80))],
    ['a varint beyond 64 bits', entry('a', Uint8Array.of(32, ...Array(9).fill(0x80), 2))],
    ['a text that is no UTF-8', entry('a', field(3, Uint8Array.of(0xc3, 0x28)))],
    ['a name that is no UTF-8', field(1, field(1, Uint8Array.of(0xff)))],
    ['half a number', entry('a', Uint8Array.of(17, 1, 2))],
    ['a group', Uint8Array.of(11, 12)],
    ['a fixed32', entry('a', Uint8Array.of(13, 1, 2, 3, 4))],
  ])('with %s is refused', (_, content) => {
    expect(() => readDocument(content)).toThrow('document-encoding')
  })

  test('may be nested as deep as the server takes it', () => {
    const nested = (depth: number) => {
      let value = textValue('end')
      for (let at = 0; at < depth; at += 1)
        value = at % 2 ? field(5, entry('a', value)) : field(6, field(1, value))
      return entry('a', value)
    }
    expect(documentJson(readDocument(nested(5_000)))).toContain('end')
  })
})
