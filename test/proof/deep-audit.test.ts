// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToBase64, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { saveAudit } from '~/proof/audit-walk'
import { schemasOf } from '~/proof/catalog'
import {
  type DeepAudit,
  type FetchedTx,
  isAtEnd,
  startDeepAudit,
  takePage,
} from '~/proof/deep-audit'
import { except, listedOfReason, noExceptions } from '~/proof/exceptions'
import { startAudit } from '~/proof/kernel/audit'
import { concat } from '~/proof/kernel/bytes'
import type { TrustedState } from '~/proof/kernel/context'
import { hash } from '~/proof/kernel/hash'
import { keyPart } from '~/proof/kernel/sql-type'
import { ProofError } from '~/proof/kernel/steps'
import { documentKey, plainKey, plainValue, rowKey } from '~/proof/kernel/stored'
import { verify } from '~/proof/kernel/verify'
import { pkValues, rowOfKey } from '~/proof/sample-row'
import {
  goOnFrom,
  keptCatalog,
  readTarget,
  resumeDeepAudit,
  saveDeepAudit,
} from '~/proof/saved-audit'
import { History, type Json, type Written } from '../support/history'
import { vectorsOf } from '../support/proofs'
import { createdTable, storedRow } from '../support/stored-table'

const now = 1_800_000_000

const digests = (tx: unknown): FetchedTx => ({ tx, values: null, lack: null })

function walked(audit: DeepAudit, txs: readonly FetchedTx[], size: number): DeepAudit {
  let at = 0
  while (!isAtEnd(audit)) {
    takePage(audit, txs.slice(at, at + size), now)
    at += size
  }
  return audit
}

describe('recorded histories', () => {
  for (const { name, context, response, expect: expected } of vectorsOf('09-audit')) {
    test(`${name} in pages of 7`, () => {
      const { txs } = response as { txs: unknown[] }
      const target = readTarget(context?.trusted ?? { txId: '0', txHash: '' })
      const run = () => walked(startDeepAudit(target, false), txs.map(digests), 7)
      if (expected.verdict === 'ok') {
        expect(run().chain.alh).toEqual(target.txHash)
      } else {
        expect(run).toThrow(ProofError)
      }
    })
  }
})

const onTo = (target: TrustedState) => ({ target, withValues: true, withTables: true })

/** A `Tx` as it comes with `RAW_VALUE`. */
function withValues(history: History, tx: number, written: readonly Written[]): Json {
  const { header, entries } = history.tx(tx) as { header: unknown; entries: Json[] }
  const values = new Map(
    written.map(({ key, value }) => [bytesToBase64(key), bytesToBase64(value)]),
  )
  return {
    header,
    entries: entries.map((entry) => ({ ...entry, value: values.get(String(entry.key)) })),
  }
}

const kv = (key: string, value: string): Written => ({
  key: plainKey(encodeUtf8(key)),
  value: plainValue(encodeUtf8(value)),
})

const documentId = encodeUtf8('0123456789abcdef')
const document: Written = { key: documentKey(7, documentId), value: encodeUtf8('a document') }

const content: Written[][] = [
  [kv('a', '1')],
  createdTable,
  [storedRow(41), storedRow(42)],
  [kv('b', '2'), document],
  [{ ...kv('gone', '3'), metadata: { expiresAt: 1_700_000_000n } }],
  [{ key: plainKey(encodeUtf8('a')), value: new Uint8Array(), metadata: { deleted: true } }],
]

function sample(): { history: History; pages: FetchedTx[] } {
  const history = new History()
  for (const written of content) history.add(written)
  const pages = content.map((written, at): FetchedTx => {
    const shown = written.filter((one) => one !== document && one.metadata?.expiresAt === undefined)
    const values = withValues(history, at + 1, shown)
    const listed = {
      ...values,
      entries: (values.entries as Json[]).filter((_, n) => shown.includes(written[n] as Written)),
    }
    const isWhole = shown.length === written.length
    return isWhole ? digests(values) : { tx: history.tx(at + 1), values: listed, lack: null }
  })
  return { history, pages }
}

describe('the catalog is what the index of immudb has of it:', () => {
  const renamed = (metadata: Written['metadata']): Written => ({
    key: createdTable[0]?.key ?? new Uint8Array(),
    value: encodeUtf8('other'),
    ...(metadata && { metadata }),
  })
  const auditOf = (written: Written) => {
    const history = new History()
    const pages = [createdTable, [written]].map((entries, at) => {
      history.add(entries)
      return digests(withValues(history, at + 1, entries))
    })
    return walked(startDeepAudit(readTarget(history.point(2)), true), pages, 5)
  }

  test('an entry of it renames a table', () => {
    const audit = auditOf(renamed(undefined))
    expect(schemasOf(audit.catalog).map(({ table }) => table)).toEqual(['other'])
    expect(audit).toMatchObject({ isCatalogWhole: true, catalogTx: 2n })
  })

  test('one that is not indexable changes nothing', () => {
    const audit = auditOf(renamed({ nonIndexable: true }))
    expect(schemasOf(audit.catalog).map(({ table }) => table)).toEqual(['t1'])
    expect(audit).toMatchObject({ isCatalogWhole: true, catalogTx: 1n })
  })

  test('with one that expires, past or not, nothing is derived', () => {
    for (const expiresAt of [1n, 4_000_000_000n]) {
      expect(auditOf(renamed({ expiresAt })).isCatalogWhole).toBe(false)
    }
  })

  test('a row that is not indexable is no sample of its table', () => {
    const row = storedRow(41)
    expect(auditOf(row).rows.size).toBe(1)
    expect(auditOf({ ...row, metadata: { nonIndexable: true } }).rows.size).toBe(0)
  })
})

const begun = (history: History) => startDeepAudit(readTarget(history.point(content.length)), true)

describe('with values', () => {
  test('counts what was seen and says of the rest why it was not', () => {
    const { history, pages } = sample()
    const audit = walked(begun(history), pages, 4)
    expect(audit.chain.entries).toBe(11)
    expect(audit.counts.values).toBe(9)
    expect(audit.exceptions.counts).toEqual({ expired: 1 })
    expect(audit.exceptions.list).toEqual([
      { reason: 'expired', tx: '5', key: '00676f6e65', words: '' },
    ])
    expect(audit.pending).toEqual([
      {
        kind: 'document',
        tx: '4',
        collectionId: 7,
        id: '30313233343536373839616263646566',
        key: expect.stringMatching(/^03522e/),
        size: expect.any(Number),
        vLen: 10,
      },
    ])
  })

  test('derives the tables and remembers a row of each', () => {
    const { history, pages } = sample()
    const audit = walked(begun(history), pages, 100)
    expect(audit.isCatalogWhole).toBe(true)
    expect(schemasOf(audit.catalog)).toEqual([
      {
        table: 't1',
        tableId: 1,
        pk: [1],
        maxColId: 2,
        cols: [
          { id: 1, name: 'id', type: 'INTEGER', maxLen: 8 },
          { id: 2, name: 'name', type: 'VARCHAR', maxLen: 32 },
        ],
      },
    ])
    expect(audit.rows.get(1)).toEqual({ tx: '3', cells: [[1, '000000000000002a']] })
  })

  test.each<[string, string, (entry: Json) => Json]>([
    [
      'another value',
      'value-mismatch',
      (entry: Json) => ({ ...entry, value: bytesToBase64(encodeUtf8('x')) }),
    ],
    [
      'another value and its digest',
      'tx-mismatch',
      (entry: Json) => ({
        ...entry,
        value: bytesToBase64(encodeUtf8('x')),
        hValue: bytesToBase64(hash(encodeUtf8('x'))),
      }),
    ],
    [
      'another key',
      'tx-mismatch',
      (entry: Json) => ({ ...entry, key: bytesToBase64(encodeUtf8('x')) }),
    ],
  ])('refuses %s in the second list, and stays where it was', (_, reason, change) => {
    const { history, pages } = sample()
    const audit = begun(history)
    takePage(audit, pages.slice(0, 3), now)
    const before = saveDeepAudit(audit)
    const page = pages[3] as FetchedTx
    const { header, entries } = page.values as { header: unknown; entries: Json[] }
    const changed = { ...page, values: { header, entries: entries.map(change) } }
    expect(() => takePage(audit, [changed], now)).toThrow(expect.objectContaining({ reason }))
    expect(saveDeepAudit(audit)).toEqual(before)
    takePage(audit, [page], now)
    expect(audit.chain.txId).toBe(4n)
  })

  test('F74: refuses a flipped bit in whichever transaction, and another end', () => {
    const { history, pages } = sample()
    for (const at of pages.keys()) {
      const flipped = structuredClone(pages)
      const tx = flipped[at]?.tx as { header: { ts: string } }
      tx.header.ts = String(BigInt(tx.header.ts) + 1n)
      expect(() => walked(begun(history), flipped, 2)).toThrow(ProofError)
    }
    const target = { ...readTarget(history.point(6)), txHash: history.alh(5) }
    expect(() => walked(startDeepAudit(target, true), pages, 2)).toThrow(
      expect.objectContaining({ reason: 'audit', part: 'trusted' }),
    )
  })

  test('a value that is left out without a reason is told', () => {
    const { history, pages } = sample()
    const silent = [digests(history.tx(1)), ...pages.slice(1)]
    expect(walked(begun(history), silent, 9).exceptions.counts).toMatchObject({ withheld: 1 })
  })

  test('a definition of a table that was not seen leaves no tables', () => {
    const { history, pages } = sample()
    const silent = pages.map((page, at) => (at === 1 ? digests(history.tx(2)) : page))
    expect(walked(begun(history), silent, 9).isCatalogWhole).toBe(false)
  })
})

test('a page is no larger for a tree that lags behind, as it holds no proof', () => {
  const history = new History()
  for (const key of ['a', 'b']) history.add([kv(key, '1')])
  const set = Uint8Array.of(1, 0x61)
  history.add([{ key: set, value: encodeUtf8('7 bytes') }], { lag: 1 })
  const lack = { reason: 'too-large', words: '' } as const
  const pages = [1, 2, 3].map((tx): FetchedTx => ({ tx: history.tx(tx), values: null, lack }))
  const audit = walked(startDeepAudit(readTarget(history.point(3)), true), pages, 3)
  expect(audit.exceptions.counts).toEqual({ 'size-unexplained': 1 })
})

describe('the primary key in the key of a row', () => {
  const types: [type: string, maxLen: number, cell: string][] = [
    ['INTEGER', 8, '7fffffffffffffff'],
    ['INTEGER', 8, 'fffffffffffffffe'],
    ['TIMESTAMP', 8, '000600000000002a'],
    ['TIMESTAMP', 8, 'fffffffffffffff6'],
    ['BOOLEAN', 1, '01'],
    ['FLOAT', 8, '3ff8000000000000'],
    ['FLOAT', 8, 'c000000000000000'],
    ['FLOAT', 8, '0000000000000000'],
    ['FLOAT', 8, '8000000000000000'],
    ['FLOAT', 8, '7ff8000000000001'],
    ['FLOAT', 8, 'fff8000000000000'],
    ['FLOAT', 8, '7ff0000000000000'],
    ['FLOAT', 8, 'fff0000000000000'],
    ['UUID', 16, '00112233445566778899aabbccddeeff'],
    ['VARCHAR', 16, bytesToHex(encodeUtf8('naïve'))],
    ['VARCHAR', 16, ''],
    ['BLOB', 4, '00ff0000'],
  ]

  test.each(types)('%s of %i bytes: %s', (type, maxLen, digits) => {
    const cell = Uint8Array.from(Buffer.from(digits, 'hex'))
    const cols = [1, 2].map((id) => ({ id, name: `c${id}`, type, maxLen }))
    const schema = { table: 't', tableId: 9, pk: [2, 1], cols, maxColId: 2 }
    const part = keyPart(type, maxLen, cell) ?? new Uint8Array()
    const key = rowKey(9, concat(part, part))
    expect(rowOfKey('5', key, schema)).toEqual({
      tx: '5',
      cells: [
        [2, digits],
        [1, digits],
      ],
    })
    expect(rowOfKey('5', key.subarray(0, key.length - 1), schema)).toBeNull()
  })
})

describe('a row by its primary key', () => {
  const asked = (type: string, maxLen: number, digits: string) =>
    pkValues(
      { tx: '5', cells: [[1, digits]] },
      { table: 't', tableId: 9, pk: [1], cols: [{ id: 1, name: 'c', type, maxLen }], maxColId: 1 },
    )

  test.each<[string, string, unknown]>([
    ['1.5', '3ff8000000000000', 1.5],
    ['-2', 'c000000000000000', -2],
    ['0', '0000000000000000', 0],
    ['the smallest', '0000000000000001', 5e-324],
    ['the largest', '7fefffffffffffff', Number.MAX_VALUE],
  ])('is asked for by the number %s, which JSON keeps whole', (_, digits, value) => {
    const found = asked('FLOAT', 8, digits)
    expect(found).toEqual([{ f: value }])
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
  })

  // The server keeps them all apart; in JSON -0 would ask for the row of 0, and the others for none.
  test.each([
    ['-0', '8000000000000000'],
    ['NaN as Go has it', '7ff8000000000001'],
    ['another NaN', 'fff8000000000000'],
    ['Infinity', '7ff0000000000000'],
    ['-Infinity', 'fff0000000000000'],
  ])('is not asked for by %s, which JSON does not have', (_, digits) => {
    expect(asked('FLOAT', 8, digits)).toBeNull()
  })

  test('is asked for by whatever else a key can be', () => {
    expect(asked('INTEGER', 8, '0000000000000000')).toEqual([{ n: '0' }])
    expect(asked('BOOLEAN', 1, '00')).toEqual([{ b: false }])
    expect(asked('BLOB', 4, '00ff')).toEqual([{ bs: 'AP8=' }])
    expect(asked('VARCHAR', 4, '')).toEqual([{ s: '' }])
  })
})

describe('at rest', () => {
  test('goes on from what JSON keeps of it, after any transaction', () => {
    const { history, pages } = sample()
    const whole = saveDeepAudit(walked(begun(history), pages, 6))
    let audit = begun(history)
    for (const page of pages) {
      takePage(audit, [page], now)
      audit = resumeDeepAudit(JSON.parse(JSON.stringify(saveDeepAudit(audit))))
    }
    expect(saveDeepAudit(audit)).toEqual(whole)
  })

  test('says when tables last changed, from the keys alone, and what is not known of it', () => {
    const { history, pages } = sample()
    const target = readTarget(history.point(6))
    const keysOnly = content.map((_, at) => digests(history.tx(at + 1)))
    const read = walked(startDeepAudit(target, false), keysOnly, 3)
    expect(read.catalogTx).toBe(2n)
    expect(resumeDeepAudit(saveDeepAudit(read)).catalogTx).toBe(2n)
    expect(goOnFrom(saveDeepAudit(read), onTo(history.point(6))).catalogTx).toBe(2n)
    const before = walked(startDeepAudit(readTarget(history.point(1)), true), pages, 1)
    expect(before.catalogTx).toBe(0n)
    // Of what an older console kept nobody knows it; nor where the entries could not be seen.
    const { catalogTx: _, ...older } = saveDeepAudit(read) ?? {}
    expect(resumeDeepAudit(older).catalogTx).toBe(6n)
    const large = { reason: 'entries-too-large', words: '' } as const
    const unlisted = keysOnly.with(4, {
      tx: { header: (history.tx(5) as { header: unknown }).header },
      values: null,
      lack: large,
    })
    expect(walked(startDeepAudit(target, false), unlisted, 6).catalogTx).toBe(5n)
  })

  test('an audit that ended is gone on from, up to a newer point', () => {
    const { history, pages } = sample()
    const target = readTarget(history.point(3))
    const first = walked(startDeepAudit(target, true), pages.slice(0, 3), 9)
    const next = goOnFrom(saveDeepAudit(first), onTo(history.point(6)))
    expect(next).toMatchObject({ first: 4n, counts: { values: 0 }, isCatalogWhole: true })
    const done = walked(next, pages.slice(3), 9)
    expect(done.chain.alh).toEqual(history.alh(6))
    expect(schemasOf(done.catalog).map(({ table }) => table)).toEqual(['t1'])
  })

  test.each([null, {}, { format: 2 }, { format: 1, pending: [] }])('refuses %j', (saved) => {
    expect(() => resumeDeepAudit(saved)).toThrow(expect.objectContaining({ step: 'context' }))
  })

  test.each([undefined, '', '0', 'zz', '00 ff', '00FF'])('refuses to prove the key %j', (key) => {
    const { history } = sample()
    const saved = { ...saveDeepAudit(begun(history)), pending: [{ kind: 'value', tx: '1', key }] }
    expect(() => resumeDeepAudit(saved)).toThrow(expect.objectContaining({ step: 'context' }))
    expect(
      resumeDeepAudit({ ...saved, pending: [{ ...saved.pending[0], key: '00ff' }] }),
    ).toBeTruthy()
  })

  test('keeps at most 100 kB however much was found', () => {
    const { history, pages } = sample()
    const audit = walked(begun(history), pages, 9)
    const reasons = ['expired', 'too-large', 'entries-too-large', 'refused', 'withheld'] as const
    const more = ['collection-catalog', 'collection-gone', 'document-refused'] as const
    for (const reason of [...reasons, ...more]) {
      for (let tx = 0; tx < 500; tx += 1) {
        const found = { reason, tx: '18446744073709551615', key: 'ab'.repeat(900) }
        except(audit.exceptions, { ...found, words: 'x'.repeat(2_000) })
      }
    }
    for (let id = 0; id < 5_000; id += 1) audit.collections.set(id, 'c'.repeat(50))
    const small = JSON.stringify(saveDeepAudit(audit))
    expect(small.length).toBeLessThan(50_000)
    expect(resumeDeepAudit(JSON.parse(small)).isCatalogWhole).toBe(true)
    for (let id = 2; id < keptCatalog / 20; id += 1) {
      audit.catalog.set(id, { name: `table ${id}`, pk: [1], cols: new Map() })
    }
    const large = JSON.stringify(saveDeepAudit(audit))
    expect(large.length).toBeLessThan(50_000)
    // What does not fit is given up, and said.
    expect(resumeDeepAudit(JSON.parse(large)).isCatalogWhole).toBe(false)
  })
})

test('exceptions are counted all and listed a few of each kind', () => {
  const exceptions = noExceptions()
  for (let tx = 0; tx < 100; tx += 1) {
    except(exceptions, { reason: 'expired', tx: String(tx), key: '', words: '' })
  }
  except(exceptions, { reason: 'refused', tx: '7', key: '', words: 'no', count: 3 })
  expect(exceptions.counts).toEqual({ expired: 100, refused: 3 })
  expect(exceptions.list).toHaveLength(listedOfReason + 1)
})

describe('a page of a walk as evidence', () => {
  test('is checked again from where the walk was', async () => {
    const { history, pages } = sample()
    const audit = walked(begun(history), pages, 4)
    const { after, tx } = audit.end ?? { after: null, tx: null }
    const context = { db: 'd', trusted: history.point(6), publicKey: null }
    const { facts } = await verify('audit', context, { after }, { txs: [tx] })
    // Of what was walked over before, it shows nothing.
    expect(facts).toMatchObject({ txId: '6', entries: 1 })
    const walk = { ...saveAudit(audit.chain), entries: 1_000_000 }
    const none = verify('audit', context, { after: walk }, { txs: [] })
    await expect(none).rejects.toThrow(ProofError)
    const other = { ...context, trusted: { ...history.point(6), txHash: history.point(5).txHash } }
    await expect(verify('audit', other, { after }, { txs: [tx] })).rejects.toThrow(ProofError)
    expect(startAudit().txId).toBe(0n)
  })

  test('with the values that are not right', async () => {
    const { history, pages } = sample()
    const page = pages[3] as FetchedTx
    const { header, entries } = page.values as { header: unknown; entries: Json[] }
    const values = { header, entries: entries.map((one) => ({ ...one, value: 'eA==' })) }
    const audit = begun(history)
    takePage(audit, pages.slice(0, 3), now)
    const { chain } = saveDeepAudit(audit) ?? {}
    const context = { db: 'd', trusted: history.point(6), publicKey: null }
    const request = { initialTx: '4', limit: 1, after: chain }
    await expect(
      verify('audit', context, request, { txs: [page.tx], values: [values] }),
    ).rejects.toMatchObject({ reason: 'value-mismatch' })
  })
})
