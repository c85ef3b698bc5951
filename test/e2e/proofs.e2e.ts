import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../support/api'
import { type ImmudbServer, startServer } from '../support/immudb'
import { base64, signingKey, Verifier } from '../support/live-proofs'
import { until } from '../support/until'

/** The engine alone, without a browser, against a real server that signs. */
let folder: string
let key: { file: string; publicKey: string }
let server: ImmudbServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofs-'))
  key = await signingKey(folder)
  server = await startServer({ flags: ['--signing-key', key.file] })
})

afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

async function database(name: string): Promise<Verifier> {
  await (await api(server.url)).createDatabase(name)
  return Verifier.of(server.url, name, key.publicKey)
}

/** Keeps asking until the index has what was just written; a proof that is refused is the end. */
async function soon<T>(ask: () => Promise<T>): Promise<T> {
  const answer = () =>
    ask().then(
      (found) => ({ found }),
      (error: Error) => ({ error }),
    )
  const last = await until(answer, (one) => 'found' in one || one.error.name === 'ProofError')
  if ('found' in last) return last.found
  throw last.error
}

const kv = (key: string, value: string, metadata?: object) => ({
  key: base64(key),
  value: base64(value),
  ...(metadata ? { metadata } : {}),
})

describe('a real server', () => {
  test('its state, from nothing to many transactions', async () => {
    const live = await database('states')
    expect(await live.poll()).toMatchObject({ firstUse: true, signed: true, facts: { txId: '0' } })
    expect(await live.poll()).toMatchObject({ firstUse: false, facts: { txId: '0' } })
    await live.api.call('/db/set', { KVs: [kv('a', '1')] })
    expect(await live.poll()).toMatchObject({ firstUse: true, facts: { txId: '1' } })
    for (let tx = 2; tx <= 20; tx += 1) {
      await live.api.call('/db/set', { KVs: [kv('a', String(tx))] })
      if (tx % 3 === 0) {
        const done = await live.poll()
        expect(done).toMatchObject({ firstUse: false, signed: true, facts: { txId: String(tx) } })
      }
    }
    await live.poll()
    for (const trusted of [1, 7, 19, 20]) {
      const { next } = await live.tx(trusted)
      expect(next).toEqual(live.trusted)
    }
    expect((await live.audit()).facts).toMatchObject({ txId: '20', entries: 20 })
  })

  test('keys: values, metadata, references, sorted sets, deletion, expiry', async () => {
    const live = await database('keys')
    const far = { expiration: { expiresAt: '1999999999' } }
    const KVs = [kv('a', 'one'), kv('e', 'later', far), kv('n', 'hidden', { nonIndexable: true })]
    const set = await live.write('set', { setRequest: { KVs } })
    expect(set).toMatchObject({ firstUse: true, facts: { nentries: 3, id: '1' } })
    live.trusted = set.next
    const second = await live.write('set', {
      setRequest: { KVs: [kv('a', 'two'), kv('empty', '')] },
    })
    const reference = { key: base64('r'), referencedKey: base64('a') }
    await live.write('setreference', { referenceRequest: reference })
    const bound = { key: base64('rb'), referencedKey: base64('a'), atTx: '1', boundRef: true }
    await live.write('setreference', { referenceRequest: bound })
    const member = { set: base64('s'), score: -0.5, key: base64('a') }
    const ranked = await live.write('zadd', { zAddRequest: member })
    const boundMember = { ...member, score: 3, atTx: '1', boundRef: true }
    await live.write('zadd', { zAddRequest: boundMember })
    await live.write('set', { setRequest: { KVs: [kv('gone', 'soon'), kv('short', 'life')] } })
    await live.api.call('/db/deletekey', { keys: [base64('gone')] })
    const past = { expiration: { expiresAt: '1000000000' } }
    const expired = await live.write('set', { setRequest: { KVs: [kv('short', 'dead', past)] } })
    await live.poll()

    expect((await live.get('a')).facts).toMatchObject({ tx: '2', value: hex('two') })
    expect((await live.get('a', { atTx: '1' })).facts).toMatchObject({ value: hex('one') })
    expect((await live.get('a', { atRevision: '-1' })).facts).toMatchObject({ value: hex('one') })
    expect((await live.get('e')).facts.meta.expiresAt).toBe('1999999999')
    expect((await live.get('n', { atTx: '1' })).facts.meta.nonIndexable).toBe(true)
    expect((await live.get('empty')).facts).toMatchObject({ value: '', position: 1 })
    const referenced = { kind: 'reference', referencedKey: hex('a') }
    expect((await live.get('r')).facts).toMatchObject({ ...referenced, referencedAtTx: '0' })
    expect((await live.get('rb')).facts).toMatchObject({ ...referenced, referencedAtTx: '1' })
    await expect(live.get('gone')).rejects.toThrow('key not found')
    await expect(live.get('short')).rejects.toThrow('expired')

    const deletion = await live.tx(Number(expired.facts.id) - 1)
    expect(deletion.facts.entries).toMatchObject([
      { key: `00${hex('gone')}`, meta: { deleted: true } },
    ])
    const dead = await live.tx(expired.facts.id)
    expect(dead.facts.entries).toMatchObject([{ meta: { expiresAt: '1000000000' } }])
    expect((await live.tx(ranked.facts.id, true)).facts.entries).toHaveLength(1)
    const raw = await live.tx(second.facts.id, true)
    expect(raw.facts.entries?.map(({ value }) => value)).toEqual([`00${hex('two')}`, '00'])
    expect((await live.audit()).facts.txId).toBe(live.since)
  })

  test('rows of every type, by every key, before and after the table changed', async () => {
    const live = await database('rows')
    const { api: sql } = live
    await sql.exec(
      `CREATE TABLE everything (id INTEGER AUTO_INCREMENT, i INTEGER, f FLOAT, b BOOLEAN, s VARCHAR[40], t VARCHAR, u UUID, x BLOB, ts TIMESTAMP, j JSON, PRIMARY KEY id)`,
    )
    await sql.exec(
      `INSERT INTO everything (i, f, b, s, t, u, x, ts, j) VALUES (9223372036854775807, -1.5, true, 'kurz', 'länger ✓', '00ed6a9e-f9b5-45a3-95d6-a4b8e3c5c941', x'00ff', CAST('2021-02-03 04:05:06.789012' AS TIMESTAMP), '{"a":[1,null]}')`,
    )
    await sql.exec(`INSERT INTO everything (i) VALUES (NULL)`)
    await live.poll()
    const { facts } = await soon(() => live.row('everything', [{ n: '1' }]))
    expect(facts.named).toMatchObject({
      id: { type: 'INTEGER', value: '1' },
      i: { value: '9223372036854775807' },
      f: { type: 'FLOAT', value: -1.5 },
      b: { value: true },
      s: { value: 'kurz' },
      t: { value: 'länger ✓' },
      u: { type: 'UUID', value: '00ed6a9e-f9b5-45a3-95d6-a4b8e3c5c941' },
      x: { type: 'BLOB', value: '00ff' },
      ts: { type: 'TIMESTAMP', value: '1612325106789012' },
      j: { type: 'JSON', value: '{"a":[1,null]}' },
    })
    const { facts: nulls } = await soon(() => live.row('everything', [{ n: '2' }]))
    expect(Object.values(nulls.named).filter((cell) => cell !== null)).toHaveLength(1)

    const keys = [
      ['INTEGER', '-7', { n: '-7' }],
      ['FLOAT', '-1.25', { f: -1.25 }],
      ['FLOAT', '2.0', { f: 2 }],
      ['BOOLEAN', 'false', { b: false }],
      ['VARCHAR[12]', `'ключ'`, { s: 'ключ' }],
      ['VARCHAR[12]', `''`, { s: '' }],
      ['BLOB[4]', `x'0102ff'`, { bs: 'AQL/' }],
      [
        'UUID',
        `'00ed6a9e-f9b5-45a3-95d6-a4b8e3c5c940'`,
        { s: '00ed6a9e-f9b5-45a3-95d6-a4b8e3c5c940' },
      ],
      ['TIMESTAMP', `CAST('1969-12-31 23:59:59.5' AS TIMESTAMP)`, { ts: '-500000' }],
      ['TIMESTAMP', `CAST('2300-01-01 00:00:00' AS TIMESTAMP)`, { ts: '10413792000000000' }],
    ] as const
    for (const [at, [type, literal, value]] of keys.entries()) {
      const table = `k${at}`
      await sql.exec(`CREATE TABLE ${table} (k ${type}, v INTEGER, PRIMARY KEY k)`)
      await sql.exec(`INSERT INTO ${table} (k, v) VALUES (${literal}, ${at})`)
      await live.poll()
      const row = await soon(() => live.row(table, [value]))
      expect(row.facts.named, `${type} ${literal}`).toMatchObject({ v: { value: String(at) } })
    }

    await sql.exec(
      'CREATE TABLE evo (a INTEGER, b VARCHAR[20], c VARCHAR, d VARCHAR, PRIMARY KEY (a, b))',
    )
    await sql.exec(`INSERT INTO evo (a, b, c, d) VALUES (1, 'x', 'old', 'secret')`)
    await live.poll()
    const pk = [{ n: '1' }, { s: 'x' }]
    const before = await soon(() => live.row('evo', pk))
    await sql.exec('ALTER TABLE evo RENAME COLUMN c TO fresh')
    await sql.exec('ALTER TABLE evo DROP COLUMN d')
    await sql.exec('ALTER TABLE evo ADD COLUMN added INTEGER')
    await live.poll()
    const after = await soon(() => live.row('evo', pk))
    expect(after.facts.hidden).toEqual([4])
    expect(after.facts.named).toMatchObject({ fresh: { value: 'old' }, added: null })
    expect(after.facts.raw).toEqual(before.facts.raw)
    const schema = {
      table: 'evo',
      tableId: after.facts.tableId,
      pk: [1, 2],
      maxColId: 5,
      cols: [
        { id: 1, name: 'a', type: 'INTEGER', maxLen: 8 },
        { id: 2, name: 'b', type: 'VARCHAR', maxLen: 20 },
        { id: 3, name: 'fresh', type: 'VARCHAR', maxLen: 0 },
        { id: 5, name: 'added', type: 'INTEGER', maxLen: 8 },
      ],
    }
    expect((await live.row('evo', pk, { schema })).verdict).toBe('ok')
    const other = { schema: { ...schema, maxColId: 4 } }
    await expect(live.row('evo', pk, other)).rejects.toMatchObject({ reason: 'schema-changed' })

    await sql.exec(`UPDATE evo SET added = 7 WHERE a = 1`)
    await sql.exec(`DELETE FROM evo WHERE a = 1`)
    await live.poll()
    const updated = String(Number(live.since) - 1)
    const old = await soon(() => live.row('evo', pk, { atTx: updated }))
    expect(old.facts.named).toMatchObject({ added: { value: '7' } })
    const deleted = await soon(() => live.row('evo', pk, { atTx: live.since }))
    expect(deleted.facts).toMatchObject({ deleted: true, tx: live.since })

    const schemas = await live.schemas()
    expect(schemas).toHaveLength(keys.length + 2)
    expect(schemas).toContainEqual(schema)
    await sql.exec(
      "CREATE TABLE ends (id INTEGER, v VARCHAR[9] DEFAULT 'x', w JSON, PRIMARY KEY id)",
    )
    await sql.exec('ALTER TABLE ends DROP COLUMN w')
    await sql.exec('INSERT INTO ends (id) VALUES (1)')
    await sql.exec('DROP TABLE k0')
    await live.poll()
    const derived = (await live.schemas()).find(({ table }) => table === 'ends')
    const last = await soon(() =>
      live.row('ends', [{ n: '1' }], derived ? { schema: derived } : {}),
    )
    expect([derived?.maxColId, last.facts.named]).toMatchObject([3, { v: { value: 'x' } }])
  })

  test('a thousand rows of one transaction, together', async () => {
    const live = await database('many')
    await live.api.exec('CREATE TABLE many (id INTEGER, v VARCHAR, PRIMARY KEY id)')
    const values = Array.from({ length: 1000 }, (_, at) => `(${at}, 'row ${at}')`)
    await live.api.exec(`INSERT INTO many (id, v) VALUES ${values.join(', ')}`)
    await live.poll()
    const { facts } = await live.tx(live.since, true)
    expect(facts.entries).toHaveLength(1000)
    expect(facts.entries?.every(({ value }) => value !== undefined)).toBe(true)
    const row = await soon(() => live.row('many', [{ n: '777' }]))
    expect(row.facts).toMatchObject({ position: 777, named: { v: { value: 'row 777' } } })
  })

  test('documents: inserted, replaced, deleted, and as they were', async () => {
    const live = await database('papers')
    const { api: rest } = live
    const fields = [
      { name: 'name', type: 'STRING' },
      { name: 'age', type: 'INTEGER' },
      { name: 'ok', type: 'BOOLEAN' },
    ]
    await rest.call('/v2/collection/people', { fields })
    const first = {
      name: 'Ann',
      age: 31,
      ok: true,
      nested: { list: [1, 'two', null, false, { deep: -0.25 }], empty: '' },
      ünï: '✓',
    }
    const { transactionId, documentIds } = await rest.call<{
      transactionId: string
      documentIds: string[]
    }>('/v2/collection/people/documents', { documents: [first, { name: 'Bob' }] })
    const [ann = '', bob = ''] = documentIds
    const found = await soon(() => live.document('people', ann))
    expect(found).toMatchObject({ firstUse: true, signed: true })
    expect(found.facts.document).toEqual({ ...first, _id: ann })
    await live.poll()
    const query = {
      collectionName: 'people',
      expressions: [{ fieldComparisons: [{ field: '_id', operator: 'EQ', value: ann }] }],
    }
    await rest.call('/v2/collection/people/documents/delete', { query })
    await live.poll()
    const deleted = await live.document('people', ann, live.since)
    expect(deleted.facts).toMatchObject({ deleted: true, document: { name: 'Ann' } })
    const before = await live.document('people', ann, transactionId)
    expect(before.facts).toMatchObject({ deleted: false, tx: transactionId })
    const { facts } = await live.document('people', bob)
    expect(facts).toMatchObject({ document: { name: 'Bob', _id: bob }, deleted: false })
    const { facts: tx } = await live.tx(transactionId)
    expect(tx).toMatchObject({ nentries: 2, extra: hex('immudb') })
    expect((await live.audit()).facts.txId).toBe(live.since)
  })

  test('a value of almost 4 MiB, and the digest of one beyond', async () => {
    const live = await database('large')
    const size = Math.floor(3.9 * 1024 * 1024)
    await live.api.call('/db/set', { KVs: [kv('large', 'x'.repeat(size))] })
    await live.poll()
    const { facts } = await live.get('large')
    expect(facts).toMatchObject({ kind: 'value', tx: '1' })
    expect('value' in facts && facts.value.length).toBe(size * 2)
    await live.api.call('/db/set', {
      KVs: [kv('beyond', 'y'.repeat(Math.ceil(4.1 * 1024 * 1024)))],
    })
    await live.poll()
    await expect(live.get('beyond')).rejects.toThrow('larger than max')
    expect((await live.tx(live.since)).facts.entries).toMatchObject([{ key: `00${hex('beyond')}` }])
  })

  test('its signature is of its own key', async () => {
    const other = await mkdtemp(join(folder, 'other-'))
    const { publicKey } = await signingKey(other)
    const foreign = await Verifier.of(server.url, 'defaultdb', publicKey)
    await expect(foreign.poll()).rejects.toMatchObject({ reason: 'signature' })
    const free = await Verifier.of(server.url, 'defaultdb', null)
    expect(await free.poll()).toMatchObject({ signed: false, firstUse: true })
  })
})

test('a copy of the data that went another way is told from the original', async () => {
  const dir = join(folder, 'original')
  const start = (data: string) => startServer({ flags: ['--dir', data, '--signing-key', key.file] })
  const of = (at: ImmudbServer) => Verifier.of(at.url, 'defaultdb', key.publicKey)
  const write = async (live: Verifier, from: number, to: number, what: string) => {
    for (let at = from; at <= to; at += 1) {
      await live.api.call('/db/set', { KVs: [kv(`k${at}`, what)] })
    }
  }
  const original = await start(dir)
  const live = await of(original)
  await write(live, 1, 10, 'common')
  await live.poll()
  const common = live.trusted
  await original.end()
  const copyDir = join(folder, 'copy')
  await cp(dir, copyDir, { recursive: true })

  const again = await start(dir)
  const later = await of(again)
  later.trusted = common
  await write(later, 11, 15, 'original')
  expect(await later.poll()).toMatchObject({ firstUse: false, facts: { txId: '15' } })
  const known = later.trusted
  await again.dispose()

  const copy = await start(copyDir)
  const restored = await of(copy)
  restored.trusted = known
  await expect(restored.poll()).rejects.toMatchObject({ reason: 'rolled-back' })
  await expect(restored.get('k3')).rejects.toThrow('illegal state')
  await expect(restored.tx(3)).rejects.toThrow('illegal state')

  await write(restored, 11, 15, 'copied')
  await expect(restored.poll()).rejects.toMatchObject({ reason: 'history-changed' })
  await expect(restored.get('k3')).rejects.toMatchObject({ reason: 'history-changed' })
  await expect(restored.audit()).rejects.toMatchObject({ reason: 'audit' })

  await write(restored, 16, 20, 'copied')
  await expect(restored.poll()).rejects.toMatchObject({ reason: 'history-changed' })
  const set = { setRequest: { KVs: [kv('w', 'w')] } }
  await expect(restored.write('set', set)).rejects.toMatchObject({ reason: 'history-changed' })
  expect(restored.trusted, 'the trusted state stays').toEqual(known)

  restored.trusted = common
  expect(await restored.poll(), 'who knew only the common part').toMatchObject({ signed: true })
  await copy.dispose()
  await original.dispose()
})

test('a server that notes who asked has that in its transactions, which are proven with it', async () => {
  const flags = [`--signingKey=${key.file}`, '--log-request-metadata']
  const noting = await startServer({ kind: 'drop-in', flags })
  const live = await Verifier.of(noting.url, 'defaultdb', key.publicKey)
  await live.api.call('/db/set', { KVs: [kv('a', '1')] })
  await live.poll()
  await live.api.call('/db/set', { KVs: [kv('a', '2'), kv('b', '3')] })
  expect(await live.poll()).toMatchObject({ firstUse: false, signed: true })
  const { facts } = await live.tx(2)
  expect(Buffer.from(facts.extra, 'hex').toString()).toContain('immudb')
  expect((await live.get('b')).facts).toMatchObject({ tx: '2', position: 1 })
  expect((await live.audit()).facts).toMatchObject({ txId: '2', entries: 3 })
  await noting.dispose()
})

test('a server that does not sign is no match for a pinned key', async () => {
  const silent = await startServer()
  const live = await Verifier.of(silent.url, 'defaultdb', key.publicKey)
  await expect(live.poll()).rejects.toMatchObject({ reason: 'signature', step: 'signature' })
  await silent.dispose()
})

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}
