// @vitest-environment node
import { expect, test } from 'vitest'
import { callOfProof } from '~/screens/proof/proof-call'
import type { Verification } from '~/trust/verification'
import { type Vector, vectorsOf } from '../../support/proofs'

function callOf(name: string, changes: Partial<Vector> = {}) {
  const found = [...vectorsOf('06-sql'), ...vectorsOf('07-document')].find(
    (vector) => vector.name === name,
  )
  if (!found) throw new Error(`no vector ${name}`)
  const { verify: kind, request, response } = { ...found, ...changes }
  // What it is not made from is left out.
  return callOfProof({ kind, request, response, database: 'defaultdb' } as Verification)
}

test('reads and proves a row by the names and types of its whole key', () => {
  expect(callOf('composite-pk')).toEqual({
    kind: 'row',
    sql: expect.stringMatching(/^SELECT \* FROM comp WHERE \w+ = @p1 AND \w+ = @p2 AND \w+ = @p3$/),
    params: [
      { name: 'p1', value: { n: '1' } },
      { name: 'p2', value: { s: 'kd1' } },
      { name: 'p3', value: { ts: '1672567200500000' } },
    ],
    table: 'comp',
    key: [
      { type: 'INTEGER', value: { n: '1' } },
      { type: 'VARCHAR', value: { s: 'kd1' } },
      { type: 'TIMESTAMP', value: { ts: '1672567200500000' } },
    ],
    isVerified: true,
  })
})

test('compares a UUID as one', () => {
  expect(callOf('pk-uuid-string')).toMatchObject({
    sql: expect.stringMatching(/= CAST\(@p1 AS UUID\)$/),
    key: [{ type: 'UUID' }],
  })
})

test('an older row, which no SDK proves, is not offered', () => {
  const sqlGetRequest = { table: 'everything', pkValues: [{ n: '1' }], atTx: '7' }
  expect(callOf('all-types', { request: { sqlGetRequest } })).toBeNull()
})

test.each([null, 'oops', {}, { PKIDs: [9], ColNamesById: {}, ColTypesById: {} }])(
  'an answer that does not say what the key is called gives no code: %j',
  (response) => {
    expect(callOf('all-types', { response })).toBeNull()
  },
)

test.each([
  ['document', '0'],
  ['document-old-revision', '36'],
])('asks for the proof of a document again: %s', (name, tx) => {
  expect(callOf(name)).toEqual({
    kind: 'document proof',
    collection: 'docsd1',
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    tx,
  })
})
