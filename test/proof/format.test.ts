// @vitest-environment node
import { createHash, createPublicKey, verify as verifyBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { saveAudit } from '~/proof/audit-walk'
import { openEvidence } from '~/proof/check-evidence'
import { startDeepAudit, takePage } from '~/proof/deep-audit'
import { type Checked, readEvidence, readEvidenceBytes, writeEvidence } from '~/proof/evidence'
import { auditTx, startAudit } from '~/proof/kernel/audit'
import { reasons } from '~/proof/kernel/steps'
import type { Kind } from '~/proof/kernel/verify'
import { resumeDeepAudit, saveDeepAudit } from '~/proof/saved-audit'
import { reportOf } from '~/trust/audit/audit-record'
import { about, checkedOf } from '../support/evidence'
import {
  answerOf,
  type FormatRow,
  factsOf,
  hasField,
  kindsInFormat,
  messages,
  rowsOf,
  unlisted,
} from '../support/format'
import { type Vector, vectorFiles, vectorsOf, verdictOf } from '../support/proofs'

/** The checks in `test/fixtures/files/`, which has kinds that no recorded answer is of. */
const filed = readdirSync('test/fixtures/files')
  .filter((name) => name !== 'index.json')
  .map((name) => JSON.parse(readFileSync(`test/fixtures/files/${name}`, 'utf8')))
const vectors = [
  ...vectorFiles.flatMap((file) => vectorsOf(file)),
  ...filed.map(({ kind, context, request, response, outcome, what }): Vector => {
    const verdict = outcome.verdict === 'refused' ? 'fail' : outcome.verdict
    return { name: what, verify: kind, context, request, response, expect: { verdict } }
  }),
]
const isRight = ({ expect }: Vector) => expect.verdict === 'ok'
const schema = {
  table: 't',
  tableId: 1,
  pk: [1],
  cols: [{ id: 1, name: 'id', type: 'INTEGER', maxLen: 8 }],
  maxColId: 1,
}

/** What the console writes of every recorded answer, with everything that may be known. */
const written = await Promise.all(
  vectors.map(async (vector) => {
    const checked = await checkedOf(vector)
    return JSON.parse(writeEvidence(checked, { ...about, report: { any: 1 } }))
  }),
)
const known = await (async () => {
  const vector = vectors.find((one) => one.verify === 'row' && isRight(one))
  if (!vector) throw new Error('no row')
  const { context, ...rest } = vector
  const all = {
    schema,
    collectionId: 2,
    hasNewerForm: true,
    mayLackAdvance: true,
    isOnlySeen: true,
  }
  const full = { db: '', trusted: null, publicKey: null, ...context, ...all }
  return JSON.parse(writeEvidence(await checkedOf({ ...rest, context: full }), about))
})()
const files: Record<string, unknown>[] = [...written, known]

const fileRows = [
  ...rowsOf('## 2 '),
  ...rowsOf('### 2.1 '),
  ...rowsOf('### 2.2 '),
  ...rowsOf('### 2.3 '),
]

describe('an evidence file', () => {
  test('has no field that FORMAT.md does not have', () => {
    for (const file of files) expect(unlisted(fileRows, file)).toEqual([])
  })

  test('has every field of FORMAT.md somewhere', () => {
    const absent = fileRows.filter(({ field }) => !files.some((file) => hasField(file, field)))
    expect(absent.map(({ field }) => field)).toEqual([])
  })

  const examples = ['ok', 'refused', 'unproven'].map((verdict) => {
    const found = files.find(({ outcome }) => Reflect.get(Object(outcome), 'verdict') === verdict)
    return [verdict, { ...found, firstContact: about.firstContact }] as const
  })

  test.each(examples)('that is %s may lack only what FORMAT.md lets it', (_, file) => {
    const isRead = (one: unknown) => 'evidence' in readEvidence(JSON.stringify(one))
    expect(isRead(file)).toBe(true)
    const looked = fileRows.filter(({ field }) => hasField(file, field) && !field.includes('[]'))
    expect(looked.length).toBeGreaterThan(20)
    for (const { field, missing, type } of looked) {
      expect([field, isRead(changed(file, field, undefined))]).toEqual([field, missing === 'yes'])
      expect([field, isRead(changed(file, field, null))]).toEqual([field, missing !== 'no'])
      if (type !== 'any' && !field.startsWith('context.') && field !== 'outcome.facts') {
        expect([field, isRead(changed(file, field, 7.5))]).toEqual([field, false])
      }
    }
  })

  test('of any kind is one that FORMAT.md names, and no other is read', () => {
    const [file] = files
    const read = (kind: string) => readEvidence(JSON.stringify({ ...file, kind }))
    expect([...kindsInFormat].sort()).toEqual(
      ['audit', 'document', 'error', 'fork', 'get', 'none', 'row', 'state', 'tx', 'write'].sort(),
    )
    for (const kind of kindsInFormat) expect(read(kind), kind).toHaveProperty('evidence')
    for (const kind of ['', 'rows', 'toString']) expect(read(kind), kind).toHaveProperty('error')
  })
})

/** A copy with another value at a path; undefined takes the field out. */
function changed(whole: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(whole)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce((at, name) => Reflect.get(Object(at), name), copy)
  if (value === undefined) Reflect.deleteProperty(Object(holder), last)
  else Reflect.set(Object(holder), last, value)
  return copy
}

const provable = kindsInFormat.filter((kind) => kind !== 'none' && kind !== 'error')

describe.each(provable)('the facts of %s', (kind) => {
  const rows = kind === 'write' ? factsOf('tx') : factsOf(kind)
  const facts = vectors.filter((one) => one.verify === kind && isRight(one))

  test('are those of FORMAT.md', async () => {
    const found = await Promise.all(facts.map((one) => verdictOf(one, one.response)))
    const all = found.map((one) => (one.refused ? null : one.facts))
    expect(all.length).toBeGreaterThan(0)
    for (const one of all) expect(unlisted(rows, one)).toEqual([])
    const absent = rows.filter(({ field }) => !all.some((one) => hasField(one, field)))
    expect(absent.map(({ field }) => field).filter((field) => !isRare(kind, field))).toEqual([])
  })
})

/** Facts that no recorded answer has; other tests make answers with them. */
const isRare = (kind: string, field: string) =>
  (kind === 'row' && field === 'named.*.isBytes') ||
  (kind === 'write' && field === 'entries[].value')

type Place = {
  path: string
  fields: ReadonlyMap<string, string>
  value: Record<string, unknown>
}

/** Every message in an answer, by the types of FORMAT.md. */
function placesOf(value: unknown, type: string, path = ''): Place[] {
  const [, item] = /^list of (\w+)$/.exec(type) ?? []
  if (item && Array.isArray(value)) {
    return value.flatMap((one, at) => placesOf(one, item, `${path}.${at}`))
  }
  const fields = messages.get(
    type === 'Entry' && 'valueHash' in Object(value) ? 'HiddenEntry' : type,
  )
  if (!fields || typeof value !== 'object' || value === null) return []
  const own: Place = { path, fields, value: value as Record<string, unknown> }
  const inner = [...fields].flatMap(([name, of]) =>
    placesOf(Reflect.get(value, name), of, `${path}.${name}`),
  )
  return [own, ...inner]
}

/** Values that a type never has. */
const wrong = (type: string): readonly unknown[] => {
  if (messages.has(type)) return [[], 'x', 7]
  if (type.startsWith('list')) return [{}, 'x', 7, [7.5]]
  switch (type) {
    case 'object':
      return [[], 'x', 7]
    case 'count':
      return ['1', -1, 1.5, {}, 2 ** 33]
    case 'uint64':
      return [1, '01', '-1', '1.0', '+1', '18446744073709551616', {}]
    case 'int64':
      return [1, '01', '1.0', '9223372036854775808x', {}]
    case 'digest':
      return ['', 'AAAA', 7, null, {}, `${'A'.repeat(43)}-`]
    case 'bytes':
      return ['A', 'AA', 'AA==\n', 'AB==', 7, {}]
    case 'flag':
      return ['true', 1, {}]
    case 'text':
      return [7, {}, []]
  }
  throw new Error(`FORMAT.md has no type ${type}`)
}

describe.each(provable)('an answer of %s', (kind) => {
  // A few of each form are enough: every message in each of them is changed in every field.
  const right = vectors.filter((one) => one.verify === kind && isRight(one))
  const some = [...right.slice(0, 1), ...right.slice(-1)].map(withoutKey)

  test('has the fields of FORMAT.md, each in its form, and no other', {
    timeout: 120_000,
  }, async () => {
    let looked = 0
    for (const vector of some) {
      const places = placesOf(vector.response, answerOf(kind))
      expect(places.length).toBeGreaterThan(2)
      const before = await verdictOf(vector, vector.response)
      for (const { path, fields, value } of distinct(places)) {
        expect([path, Object.keys(value).filter((name) => !fields.has(name))]).toEqual([path, []])
        const answer = async (name: string, other: unknown) => {
          const copy = changed({ of: vector.response }, `of${path}.${name}`, other)
          return verdictOf(vector, Reflect.get(Object(copy), 'of'))
        }
        expect([path, (await answer('unheardOf', 1)).refused]).toEqual([path, true])
        for (const [name, type] of fields) {
          looked += 1
          if (!Object.hasOwn(value, name)) {
            const { refused } = await answer(name, null)
            expect([path, name, refused]).toEqual([path, name, before.refused])
            continue
          }
          for (const other of wrong(type)) {
            const { refused } = await answer(name, other)
            expect([path, name, other, refused]).toEqual([path, name, other, true])
          }
        }
      }
    }
    expect(looked).toBeGreaterThan(10)
  })
})

/** The form of a signature is looked at in any case, and to check it takes most of the time. */
function withoutKey(vector: Vector): Vector {
  const { context } = vector
  return context && vector.verify !== 'fork'
    ? { ...vector, context: { ...context, publicKey: null } }
    : vector
}

/** The first message of each kind, and where it stands in another one. */
const distinct = (places: readonly Place[]) => [
  ...new Map(places.map((one) => [one.path.replace(/\d+/g, '*'), one] as const).reverse()).values(),
]

describe('the bytes of a file', () => {
  const text = () => JSON.stringify({ ...files[0], what: 'Straße 😀' })
  const bytesOf = (one: string) => new TextEncoder().encode(one)
  const read = (bytes: Uint8Array) => {
    const found = readEvidenceBytes(bytes)
    return 'error' in found ? found : readEvidence(found.text)
  }

  test('may begin with one mark of their order', () => {
    const [plain, marked] = [bytesOf(text()), Uint8Array.of(0xef, 0xbb, 0xbf, ...bytesOf(text()))]
    expect(read(plain)).toMatchObject({ evidence: { what: 'Straße 😀' } })
    expect(read(marked)).toEqual(read(plain))
    expect(read(Uint8Array.of(0xef, 0xbb, 0xbf, ...marked))).toHaveProperty('error')
  })

  test('are refused when they are no UTF-8', () => {
    const sixteen = Uint8Array.from(Buffer.from(`\ufeff${text()}`, 'utf16le'))
    const latin = Uint8Array.from(Buffer.from(text(), 'latin1'))
    for (const bytes of [sixteen, latin]) {
      expect(read(bytes)).toEqual({ error: expect.stringContaining('UTF-8') })
    }
  })

  test('stand for U+FFFD where they escape half a character', () => {
    const said = (json: string) => {
      const found = readEvidence(JSON.stringify({ ...files[0], what: '@' }).replace('"@"', json))
      return 'evidence' in found ? found.evidence.what : found.error
    }
    expect(said(String.raw`"a\ud83d\ude00b"`)).toBe('a😀b')
    expect(said(String.raw`"a\ud83d b"`)).toBe('a\ufffd b')
    expect(said(String.raw`"a\uDE00\uD83D"`)).toBe('a\ufffd\ufffd')
    expect(said(String.raw`"a\\ud83d"`)).toBe(String.raw`a\ud83d`)
    expect(said(String.raw`"a\ud8"`)).toContain('not JSON')
    expect(said(String.raw`"", "\ud800": 1, "\ud801": 2`)).toContain('twice')
  })

  test('hold no half characters when the console writes them', async () => {
    const vector = vectors.find(isRight)
    if (!vector) throw new Error('none')
    const checked: Checked = { ...(await checkedOf(vector)), what: 'a\ud800 \\ud800 😀' }
    const text = writeEvidence(checked, about)
    expect(text).not.toMatch(/[^\\]\\ud/)
    expect(readEvidence(text)).toMatchObject({ evidence: { what: 'a\ufffd \\ud800 😀' } })
  })

  test.each([
    ['2026-01-02T03:04:05Z', true],
    ['2026-01-02T03:04:05.123456789Z', true],
    ['2026-02-30T03:04:05Z', false],
    ['2026-01-02', false],
    ['2026-01-02T03:04:05+01:00', false],
    ['Fri, 02 Jan 2026 03:04:05 GMT', false],
    ['2026-01-02T24:00:00Z', false],
  ])('have the moment %s: %s', (checkedAt, isOne) => {
    const found = readEvidence(JSON.stringify({ ...files[0], checkedAt }))
    expect('evidence' in found).toBe(isOne)
  })
})

describe('what a file pins', () => {
  const row = () => known as { context: object }
  test.each([
    ['a text', 'schema'],
    ['a column that is none', { ...schema, cols: [null] }],
    ['no columns', { ...schema, cols: 7 }],
  ])('is another schema where it is %s', async (_, pinned) => {
    const context = { ...row().context, schema: pinned }
    const found = await openEvidence(JSON.stringify({ ...row(), context }))
    expect(found).toMatchObject({
      rechecked: { outcome: { kind: 'refused', refusal: { reason: 'schema-changed' } } },
    })
  })
})

describe('an audit', () => {
  const audit = vectors.find((one) => one.verify === 'audit' && isRight(one))
  const { txs } = Object(audit?.response) as { txs: unknown[] }

  test('rests in the form of FORMAT.md', () => {
    const walk = startAudit()
    for (const tx of txs.slice(0, 3)) auditTx(walk, tx)
    const rows = rowsOf('### 4.1 ')
    const saved = saveAudit(walk)
    expect(unlisted(rows, saved)).toEqual([])
    expect(Object.keys(saved).sort()).toEqual(rows.map(({ field }) => field).sort())
  })

  test('is kept and reported in the forms of FORMAT.md', () => {
    const walk = startAudit()
    for (const tx of txs) auditTx(walk, tx)
    const deep = startDeepAudit({ txId: walk.txId, txHash: walk.alh }, true)
    takePage(
      deep,
      txs.map((tx) => ({ tx, values: null, lack: null })),
      0,
    )
    const saved = saveDeepAudit(deep)
    expect(unlisted(rowsOf('### 4.2 '), JSON.parse(JSON.stringify(saved)))).toEqual([])
    const inside = (rows: readonly FormatRow[]) =>
      rows.filter(({ field }) => !hasField(saved, field)).map(({ field }) => field)
    expect(inside(rowsOf('### 4.2 '))).toEqual(['exceptions.list[].count'])
    for (const field of ['format', 'chain', 'target', 'target.txId', 'target.txHash', 'pending']) {
      expect(() => resumeDeepAudit(changed(saved, field, 7)), field).toThrow()
    }
    const { counts, exceptions, withValues } = deep
    const id = { origin: '', server: '', database: 'db' }
    const point = { txId: '1', txHash: '' }
    const trust = { id, firstContact: { ...point, at: 1 } }
    const report = reportOf(
      trust as Parameters<typeof reportOf>[0],
      {
        first: '1',
        txId: '1',
        last: '1',
        withValues,
        entries: 1,
        counts,
        exceptions,
        pending: 0,
        active: 1,
        rate: 1,
        step: 'tables',
      },
      { tables: [], end: null, target: point, keeping: 'kept', before: null },
    )
    const { end: _, ...said } = report
    expect(unlisted(rowsOf('### 4.3 '), { report: said })).toEqual([])
    const absent = rowsOf('### 4.3 ').filter(({ field }) => !hasField({ report: said }, field))
    expect(absent).toEqual([])
  })
})

test('the example of a checkpoint is signed by the key beside it', () => {
  const text = readFileSync('src/proof/FORMAT.md', 'utf8')
  const lines = text.split('\n').map((line) => line.replace(/^ {4}/, ''))
  const at = lines.findIndex((line) => line.startsWith('immudb/'))
  const signed = `${lines.slice(at, at + 3).join('\n')}\n`
  expect(lines[at + 3]).toBe('')
  const [, name = '', base64 = ''] = /^— (\S+) (\S+)$/.exec(lines[at + 4] ?? '') ?? []
  const signature = Buffer.from(base64, 'base64')
  const [, hash = '', key = ''] =
    /`auditor\.example\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)`/.exec(text) ?? []
  const [algorithm, ...point] = Buffer.from(key, 'base64')
  expect([algorithm, point.length]).toEqual([1, 32])
  const digest = createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.from(key, 'base64'))
    .digest()
  expect(digest.subarray(0, 4).toString('hex')).toBe(hash)
  expect(signature.subarray(0, 4).toString('hex')).toBe(hash)
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(point)])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  expect(verifyBytes(null, Buffer.from(signed), publicKey, signature.subarray(4))).toBe(true)
})

test('VERIFY.md lists every reason for a refusal', () => {
  const text = readFileSync('src/proof/VERIFY.md', 'utf8')
  const listed = [...text.matchAll(/^\| `([a-z-]+)` \| [^|]*: /gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual([...reasons].sort())
})

test('VERIFY.md lists the step and part of every refusal of a recorded answer', async () => {
  const text = readFileSync('src/proof/VERIFY.md', 'utf8')
  const rows = new Map(
    [...text.matchAll(/^\| `([a-z-]+)` \| (.*) \| .* \|$/gm)].map(([, reason = '', cells = '']) => [
      reason,
      cells,
    ]),
  )
  const kindOf = (one: Vector): Kind => one.verify
  for (const vector of vectors) {
    const found = await verdictOf(vector, vector.response)
    if (!found.refused || found.error.reason === 'malformed') continue
    const { reason, step, part } = found.error
    const of = rows
      .get(reason)
      ?.split('; ')
      .find((one) => one.startsWith(`${step}:`))
    expect(`${kindOf(vector)} ${reason} ${step} ${of}`).toContain(`\`${part}\``)
  }
})
