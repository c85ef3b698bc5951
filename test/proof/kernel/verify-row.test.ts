// @vitest-environment node
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { EntryFacts } from '~/proof/kernel/proven-facts'
import { anyFields } from '~/proof/kernel/read'
import { claimedSchema } from '~/proof/kernel/schema'
import { ProofError } from '~/proof/kernel/steps'
import { verify } from '~/proof/kernel/verify'
import { rowInTx, rowsInTx } from '~/proof/kernel/verify-row'
import { proven, vectorsOf } from '../../support/proofs'

const vectors = vectorsOf('06-sql').filter(({ expect: { verdict } }) => verdict === 'ok')
const rows = vectors.filter(({ verify: kind }) => kind === 'row')

/** The request's primary key, and the table as the answer claims it to be. */
function asked({ request, response }: (typeof rows)[number]) {
  const { table, pkValues } = (request as { sqlGetRequest: { table: string; pkValues: object[] } })
    .sqlGetRequest
  const values = pkValues.map((value) => anyFields(value, 'pkValues'))
  return { values, schema: claimedSchema(anyFields(response, 'answer'), table, 'defaultdb') }
}

/** The entry that a row's own proof is about. */
function entryOf(row: (typeof rows)[number], key: string): EntryFacts {
  const { value } = (row.response as { sqlEntry: { value: string } }).sqlEntry
  const digits = Buffer.from(value, 'base64').toString('hex')
  const meta = { deleted: false, expiresAt: null, nonIndexable: false }
  return { key, meta, valueHash: '', value: digits }
}

describe('a row among the entries of its transaction', () => {
  test.each(rows.map((row) => [row.name, row] as const))(
    '%s: as its own proof says',
    async (_, row) => {
      const { facts } = await proven('row', row.context, row.request, row.response)
      const { values, schema } = asked(row)
      const found = rowInTx(schema, values, new Map([[facts.key, entryOf(row, facts.key)]]))
      expect(found).toEqual({
        deleted: false,
        raw: facts.raw,
        named: facts.named,
        hidden: facts.hidden,
      })
    },
  )

  const [first] = rows
  if (!first) throw new Error('no rows')

  test('is not there under another key, or without its value', async () => {
    const { facts } = await proven('row', first.context, first.request, first.response)
    const { values, schema } = asked(first)
    expect(rowInTx(schema, values, new Map())).toBeNull()
    const { value: _value, ...bare } = entryOf(first, facts.key)
    expect(rowInTx(schema, values, new Map([[facts.key, bare]]))).toBeNull()
  })

  test('that holds another key than asked for is refused', async () => {
    const { facts } = await proven('row', first.context, first.request, first.response)
    const { values, schema } = asked(first)
    const other = rows.find((row) => row.name === 'composite-pk') ?? first
    const entries = new Map([[facts.key, { ...entryOf(other, facts.key) }]])
    expect(() => rowInTx(schema, values, entries)).toThrow(ProofError)
    const cut = { ...entryOf(first, facts.key), value: '00000001' }
    expect(() => rowInTx(schema, values, new Map([[facts.key, cut]]))).toThrow(ProofError)
  })

  test('is one of many: each at its place, a wrong or unknown one null', async () => {
    const { facts } = await proven('row', first.context, first.request, first.response)
    const { values, schema } = asked(first)
    const { value = '', ...entry } = entryOf(first, facts.key)
    const stored = Buffer.from(value, 'hex')
    const known = { ...entry, valueHash: createHash('sha256').update(stored).digest('hex') }
    const given = { key: hexAsBase64(facts.key), hValue: hexAsBase64(known.valueHash) }
    const answer = { tx: { entries: [{ ...given, value: stored.toString('base64') }] } }
    const keys = [values, [], values.map(() => ({ n: 'no number' }))]
    const found = rowsInTx({ schema, keys, entries: [known], answer })
    expect(found).toEqual([{ ...facts, deleted: false }, null, null].map(content))
    const bare = { tx: { entries: [given] } }
    expect(rowsInTx({ schema, keys, entries: [known], answer: bare })).toEqual([null, null, null])
    const others = { tx: { entries: [{ ...given, value: hexAsBase64('00000001') }] } }
    expect(() => rowsInTx({ schema, keys, entries: [known], answer: others })).toThrow(ProofError)
    expect(() => rowsInTx({ schema, keys, entries: [known], answer: 'x' })).toThrow(ProofError)
  })
})

function content(row: { deleted: boolean; raw: unknown; named: unknown; hidden: unknown } | null) {
  return row && { deleted: row.deleted, raw: row.raw, named: row.named, hidden: row.hidden }
}

function hexAsBase64(digits: string): string {
  return Buffer.from(digits, 'hex').toString('base64')
}

describe('an answer in the form of immudb 1.5 and older', () => {
  type Row = (typeof rows)[number]
  const older = ({ request, response, context }: Row): unknown => {
    const { MaxColId: _, ColIdsByName, ...rest } = response as { [name: string]: object }
    const { table } = (request as { sqlGetRequest: { table: string } }).sqlGetRequest
    const names = Object.entries(ColIdsByName ?? {}).map(([name, id]) => [
      name.replace(`(${table}.`, `(${context?.db}.${table}.`),
      id,
    ])
    return { ...rest, ColIdsByName: Object.fromEntries(names) }
  }
  const found = ({ context, request }: Row, response: unknown, known = {}) =>
    verify('row', { ...(context ?? noContext), ...known }, request, response)
  const noContext = { db: '', trusted: null, publicKey: null }
  const refusal = (of: Promise<unknown>) =>
    of.then(
      () => 'none',
      (error: unknown) => (error instanceof ProofError ? error.reason : String(error)),
    )

  test.each(rows.map((row) => [row.name, row] as const))('%s: proves nothing', async (_, row) => {
    expect(await found(row, older(row))).toMatchObject({
      verdict: 'unproven',
      why: 'older-form',
      facts: null,
      open: [],
    })
  })

  const wrong = vectorsOf('06-sql').filter(
    ({ verify: kind, expect: { verdict } }) => kind === 'row' && verdict === 'fail',
  )

  test.each(wrong.map((row) => [row.name, row] as const))(
    '%s: a wrong answer stays refused',
    async (_, row) => {
      expect(await refusal(found(row, row.response))).not.toBe('none')
      const { MaxColId: _max, ...bare } = row.response as { [name: string]: unknown }
      expect(await refusal(found(row, bare))).not.toBe('none')
    },
  )

  test('is refused where the server has described a table in the newer form', async () => {
    for (const row of rows) {
      const known = { hasNewerForm: true }
      expect(await refusal(found(row, older(row), known))).toBe('older-form')
      expect(await found(row, row.response, known)).toMatchObject({ verdict: 'ok' })
    }
  })

  test('is compared with what an audit derived', async () => {
    for (const row of rows) {
      const { schema } = asked(row)
      const [first, ...others] = schema.cols
      if (!first) throw new Error('no columns')
      // Before columns could be dropped, the last one had the highest id.
      const same = { ...schema, maxColId: others.at(-1)?.id ?? first.id }
      expect(await found(row, older(row), { schema: same })).toMatchObject({ verdict: 'unproven' })
      const other = [
        { ...same, maxColId: same.maxColId + 1 },
        { ...same, cols: [{ ...first, name: 'other' }, ...others] },
      ]
      for (const pinned of other) {
        expect(await refusal(found(row, older(row), { schema: pinned }))).toBe('schema-changed')
      }
    }
  })
})
